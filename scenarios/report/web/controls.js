/**
 * Commands are all that can be done to the page with a key, each with a name that says
 * what it does. Other parts of the page add their own.
 */
class Commands {
  constructor() {
    this.list = [];
    document.addEventListener("keydown", (e) => this.press(e));
  }

  /**
   * @param {string} keys as KeyboardEvent has them, with spaces between; Space is the space bar, and
   *   Shift+ and Alt+ stand before keys that are no letters
   * @param {string} label what it does  @param {() => void} run
   */
  add(keys, label, run) {
    const command = { keys: keys.split(" "), label, run };
    this.list.push(command);
    return command;
  }

  press(e) {
    if (e.ctrlKey || e.metaKey || e.defaultPrevented) return;
    const key = e.key === " " ? "Space" : e.key;
    const owner = e.target instanceof Element ? e.target : document.body;
    if (owner.closest("input:not([type=checkbox]), select, textarea, dialog, [data-own-keys]")) return;
    if (owner.closest("button, summary, a, input") && (key === "Space" || key === "Enter")) return;
    const name = (e.altKey ? "Alt+" : "") + (e.shiftKey && key.length > 1 ? "Shift+" : "") + key;
    const command = this.list.find((c) => c.keys.includes(name));
    if (!command) return;
    e.preventDefault();
    command.run();
  }
}

/** A button. Its label is for those who do not see it; title has it, too. */
function toolButton(text, label, run) {
  const b = document.createElement("button");
  b.type = "button";
  b.textContent = text;
  b.title = label;
  b.setAttribute("aria-label", label);
  b.addEventListener("click", run);
  return b;
}

/** The diagrams of the page, one for each run, with what steers them. */
class Controls {
  /**
   * @param {{toolbar: HTMLElement, views: HTMLElement, status: HTMLElement}} places
   * @param {Run[]} runs
   */
  constructor(places, runs) {
    this.places = places;
    this.commands = new Commands();
    this.stages = runs.map((run) => new Stage(places.views, run, (view) => this.activate(view)));
    this.views = this.stages.map((stage) => stage.view);
    if (runs.length > 0) new Shapes(places.views, this.views);
    places.views.style.setProperty("--runs", runs.length);
    this.active = this.views[0];
    this.player = new Player(this);
    addMoves(this);
    this.toolbar = new Toolbar(this);
    followTheme(this.views);
    this.onActive = () => {};
  }

  /** Gives the keys to a view: it has been touched. */
  activate(view) {
    this.active = view;
    this.onActive(view);
  }

  /** Says something to those who do not see the diagram, and to the others below it. */
  say(text) { this.places.status.textContent = text; }
}

/** One run: its diagram, the strip with the whole run, and the slider. */
class Stage {
  constructor(parent, run, activate) {
    const section = document.createElement("section");
    section.className = "stage";
    section.setAttribute("aria-label", `Run ${run.name}`);
    const part = () => section.appendChild(document.createElement("div"));
    this.title = part();
    this.title.className = "stage-title";
    this.title.textContent = shownName(`${run.name}`, 80);
    const places = [part(), part(), part()];
    parent.append(section);
    this.section = section;
    this.view = new View(places[0], run);
    this.pointer = new Pointer(this.view, activate);
    this.minimap = new Minimap(places[1], this.view);
    this.scrubber = new Scrubber(places[2], this.view);
  }
}

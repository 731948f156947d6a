// Puts the page together. window.simrun is for those who test the page.

/** What changes in a view alone, because somebody uses it; mode, filter and theme change in all of them. */
const USED = new Set(["cursor", "selection", "snapshot"]);

/** App is the page: the runs, what shows them, and what one part of it asks of another. */
class App {
  constructor(head, runs) {
    this.head = head;
    this.runs = runs;
    this.active = 0; // the run that the panel is about
    this.cutVersion = 0;
    const place = (id) => document.getElementById(id);
    this.controls = new Controls({ toolbar: place("toolbar"), views: place("views"), status: place("status") }, runs);
    this.views = this.controls.views;
    this.firstSnapshots = this.views.map((view) => view.snapshot);
    this.causalities = this.views.map((view) => new Causality(view));
    this.tools = runs.map((run) => new CutTool(run));
    this.cutLayers = this.tools.map((tool, k) => this.makeCut(tool, k));
    this.address = new Address(this);
    this.lock = new Lock(this.views);
    if (runs.length > 1) this.controls.stages.forEach((stage, k) => stage.title.append(metricStrip(runs[k])));
    this.panel = new Panel(place("panel"), this);
    this.table = new EventTable(place("table"), this);
    this.help = new Help(place("help"), this);
    comparisonSection(place("comparison"), head);
    legendSection(place("texts"), this);
    addPageCommands(this);
    openForPrint("#legend, #section-snapshot, #section-violations, #section-run, #section-recoveries");
    this.views.forEach((view, k) => view.onChange((what) => this.changed(what, k)));
    this.controls.say = (text) => this.announce(text);
    this.controls.onActive = (view) => this.use(this.views.indexOf(view));
    document.addEventListener("keydown", (e) => this.cutKey(e), true);
    this.makeReplay();
    this.makeSkips();
    this.address.open();
    new MutationObserver(() => this.address.changed()).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    this.panel.update();
  }

  makeCut(tool, k) {
    const layer = new CutLayer(tool, this.views[k]);
    this.views[k].layers.push(layer);
    tool.onChange(() => {
      this.cutVersion++;
      this.views[k].ownCut = tool.cut !== null;
      this.use(k);
      this.later(() => this.announce(this.cutKeys ? `${tool.sentence} ${tool.handleSentence}` : tool.sentence));
      this.address.changed();
      this.refresh();
    });
    return layer;
  }

  makeReplay() {
    const place = document.getElementById("replay");
    const code = place?.querySelector("code");
    if (code) place.append(button("Copy", () => this.copy(this.head.replay, code), { "aria-label": "Copy the command" }));
  }

  /** For those who go through the page with the tab key: past the toolbar, past the panel. */
  makeSkips() {
    const skip = (text, to) => button(text, () => to().focus(), { class: "skip" });
    document.body.prepend(
      skip("Skip to the diagram", () => this.about().view.canvas),
      skip("Skip to the panel", () => document.querySelector("#panel summary")),
      skip("Skip to the events as a table", () => this.table.open()));
  }

  get unlocked() {
    return !this.lock.on;
  }

  setLock(on) {
    this.lock.set(on);
    this.onLock?.(on);
    this.address.changed();
  }

  /** Everything that is about one moment of one run. */
  about() {
    const index = this.active;
    const view = this.views[index];
    const { cursor, selected, second, snapshot } = view;
    return { index, run: this.runs[index], view, tool: this.tools[index], cursor, selected, second, snapshot };
  }

  /** Something has changed in a view. */
  changed(what, k) {
    if (what === "hover" || what === "size") return;
    if (USED.has(what) && !this.lock.busy) this.use(k);
    if (what === "cursor" && !this.lock.busy) this.later(() => this.tellCursor());
    if (what === "selection") this.later(() => this.tellSelection());
    this.address.changed();
    if (what !== "window") this.refresh();
  }

  /** Makes a run the one that the panel is about. */
  use(k) {
    this.controls.active = this.views[k];
    if (k === this.active) return;
    this.active = k;
    this.address.changed();
    this.refresh();
  }

  /** Brings panel and table up to date with the next frame. */
  refresh() {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.panel.update();
      this.table.update();
    });
  }

  /** Does something when nothing has happened for a moment: nobody can listen to every step. */
  later(fn) {
    clearTimeout(this.telling);
    this.telling = setTimeout(fn, 300);
  }

  /** Says something, and not what was to be said later. */
  announce(text) {
    clearTimeout(this.telling);
    document.getElementById("status").textContent = text;
  }

  tellCursor() {
    const { run, cursor } = this.about();
    if (cursor >= 0) this.announce(run.describe(cursor));
  }

  tellSelection() {
    const { index, run, selected, second } = this.about();
    if (selected < 0) return;
    const found = this.causality(index).relation;
    const words = { before: "happened before", after: "happened after", concurrent: "is concurrent with", same: "is" };
    if (second < 0) this.announce(`Selected: ${run.describe(selected)}`);
    else this.announce(`${run.describe(selected)}: ${words[found.order]} ${run.describe(second)}`);
  }

  causality(index) {
    return this.causalities[index];
  }

  go(index, event) {
    this.use(index);
    this.views[index].setCursor(event);
    this.views[index].reveal(event);
  }

  select(index, event) {
    this.use(index);
    this.views[index].select(event);
  }

  selectSecond(index, event) {
    this.views[index].select(this.views[index].selected, event);
  }

  chooseSnapshot(index, k) {
    this.views[index].setSnapshot(k);
  }

  cutOfSnapshot(index) {
    const { run, snapshot } = this.views[index];
    const s = run.snapshots[snapshot];
    if (s) this.tools[index].set(cutOf(run, s), `that of snapshot ${s.id}`);
  }

  cutOfTime(index) {
    const { run, cursor } = this.views[index];
    if (cursor >= 0) this.tools[index].set(cutAt(run, cursor), `all that had happened at ${timeText(run, run.at[cursor])}`);
  }

  cutOfPast(index, event) {
    const run = this.runs[index];
    const { cut, why } = pastCut(run, event);
    if (cut) this.tools[index].set(cut, `the smallest consistent one that contains ${run.describe(event)}`);
    else this.announce(why);
  }

  /** Shows the cut to drag and gives it the arrow keys, or takes it away. */
  toggleCut(index) {
    const tool = this.tools[index];
    this.use(index);
    this.cutKeys = !tool.cut;
    if (tool.cut) tool.clear();
    else if (this.views[index].snapshot >= 0) this.cutOfSnapshot(index);
    else tool.set(cutAt(tool.run, this.views[index].cursor >= 0 ? this.views[index].cursor : tool.run.n - 1), "all that had happened");
    if (this.cutKeys) this.panel.reveal("cut");
  }

  /** The arrow keys, while they move the cut. Before anybody else has them. */
  cutKey(e) {
    const tool = this.tools[this.active];
    if (!this.cutKeys || !tool.cut || e.altKey || e.ctrlKey || e.metaKey) return;
    if (e.target instanceof Element && e.target.closest("input, select, textarea, dialog, table, .scroll")) return;
    const far = e.shiftKey ? 10 : 1;
    const act = {
      ArrowLeft: () => tool.step(-far), ArrowRight: () => tool.step(far),
      ArrowUp: () => tool.choose(-1), ArrowDown: () => tool.choose(1), Escape: () => this.giveKeysBack(),
    }[e.key];
    if (!act) return;
    e.preventDefault();
    act();
  }

  giveKeysBack() {
    this.cutKeys = false;
    this.announce("The arrow keys move the cursor again; the cut stays.");
    this.panel.update();
  }

  async copy(text, shown) {
    this.announce(await copyText(text, shown) ? "Copied." : "It is selected: copy it with Ctrl+C.");
  }

  async savePicture(index, kind) {
    const { run } = this.views[index];
    try {
      const blob = kind === "png" ? await pngOf(this.views[index]) : new Blob([svgOf(this.views[index])], { type: "image/svg+xml" });
      download(blob, pictureName(run, kind));
      this.announce(`Saved as ${pictureName(run, kind)}.`);
    } catch (cause) {
      this.announce(`There is no picture: ${cause.message}`);
    }
  }
}

const simrun = { runs: [], views: [], timing: {}, head: null };

async function start() {
  const began = performance.now();
  const { head, runs } = await readPage(document.getElementById("data").textContent);
  simrun.timing.read = performance.now() - began;
  const app = new App(head, runs);
  Object.assign(simrun, { head, runs, app, controls: app.controls, views: app.views, panel: app.panel, cut: app.tools, output: { svgOf, pngOf, fragment: () => fragmentOf(app) } });
  document.documentElement.dataset.live = "";
  simrun.timing.load = performance.now() - began;
  return simrun;
}

simrun.ready = start();
simrun.ready.catch((cause) => {
  document.getElementById("status").textContent = `The data of this page cannot be read: ${cause.message}`;
});
window.simrun = simrun;

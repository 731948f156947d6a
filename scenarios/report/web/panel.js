// What is beside the diagram: the state, the step, the snapshots, the verdicts. Names come
// from files: they become text nodes and never HTML.

/**
 * An element. Props that begin with "on" are listeners, the others attributes; one that is
 * null or false is left out, but for those of ARIA, where false is a word. Children are texts or nodes; null, false and "" are left out.
 */
function make(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || (value === false && !name.startsWith("aria-"))) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true && !name.startsWith("aria-") ? "" : String(value));
  }
  node.append(...children.filter((child) => child || child === 0));
  return node;
}

/** A name that comes from a file: it keeps its own direction of writing. */
function named(text, most = 60) {
  return make("bdi", { title: text.length > most ? text.slice(0, 2000) : null }, shownName(text, most));
}

function button(text, onclick, props = {}) {
  return make("button", { type: "button", onclick, ...props }, text);
}

/** A verdict with its sign: nobody has to tell green from red. */
function verdictBadge(verdict) {
  return make("strong", { class: `verdict ${verdict}` }, verdict);
}

/** A button that moves the cursor to an event. */
function jump(app, index, event, text) {
  if (event < 0) return make("span", {}, text);
  return button(text, () => app.go(index, event), { class: "link", title: "go to this event" });
}

/** A table. Cells are texts or nodes; columns that begin with "#" hold numbers. */
function tableOf(caption, columns, rows) {
  const number = columns.map((c) => c.startsWith("#"));
  const cell = (tag, value, k, props = {}) => make(tag, { class: number[k] ? "number" : null, ...props }, value);
  const head = make("tr", {}, ...columns.map((c, k) => cell("th", c.replace(/^#/, ""), k, { scope: "col" })));
  const body = rows.map(({ cells, mark }) => make("tr", { class: mark ?? null }, ...cells.map((c, k) => cell("td", c, k))));
  return make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    make("table", {}, make("caption", {}, caption), make("thead", {}, head), make("tbody", {}, ...body)));
}

/**
 * Panel is the sections beside the diagrams, about the run that was used last. A section
 * says with its key what it depends on, and is made anew only if that has changed and it is
 * open: the cursor may move sixty times a second.
 */
class Panel {
  constructor(host, app) {
    this.host = host;
    this.app = app;
    this.sections = [
      new ViolationSection(app), new EventSection(app), new StateSection(app), new StepSection(app), new CutSection(app),
      new SnapshotSection(app), new RecoverySection(app), new CoordinatorSection(app), new RunSection(app),
    ].map((section) => this.frame(section));
    host.replaceChildren(this.notes = make("div", { class: "notes" }), ...this.sections.map((s) => s.box));
    if (app.runs.length > 1) host.prepend(this.chooser = make("div", { class: "chooser", role: "group", "aria-label": "The run that this is about" }));
  }

  frame(section) {
    const body = make("div", { class: "body" });
    const count = make("span", { class: "count" });
    const box = make("details", { class: "section", id: `section-${section.id}`, open: section.open },
      make("summary", {}, make("h2", {}, section.title), count), body);
    box.addEventListener("toggle", () => this.update());
    return { section, box, body, count, key: null };
  }

  /** Brings every open section up to date. */
  update() {
    const about = this.app.about();
    this.updateChooser(about);
    this.updateNotes(about);
    for (const frame of this.sections) {
      const hidden = frame.section.hidden?.(about) ?? false;
      if (frame.box.hidden !== hidden) frame.box.hidden = hidden;
      if (hidden || !frame.box.open) continue;
      const key = JSON.stringify([about.index, ...frame.section.key(about)]);
      if (key === frame.key) continue;
      frame.key = key;
      const focused = frame.body.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
      frame.body.replaceChildren(...frame.section.render(about).filter(Boolean));
      frame.count.textContent = frame.section.count?.(about) ?? "";
      if (focused) frame.body.querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
    }
  }

  updateChooser({ index }) {
    if (!this.chooser || this.chosen === index) return;
    this.chosen = index;
    this.chooser.replaceChildren(...this.app.runs.map((run, k) =>
      button(shownName(run.name, 30), () => this.app.use(k), { "aria-pressed": k === index })));
  }

  /** What is left out is said all the time, wherever one has scrolled to. */
  updateNotes({ index, run }) {
    if (this.noted === index) return;
    this.noted = index;
    this.notes.hidden = run.notes.length === 0;
    this.notes.replaceChildren(...run.notes.map((text) => make("p", { class: "note" }, text)));
  }

  /** Opens a section and brings it into view. */
  reveal(id) {
    const frame = this.sections.find(({ section }) => section.id === id);
    frame.box.open = true;
    this.update();
    // Within the panel alone: the page must not jump away from the diagram.
    const { host } = this;
    if (host.scrollHeight > host.clientHeight) host.scrollTop += frame.box.getBoundingClientRect().top - host.getBoundingClientRect().top;
  }
}

/** Lines of an explanation or a story, as simrun explain prints them. */
function explained(lines) {
  return make("pre", { class: "explanation", tabindex: 0 }, lines.join("\n"));
}

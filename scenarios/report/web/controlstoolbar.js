/** The speeds of play, events a second. */
const SPEEDS = [1, 2, 4, 10, 30, 100, 1000];

/** The buttons over the diagram. They do what keys do, for the view that was touched last. */
class Toolbar {
  /** @param {Controls} controls */
  constructor(controls) {
    this.controls = controls;
    const { toolbar } = controls.places;
    this.toolbar = toolbar;
    this.add("Play", this.playButtons());
    this.add("Horizontally", this.modeButtons());
    this.add("Zoom", [this.press("−", "-"), this.press("+", "+"), this.press("whole", "0")]);
    this.add("Jump", this.jumpButtons());
    this.add("Show", this.filters());
    for (const view of controls.views) view.onChange((what) => { if (what === "mode" || what === "filter") this.update(); });
    controls.player.onChange = () => this.update();
    this.update();
  }

  /** Adds a group of buttons. */
  add(label, children) {
    const div = document.createElement("div");
    div.className = "group";
    div.setAttribute("role", "group");
    div.setAttribute("aria-label", label);
    div.append(...children);
    this.toolbar.append(div);
  }

  /** A button that does what a key does. */
  press(text, key) {
    const { run, label } = this.controls.commands.list.find((c) => c.keys.includes(key));
    return toolButton(text, `${label} (${key.replace("Arrow", "").replace("Left", "←").replace("Right", "→").replace("Space", "space bar")})`, run);
  }

  playButtons() {
    this.play = this.press("▶", "Space");
    this.speed = document.createElement("select");
    this.speed.setAttribute("aria-label", "Speed of play, events a second");
    this.speed.title = "Speed of play";
    for (const s of SPEEDS) this.speed.add(new Option(`${s}/s`, s, false, s === this.controls.player.speed));
    this.speed.addEventListener("change", () => { this.controls.player.speed = Number(this.speed.value); });
    return [this.press("◀", "ArrowLeft"), this.play, this.press("▶|", "ArrowRight"), this.speed];
  }

  modeButtons() {
    const set = (mode) => () => { for (const view of this.controls.views) view.setMode(mode); };
    this.modes = {
      time: toolButton("time", "Horizontally: virtual time (t)", set("time")),
      order: toolButton("order", "Horizontally: logical order, one step for each event (t)", set("order")),
    };
    return Object.values(this.modes);
  }

  /** For each thing to jump to: to the one before, and to the next. Where a run has none there is no button. */
  jumpButtons() {
    const has = (is) => this.controls.views.some(is);
    const pair = (word, key) => [this.press(`‹ ${word}`, key.toUpperCase()), this.press("›", key)];
    const all = [];
    if (has(({ run }) => run.snapshots.length > 0)) all.push(...pair("snapshot", "n"));
    if (has(({ run }) => run.down.length > 0)) all.push(...pair("crash", "c"));
    if (has(({ run }) => run.violations.length > 0)) all.push(...pair("violation", "v"));
    return all;
  }

  filters() {
    this.boxes = {};
    const marker = this.controls.views[0]?.run.marker ?? "marker";
    const families = [["messages", "messages"], ["markers", `${marker}s`], ["cuts", "cuts"]];
    if (this.controls.views.some(({ run }) => run.coordinator >= 0)) families.push(["control", "control"]);
    const labels = families.map(([family, text]) => {
      const label = document.createElement("label"), box = document.createElement("input");
      box.type = "checkbox";
      box.addEventListener("change", () => { for (const view of this.controls.views) view.setShow(family, box.checked); });
      this.boxes[family] = box;
      label.append(box, text);
      return label;
    });
    this.lanes = document.createElement("input");
    Object.assign(this.lanes, { type: "search", placeholder: "lanes…", size: 9, title: "Show only lanes with this in their names; commas separate alternatives" });
    this.lanes.setAttribute("aria-label", this.lanes.title);
    this.lanes.addEventListener("input", () => { for (const view of this.controls.views) view.filterLanes(this.lanes.value); });
    return [...labels, this.lanes];
  }

  /** The buttons show how things are. */
  update() {
    const view = this.controls.active;
    if (!view) return;
    const { playing } = this.controls.player;
    this.play.textContent = playing ? "❚❚" : "▶";
    this.play.setAttribute("aria-pressed", String(playing));
    for (const [mode, b] of Object.entries(this.modes)) b.setAttribute("aria-pressed", String(view.mode === mode));
    for (const [family, box] of Object.entries(this.boxes)) box.checked = view.show[family];
    if (document.activeElement !== this.lanes) this.lanes.value = view.laneFilter;
  }
}

/** What the shapes mean: those that the runs have, drawn by the code that draws the diagram. */
class Shapes {
  /** @param {HTMLElement} parent @param {View[]} views */
  constructor(parent, views) {
    const [{ palette, run: { marker } }] = views, runs = views.map((view) => view.run), any = (is) => runs.some(is);
    const has = (name) => any((run) => run.kind.includes(KIND[name]));
    const verdicts = new Set(runs.flatMap((run) => run.snapshots.filter((s) => s.cut.some((i) => i >= 0)).map((s) => s.verdict)));
    const host = document.createElement("div");
    host.className = "shapes";
    parent.append(host);
    this.entries = [
      [has("Process"), "processes", (p) => this.glyph(p, "Process")],
      [has("External"), "reads", (p) => this.glyph(p, "External")],
      [has("Emit"), "emits", (p) => this.glyph(p, "Emit", 21)],
      [has("Timer"), "timer", (p) => this.glyph(p, "Timer")],
      [has("Marker"), marker, (p) => { this.line(p, "marker", "marker"); const out = []; head("marker", 38, 12, 1, 0, 0, out); p.polygons(out, 4, { fill: "marker" }); }],
      [has("Initiate"), "initiates", (p) => this.glyph(p, "Initiate")],
      [has("Record"), "records", (p) => { p.rects([9, 2, 20, 20], { fill: "record" }); p.text(19, 12.5, "3", { fill: "on-record", size: 14, bold: true, align: "center" }); }],
      [has("Done"), "is done", (p) => this.glyph(p, "Done")],
      [has("ControlSent"), "control", (p) => this.line(p, "control", "control")],
      ...Object.keys(CUT_STYLE).map((verdict) => [verdicts.has(verdict), `cut: ${verdict}`, (p) => this.cut(p, verdict)]),
      [any((run) => run.snapshots.some((s) => s.channels.length > 0)), "in flight, recorded", (p) => this.thick(p, "in-flight", [])],
      [verdicts.has("violated"), "orphan", (p) => this.thick(p, "alarm", [])],
      [verdicts.has("violated"), "missing", (p) => this.thick(p, "alarm", [3, 4])],
      [verdicts.has("violated"), "wrongly recorded", (p) => this.thick(p, "alarm", [14, 4])],
      [any((run) => run.blocked.length > 0), "blocked", (p) => p.rects([2, 8, 34, 8], { fill: "blocked", stroke: "blocked-line", width: 1 })],
      [any((run) => run.busy.node.length > 0), "busy", (p) => p.rects([2, 6, 34, 12], { fill: "busy", stroke: "busy-line", width: 1 })],
      [has("Crash"), "crash", (p) => this.glyph(p, "Crash")],
      [has("Crash"), "down", (p) => this.hatched(p, "ground", "down", 6)],
      [has("Restored"), "restored", (p) => this.glyph(p, "Restored")],
      [any((run) => run.restores.length > 0), "undone", (p) => this.hatched(p, "undone-ground", "undone-hatch", 10)],
    ].filter(([is]) => is);
    this.painters = this.entries.map(([, text]) => {
      const item = document.createElement("span"), canvas = document.createElement("canvas");
      canvas.setAttribute("aria-hidden", "true");
      item.append(canvas, text);
      host.append(item);
      return new CanvasPainter(canvas.getContext("2d"), palette);
    });
    this.draw();
    views[0].onChange((what) => { if (what === "theme") this.draw(); });
  }

  draw() {
    const ratio = window.devicePixelRatio || 1;
    this.painters.forEach((painter, k) => {
      Object.assign(painter.ctx.canvas, { width: 38 * ratio, height: 24 * ratio });
      painter.ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
      this.entries[k][2](painter);
    });
  }

  glyph(painter, name, y = 12) {
    const glyph = GLYPHS[KIND[name]], list = [];
    painter.segments([0, y, 38, y], { stroke: "lane", width: 2 });
    shape(glyph.shape, 19, y, 6 * glyph.size, list);
    flushShape({ painter, radius: 6 }, glyph, TONE.plain, list);
  }

  line(painter, color, family) { painter.segments([0, 12, 28, 12], { ...ARROW_STYLE[family], stroke: color }); }

  thick(painter, color, dash) {
    painter.segments([2, 12, 36, 12], { stroke: color, width: 11, alpha: 0.35 });
    painter.segments([2, 12, 36, 12], { stroke: color, width: 3.5, dash });
  }

  cut(painter, verdict) {
    const { color, dash } = CUT_STYLE[verdict];
    painter.segments([2, 12, 36, 12], { stroke: color, width: 4, dash });
  }

  hatched(painter, fill, stroke, gap) {
    const lines = [];
    hatch(2, 5, 34, 14, gap, lines);
    painter.rects([2, 5, 34, 14], { fill, stroke, width: 1 });
    painter.segments(lines, { stroke, width: 1.2 });
  }
}

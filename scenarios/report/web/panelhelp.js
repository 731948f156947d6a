// What the shapes mean, and the keys. The shapes of the legend are drawn by the code that
// draws the diagram, so that they cannot differ from it.

/** What to say of each kind of event. A {marker} is called a barrier where that is the algorithm's word. */
const LEGEND = [
  ["Process", "a node processes a message"], ["External", "it reads a record from outside"], ["Timer", "a timer fires"],
  ["Send", "it sends a message: the arrow leads to where that is processed"], ["Emit", "a record leaves the system"],
  ["Initiate", "it is told to initiate a snapshot"], ["Marker", "a {marker} comes"],
  ["Record", "it records its state; the number is the snapshot's"], ["Done", "its part of the snapshot is finished"],
  ["Crash", "it crashes"], ["Restored", "it is put back to what a snapshot has of it"],
  ["Drop", "a message comes once more and is dropped"], ["Doubled", "the channel will bring a message twice"], ["Close", "a stream ends"],
  ["ControlReceived", "a message of the coordinator"], ["Fact", "the coordinator, its store or a sink did something"],
];

/** What is no event: how it is drawn into a box of 64 by 32, and what it means. */
const LEGEND_LINES = [
  [(p) => legendArrow(p, { stroke: "message", width: 1.4 }, "message"), "a message, from the step that sends it to the step that processes it"],
  [(p) => legendArrow(p, { stroke: "marker", width: 2.2, dash: [8, 5] }, "marker"), "a {marker}: it belongs to the snapshot and not to the computation"],
  [(p) => legendArrow(p, { stroke: "control", width: 1.8, dash: [1.5, 4], round: true }, ""), "a control message between the coordinator and a node"],
  [(p) => legendCut(p, "cut", []), "the cut of a snapshot: left of it is what the snapshot contains"],
  [(p) => legendCut(p, "alarm", [14, 5]), "the cut of a snapshot that is violated"],
  [(p) => legendFlight(p, "in-flight", []), "a message in flight across the cut, and recorded"],
  [(p) => legendFlight(p, "alarm", [6, 4]), "an orphan, a missing message, or one that should not have been recorded: why the cut is wrong"],
  [(p) => p.rects([4, 12, 56, 10], { fill: "blocked", stroke: "blocked-line", width: 1 }), "an input is blocked, so that barriers can be aligned"],
  [(p) => p.rects([4, 12, 56, 8], { fill: "busy", stroke: "busy-line", width: 1 }), "a node is busy"],
  [(p) => legendHatched(p, "ground", "down", 6), "a node is down"],
  [(p) => legendHatched(p, "undone-ground", "undone-hatch", 12), "work that a recovery took back: it was done, and counts no more"],
  [legendAlarm, "an invariant is violated here"],
  [legendTints, "left: what happened before the chosen event; right: what happened after it; the rest is concurrent"],
];

function legendArrow(p, style, head) {
  p.segments([4, 6, 54, 26], style);
  if (head === "message") p.polygons([58, 27, 47, 27.5, 50.5, 19.5], 3, { fill: style.stroke });
  if (head === "marker") p.polygons([60, 28.5, 54, 20, 46, 22.8, 52, 31], 4, { fill: style.stroke });
}

function legendCut(p, color, dash) {
  p.polyline([22, 1, 22, 10, 42, 22, 42, 31], { stroke: color, width: 4, dash });
}

function legendFlight(p, color, dash) {
  p.segments([4, 8, 58, 24], { stroke: color, width: 9, alpha: 0.35, round: true });
  p.segments([4, 8, 58, 24], { stroke: color, width: 3, dash });
}

function legendHatched(p, ground, line, gap) {
  const lines = [];
  hatch(4, 6, 56, 20, gap, lines);
  p.rects([4, 6, 56, 20], { fill: ground, stroke: line, width: 1.5 });
  p.segments(lines, { stroke: line, width: 1.2 });
}

function legendAlarm(p) {
  p.polygons([32, 5, 44, 27, 20, 27], 3, { fill: "alarm" });
  p.text(32, 20, "!", { fill: "on-alarm", size: 14, bold: true, align: "center" });
}

function legendTints(p) {
  p.circles([16, 18, 7], { fill: "past" });
  p.circles([48, 18, 7], { fill: "future" });
}

/** The legend as a list; it is drawn anew when the theme changes. */
function legendList(palette, marker) {
  const items = LEGEND.map(([name, text]) => legendItem(palette, (p) => legendGlyph(p, name), text));
  items.push(...LEGEND_LINES.map(([draw, text]) => legendItem(palette, draw, text)));
  const list = make("ul", { class: "legend" }, ...items);
  for (const text of list.querySelectorAll("span")) text.textContent = text.textContent.replaceAll("{marker}", marker);
  return list;
}

function legendGlyph(p, name) {
  const glyph = GLYPHS[KIND[name]];
  const list = [];
  const y = glyph.shape === "up" || glyph.shape === "plus" ? 27 : 18; // these stand above the lane
  p.segments([0, y, 64, y], { stroke: "lane", width: 2 });
  if (name === "Record") {
    p.rects([22, 8, 20, 20], { fill: "record", stroke: "ground", width: 1 });
    p.text(32, 18.5, "1", { fill: "on-record", size: 14, bold: true, align: "center" });
    return;
  }
  shape(glyph.shape, 32, y, 7 * glyph.size, list);
  flushShape({ painter: p, radius: 7 }, glyph, TONE.plain, list);
}

/** One line of the legend. The picture is an image, so that nothing of it is part of the page. */
function legendItem(palette, draw, text) {
  const painter = new SvgPainter(palette);
  draw(painter);
  const src = `data:image/svg+xml,${encodeURIComponent(painter.svg(64, 36, ""))}`;
  return make("li", {}, make("img", { src, alt: "", width: 64, height: 36 }), make("span", {}, text));
}

/** A key as it is written on keyboards. */
function keyName(key) {
  const signs = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Space: "space bar" };
  return key.length === 1 ? key : key.split("+").map((part) => signs[part] ?? part).join(" ");
}

/** The dialog with the keys and the legend. */
class Help {
  constructor(dialog, app) {
    this.dialog = dialog;
    this.app = app;
    dialog.addEventListener("click", (e) => {
      if (e.target === dialog) dialog.close(); // beside it
    });
  }

  open() {
    if (this.dialog.open) return;
    const { run, view } = this.app.about();
    const keys = this.app.controls.commands.list.map(({ keys, label }) => make("tr", {},
      make("td", {}, ...keys.map((key) => make("kbd", {}, keyName(key)))), make("td", {}, label)));
    this.dialog.replaceChildren(make("div", { class: "body" },
      make("div", { class: "bar" }, make("h2", {}, "How to read and use this page"), button("Close", () => this.dialog.close(), { autofocus: true })),
      make("p", {}, "Each lane is a node; time goes to the right. An arrow is a message. Two events are ordered if a chain of steps and arrows leads from one to the other; otherwise they are concurrent."),
      make("h3", {}, "Shapes"), legendList(view.palette, run.marker),
      make("h3", {}, "Keys"), make("table", { class: "keys" }, make("tbody", {}, ...keys)),
      make("p", {}, "With the mouse: a click selects, Shift and a click compares with the selected event, a drag moves, Ctrl and the wheel zooms. While the cut has the arrow keys, ↑ ↓ choose its handle and ← → move it; Escape gives them back.")));
    this.dialog.showModal();
  }
}

/** The legend at the end of the page, which is printed with it. */
function legendSection(host, app) {
  const box = make("details", { class: "section", id: "legend" }, make("summary", {}, make("h2", {}, "What the shapes mean")));
  const draw = () => {
    box.querySelector("ul")?.remove();
    const { run, view } = app.about();
    box.append(legendList(view.palette, run.marker));
  };
  box.addEventListener("toggle", () => box.open && draw());
  window.addEventListener("beforeprint", draw);
  host.append(box);
}

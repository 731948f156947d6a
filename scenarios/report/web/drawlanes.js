/** The background of the rows, every other one a little darker, so that the eye keeps to a lane. */
function drawRows(scene) {
  const { g, painter } = scene, bands = [];
  if (g.rowHeight < 9) return;
  for (let row = scene.row0; row < scene.row1; row++) {
    if (row % 2 === 0) continue;
    const y = Math.max(g.top, g.yOfRow(row) - g.rowHeight / 2);
    bands.push(0, y, g.width, Math.min(g.yOfRow(row) + g.rowHeight / 2, g.height - g.bottom) - y);
  }
  painter.rects(bands, { fill: "band" });
}

/** The lanes' lines. Where a node is down it has none. */
function drawLines(scene) {
  const { g, run, painter } = scene;
  if (g.rowHeight < 4) return;
  const lines = [];
  for (let row = scene.row0; row < scene.row1; row++) {
    const y = g.yOfRow(row);
    lines.push(g.left, y, g.width, y);
  }
  painter.segments(lines, { stroke: "lane", width: g.rowHeight < 16 ? 1 : 2 });
  if (run.n === 0) painter.text(g.left + 24, g.top + 30, "Nothing happened in this run.", { fill: "ink", size: 17 });
  else if (g.rows.length === 0) painter.text(g.left + 24, g.top + 30, "No lane has a name like this.", { fill: "ink", size: 17 });
}

/** The names of the lanes, left of the plot; they stay when it moves. */
function drawNames(scene) {
  const { g, run, painter, view } = scene;
  if (g.left <= 0) return;
  painter.clip(0, g.top, g.left, g.plotHeight, () => {
    const lane = view.cursor >= 0 ? run.node[view.cursor] : -1;
    const size = Math.min(16, Math.max(11, g.rowHeight * 0.6));
    const every = Math.max(1, Math.ceil((size + 3) / g.rowHeight));
    for (let row = scene.row0; row < scene.row1; row++) {
      if (row % every !== 0) continue;
      const v = g.rows[row], bold = v === lane;
      const name = fittingText(shownName(run.laneName(v)), size, bold, g.left - 18);
      painter.text(g.left - 10, g.yOfRow(row), name, { fill: "ink", size, bold, align: "right" });
    }
  });
  painter.segments([g.left, g.top, g.left, g.height - g.bottom], { stroke: "lane", width: 1 });
  if (!g.overflows) return;
  const [first, last] = [g.scroll, g.scroll + g.plotHeight].map((s) => Math.min(g.rows.length, Math.round(s / g.rowHeight)));
  for (const [k, text] of [`${grouped(first + 1)} to ${grouped(last)}`, `of ${grouped(g.rows.length)}`].entries()) {
    painter.text(g.left - 10, 24 + 18 * k, fittingText(text, 13, false, g.left - 14), { fill: "faint", size: 13, align: "right" });
  }
}

/** The axis: virtual time, or the events counted. */
function drawAxis(scene) {
  const { g, run, painter } = scene;
  if (run.n === 0) return;
  const counted = g.mode === "order", chosen = run.order === "chosen";
  const step = tickStep(g.perPixel * 110, counted || chosen);
  const lines = [], unit = timeUnit(step, Math.max(Math.abs(g.from), Math.abs(g.unitAt(g.width))));
  const zero = counted ? -1 - run.first : 0; // events are counted from 1, and those before the window, too
  for (let u = Math.ceil((g.unitAt(g.left) - zero) / step) * step; ; u += step) {
    const x = g.left + (u + zero - g.from) / g.perPixel;
    if (x > g.width) break;
    if (u + zero < g.extent[0]) continue;
    lines.push(x, 24, x, g.height - g.bottom);
    const text = counted || chosen ? grouped(u) : formatUnits(u, unit);
    const half = textWidth(text, 14) / 2;
    if (x - half >= g.left && x + half <= g.width) painter.text(x, 12, text, { fill: "faint", size: 14, align: "center" });
  }
  painter.segments(lines, { stroke: "grid", width: 1 });
}

/** A round number of units, not below least. */
function tickStep(least, whole) {
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= least * 0.999);
  return whole ? Math.max(1, step) : step;
}

/** The unit in which times up to a largest one are written: three digits behind its point must tell ticks apart. */
function timeUnit(step, largest) {
  for (const [size, name] of [[1e9, "s"], [1e6, "ms"], [1e3, "µs"]]) {
    if (largest >= size && step >= size * 0.000999) return [size, name];
  }
  return [1, "ns"];
}

function formatUnits(ns, [unit, name]) {
  return `${grouped(Number((ns / unit).toPrecision(12)))} ${name}`;
}

/** A number with a comma between each three digits: as toLocaleString has it, which is slow when it is first asked. */
function grouped(n) {
  const [whole, rest] = String(n).split(".");
  return whole.replace(/\B(?=(\d{3})+$)/g, ",") + (rest ? `.${rest}` : "");
}

/** Where there are more lanes than fit: which of them are in sight, and a bar to drag. A layer of the view. */
class LaneScroll {
  /** @param {View} view */
  constructor(view) { this.view = view; }

  /** The thumb: its upper edge and its height; null: all lanes are in sight. */
  thumb() {
    const g = this.view.geometry, all = g.rows.length * g.rowHeight;
    if (!g.overflows) return null;
    const h = Math.max(24, g.plotHeight * g.plotHeight / all);
    return { y: g.top + g.scroll / (all - g.plotHeight) * (g.plotHeight - h), h };
  }

  draw(painter) {
    const g = this.view.geometry, thumb = this.thumb();
    if (!thumb) return;
    painter.rects([g.width - 10, g.top, 10, g.plotHeight], { fill: "band" });
    painter.rects([g.width - 9, thumb.y, 8, thumb.h], { fill: "minimap" });
  }

  hit(px, py) {
    const g = this.view.geometry, thumb = this.thumb();
    if (!thumb || px < g.width - 12 || py < g.top) return null;
    const grip = py >= thumb.y && py <= thumb.y + thumb.h ? py - thumb.y : thumb.h / 2;
    const drag = (x, y) => {
      const all = g.rows.length * g.rowHeight;
      const goal = (y - grip - g.top) / (g.plotHeight - thumb.h) * (all - g.plotHeight);
      this.view.pan(0, g.scroll - goal);
    };
    return { cursor: "default", drag };
  }
}

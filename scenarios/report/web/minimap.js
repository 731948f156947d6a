/**
 * The whole run in a strip under the diagram: how many events there are when, recordings,
 * crashes and violations, and a brush over what the diagram shows. The brush can be moved,
 * and drawn out at its edges; a drag elsewhere draws a new one.
 */
class Minimap {
  /** @param {HTMLElement} host @param {View} view */
  constructor(host, view) {
    this.view = view;
    this.canvas = document.createElement("canvas");
    this.canvas.setAttribute("aria-hidden", "true"); // all it can do can be done with keys and buttons
    host.classList.add("minimap");
    host.append(this.canvas);
    this.painter = new CanvasPainter(this.canvas.getContext("2d"), view.palette);
    this.counts = null;
    view.onChange((what) => {
      if (what === "mode" || what === "size") this.counts = null;
      if (what !== "hover") this.redraw();
    });
    this.canvas.addEventListener("pointerdown", (e) => this.press(e));
    new ResizeObserver(() => this.resize(host)).observe(host);
    this.resize(host);
  }

  resize(host) {
    const { width, height } = host.getBoundingClientRect(), scale = pageScale();
    const ratio = (window.devicePixelRatio || 1) * scale;
    if (width < 2 || height < 2) return;
    Object.assign(this, { width: width / scale, height: height / scale, scale, ratio, counts: null });
    this.canvas.width = Math.round(width * (window.devicePixelRatio || 1));
    this.canvas.height = Math.round(height * (window.devicePixelRatio || 1));
    this.redraw();
  }

  /** The plot of the diagram and that of the strip lie under each other. */
  get left() { return this.view.geometry.left; }
  get span() { return Math.max(1, this.width - this.left); }

  x(unit) {
    const [a, b] = this.view.geometry.extent;
    return this.left + (unit - a) / (b - a) * this.span;
  }

  unit(px) {
    const [a, b] = this.view.geometry.extent;
    return a + (px - this.left) / this.span * (b - a);
  }

  /** How many events there are in each column of pixels, and of them undone. */
  count() {
    const { run, geometry: g } = this.view, n = Math.ceil(this.span / COLUMN) + 1;
    const all = new Uint32Array(n), undone = new Uint32Array(n);
    const [first, last] = g.extent, scale = this.span / COLUMN / (last - first);
    for (let i = 0; i < run.n; i++) {
      const c = Math.min(n - 1, Math.max(0, (g.position(i) - first) * scale | 0));
      all[c]++;
      if (run.undone[i] >= 0) undone[c]++;
    }
    this.counts = { all, undone, most: all.reduce((a, b) => Math.max(a, b), 1) };
  }

  redraw() { this.frame ||= requestAnimationFrame(() => this.drawNow()); }

  drawNow() {
    this.frame = 0;
    const { painter, view, width, height, ratio } = this, { run, geometry: g } = view;
    if (!this.counts) this.count();
    painter.ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    painter.rects([0, 0, width, height], { fill: "ground" });
    painter.rects([this.left, 0, this.span, height], { fill: "band" });
    const { all, undone, most } = this.counts, bars = [], grey = [];
    const scale = (height - 16) / Math.log2(1 + most);
    for (let c = 0; c < all.length; c++) {
      if (all[c] === 0) continue;
      const h = Math.max(2, Math.log2(1 + all[c]) * scale);
      (undone[c] * 2 > all[c] ? grey : bars).push(this.left + c * COLUMN, height - h, COLUMN, h);
    }
    painter.rects(bars, { fill: "minimap" });
    painter.rects(grey, { fill: "undone-hatch" });
    this.drawMarks();
    const x0 = Math.max(this.left, this.x(g.from)), x1 = Math.min(width, this.x(g.from + g.plotWidth * g.perPixel));
    painter.rects([this.left, 0, Math.max(0, x0 - this.left), height, x1, 0, Math.max(0, width - x1), height], { fill: "ground", alpha: 0.6 });
    painter.rects([x0 + 1, 1, Math.max(2, x1 - x0 - 2), height - 2], { stroke: "cursor", width: 2 });
    painter.rects([x0 - 1, height / 2 - 10, 5, 20, x1 - 4, height / 2 - 10, 5, 20], { fill: "cursor" });
    if (view.cursor >= 0 && view.cursor < run.n) {
      const x = this.x(g.position(view.cursor));
      painter.segments([x, 0, x, height], { stroke: "cursor", width: 1.5 });
    }
  }

  /** Snapshots as ticks, crashes as crosses, violations as triangles, along the upper edge. */
  drawMarks() {
    const { painter, view } = this, { run, geometry: g } = view;
    const ticks = [], crosses = [], signs = [], seen = new Set();
    const at = (i) => Math.round(this.x(g.position(i)));
    for (const i of view.important) {
      const x = at(i), key = run.kind[i] * 1e5 + x;
      if (seen.has(key)) continue;
      seen.add(key);
      if (run.kind[i] === KIND.Record) ticks.push(x, 0, x, 7);
      if (run.kind[i] === KIND.Crash) crosses.push(x - 4, 2, x + 4, 10, x - 4, 10, x + 4, 2);
    }
    for (const v of run.violations) if (v.event >= 0) signs.push(at(v.event), 0, at(v.event) + 6, 11, at(v.event) - 6, 11);
    painter.segments(ticks, { stroke: "record", width: 1.5 });
    painter.segments(crosses, { stroke: "crash", width: 2 });
    painter.polygons(signs, 3, { fill: "alarm" });
  }

  /** Moves the brush, one of its edges, or draws a new one. */
  press(e) {
    if (e.button !== 0 || this.view.run.n === 0) return;
    const { view, canvas } = this, g = view.geometry;
    const px = (event) => (event.clientX - canvas.getBoundingClientRect().left) / this.scale;
    const start = px(e), from = g.from, to = g.from + g.plotWidth * g.perPixel;
    const x0 = Math.max(this.left, this.x(from)), x1 = Math.min(this.width, this.x(to));
    const grip = Math.min(8, (x1 - x0) / 3);
    let drag, moved = false;
    if (Math.abs(start - x0) <= grip) drag = (unit) => view.setWindow(Math.min(unit, to), Math.max(unit, to));
    else if (Math.abs(start - x1) <= grip) drag = (unit) => view.setWindow(Math.min(from, unit), Math.max(from, unit));
    else if (start > x0 && start < x1 && x1 - x0 < this.span * 0.98) drag = (unit) => view.setWindow(from + unit - this.unit(start), to + unit - this.unit(start));
    else drag = (unit) => view.setWindow(Math.min(this.unit(start), unit), Math.max(this.unit(start), unit));
    const move = (event) => {
      moved ||= Math.abs(px(event) - start) > 3;
      if (moved) drag(this.unit(px(event)));
    };
    const release = () => {
      canvas.removeEventListener("pointermove", move);
      if (moved || start > x0 && start < x1) return;
      const half = (to - from) / 2; // a click: go there
      view.setWindow(this.unit(start) - half, this.unit(start) + half);
    };
    canvas.setPointerCapture(e.pointerId);
    canvas.addEventListener("pointermove", move);
    canvas.addEventListener("pointerup", release, { once: true });
    canvas.addEventListener("pointercancel", release, { once: true });
  }
}

/** A slider over all events, for the cursor, and what stands there as text. */
class Scrubber {
  /** @param {HTMLElement} host @param {View} view */
  constructor(host, view) {
    const { run } = view;
    host.classList.add("scrubber");
    const slider = document.createElement("input");
    Object.assign(slider, { type: "range", min: 0, max: Math.max(0, run.n - 1), value: 0, disabled: run.n === 0 });
    slider.setAttribute("aria-label", `Cursor: event of ${run.name}`);
    const text = document.createElement("output");
    host.append(slider, text);
    const show = () => {
      const i = view.cursor;
      slider.value = Math.max(0, i);
      text.textContent = i < 0 ? `${grouped(run.n)} events` : `${grouped(i + run.first + 1)} / ${grouped(run.total)} · ${timeText(run, run.at[i])}`;
      slider.setAttribute("aria-valuetext", i < 0 ? "no event" : run.describe(i));
    };
    slider.addEventListener("input", () => view.setCursor(Number(slider.value)));
    view.onChange((what) => { if (what === "cursor") show(); });
    show();
  }
}

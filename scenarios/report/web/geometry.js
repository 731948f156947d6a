/**
 * Where the events and lanes of a run lie on a surface, and which part of them is seen.
 *
 * Horizontally an event has a position in units: nanoseconds of virtual time, or, in
 * logical order, its index. Both grow with the index, so that whatever is asked of a
 * window is a binary search. Vertically there is a row for each lane that is shown.
 */
class Geometry {
  /** @param {Run} run */
  constructor(run) {
    this.run = run;
    this.mode = "time"; // or "order"
    this.shared = null; // in time: first and last unit of all runs that are seen together
    this.width = 300;
    this.height = 150;
    this.left = 100; // of the plot: names of lanes stand before it
    this.top = 60; // the axis and the names of the snapshots stand above it
    this.bottom = 6; // is left free below it
    this.from = 0; // the unit at the left edge of the plot
    this.perPixel = 1; // units
    this.scroll = 0; // px by which the rows are moved up
    this.rowHeight = 40;
    this.showLanes(() => true);
    this.reach = farthestReceipts(run);
  }

  get plotWidth() { return Math.max(1, this.width - this.left); }
  get plotHeight() { return Math.max(1, this.height - this.top - this.bottom); }

  // Horizontally.

  /** The first and the last unit of the run. @returns {[number, number]} */
  get extent() {
    const { run } = this;
    if (run.n === 0) return [0, 1];
    if (this.mode === "order") return [0, Math.max(1, run.n - 1)];
    if (this.shared) return this.shared;
    const first = run.first > 0 ? run.at[0] : Math.min(0, run.at[0]);
    return [first, Math.max(run.at[run.n - 1], first + 1)];
  }

  /** The position of an event, in units. */
  position(i) { return this.mode === "order" ? i : this.run.at[i]; }

  /** The position of a moment: in logical order it lies before the first event that is not earlier. */
  positionOfTime(t) { return this.mode === "order" ? this.run.firstAt(t) - 0.5 : t; }

  x(i) { return this.left + (this.position(i) - this.from) / this.perPixel; }
  xOfTime(t) { return this.left + (this.positionOfTime(t) - this.from) / this.perPixel; }
  unitAt(px) { return this.from + (px - this.left) * this.perPixel; }

  /** The first event whose position is not before a unit. */
  firstFrom(unit) {
    if (this.mode === "order") return Math.min(this.run.n, Math.max(0, Math.ceil(unit)));
    return this.run.firstAt(unit);
  }

  /** The events between two x: the first, and the one after the last. @returns {[number, number]} */
  between(x0, x1) { return [this.firstFrom(this.unitAt(x0)), this.firstFrom(this.unitAt(x1))]; }

  /** The events in sight, and a little beyond the edges, where half a shape may be seen. */
  visible() { return this.between(this.left - 12, this.width + 12); }

  /** Shows everything from one unit to another. */
  setWindow(from, to) {
    this.perPixel = this.boundedScale((to - from) / this.plotWidth);
    this.from = (from + to) / 2 - this.perPixel * this.plotWidth / 2;
    this.keepInside();
  }

  /** Shows the whole run with a margin, or, if times is set, only its width. */
  whole() {
    const [a, b] = this.extent, margin = (b - a) * 24 / this.plotWidth;
    this.setWindow(a - margin, b + margin);
  }

  /** Zooms so that what is at px stays there. A factor above 1 shows less, larger. */
  zoom(factor, px) {
    const unit = this.unitAt(px);
    this.perPixel = this.boundedScale(this.perPixel / factor);
    this.from = unit - (px - this.left) * this.perPixel;
    this.keepInside();
  }

  /** A scale between the whole run and less than one event on the surface. */
  boundedScale(perPixel) {
    const [a, b] = this.extent;
    const most = (b - a) * 1.5 / this.plotWidth;
    const least = this.mode === "order" ? 1 / 240 : Math.min(most, 0.02);
    return Math.min(Math.max(perPixel, least), Math.max(most, least));
  }

  /** The run must not get out of sight: at least a fifth of the surface shows some of it. */
  keepInside() {
    const [a, b] = this.extent, span = this.plotWidth * this.perPixel;
    if (span >= b - a) { // it fits: no need to lose sight of any of it
      this.from = Math.min(Math.max(this.from, b - span * 0.98), a - span * 0.02);
      return;
    }
    this.from = Math.min(Math.max(this.from, a - span * 0.2), b - span * 0.8);
  }

  /** Changes between time and order: what is in sight stays so, and an event stays where it is. */
  setMode(mode, anchor) {
    if (mode === this.mode || this.run.n === 0) { this.mode = mode; return; }
    const [i, j] = this.between(this.left, this.width);
    const px = anchor >= 0 ? this.x(anchor) : -1;
    this.mode = mode;
    const last = this.run.n - 1;
    const from = this.position(Math.min(i, last)), to = this.position(Math.max(0, Math.min(j, last)));
    const margin = Math.max((to - from) * 0.02, 0.5);
    this.setWindow(from - margin, to + margin);
    if (px >= this.left && px <= this.width) this.from = this.position(anchor) - (px - this.left) * this.perPixel;
    this.keepInside();
  }

  // Vertically.

  /** Shows those lanes alone for which show is true. @param {(lane: number) => boolean} show */
  showLanes(show) {
    const n = this.run.lanes, rows = [];
    this.rowOf = new Int32Array(n).fill(-1);
    for (let v = 0; v < n; v++) {
      if (!show(v)) continue;
      this.rowOf[v] = rows.length;
      rows.push(v);
    }
    this.rows = Int32Array.from(rows);
  }

  /** Rows as high as the surface allows, if that is legible; otherwise one has to scroll. */
  fitRows() {
    const fitting = this.plotHeight / Math.max(1, this.rows.length);
    this.rowHeight = fitting < 15 ? 30 : Math.min(fitting, 200);
    this.keepRows();
  }

  zoomRows(factor, py) {
    const row = (py - this.top + this.scroll) / this.rowHeight;
    const least = Math.min(30, this.plotHeight / Math.max(1, this.rows.length));
    this.rowHeight = Math.min(Math.max(this.rowHeight * factor, least), 240);
    this.scroll = row * this.rowHeight - (py - this.top);
    this.keepRows();
  }

  keepRows() {
    const most = Math.max(0, this.rows.length * this.rowHeight - this.plotHeight);
    this.scroll = Math.min(Math.max(this.scroll, 0), most);
  }

  /** Whether there are more rows than fit. */
  get overflows() { return this.rows.length * this.rowHeight > this.plotHeight + 1; }

  /** The rows in sight: the first, and the one after the last. @returns {[number, number]} */
  visibleRows() {
    const a = Math.max(0, Math.floor(this.scroll / this.rowHeight));
    const b = Math.ceil((this.scroll + this.plotHeight) / this.rowHeight);
    return [a, Math.min(this.rows.length, b)];
  }

  yOfRow(row) { return this.top + (row + 0.5) * this.rowHeight - this.scroll; }

  /** The y of a lane's line; NaN if the lane is not shown. */
  y(lane) {
    const row = this.rowOf[lane];
    return row < 0 ? NaN : this.yOfRow(row);
  }

  /** The lane at a y, or -1. */
  laneAt(py) {
    if (py < this.top) return -1;
    const row = Math.floor((py - this.top + this.scroll) / this.rowHeight);
    return row >= 0 && row < this.rows.length ? this.rows[row] : -1;
  }

  // Both.

  /**
   * The event nearest to a point on its lane, or -1: within so many px, and where several
   * are about as near, the weightiest. @param {(i: number) => number} weight below 0: not shown
   */
  eventAt(px, py, within, weight) {
    const lane = this.laneAt(py);
    if (lane < 0 || px < this.left) return -1;
    const list = this.run.ofNode(lane);
    const middle = search(list.length, (k) => this.x(list[k]) >= px);
    let best = -1, cost = Infinity;
    const look = (k) => {
      const far = Math.abs(this.x(list[k]) - px);
      if (far > within) return false;
      const w = weight(list[k]);
      if (w >= 0 && far - 2 * w < cost) { cost = far - 2 * w; best = list[k]; }
      return true;
    };
    for (let k = middle; k < Math.min(list.length, middle + 64) && look(k); k++);
    for (let k = middle - 1; k >= Math.max(0, middle - 64) && look(k); k--);
    return best;
  }

  /** Calls visit(send, receipt) for every arrow of which something may lie between two events. */
  eachArrow(i0, i1, visit) {
    const { run } = this, { peer } = run;
    for (let j = i0; j < i1; j++) {
      if (run.isReceive(j) && peer[j] >= 0) visit(peer[j], j);
    }
    for (let b = 0; b * REACH < i1; b++) {
      if (this.reach[b] < i1) continue;
      for (let i = b * REACH, end = Math.min(i1, i + REACH); i < end; i++) {
        if (run.isSend(i) && peer[i] >= i1) visit(i, peer[i]);
      }
    }
  }
}

/** So many events have one entry of farthestReceipts. */
const REACH = 256;

/** By block of events: the last receipt of what was sent in it, so that long arrows are found without a look at every send. */
function farthestReceipts(run) {
  const reach = new Int32Array(Math.ceil(run.n / REACH)).fill(-1);
  for (let i = 0; i < run.n; i++) {
    const b = i / REACH | 0;
    if (run.isSend(i) && run.peer[i] > reach[b]) reach[b] = run.peer[i];
  }
  return reach;
}

/** The first k below n for which is(k) is true, or n; is must stay true once it is. */
function search(n, is) {
  let a = 0, b = n;
  while (a < b) {
    const k = (a + b) >> 1;
    if (is(k)) b = k; else a = k + 1;
  }
  return a;
}

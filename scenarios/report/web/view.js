/**
 * The space-time diagram of one run on a canvas: what of it is seen, what is selected, and
 * the drawing. Its px are larger than those of the page where the page's letters are larger
 * than 16 px: so a hall sees all of it in the size that it has chosen for texts (scale). Mouse, keys and buttons (controls.js) only call what is public here, and so
 * may whoever else has something to show: layers, tint, onChange.
 *
 * What changes is told as a word: "cursor", "selection", "hover", "snapshot", "window"
 * (what is seen, pan and zoom), "mode", "filter", "size", "theme".
 */
class View {
  /** @param {HTMLElement} host an empty element, which the canvas fills  @param {Run} run */
  constructor(host, run) {
    this.host = host;
    this.run = run;
    this.geometry = new Geometry(run);
    this.spans = new Spans(run);
    this.cursor = -1; // events; -1: none
    this.selected = -1;
    this.second = -1;
    this.hover = -1;
    this.snapshot = firstToShow(run); // the chosen one, an index into run.snapshots; -1: none
    this.show = { messages: true, markers: true, control: true, cuts: true };
    this.laneFilter = "";
    /** {of: event, past, future: Uint8Array by event, dim: boolean}; null: no tint */
    this.tint = null;
    /** Objects with draw(painter, view), and, if they can be dragged, hit(px, py): null or {cursor, drag(px, py), end()}. */
    this.layers = [new LaneScroll(this)];
    this.ownCut = false; // whether somebody drags a cut: then that of the snapshot steps back
    this.curtain = false; // whether what is behind the cursor is veiled
    this.timing = { draw: 0, index: 0 }; // ms: the last drawing, and what was prepared once
    this.listeners = [];
    const began = performance.now();
    this.important = eventsOf(run, [KIND.Record, KIND.Crash, KIND.Restored, KIND.Initiate]);
    this.markerReceipts = eventsOf(run, [KIND.Marker, KIND.ControlReceived]);
    this.instants = shareOfInstants(run);
    this.timing.index = performance.now() - began;
    this.fresh = true; // its size has never been known
    this.makeCanvas();
    new ResizeObserver(() => this.resize()).observe(host);
  }

  makeCanvas() {
    this.canvas = document.createElement("canvas");
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", `Space-time diagram: ${this.run.lanes} lanes, ${this.run.n} events. Arrow keys step through the events; the table below has them as text.`);
    this.host.classList.add("diagram");
    this.host.append(this.canvas);
    this.ctx = this.canvas.getContext("2d");
    this.palette = new Palette(this.canvas);
    this.painter = new CanvasPainter(this.ctx, this.palette);
    this.resize();
  }

  /** The host has another size, or the screen other pixels. */
  resize() {
    const box = this.host.getBoundingClientRect();
    if (box.width < 2 || box.height < 2) return; // it is not shown
    this.scale = pageScale();
    const ratio = (window.devicePixelRatio || 1) * this.scale;
    const width = box.width / this.scale, height = box.height / this.scale;
    const g = this.geometry, { left } = this.measureNames(width);
    if (width === g.width && height === g.height && ratio === this.ratio && left === g.left) return;
    const [from, to] = [g.from, g.from + g.plotWidth * g.perPixel];
    const fitted = Math.abs(g.rows.length * g.rowHeight - g.plotHeight) < 2;
    Object.assign(g, { width, height, left });
    this.ratio = ratio;
    this.canvas.width = Math.round(width * ratio); // ratio has the scale, too
    this.canvas.height = Math.round(height * ratio);
    if (this.fresh || fitted) g.fitRows(); else g.keepRows();
    if (this.fresh) showFirst(this); else g.setWindow(from, to);
    this.fresh = false;
    this.drawNow(); // at once: a canvas whose size has changed is empty
    this.changed("size");
  }

  /** Where an event is in the window of the browser. @returns {{x: number, y: number}} */
  clientPoint(i) {
    const box = this.canvas.getBoundingClientRect();
    return { x: box.left + this.x(i) * this.scale, y: box.top + this.y(this.run.node[i]) * this.scale };
  }

  /** The names of the lanes get as much room as they need, up to a fifth of the width. */
  measureNames(width) {
    if (this.namesFor === width) return { left: this.geometry.left };
    this.namesFor = width;
    const names = Array.from({ length: this.run.lanes }, (_, v) => shownName(this.run.laneName(v)));
    names.sort((a, b) => b.length - a.length); // the longest in letters are about the widest
    const most = names.slice(0, 30).reduce((w, name) => Math.max(w, textWidth(name, 16, true)), 50);
    return { left: Math.round(Math.min(most + 22, Math.max(90, width * 0.2))) };
  }

  // What others read.

  get mode() { return this.geometry.mode; }
  x(i) { return this.geometry.x(i); }
  xOfTime(t) { return this.geometry.xOfTime(t); }
  y(lane) { return this.geometry.y(lane); }

  /** The event at a point, or -1. */
  eventAt(px, py) {
    return this.geometry.eventAt(px, py, 11, (i) => {
      const { family, weight } = GLYPHS[this.run.kind[i]];
      return family && !this.show[family] ? -1 : weight;
    });
  }

  /** The receipt whose arrow lies at a point, or -1: of those that the last drawing has. */
  arrowAt(px, py) {
    const a = this.scene?.arrows ?? [];
    let best = -1, least = 5;
    for (let k = 0; k < a.length; k += 6) {
      const d = distanceToSegment(px, py, a[k], a[k + 1], a[k + 2], a[k + 3]);
      if (d < least) { least = d; best = a[k + 5]; }
    }
    return best;
  }

  /** The snapshot whose name or cut line lies at a point, an index, or -1. */
  cutAt(px, py) {
    const { scene } = this;
    if (!scene || !this.show.cuts) return -1;
    for (const [x, y, w, h, k] of scene.nameBoxes) if (px >= x && px <= x + w && py >= y && py <= y + h) return k;
    if (py < this.geometry.top) return -1;
    let best = -1, least = 6;
    for (const { k, snapshot } of scene.cutNames) {
      for (const p of cutPieces(scene, snapshot)) {
        for (let c = 0; c + 3 < p.length; c += 2) {
          const d = distanceToSegment(px, py, p[c], p[c + 1], p[c + 2], p[c + 3]);
          if (d < least) { least = d; best = k; }
        }
      }
    }
    return best;
  }

  // What changes what is selected.

  /** Puts the cursor on an event, and shows it. */
  setCursor(i) {
    i = this.run.n === 0 ? -1 : Math.min(Math.max(i, -1), this.run.n - 1);
    if (i === this.cursor) return;
    this.cursor = i;
    if (i >= 0) this.reveal(i);
    this.changed("cursor");
  }

  /** Selects an event, and a second one to compare it with; -1: none. */
  select(i, second = -1) {
    if (i === this.selected && second === this.second) return;
    this.selected = i;
    this.second = second;
    this.changed("selection");
  }

  setHover(i) {
    if (i === this.hover) return;
    this.hover = i;
    this.changed("hover");
  }

  /** Chooses the snapshot whose cut is bold. */
  setSnapshot(k) {
    if (k === this.snapshot || k >= this.run.snapshots.length) return;
    this.snapshot = k;
    this.changed("snapshot");
  }

  /** Shows or hides what belongs to messages, markers, control or cuts. */
  setShow(family, on) {
    this.show[family] = on;
    this.changed("filter");
  }

  /** Shows those lanes alone in whose names a text is; words with a comma between are alternatives. */
  filterLanes(text) {
    const words = text.toLowerCase().split(",").map((w) => w.trim()).filter(Boolean);
    this.laneFilter = text;
    this.geometry.showLanes((v) => words.length === 0 || words.some((w) => this.run.laneName(v).toLowerCase().includes(w)));
    this.geometry.fitRows();
    this.changed("filter");
  }

  // What changes what is seen.

  setMode(mode) {
    if (mode === this.mode) return;
    const anchor = this.cursor >= 0 ? this.cursor : this.selected;
    this.geometry.setMode(mode, anchor);
    this.changed("mode");
  }

  /** Moves what is seen by so many px. */
  pan(dx, dy) {
    const g = this.geometry;
    g.from -= dx * g.perPixel;
    g.scroll -= dy;
    g.keepInside();
    g.keepRows();
    this.changed("window");
  }

  /** Zooms about an x, by default the cursor's, if it is in sight, or the middle. */
  zoom(factor, px = this.zoomCentre()) {
    this.geometry.zoom(factor, px);
    this.changed("window");
  }

  zoomCentre() {
    const g = this.geometry, x = this.cursor >= 0 ? g.x(this.cursor) : -1;
    return x >= g.left && x <= g.width ? x : g.left + g.plotWidth / 2;
  }

  zoomRows(factor, py) {
    this.geometry.zoomRows(factor, py);
    this.changed("window");
  }

  /** Shows the whole run; where that has been shown and there are more lanes than fit, all lanes. */
  whole() {
    const g = this.geometry, { from, perPixel } = g;
    g.whole();
    const all = from === g.from && perPixel === g.perPixel && g.overflows;
    g.scroll = 0;
    if (all) g.rowHeight = g.plotHeight / g.rows.length;
    else g.fitRows();
    this.changed("window");
  }

  setWindow(from, to) {
    this.geometry.setWindow(from, to);
    this.changed("window");
  }

  /** Moves what is seen so that an event is in it, as little as needed. */
  reveal(i) {
    const g = this.geometry, x = g.x(i), margin = Math.min(80, g.plotWidth / 6);
    if (x < g.left + margin / 2 || x > g.width - margin / 2) {
      const goal = x < g.left || x > g.width ? g.left + g.plotWidth / 2 : x < g.left + margin ? g.left + margin : g.width - margin;
      g.from += (x - goal) * g.perPixel;
      g.keepInside();
    }
    const y = g.y(this.run.node[i]);
    if (y - g.rowHeight / 2 < g.top) g.scroll -= g.top - (y - g.rowHeight / 2);
    else if (y + g.rowHeight / 2 > g.height - g.bottom) g.scroll += y + g.rowHeight / 2 - (g.height - g.bottom);
    g.keepRows();
    this.redraw();
  }

  // Drawing.

  /** Calls fn(what, view) after every change. */
  onChange(fn) { this.listeners.push(fn); }

  changed(what) {
    this.redraw();
    for (const fn of this.listeners) fn(what, this);
  }

  /** Draws with the next frame, once, however often it is called. */
  redraw() {
    this.frame ||= requestAnimationFrame(() => this.drawNow());
  }

  drawNow() {
    if (this.frame) cancelAnimationFrame(this.frame);
    this.frame = 0;
    const began = performance.now();
    this.ctx.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    this.scene = this.paint(this.painter);
    this.timing.draw = performance.now() - began;
  }

  /** Draws what is seen with any painter. @returns {Scene} */
  paint(painter) {
    const scene = new Scene(this, painter);
    scene.draw();
    return scene;
  }

  /** The theme of the page has changed. */
  refreshColors() {
    this.palette.refresh();
    this.changed("theme");
    this.drawNow(); // at once, for it may be about to be printed
  }
}

/** The events of some kinds. */
function eventsOf(run, kinds) {
  const wanted = new Uint8Array(256), list = [];
  for (const kind of kinds) wanted[kind] = 1;
  for (let i = 0; i < run.n; i++) if (wanted[run.kind[i]]) list.push(i);
  return Int32Array.from(list);
}

/** How much larger than usual the letters of the page are. */
function pageScale() {
  return Math.max(0.5, parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 || 1);
}

/** How many of the events have a place of their own in virtual time: a step and what it sends have one together. */
function shareOfInstants(run) {
  const last = new Float64Array(run.lanes).fill(-1);
  let own = 0;
  for (let i = 0; i < run.n; i++) {
    if (run.at[i] !== last[run.node[i]]) own++;
    last[run.node[i]] = run.at[i];
  }
  return own / Math.max(1, run.n);
}

function distanceToSegment(px, py, x0, y0, x1, y1) {
  const dx = x1 - x0, dy = y1 - y0, square = dx * dx + dy * dy;
  const t = square === 0 ? 0 : Math.min(1, Math.max(0, ((px - x0) * dx + (py - y0) * dy) / square));
  return Math.hypot(px - x0 - t * dx, py - y0 - t * dy);
}

/**
 * Draws all views anew when the theme or the resolution changes, and in light colours for
 * printing: paper is white.
 */
function followTheme(views) {
  const all = () => { for (const view of views) view.refreshColors(); };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", all);
  new MutationObserver(all).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  const root = document.documentElement;
  let before;
  window.addEventListener("beforeprint", () => {
    before = root.dataset.theme;
    root.dataset.theme = "light";
    all();
  });
  window.addEventListener("afterprint", () => {
    if (before === undefined) delete root.dataset.theme; else root.dataset.theme = before;
    all();
  });
  const resolution = () => {
    for (const view of views) view.resize();
    matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener("change", resolution, { once: true });
  };
  resolution();
}

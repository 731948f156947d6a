/** What of a run lasts for a while, put in an order in which it can be drawn. Made once. */
class Spans {
  /** @param {Run} run */
  constructor(run) {
    this.track = new Int32Array(run.channels.length).fill(-1); // by channel: its place among those of its receiver that are blocked
    this.tracks = new Int32Array(run.lanes); // by lane: how many these are
    for (const { channel } of run.blocked) {
      if (this.track[channel] < 0) this.track[channel] = this.tracks[run.channels[channel].to]++;
    }
    this.undone = undoneSpans(run);
    this.longestBusy = 0; // ns
    for (let k = 0; k < run.busy.node.length; k++) {
      this.longestBusy = Math.max(this.longestBusy, run.busy.until[k] - run.busy.from[k]);
    }
  }
}

/** By lane and recovery: from the first event that was taken back to the restore. */
function undoneSpans(run) {
  const open = new Int32Array(run.lanes).fill(-1), spans = [];
  for (let i = 0; i < run.n; i++) {
    const v = run.node[i];
    if (run.kind[i] === KIND.Restored) {
      if (open[v] >= 0) spans.push({ node: v, from: open[v], to: i });
      open[v] = -1;
    } else if (open[v] < 0 && run.undone[i] >= 0) {
      open[v] = i;
    }
  }
  open.forEach((from, node) => { if (from >= 0) spans.push({ node, from, to: run.n }); }); // the restore lies behind the window
  return spans;
}

/** Oblique lines inside a rectangle, cut at its edges. */
function hatch(x, y, w, h, gap, out) {
  for (let c = x - h + (gap - (x - h) % gap); c < x + w; c += gap) { // from (c, y + h) to (c + h, y)
    const a = Math.max(0, x - c), b = Math.min(h, x + w - c);
    if (b > a) out.push(c + a, y + h - a, c + b, y + h - b);
  }
}

/** x of both ends of a span, cut at the edges of the plot; null if nothing of it is in sight. */
function spanX(scene, from, to) {
  const { g, run } = scene;
  const x0 = from < 0 ? g.left : Math.max(g.left - 20, g.x(from));
  const x1 = to < 0 || to >= run.n ? g.width + 20 : Math.min(g.width + 20, g.x(to));
  return x1 < g.left || x0 > g.width ? null : [x0, Math.max(x1, x0 + 1)];
}

/** The work that a recovery took back lies on a grey ground with a wide hatching. */
function drawUndone(scene) {
  const { g, painter } = scene, areas = [], lines = [];
  for (const s of scene.view.spans.undone) {
    const y = g.y(s.node), xs = spanX(scene, s.from, s.to);
    if (!xs || !(y > g.top - g.rowHeight && y < g.height + g.rowHeight)) continue;
    const h = Math.max(1, g.rowHeight * 0.84), pad = Math.min(8, scene.radius + 2);
    areas.push(xs[0] - pad, y - h / 2, xs[1] - xs[0] + pad, h);
    if (g.rowHeight >= 9) hatch(xs[0] - pad, y - h / 2, xs[1] - xs[0] + pad, h, 14, lines);
  }
  painter.rects(areas, { fill: "undone-ground" });
  painter.segments(lines, { stroke: "undone-hatch", width: 1 });
}

/** Busy, blocked and down. */
function drawSpans(scene) {
  scene.downNames = [];
  if (scene.g.rowHeight < 9) return;
  if (!scene.dense) drawBusy(scene);
  if (scene.view.show.markers) drawBlocked(scene);
  drawDown(scene);
}

/** A thin box while a node serves an input. In logical order no time passes, so there are none. */
function drawBusy(scene) {
  const { g, run, painter, view } = scene, { busy } = run, boxes = [];
  if (g.mode === "order") return;
  const a = g.unitAt(g.left), b = g.unitAt(g.width);
  const h = Math.min(7, scene.radius * 1.1);
  let k = search(busy.from.length, (j) => busy.from[j] >= a - view.spans.longestBusy);
  for (; k < busy.from.length && busy.from[k] <= b; k++) {
    const y = g.y(busy.node[k]), x = g.xOfTime(busy.from[k]), w = (busy.until[k] - busy.from[k]) / g.perPixel;
    if (w >= 1.5 && y > g.top - g.rowHeight && y < g.height + g.rowHeight) boxes.push(x, y - h, w, 2 * h);
  }
  painter.rects(boxes, { fill: "busy", stroke: "busy-line", width: 1 });
}

/** Where the bar of a blocked channel lies: y, its height, and whether each has one of its own. */
function blockedTrack(scene, channel) {
  const { g, run, view } = scene, lane = run.channels[channel].to;
  const below = Math.min(11, g.rowHeight * 0.26), room = g.rowHeight / 2 - below - 2;
  const n = view.spans.tracks[lane], own = room / n >= 4;
  const h = own ? Math.min(17, room / n) : Math.min(6, Math.max(2, room));
  return { y: g.y(lane) + below + (own ? view.spans.track[channel] * h : 0), h: own ? h - 1 : h, own };
}

/** A bar under the receiver's lane while a channel is blocked. */
function drawBlocked(scene) {
  const { g, run, painter } = scene, bars = [], names = [];
  const once = new Set(); // bars that would lie over each other to the pixel
  for (const s of run.blocked) {
    const lane = run.channels[s.channel].to, y = g.y(lane);
    if (!(y > g.top - g.rowHeight && y < g.height + g.rowHeight)) continue;
    const xs = spanX(scene, s.from, s.to);
    if (!xs) continue;
    const t = blockedTrack(scene, s.channel);
    const key = `${t.y | 0} ${xs[0] / 2 | 0} ${xs[1] / 2 | 0}`;
    if (once.has(key)) continue;
    once.add(key);
    bars.push(xs[0], t.y, xs[1] - xs[0], t.h);
    if (!t.own || t.h < 12) continue;
    const text = `${shownName(run.laneName(run.channels[s.channel].from), 24)} blocked`;
    const at = Math.max(xs[0], g.left) + 4;
    if (textWidth(text, 12) + 8 < Math.min(xs[1], g.width) - at + 4) names.push([at, t.y + t.h / 2, text]);
  }
  painter.rects(bars, { fill: "blocked", stroke: "blocked-line", width: 1 });
  for (const [x, y, text] of names) painter.text(x, y, text, { fill: "on-blocked", size: 12 });
}

/** A closely hatched bar on the lane while a node is down. */
function drawDown(scene) {
  const { g, run, painter } = scene, bars = [], lines = [], names = [];
  for (const s of run.down) {
    const y = g.y(s.node), xs = spanX(scene, s.from, s.to);
    if (!xs || !(y > g.top - g.rowHeight && y < g.height + g.rowHeight)) continue;
    const h = Math.min(22, g.rowHeight * 0.6);
    bars.push(xs[0], y - h / 2, xs[1] - xs[0], h);
    hatch(xs[0], y - h / 2, xs[1] - xs[0], h, 6, lines);
    if (xs[1] - xs[0] > 74 && h > 16) names.push([(xs[0] + xs[1]) / 2, y]);
  }
  painter.rects(bars, { fill: "ground", stroke: "down", width: 1.5 });
  painter.segments(lines, { stroke: "down", width: 1.2 });
  scene.downNames = names;
}

/** Over the arrows that cross a bar. */
function drawDownNames(scene) {
  for (const [x, y] of scene.downNames) {
    scene.painter.rects([x - 25, y - 10, 50, 20], { fill: "ground" });
    scene.painter.text(x, y, "down", { fill: "ink", size: 14, bold: true, align: "center" });
  }
}

/** The x between which the nodes are put back. */
function restoreX(scene, r) {
  const { g, run } = scene;
  let last = r.event;
  while (last + 1 < run.n && run.kind[last + 1] === KIND.Restored && run.at[last + 1] === run.at[last]) last++;
  if (r.event >= run.n) return null;
  const x0 = g.x(r.event), x1 = g.x(last);
  return x1 + 6 < g.left || x0 - 6 > g.width ? null : [x0 - 4, x1 + 4];
}

/** A recovery: an upright band over the whole height. */
function drawRestores(scene) {
  const { g, run, painter } = scene, bands = [];
  for (const r of run.restores) {
    const xs = restoreX(scene, r);
    if (xs) bands.push(xs[0], 28, xs[1] - xs[0], g.height - g.bottom - 28);
  }
  painter.rects(bands, { fill: "restore-band" });
}

/** How a cut line looks, by the verdict on its snapshot: told apart without colours. */
const CUT_STYLE = {
  holds: { color: "cut", sign: "✓", dash: [] },
  violated: { color: "alarm", sign: "✗", dash: [14, 5] },
  aborted: { color: "faint", sign: "aborted", dash: [2, 5] },
  pending: { color: "faint", sign: "pending", dash: [9, 4, 2, 4] },
  given: { color: "cut", sign: "", dash: [] },
};

function cutStyle(snapshot) { return CUT_STYLE[snapshot.verdict] ?? CUT_STYLE.pending; }
function cutColor(snapshot) { return cutStyle(snapshot).color; }

/**
 * What a snapshot has of the channels against what was in flight, as arrows: recorded and
 * in flight; in flight and missing; recorded and not in flight, or more than once; orphans;
 * and how many of these there are.
 * @typedef {{recorded: Crossing[], missing: Crossing[], extra: Crossing[], orphans: Crossing[], missed: number, surplus: number, orphaned: number}} CutFacts
 */
const cutFacts = new WeakMap();

/** @returns {CutFacts} */
function factsOf(run, snapshot) {
  let facts = cutFacts.get(snapshot);
  if (facts) return facts;
  facts = { recorded: [], missing: [], extra: [], orphans: [], missed: 0, surplus: 0, orphaned: 0 };
  cutFacts.set(snapshot, facts);
  if (!snapshot.cut.some((i) => i >= 0)) return facts;
  for (const one of truth(run, snapshot)) {
    if (!one.known) continue;
    facts.missed += one.missing.length;
    facts.orphaned += one.orphaned;
    if (facts.orphans.length < MOST_HIGHLIGHTS) facts.orphans.push(...one.orphans.slice(0, MOST_HIGHLIGHTS));
    if (facts.extra.length < MOST_HIGHLIGHTS) facts.extra.push(...extraOf(run, one));
    facts.surplus += new Set(one.extra).size;
    if (one.inFlight.length === 0 || facts.recorded.length + facts.missing.length > MOST_HIGHLIGHTS) continue;
    const missing = new Set(one.missing);
    for (const crossing of across(run, snapshot.cut, one.channel, MOST_HIGHLIGHTS).inFlight) {
      (missing.has(crossing.number) ? facts.missing : facts.recorded).push(crossing);
    }
  }
  return facts;
}

/** What a snapshot has of a channel and should not have, once each, as arrows; nothing of what no channel ever carried. */
function extraOf(run, { channel, extra }) {
  const traffic = trafficOf(run);
  return [...new Set(extra)].slice(0, MOST_HIGHLIGHTS).flatMap((number) => {
    const send = traffic.sendOf(channel, number, -1);
    return send < 0 ? [] : [{ channel, number, send, receive: run.peer[send] }];
  });
}

/** So many messages of a cut are highlighted; the panel counts them all. */
const MOST_HIGHLIGHTS = 500;

/**
 * The points of a cut line among the rows in sight, in pieces: a node that has not recorded
 * breaks it. It crosses each lane upright, so that it does not lie upon the marker that went
 * from one recording to the next.
 */
function cutPieces(scene, snapshot) {
  const { g } = scene, pieces = [];
  const every = Math.max(1, Math.floor(2 / g.rowHeight)), upright = g.rowHeight * 0.36;
  let piece = [];
  const end = Math.min(g.rows.length, scene.row1 + 1);
  for (let row = Math.max(0, scene.row0 - 1); row < end; row += every) {
    const v = g.rows[row], i = v < snapshot.cut.length ? snapshot.cut[v] : -1;
    if (v === scene.run.coordinator) continue;
    if (i < 0) {
      if (piece.length > 0) pieces.push(piece);
      piece = [];
      continue;
    }
    const x = g.x(i), y = g.yOfRow(row);
    if (g.rowHeight > 12) piece.push(x, y - upright, x, y + upright);
    else piece.push(x, y);
  }
  if (piece.length > 0) pieces.push(piece);
  return pieces;
}

/** Draws the cuts: all of them as thin lines, the chosen one bold, with what crosses it. */
function drawCuts(scene) {
  const { run, view } = scene;
  scene.cutNames = [];
  if (!view.show.cuts) return;
  run.snapshots.forEach((snapshot, k) => {
    if (k !== view.snapshot) drawCut(scene, snapshot, k, false);
  });
  const chosen = run.snapshots[view.snapshot];
  if (!chosen) return;
  if (!view.ownCut) drawCrossings(scene, chosen);
  drawCut(scene, chosen, view.snapshot, !view.ownCut);
}

function drawCut(scene, snapshot, k, bold) {
  const { g, painter } = scene, style = cutStyle(snapshot);
  const width = bold ? (snapshot.verdict === "violated" ? 5 : 4) : 1.6;
  let top = null;
  for (const piece of cutPieces(scene, snapshot)) {
    let least = Infinity, most = -Infinity;
    for (let c = 0; c < piece.length; c += 2) { least = Math.min(least, piece[c]); most = Math.max(most, piece[c]); }
    if (most < g.left - 60 || least > g.width + 60) continue;
    top ??= piece[0];
    const end = piece.length - 2, reach = g.rowHeight * 0.14;
    const line = [piece[0], piece[1] - reach, ...piece, piece[end], piece[end + 1] + reach];
    if (bold) painter.polyline(line, { stroke: "ground", width: width + 4 });
    painter.polyline(line, { stroke: style.color, width, dash: style.dash.map((d) => d * (bold ? 1 : 0.7)), alpha: bold ? 1 : 0.75 });
  }
  if (top !== null) scene.cutNames.push({ k, snapshot, x: top, bold });
}

/** What crosses the chosen cut: recorded messages thick, missing ones and orphans in alarm. */
function drawCrossings(scene, snapshot) {
  const facts = factsOf(scene.run, snapshot);
  thickArrows(scene, crossingLines(scene, facts.recorded), "in-flight", []);
  if (snapshot.verdict !== "violated") return; // what an unfinished one has not recorded is no wrong
  thickArrows(scene, crossingLines(scene, facts.missing), "alarm", [3, 4]);
  thickArrows(scene, crossingLines(scene, facts.extra), "alarm", [14, 4]);
  thickArrows(scene, crossingLines(scene, facts.orphans), "alarm", []);
}

/** Names what forbids the chosen cut; after the events, for nothing may hide it. */
function drawAlarmNames(scene) {
  const { run, view, g, labels } = scene, snapshot = run.snapshots[view.snapshot];
  if (!view.show.cuts || view.ownCut || snapshot?.verdict !== "violated") return;
  for (let row = scene.row0; row < scene.row1; row++) { // nor may it hide where the nodes recorded
    const i = snapshot.cut[g.rows[row]] ?? -1;
    if (i >= 0) labels.take(g.x(i) - 12, Math.max(g.top, g.yOfRow(row) - 34), 24, 46);
  }
  const facts = factsOf(run, snapshot);
  nameAlarms(scene, "orphan", facts.orphans, facts.orphaned);
  nameAlarms(scene, "missing", facts.missing, facts.missed);
  nameAlarms(scene, "wrongly recorded", facts.extra, facts.surplus);
}

/** Arrows with a broad ground of their colour. */
function thickArrows(scene, lines, color, dash) {
  const heads = [], straight = [], loops = [], { painter, g } = scene;
  for (let k = 0; k < lines.length; k += 4) {
    const [x0, y0, x1, y1] = lines.slice(k, k + 4);
    if (y0 === y1) {
      loops.push([x0, y0, (x0 + x1) / 2, archTop(g, y0), x1, y1]);
      wideHead((x0 + x1) / 2, archTop(g, y0), x1, y1, scene.radius, heads);
    } else {
      straight.push(x0, y0, x1, y1);
      wideHead(x0, y0, x1, y1, scene.radius, heads);
    }
  }
  for (const style of [{ stroke: "ground", width: 13, round: true }, { stroke: color, width: 11, alpha: 0.35, round: true }, { stroke: color, width: 3.5, dash }]) {
    painter.segments(straight, style);
    for (const loop of loops) painter.curve(loop, style);
  }
  painter.polygons(heads, 3, { fill: color });
}

function wideHead(x0, y0, x1, y1, gap, out) {
  const length = Math.hypot(x1 - x0, y1 - y0) || 1;
  const ux = (x1 - x0) / length, uy = (y1 - y0) / length, a = 15, b = 7;
  const tx = x1 - ux * gap, ty = y1 - uy * gap;
  out.push(tx, ty, tx - ux * a - uy * b, ty - uy * a + ux * b, tx - ux * a + uy * b, ty - uy * a - ux * b);
}

/** The arrows of messages; one that never came ends half-way. */
function crossingLines(scene, list) {
  const { g, run } = scene, lines = [];
  for (const { channel, send, receive } of list) {
    const to = run.channels[channel].to;
    const x0 = send >= 0 ? g.x(send) : g.x(receive) - 40, y0 = g.y(run.channels[channel].from), y1 = g.y(to);
    const x1 = receive >= 0 ? g.x(receive) : x0 + Math.min(60, Math.abs(y1 - y0) * 0.35);
    if (Number.isNaN(y0 + y1)) { lines.push(0, -99, 0, -99); continue; } // one of the lanes is not shown
    lines.push(x0, y0, x1, receive >= 0 ? y1 : y0 + (y1 - y0) * 0.55);
  }
  return lines;
}

/** Names the pairs that forbid a cut, as many as there is room for. */
function nameAlarms(scene, word, list, count) {
  const { g, run, painter } = scene, lines = crossingLines(scene, list);
  let named = 0;
  for (let k = 0; k < list.length && named < 3; k++) {
    const [x0, y0, x1, y1] = lines.slice(4 * k, 4 * k + 4);
    if (y0 === -99 || Math.max(x0, x1) < g.left || Math.min(x0, x1) > g.width) continue;
    const channel = run.channels[list[k].channel];
    const name = `${shownName(run.laneName(channel.from), 20)}→${shownName(run.laneName(channel.to), 20)}`;
    const text = `${word}: message ${list[k].number} of ${name}${count > 1 ? ` (${k + 1} of ${grouped(count)})` : ""}`;
    const w = textWidth(text, 15, true) + 16, h = 25;
    const place = besideArrow(scene, x0, y0, x1, y1, w, h);
    if (!place) continue;
    const [x, y] = place;
    painter.rects([x, y, w, h], { fill: "alarm", stroke: "ground", width: 2 });
    painter.text(x + 8, y + h / 2 + 0.5, text, { fill: "on-alarm", size: 15, bold: true });
    named++;
  }
}

/** A free place for a label of an arrow: beside it, for it has to be seen. @returns {?[number, number]} */
function besideArrow(scene, x0, y0, x1, y1, w, h) {
  const { g, labels } = scene, loop = y0 === y1;
  const middle = (loop ? archTop(g, y0) - 20 : (y0 + y1) / 2) - h / 2;
  const first = Math.min(x0, x1), last = Math.max(x0, x1);
  const sides = [last + 26, first - w - 26, last + 90].map((x) => Math.min(Math.max(x, g.left + 4), g.width - w - 4));
  const free = sides.filter((x) => x > last + 10 || x + w < first - 10);
  if (loop) free.unshift(Math.max(g.left + 8, (x0 + x1 - w) / 2));
  for (const shift of loop ? [0, -28, -56, 112, 140] : [0, 28, -28, 56, -56, 84, -84, 112, 140]) {
    for (const x of free.length > 0 ? free : [g.left + 8]) {
      const y = middle + shift;
      if (y > g.top && y + h < g.height - g.bottom && labels.take(x, y, w, h)) return [x, y];
    }
  }
  return null;
}

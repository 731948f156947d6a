/** Beyond so many arrows of records in sight, they are a grey fog and cost more than they tell. */
const MOST_ARROWS = 6000;

/** What an arrow carries, by the kind of the event that sends it. */
const ARROW_FAMILY = {
  [KIND.Send]: "message", [KIND.Close]: "end", [KIND.MarkerSent]: "marker", [KIND.ControlSent]: "control",
};

/** How the arrows of a family look: solid for records, dashed with a diamond for markers and barriers, dotted for control. */
const ARROW_STYLE = {
  message: { width: 1.4 },
  end: { width: 1.4, dash: [10, 3] },
  marker: { width: 2.2, dash: [8, 5] },
  control: { width: 1.8, dash: [1.5, 4], round: true },
};

/** Draws the arrows of messages, markers and control messages. */
function drawArrows(scene) {
  const { run, view } = scene, { show } = view;
  const lines = new Batches(), heads = new Batches();
  const shown = { message: show.messages && !scene.dense, end: show.messages && !scene.dense, marker: show.markers, control: show.control };
  let count = 0;
  const visit = (s, r) => {
    const family = ARROW_FAMILY[run.kind[s]];
    if (!shown[family] || ++count > MOST_ARROWS) return;
    drawArrow(scene, s, r, family, lines, heads);
  };
  if (scene.dense) eachMarker(scene, visit);
  else scene.g.eachArrow(scene.i0, scene.i1, visit);
  if (!scene.dense) drawStubs(scene, shown, lines);
  flushArrows(scene, lines, heads);
  if (scene.detailed && scene.arrows.length <= 6 * 40) drawNumbers(scene);
}

/** The numbers of messages, where there are so few that one can follow each. */
function drawNumbers(scene) {
  const { run, g, painter, labels, arrows } = scene;
  if (g.rowHeight < 40) return;
  for (let k = 0; k < arrows.length; k += 6) {
    const [x0, y0, x1, y1, s] = arrows.slice(k, k + 6);
    if (run.kind[s] !== KIND.Send || y0 === y1) continue;
    const text = String(run.number[s]), w = textWidth(text, 13) + 4;
    for (const part of [0.2, 0.32, 0.5]) { // of the way
      const x = x0 + (x1 - x0) * part, y = y0 + (y1 - y0) * part;
      if (!labels.take(x - w / 2, y - 8, w, 16)) continue;
      painter.text(x, y, text, { fill: "faint", size: 13, align: "center", halo: "ground" });
      break;
    }
  }
}

/** Where records are too many, markers and control messages may be few enough. */
function eachMarker(scene, visit) {
  const { view, run } = scene, list = view.markerReceipts;
  const a = lowerBound(list, scene.i0), b = lowerBound(list, scene.i1);
  if (b - a > 700) return;
  for (let k = a; k < b; k++) if (run.peer[list[k]] >= 0) visit(run.peer[list[k]], list[k]);
}

function flushArrows(scene, lines, heads) {
  const { painter } = scene;
  const thin = Math.min(1, Math.max(0.3, scene.spacing / 12)); // many arrows are a ground for what matters more
  for (const family of ["message", "end", "control", "marker"]) {
    for (const tone of TONES_UPWARDS) {
      const key = family + tone, { color, alpha } = toned(tone, family === "end" ? "message" : family);
      const style = ARROW_STYLE[family], faint = family !== "marker" && tone <= TONE.undone ? alpha * thin : alpha;
      painter.segments(lines.get(key), { ...style, stroke: color, alpha: faint });
      for (const loop of lines.get(key + "loop")) painter.curve(loop, { ...style, stroke: color, alpha: faint });
      if (family === "marker") painter.polygons(heads.get(key), 4, { fill: color, alpha });
      else painter.polygons(heads.get(key), 3, { fill: color, alpha: faint });
    }
  }
}

/** Whether an arrow was sent, or came, in a part of the run that was undone. */
function arrowTone(scene, s, r) {
  const a = scene.tone(s), b = scene.tone(r), { view } = scene;
  const chosen = view.tint?.of;
  if (a === TONE.past && (b === TONE.past || r === chosen)) return TONE.past;
  if (b === TONE.future && (a === TONE.future || s === chosen)) return TONE.future;
  if (view.tint?.dim) return TONE.dim;
  return a === TONE.undone && b === TONE.undone ? TONE.undone : TONE.plain;
}

function drawArrow(scene, s, r, family, lines, heads) {
  const { g, run } = scene;
  const x0 = g.x(s), y0 = g.y(run.node[s]), x1 = g.x(r), y1 = g.y(run.node[r]);
  if (!(Math.max(y0, y1) >= g.top && Math.min(y0, y1) <= g.height)) return; // or one of the lanes is not shown
  const key = family + arrowTone(scene, s, r);
  if (!scene.dense && scene.arrows.length < 6 * 4000) scene.arrows.push(x0, y0, x1, y1, s, r);
  if (y0 === y1) { // to itself: an arch above the lane
    const top = archTop(g, y0);
    lines.of(key + "loop").push([x0, y0, (x0 + x1) / 2, top, x1, y1]);
    if (scene.detailed) head(family, x1, y1, x1 - (x0 + x1) / 2, y1 - top, scene.radius, heads.of(key));
    return;
  }
  lines.of(key).push(x0, y0, x1, y1);
  if (scene.detailed || family === "marker" && scene.radius > 2.4) head(family, x1, y1, x1 - x0, y1 - y0, headGap(scene, r), heads.of(key));
}

/** The height to which the line of a message to its sender is drawn. */
function archTop(g, y) { return y - Math.min(g.rowHeight * 0.8, 44); }

/** How far before the lane a head ends: at the edge of the shape that stands there. */
function headGap(scene, r) {
  const { run } = scene, records = run.kind[r] === KIND.Marker && r + 1 < run.n && run.kind[r + 1] === KIND.Record;
  return records ? scene.recordHalf + 1 : scene.radius;
}

/** The head of an arrow that comes to (x, y) in the direction (dx, dy). */
function head(family, x, y, dx, dy, gap, out) {
  const length = Math.hypot(dx, dy) || 1, ux = dx / length, uy = dy / length;
  const tipX = x - ux * gap, tipY = y - uy * gap;
  if (family === "marker") {
    const a = 7, b = 5; // half of its length and width
    const cx = tipX - ux * a, cy = tipY - uy * a;
    out.push(tipX, tipY, cx - uy * b, cy + ux * b, cx - ux * a, cy - uy * a, cx + uy * b, cy - ux * b);
    return;
  }
  const a = 10, b = 4;
  const cx = tipX - ux * a, cy = tipY - uy * a;
  out.push(tipX, tipY, cx - uy * b, cy + ux * b, cx + uy * b, cy - ux * b);
}

/** What was sent and never came: a short line towards its receiver, with a cross if the channel lost it. */
function drawStubs(scene, shown, lines) {
  const { g, run, painter } = scene, crosses = [];
  for (let i = scene.i0; i < scene.i1; i++) {
    if (!run.isSend(i) || run.peer[i] >= 0) continue;
    const family = ARROW_FAMILY[run.kind[i]];
    const to = run.channel[i] >= 0 ? run.channels[run.channel[i]].to : -1;
    if (!shown[family] || to < 0) continue;
    const x = g.x(i), y = g.y(run.node[i]), y1 = g.y(to);
    if (!(y > g.top - 40 && y < g.height + 40) || Number.isNaN(y1)) continue;
    const tone = scene.tone(i), length = Math.min(34, g.rowHeight * 0.5), down = y1 === y ? -1 : Math.sign(y1 - y);
    const endX = x + length * 0.6, endY = y + down * length * 0.8;
    lines.of(family + tone).push(x, y, endX, endY);
    const next = run.next(i);
    if (next >= 0 && run.kind[next] === KIND.Lost) crosses.push(endX - 4, endY - 4, endX + 4, endY + 4, endX - 4, endY + 4, endX + 4, endY - 4);
  }
  painter.segments(crosses, { stroke: "ink", width: 2 });
}

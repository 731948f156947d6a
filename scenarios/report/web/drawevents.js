/**
 * The shape of each kind of event, its colour, its size as a share of the usual radius, and
 * its weight: what weighs more is drawn over what weighs less and is found first by a
 * pointer. Shapes alone tell the kinds apart; colours help.
 */
const GLYPHS = [];
for (const [name, shape, color, size, weight, family] of [
  ["Send", "dot", "message", 0.5, 0, "messages"],
  ["Drop", "ring", "undone", 0.7, 1, "messages"],
  ["Lost", "none", "ink", 0.5, 0, "messages"],
  ["Doubled", "plus", "ink", 0.6, 1, "messages"],
  ["Close", "bar", "message", 0.9, 1, "messages"],
  ["Ended", "bar", "message", 1.1, 1, "messages"],
  ["Fact", "ring", "control", 0.6, 1, "control"],
  ["ControlSent", "dot", "control", 0.6, 1, "control"],
  ["ControlReceived", "ring", "control", 0.8, 1, "control"],
  ["MarkerSent", "none", "marker", 0.6, 1, "markers"],
  ["Block", "none", "blocked", 0.6, 0, "markers"],
  ["Unblock", "none", "blocked", 0.6, 0, "markers"],
  ["Done", "smallsquare", "record", 0.6, 1, "markers"],
  ["Process", "circle", "step", 1, 2, ""],
  ["Timer", "clock", "timer", 1, 2, ""],
  ["External", "down", "outside", 1.25, 2, ""],
  ["Emit", "up", "outside", 1.05, 3, "messages"],
  ["Marker", "diamond", "marker", 1.1, 3, "markers"],
  ["Initiate", "star", "marker", 1.5, 3, "markers"],
  ["Record", "record", "record", 1, 4, ""],
  ["Crash", "cross", "crash", 1.5, 5, ""],
  ["Restored", "restored", "restored", 1.3, 5, ""],
]) GLYPHS[KIND[name]] = { name, shape, color, size, weight, family };

/** The kinds in the order of drawing. */
const KINDS_UPWARDS = GLYPHS.map((_, kind) => kind).sort((a, b) => GLYPHS[a].weight - GLYPHS[b].weight);

/** Draws the events in sight; where there are too many, only those that matter for themselves. */
function drawEvents(scene) {
  const { g, run, view } = scene;
  const shapes = new Batches(), records = [];
  const add = (i) => {
    const glyph = GLYPHS[run.kind[i]];
    if (glyph.family && !view.show[glyph.family]) return;
    const y = g.y(run.node[i]);
    if (!(y >= g.top - 20 && y <= g.height + 20)) return;
    if (run.kind[i] === KIND.Record) { records.push(i); return; }
    const x = g.x(i), r = scene.radius * glyph.size;
    shape(glyph.shape, x, y, r, shapes.of(run.kind[i] * 8 + scene.tone(i)));
  };
  if (scene.dense) {
    const list = view.important, a = lowerBound(list, scene.i0), b = lowerBound(list, scene.i1);
    for (let k = a; k < b; k++) add(list[k]);
  } else {
    for (let i = scene.i0; i < scene.i1; i++) add(i);
  }
  for (const kind of KINDS_UPWARDS) {
    if (kind === KIND.Record) drawRecords(scene, records);
    for (const tone of TONES_UPWARDS) {
      const list = shapes.get(kind * 8 + tone);
      if (list.length > 0) flushShape(scene, GLYPHS[kind], tone, list);
    }
  }
}

/** Adds the numbers that say where a shape lies. */
function shape(name, x, y, r, out) {
  switch (name) {
    case "dot": case "circle": case "ring": case "clock":
      out.push(x, y, r);
      break;
    case "down": // it comes from above, outside
      out.push(x - r, y - r * 0.8, x + r, y - r * 0.8, x, y + r * 0.9);
      break;
    case "up": // it leaves; above the lane, for it happens together with a step
      out.push(x - r, y - r * 1.5, x + r, y - r * 1.5, x, y - r * 3.1);
      break;
    case "diamond": case "star":
      out.push(x - r, y, x, y - r, x + r, y, x, y + r);
      break;
    case "smallsquare":
      out.push(x - r, y - r, 2 * r, 2 * r);
      break;
    case "bar":
      out.push(x, y - r * 1.4, x, y + r * 1.4);
      break;
    case "plus":
      out.push(x - r, y - r * 2.4, x + r, y - r * 2.4, x, y - r * 3.4, x, y - r * 1.4);
      break;
    case "cross": {
      const a = Math.max(r, 5);
      out.push(x - a, y - a, x + a, y + a, x - a, y + a, x + a, y - a);
      break;
    }
    case "restored":
      out.push(x, y, Math.max(r, 5));
      break;
  }
}

function flushShape(scene, glyph, tone, list) {
  const { painter } = scene, { color, alpha } = toned(tone, glyph.color);
  const line = scene.radius > 4 ? 2 : 1.2;
  switch (glyph.shape) {
    case "dot": case "circle":
      painter.circles(list, { fill: color, alpha });
      break;
    case "ring":
      painter.circles(list, { fill: "ground", stroke: color, width: line, alpha });
      break;
    case "clock": {
      painter.circles(list, { fill: "ground", stroke: color, width: line, alpha });
      const hands = [];
      for (let k = 0; k < list.length; k += 3) hands.push(list[k], list[k + 1] - list[k + 2], list[k], list[k + 1], list[k], list[k + 1], list[k] + list[k + 2] * 0.7, list[k + 1]);
      painter.segments(hands, { stroke: color, width: line, alpha });
      break;
    }
    case "down": case "up":
      painter.polygons(list, 3, { fill: color, alpha });
      break;
    case "diamond":
      painter.polygons(list, 4, { fill: color, stroke: "ground", width: 1, alpha });
      break;
    case "star":
      painter.polygons(list, 4, { fill: "ground", stroke: color, width: 3, alpha });
      break;
    case "smallsquare":
      painter.rects(list, { fill: "ground", stroke: color, width: 1.5, alpha });
      break;
    case "bar": case "plus":
      painter.segments(list, { stroke: color, width: line + 1, alpha });
      break;
    case "cross":
      painter.segments(list, { stroke: "ground", width: 8, round: true });
      painter.segments(list, { stroke: color, width: 4, round: true, alpha });
      break;
    case "restored":
      painter.circles(list, { fill: "ground", stroke: color, width: 2.5, alpha });
      for (let k = 0; k < list.length && list[k + 2] > 6; k += 3) painter.text(list[k], list[k + 1] + 1, "↺", { fill: color, size: 14, bold: true, align: "center" });
      break;
  }
}

/** Recordings are squares with the number of the snapshot, where there is room for it. */
function drawRecords(scene, records) {
  const { g, run, painter, view } = scene, last = new Map(), small = new Batches();
  const chosen = run.snapshots[view.snapshot];
  for (const i of records) {
    const x = g.x(i), y = g.y(run.node[i]), id = String(run.snapshot[i]), half = scene.recordHalf;
    const ofChosen = chosen && chosen.id === run.snapshot[i];
    const tone = scene.tone(i), { color, alpha } = toned(tone, ofChosen ? cutColor(chosen) : "record");
    const wide = half >= 9 ? Math.max(half, textWidth(id, 14, true) / 2 + 4) : half;
    const before = last.get(run.node[i]) ?? -Infinity;
    last.set(run.node[i], x);
    if (x - before < wide * 2 || half < 4) { // no room beside the one before, or on the lane
      const r = Math.min(3, half);
      small.of(color + "/" + alpha).push(x - r, y - r, 2 * r, 2 * r);
      continue;
    }
    painter.rects([x - wide, y - half, 2 * wide, 2 * half], { fill: "ground" });
    painter.rects([x - wide, y - half, 2 * wide, 2 * half], { fill: color, stroke: ofChosen ? "ink" : "ground", width: ofChosen ? 2 : 1, alpha });
    if (half >= 9) painter.text(x, y + 0.5, id, { fill: color === "alarm" ? "on-alarm" : "on-record", size: 14, bold: true, align: "center" });
  }
  for (const [key, list] of small.lists) {
    const [color, alpha] = key.split("/");
    painter.rects(list, { fill: color, alpha: Number(alpha) });
  }
}

/** A triangle with an exclamation mark over the events that show the violations best. */
function drawViolations(scene) {
  const { g, run, painter } = scene, signs = [];
  for (const v of run.violations) {
    if (v.event < scene.i0 || v.event >= scene.i1) continue;
    const x = g.x(v.event), y = g.y(run.node[v.event]) - scene.recordHalf - 5;
    if (signs.length > 0 && Math.abs(signs[signs.length - 1][0] - x) < 12 && signs[signs.length - 1][1] === y) continue;
    if (y >= g.top - 20) signs.push([x, y]);
  }
  for (const [x, y] of signs) {
    painter.polygons([x, y - 20, x + 12, y, x - 12, y], 3, { fill: "alarm", stroke: "ground", width: 2 });
    painter.text(x, y - 6.5, "!", { fill: "on-alarm", size: 14, bold: true, align: "center" });
  }
}

/** While the run is played, what lies behind the cursor has not happened yet. */
function drawCurtain(scene) {
  const { g, view, painter } = scene;
  if (!view.curtain || view.cursor < 0) return;
  const x = Math.max(g.left, g.x(view.cursor) + scene.radius + 4);
  if (x < g.width) painter.rects([x, g.top, g.width - x, g.height - g.top], { fill: "ground", alpha: 0.82 });
}

/** The line of the cursor; events are drawn over it. */
function drawCursor(scene) {
  const { g, run, view, painter } = scene;
  if (view.cursor < 0 || view.cursor >= run.n) return;
  const x = g.x(view.cursor);
  painter.segments([x, 24, x, g.height - g.bottom], { stroke: "cursor", width: 1.5 });
  painter.polygons([x - 6, 24, x + 6, 24, x, 33], 3, { fill: "cursor" });
}

/** Rings around the cursor and the events that are selected. */
function drawMarks(scene) {
  const { g, run, view, painter } = scene;
  const ring = (i, color, name) => {
    if (i < 0 || i >= run.n) return;
    const x = g.x(i), y = g.y(run.node[i]), r = Math.max(scene.radius, scene.recordHalf) + 5;
    if (x < g.left - 20 || x > g.width + 20 || !(y >= g.top - 20)) return;
    painter.circles([x, y, r], { stroke: "ground", width: 6 });
    painter.circles([x, y, r], { stroke: color, width: 3 });
    if (name) painter.text(x + r + 3, y - r, name, { fill: color, size: 16, bold: true, halo: "ground" });
  };
  ring(view.hover, "faint", "");
  if (view.cursor !== view.selected && view.cursor !== view.second) ring(view.cursor, "cursor", "");
  ring(view.selected, "cursor", view.second >= 0 ? "a" : "");
  ring(view.second, "second", "b");
}

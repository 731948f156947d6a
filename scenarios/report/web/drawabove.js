/** Where the names above the plot stand: their upper edge, and their height. */
const ABOVE = { y: 29, h: 23 };

/**
 * Names the cuts and the recoveries above the plot: the chosen cut first, then recoveries,
 * then the other cuts. Where there is no room a name is shorter, or left out.
 */
function drawNamesAbove(scene) {
  const { view } = scene;
  scene.nameBoxes = []; // x, y, width, height, and the snapshot that a click chooses
  const cuts = scene.cutNames.sort((a, b) => a.x - b.x);
  for (const cut of cuts) if (cut.k === view.snapshot) nameCut(scene, cut);
  for (const r of scene.run.restores) nameRestore(scene, r);
  for (const cut of cuts) if (cut.k !== view.snapshot) nameCut(scene, cut);
}

function nameCut(scene, { k, snapshot, x, bold }) {
  const { g, painter } = scene, { color, sign } = cutStyle(snapshot), id = snapshot.id;
  const texts = [`snapshot ${id} ${sign}`.trim()];
  if (!bold) texts.push(`${id} ${sign}`.trim(), `${id}`);
  const style = { fill: bold ? color : "ground", stroke: color, text: bold ? "on-record" : color, bold };
  if (snapshot.verdict === "violated" && bold) style.text = "on-alarm";
  const box = nameAbove(scene, x, texts, style, bold);
  if (!box) return;
  scene.nameBoxes.push([box.x, ABOVE.y, box.w, ABOVE.h, k]);
  if (x >= box.x - 4 && x <= box.x + box.w + 4) painter.segments([x, ABOVE.y + ABOVE.h, x, g.top], { stroke: color, width: bold ? 4 : 1.6 });
}

/** What a recovery has put back, above its band. */
function nameRestore(scene, r) {
  const xs = restoreX(scene, r);
  if (!xs) return;
  const from = r.snapshot ? `snapshot ${r.snapshot}` : "the initial state";
  const style = { fill: "restored", stroke: "restored", text: "on-restored", bold: true };
  nameAbove(scene, (xs[0] + xs[1]) / 2, [`↺ back to ${from}`, `↺ ${r.snapshot || "start"}`], style, false);
}

/** Draws the first of some texts for which there is room around an x. @returns {?{x: number, w: number}} where it stands */
function nameAbove(scene, x, texts, style, anywhere) {
  const { g, painter, labels } = scene;
  if (!anywhere && (x < g.left - 8 || x > g.width + 8)) return null;
  for (const text of texts) {
    const w = textWidth(text, 15, style.bold) + 14, least = g.left + 2, most = g.width - w - 2;
    for (const shift of [0, w / 2 - 3, 3 - w / 2]) { // beside it, if not above it
      const left = Math.min(Math.max(x - w / 2 + shift, least), most);
      if (!labels.take(left - 3, ABOVE.y, w + 6, ABOVE.h)) continue;
      painter.rects([left, ABOVE.y + 1, w, ABOVE.h - 1], { fill: style.fill, stroke: style.stroke, width: 1.5 });
      painter.text(left + 7, ABOVE.y + 1 + ABOVE.h / 2, text, { fill: style.text, size: 15, bold: style.bold });
      return { x: left, w };
    }
  }
  return null;
}

/** The widths of the columns in which events are counted, px. */
const COLUMN = 2;

/**
 * Where events lie closer than they can be told apart, each lane shows how many there are:
 * bars whose height grows with the logarithm of the number in a column of pixels. Rows that
 * are lower than a few pixels are counted together.
 */
function drawDensity(scene) {
  const { g, run } = scene;
  const columns = Math.ceil(g.plotWidth / COLUMN) + 1;
  const group = Math.max(1, Math.ceil(3 / g.rowHeight)); // rows that share a strip
  const bars = new Batches();
  const counts = Array.from({ length: 5 }, () => new Uint32Array(columns)); // by tone
  for (let row = scene.row0 - scene.row0 % group; row < scene.row1; row += group) {
    for (const c of counts) c.fill(0);
    let most = 0;
    for (let k = row; k < Math.min(row + group, g.rows.length); k++) most += countEvents(scene, run.ofNode(g.rows[k]), counts, columns);
    if (most > 0) addBars(g, row, group, counts, columns, bars);
  }
  for (const tone of TONES_UPWARDS) {
    const { color } = toned(tone, "step");
    for (let level = 1; level <= LEVELS; level++) {
      scene.painter.rects(bars.get(tone * 16 + level), { fill: color, alpha: tone === TONE.dim ? 0.12 : 0.3 + 0.45 * level / LEVELS });
    }
  }
}

/** Steps of darkness and height. */
const LEVELS = 6;

function countEvents(scene, list, counts, columns) {
  const { g } = scene;
  const a = lowerBound(list, scene.i0), b = lowerBound(list, scene.i1);
  for (let k = a; k < b; k++) {
    const c = (g.x(list[k]) - g.left) / COLUMN | 0;
    if (c >= 0 && c < columns) counts[scene.tone(list[k])][c]++;
  }
  return b - a;
}

/** Adds the bars of a strip, neighbours of the same level as one. */
function addBars(g, row, group, counts, columns, bars) {
  const height = Math.max(2, g.rowHeight * group), middle = g.top + (row + group / 2) * g.rowHeight - g.scroll;
  let start = 0, key = 0;
  for (let c = 0; c <= columns; c++) {
    const now = c < columns ? barKey(counts, c) : 0;
    if (now === key) continue;
    if (key > 0) {
      const level = key % 16, h = height < 12 ? height : Math.min(height * 0.8, 44) * (0.2 + 0.8 * level / LEVELS);
      bars.of(key).push(g.left + start * COLUMN, middle - h / 2, (c - start) * COLUMN, h);
    }
    start = c;
    key = now;
  }
}

/** The tone of most of a column's events and its level, as one number; 0: there are none. */
function barKey(counts, c) {
  let total = 0, tone = 0;
  for (let t = 0; t < counts.length; t++) {
    total += counts[t][c];
    if (counts[t][c] > counts[tone][c]) tone = t;
  }
  if (counts[TONE.past][c] > 0) tone = TONE.past; // few of them must not get lost among many
  else if (counts[TONE.future][c] > 0) tone = TONE.future;
  return total === 0 ? 0 : tone * 16 + Math.min(LEVELS, 1 + Math.floor(Math.log2(total)));
}

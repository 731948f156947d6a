// Compares geometry.js with slow definitions. Arguments: the folder of the scripts, then files with the
// data of pages. It prints how often the rare cases came up, and throws at the first difference.
"use strict";
const fs = require("fs");
const [folder, ...files] = process.argv.slice(2);
const names = fs.readdirSync(folder).filter((name) => /^(model.*|geometry)\.js$/.test(name)).sort();
const code = names.map((name) => fs.readFileSync(`${folder}/${name}`, "utf8")).join("");
const { readPage, Geometry } = new Function(`"use strict"; ${code}; return { readPage, Geometry };`)();

const seen = { spanning: 0, crossing: 0, hits: 0, weighty: 0, hidden: 0, clamped: 0, stayed: 0 };

function must(is, ...what) {
  if (!is) throw new Error(what.join(" "));
}

/** Every arrow between two events is visited, and none twice. */
function arrows(run, g, i0, i1) {
  const got = new Set();
  g.eachArrow(i0, i1, (s, r) => {
    must(!got.has(r), "the arrow to", r, "is visited twice");
    got.add(r);
  });
  for (let r = 0; r < run.n; r++) {
    const s = run.isReceive(r) ? run.peer[r] : -1;
    if (s < 0) continue;
    const first = run.peer[s] === r; // a second receipt is drawn where it lies, not over the whole of its way
    if (r >= i0 && s < i1 && (r < i1 || first)) must(got.has(r), "the arrow", s, "to", r, "is not visited in", i0, i1);
    if (s < i0 && r >= i1 && got.has(r)) seen.spanning++;
    if (s >= i0 && s < i1 && r >= i1 && got.has(r)) seen.crossing++;
  }
}

/** The event at a point is the one for which distance and weight together say so. */
function hit(run, g, px, py, weight) {
  let best = -1, cost = Infinity;
  for (let i = 0; i < run.n; i++) {
    const far = Math.abs(g.x(i) - px), w = weight(i);
    if (Math.abs(g.y(run.node[i]) - py) > g.rowHeight / 2 - 0.001 || far > 8 || w < 0) continue;
    if (far - 2 * w < cost - 1e-9) { cost = far - 2 * w; best = i; }
  }
  const got = g.eventAt(px, py, 8, weight);
  must((got < 0) === (best < 0), "at", px, py, "is", got, "and should be", best);
  if (got < 0) return;
  seen.hits++;
  must(Math.abs(Math.abs(g.x(got) - px) - 2 * weight(got) - cost) < 1e-6, "at", px, py, "is", got, "and not", best);
  if (weight(got) > 0) seen.weighty++;
}

function window(run, g, from, to) {
  g.setWindow(from, to);
  const [i0, i1] = g.visible();
  for (let i = 0; i < run.n; i++) {
    const inside = g.x(i) >= g.left - 12 && g.x(i) < g.width + 12;
    must(inside === (i >= i0 && i < i1), "event", i, "is", inside ? "in" : "out of", "sight; visible says", i0, i1);
  }
  arrows(run, g, i0, i1);
  for (let k = 0; k < 40; k++) {
    const row = k % g.rows.length;
    hit(run, g, g.left + 3 + k * g.plotWidth / 40, g.yOfRow(row), (i) => run.kind[i] % 4 - 1);
  }
  const px = g.left + g.plotWidth * 0.3, unit = g.unitAt(px), before = g.perPixel;
  g.zoom(1.7, px);
  if (Math.abs(before / g.perPixel - 1.7) < 1e-9 && g.from > g.extent[0]) must(Math.abs(g.unitAt(px) - unit) < 1e-6 * (g.extent[1] + 1), "zoom moved what was at", px);
}

/** What is anchored stays in its place when time becomes order and back. */
function modes(run, g) {
  for (const share of [0.3, 0.5, 0.8]) {
    const i = Math.floor(run.n * share), other = g.mode === "time" ? "order" : "time";
    const half = (g.extent[1] - g.extent[0]) / 30;
    g.setWindow(g.position(i) - half, g.position(i) + half);
    const x = g.x(i);
    g.setMode(other, i);
    const [a, b] = g.extent, atEnd = g.from <= a || g.from + g.plotWidth * g.perPixel >= b; // and kept in sight there
    must(Math.abs(g.x(i) - x) < 0.01 || atEnd, "event", i, "moved from", x, "to", g.x(i));
    if (!atEnd) seen.stayed++;
  }
}

function rows(run, g) {
  g.showLanes((v) => v % 2 === 0);
  for (let v = 0; v < run.lanes; v++) {
    must((v % 2 === 0) === !Number.isNaN(g.y(v)), "lane", v, "is at", g.y(v));
    if (v % 2 !== 0) { seen.hidden++; continue; }
    must(g.laneAt(g.y(v)) === v || g.y(v) < g.top, "at the line of lane", v, "is", g.laneAt(g.y(v)));
  }
  g.showLanes(() => true);
}

(async () => {
  for (const file of files) {
    for (const run of (await readPage(fs.readFileSync(file, "utf8"))).runs) {
      const g = new Geometry(run);
      Object.assign(g, { width: 1000, height: 500 });
      g.fitRows();
      for (const mode of ["time", "order"]) {
        g.setMode(mode, -1);
        const [a, b] = g.extent, span = b - a;
        for (const [from, to] of [[0, 1], [0.2, 0.25], [0.5, 0.505], [0.6, 0.9], [-3, -2]]) window(run, g, a + span * from, a + span * to);
        g.setWindow(b + 10 * span, b + 11 * span);
        must(g.x(run.n - 1) >= g.left, "the run is out of sight");
        seen.clamped++;
        modes(run, g);
        g.setMode(mode, -1);
      }
      rows(run, g);
    }
  }
  console.log(JSON.stringify(seen));
})().catch((cause) => {
  console.error(cause.message);
  process.exit(1);
});

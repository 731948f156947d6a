// Prints what relation.js and cut*.js say of the runs in pages, a line of JSON for each
// answer. Arguments: the folder of the scripts, then the pages.
"use strict";
const fs = require("fs");
const [folder, ...pages] = process.argv.slice(2);
const names = fs.readdirSync(folder).filter((name) => /^(model|relation|cut).*\.js$/.test(name)).sort();
const code = names.map((name) => fs.readFileSync(`${folder}/${name}`, "utf8")).join("");
const { readPage, relation, causalPast, causalFuture, check, truth, smallestContaining, largestWithin } =
  new Function(`"use strict"; ${code}; return { readPage, relation, causalPast, causalFuture, check, truth, smallestContaining, largestWithin };`)();

/** Draws that are the same every time. */
let seed = 1;
function draw(n) {
  seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
  return (seed >>> 8) % n;
}

const print = (value) => console.log(JSON.stringify(value));
const crossings = (list) => list.map((c) => [c.channel, c.number, c.send, c.receive]);

function printEvent(run, i) {
  const j = draw(run.n);
  const { order, path } = relation(run, i, j);
  print({ event: i, past: causalPast(run, i).join(""), future: causalFuture(run, i).join(""), other: j, order, path });
}

/** A cut through events that lie near each other, or anywhere. */
function drawCut(run, near) {
  const middle = draw(run.n);
  return Int32Array.from(run.nodes, (_, v) => {
    const lane = run.ofNode(v);
    if (!near) return lane[draw(lane.length + 1)] ?? -1;
    return run.lastBefore(v, Math.max(0, Math.min(run.n - 1, middle + draw(160) - 80)));
  });
}

function printCut(run, cut) {
  const { consistent, orphans, inFlight, orphaned, flying, mixed } = check(run, cut);
  const list = (c) => (c ? Array.from(c) : null);
  print({ cut: list(cut), consistent, mixed: mixed !== null, orphans: crossings(orphans), inFlight: crossings(inFlight), orphaned, flying,
    grown: list(smallestContaining(run, cut).cut), shrunk: list(largestWithin(run, cut).cut) });
}

function printTruth(run, s) {
  print({ snapshot: s.id, channels: truth(run, s).map((c) => ({ known: c.known, right: c.right, orphaned: c.orphaned, missing: c.missing, extra: c.extra })) });
}

(async () => {
  for (const page of pages) {
    const data = fs.readFileSync(page, "utf8").match(/id="data">([^<]*)</)[1];
    for (const run of (await readPage(data)).runs) {
      for (let k = 0; k < 6 && run.n > 0; k++) printEvent(run, draw(run.n));
      for (let k = 0; k < 6 && run.n > 0; k++) printCut(run, drawCut(run, k % 3 > 0));
      for (const s of run.snapshots) printTruth(run, s);
      print("end");
    }
  }
})();

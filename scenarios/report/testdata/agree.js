// Prints what the page says of every snapshot of the runs in pages, and of pairs of events, a line of JSON
// for each run. Arguments: the folder of the scripts, how many pairs, then the pages.
"use strict";
const fs = require("fs");
const [folder, pairs, ...pages] = process.argv.slice(2);
const names = fs.readdirSync(folder).filter((name) => /^(model|relation|cut|drawcuts).*\.js$/.test(name)).sort();
const code = names.map((name) => fs.readFileSync(`${folder}/${name}`, "utf8")).join("");
const { readPage, relation, check, cutOf, truth, factsOf, lineageOf } =
  new Function(`"use strict"; ${code}; return { readPage, relation, check, cutOf, truth, factsOf, lineageOf };`)();

/** Draws that are the same every time. */
let seed = 1;
function draw(n) {
  seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
  return (seed >>> 8) % n;
}

const crossing = (c) => [c.channel, c.number, c.send, c.receive];

function ofSnapshot(run, s) {
  const { consistent, mixed, orphans, orphaned, unknown } = check(run, cutOf(run, s));
  const facts = factsOf(run, s);
  return {
    id: s.id, consistent, mixed: mixed !== null, orphans: orphans.map(crossing), orphaned, unknown: unknown.length,
    channels: truth(run, s).map((c) => ({ known: c.known, right: c.right, missing: c.missing, extra: c.extra, disordered: c.disordered, broken: c.broken })),
    drawn: { recorded: facts.recorded.map(crossing), missing: facts.missing.map(crossing), extra: facts.extra.map(crossing), orphans: facts.orphans.map(crossing) },
    branches: run.nodes.map((_, v) => (s.cut[v] < 0 ? [] : lineageOf(run).branch(v, s.cut[v]))),
  };
}

/** Pairs of events that lie near each other, or anywhere. */
function ofPair(run, k) {
  const a = draw(run.n), near = a + draw(40) - 20, b = k % 3 > 0 && near >= 0 && near < run.n ? near : draw(run.n);
  const { order, path } = relation(run, a, b);
  return { a, b, order, path };
}

(async () => {
  for (const page of pages) {
    const data = fs.readFileSync(page, "utf8").match(/id="data">([^<]*)</)[1];
    for (const run of (await readPage(data)).runs) {
      const events = Array.from({ length: run.n > 0 ? Number(pairs) : 0 }, (_, k) => ofPair(run, k));
      console.log(JSON.stringify({ snapshots: run.snapshots.map((s) => ofSnapshot(run, s)), pairs: events }));
    }
  }
})();

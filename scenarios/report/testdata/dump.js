// Prints what model.js reads from the data of pages: a line of JSON for each event of each run, and one
// about the run behind them. Arguments: the folder of the scripts, then files with the data.
"use strict";
const fs = require("fs");
const [folder, ...files] = process.argv.slice(2);
const code = fs.readdirSync(folder).filter((name) => /^model.*\.js$/.test(name)).sort().map((name) => fs.readFileSync(`${folder}/${name}`, "utf8")).join("");
const { readPage } = new Function(`"use strict"; ${code}; return { readPage };`)();

const list = (array) => [...array];

function eventLine(run, i) {
  const v = run.node[i], { state, event, exact } = run.stateAfter(v, i), change = run.change(i);
  return [run.kind[i], run.incarnation[i], v, run.channel[i], run.number[i], run.snapshot[i], run.peer[i], run.undone[i], run.at[i],
    String(run.key(i)), String(run.value(i)), String(run.aux(i)), run.word(i), run.prev(i), run.next(i), run.receives(i), event, exact, state,
    JSON.stringify(change.before) !== JSON.stringify(change.after), change.paths.length > 0];
}

function runLine(run) {
  for (let i = 0; i < run.n; i++) if (!run.describe(i).startsWith(`${run.laneName(run.node[i])} `)) throw new Error(`event ${i}: ${run.describe(i)}`);
  return [run.nodes, run.channels.map((c) => c.name), run.snapshots.map((s) => list(s.cut)), run.blocked.map((b) => [b.channel, b.snapshot, b.from, b.to]),
    list(run.busy.node), list(run.busy.from), list(run.busy.until), run.down.map((d) => [d.node, d.from, d.to]),
    run.n ? [run.firstAt(0), run.firstAt(Infinity), run.lastBefore(run.node[0], run.n - 1)] : []];
}

(async () => {
  for (const file of files) {
    for (const run of (await readPage(fs.readFileSync(file, "utf8"))).runs) {
      for (let i = 0; i < run.n; i++) console.log(JSON.stringify(eventLine(run, i)));
      console.log(JSON.stringify(runLine(run)));
    }
  }
})();

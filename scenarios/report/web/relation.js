// What happened before what (Lamport 1978, "Time, Clocks, and the Ordering of Events").
//
// An event happened before another if there is a chain of steps from the one to the other,
// each of which is
//   - to a later event of the same lane, or
//   - from the sending of something to its receipt: a message, a marker, the end of a
//     stream, a control message, or
//   - from the recordings of a snapshot to the restore that puts it back.
//
// A restore breaks the lane. What the node had done since the recording is on a branch that
// ends there: the node that goes on has no memory of it, so it is not before what comes
// after the restore, however much lower on the page that stands. Only messages carry
// anything from such a branch into what goes on: to nodes that were not restarted, and to the
// coordinator, which is told of crashes. A crash ends a branch and begins nothing.
//
// Every step leads from an event to one with a higher index, so one pass over the indexes
// finds all that came before an event, or after it: there are no clocks to keep.
//
// In a window the chains that lead through what is left out are not seen: "concurrent" then
// means that no chain within the window joins the two.

/** Lineage knows, for every event of a run, which events it follows at once. */
class Lineage {
  /** @param {Run} run */
  constructor(run) {
    this.run = run;
    /** The event of the same lane that this one continues; -1: it is the first of its branch. */
    this.follows = new Int32Array(run.n).fill(-1);
    /** The sending of what this event receives; -1: it receives nothing, or that is not here. */
    this.origin = new Int32Array(run.n).fill(-1);
    /** Of a Restored event, the index into run.restores; else -1. */
    this.restore = new Int32Array(run.n).fill(-1);
    /** By lane, its Restored events, ascending. */
    this.restored = Array.from({ length: run.lanes }, () => []);
    /** By restore, the recordings that it puts back. */
    this.recordings = run.restores.map((r) => recordingsOf(run, r.snapshot));
    const last = new Int32Array(run.lanes).fill(-1);
    let restore = -1;
    for (let i = 0; i < run.n; i++) {
      while (restore + 1 < run.restores.length && run.restores[restore + 1].event <= i) restore++;
      const v = run.node[i];
      this.follows[i] = last[v];
      if (run.kind[i] === KIND.Restored) {
        this.restore[i] = restore;
        this.restored[v].push(i);
        this.follows[i] = restore < 0 ? -1 : this.recordings[restore][v] ?? -1;
      } else if (run.isReceive(i)) {
        this.origin[i] = run.peer[i];
      }
      last[v] = i;
    }
  }

  /** The last Restored event of a lane at or before an event of it; -1. */
  lastRestored(v, i) {
    const list = this.restored[v];
    const at = upperBound(list, i) - 1;
    return at < 0 ? -1 : list[at];
  }

  /**
   * The branch of the lane that ends with event i, as spans of indexes, the last one first:
   * what the node that has just done i has behind it.
   * @returns {Array<[number, number]>} first and last index of each span, both in it
   */
  branch(v, i) {
    const spans = [];
    while (i >= 0) {
      const begin = this.lastRestored(v, i);
      spans.push([Math.max(begin, 0), i]);
      i = begin < 0 ? -1 : this.follows[begin];
    }
    return spans;
  }

  /** Whether event i lies on the branch that ends with event j of the same lane. */
  onBranch(v, i, j) {
    return i < 0 || this.branch(v, j).some(([first, last]) => first <= i && i <= last);
  }
}

/** The recordings of a snapshot by node, -1 where there is none in the window. */
function recordingsOf(run, id) {
  const snapshot = run.snapshots.find((s) => s.id === id);
  return snapshot ? snapshot.cut : new Int32Array(run.nodes.length).fill(-1);
}

/** The first place in an ascending list whose value is greater than x. */
function upperBound(list, x) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] <= x) low = middle + 1;
    else high = middle;
  }
  return low;
}

const lineages = new WeakMap();

/** The lineage of a run; it is made once. @returns {Lineage} */
function lineageOf(run) {
  let lineage = lineages.get(run);
  if (!lineage) lineages.set(run, (lineage = new Lineage(run)));
  return lineage;
}

/** Marks with 1 every event that happened before event i, and i itself. */
function causalPast(run, i) {
  const marks = new Uint8Array(run.n);
  if (i < 0 || i >= run.n) return marks;
  const { follows, origin, restore, recordings } = lineageOf(run);
  const seen = new Uint8Array(run.restores.length); // a restore of 10,000 nodes is gone through once
  marks[i] = 1;
  for (let j = i; j >= 0; j--) {
    if (marks[j] === 0) continue;
    if (follows[j] >= 0) marks[follows[j]] = 1;
    if (origin[j] >= 0) marks[origin[j]] = 1;
    const r = restore[j];
    if (r < 0 || seen[r]) continue;
    seen[r] = 1;
    for (const recording of recordings[r]) if (recording >= 0) marks[recording] = 1;
  }
  return marks;
}

/** Marks with 1 every event that happened after event i, and i itself. */
function causalFuture(run, i) {
  const marks = new Uint8Array(run.n);
  if (i < 0 || i >= run.n) return marks;
  const { follows, origin, restore, recordings } = lineageOf(run);
  const after = new Int8Array(run.restores.length).fill(-1); // by restore: whether a recording of it is marked
  marks[i] = 1;
  for (let j = i + 1; j < run.n; j++) {
    let mark = (follows[j] >= 0 && marks[follows[j]]) || (origin[j] >= 0 && marks[origin[j]]) || 0;
    const r = restore[j];
    if (r >= 0) {
      if (after[r] < 0) after[r] = recordings[r].some((x) => x >= 0 && marks[x]) ? 1 : 0;
      mark |= after[r];
    }
    marks[j] = mark;
  }
  return marks;
}

/** Whether some chain into the past of an event leaves the window. */
function leavesWindow(run, marks) {
  if (!run.first) return false;
  const { follows, origin } = lineageOf(run);
  for (let i = 0; i < run.n; i++) {
    if (marks[i] && (follows[i] < 0 || (run.isReceive(i) && origin[i] < 0))) return true;
  }
  return false;
}

/**
 * How two events are ordered, and the chain that proves it: of all chains one with the
 * fewest arrows. The path has the two events, and the ends of every arrow between them.
 * @returns {{order: "before"|"after"|"concurrent"|"same", path: number[], why: string}}
 */
function relation(run, a, b) {
  if (a === b) return { order: "same", path: [a], why: "" };
  const path = chain(run, Math.min(a, b), Math.max(a, b));
  if (path) return { order: a < b ? "before" : "after", path: a < b ? path : path.reverse(), why: "" };
  return { order: "concurrent", path: [], why: whyConcurrent(run, Math.min(a, b), Math.max(a, b)) };
}

/** The chain with the fewest arrows from an event to a later one; null: there is none. */
function chain(run, from, to) {
  const { follows, origin, restore, recordings } = lineageOf(run);
  const far = to - from + 1;
  const arrows = new Int32Array(far).fill(-1); // how many lead to an event; -1: none does
  const via = new Int32Array(far).fill(-1); // the step before it
  arrows[0] = 0;
  const nearest = new Map(); // by restore: the recording with the fewest arrows
  const consider = (j, before, cost) => {
    if (before < from || arrows[before - from] < 0) return;
    const n = arrows[before - from] + cost;
    if (arrows[j - from] >= 0 && arrows[j - from] <= n) return;
    arrows[j - from] = n;
    via[j - from] = before;
  };
  for (let j = from + 1; j <= to; j++) {
    const r = restore[j];
    if (r < 0) {
      consider(j, follows[j], 0);
      consider(j, origin[j], 1);
      continue;
    }
    consider(j, follows[j], 1);
    if (!nearest.has(r)) nearest.set(r, nearestOf(recordings[r], arrows, from));
    consider(j, nearest.get(r), 1);
  }
  if (arrows[far - 1] < 0) return null;
  const all = [to];
  for (let j = to; j !== from; ) all.push((j = via[j - from]));
  all.reverse();
  const plain = (k) => follows[all[k]] === all[k - 1] && restore[all[k]] < 0;
  return all.filter((_, k) => k === 0 || k === all.length - 1 || !plain(k) || !plain(k + 1));
}

/** Of some recordings the one to which the fewest arrows lead; -1: none leads to any. */
function nearestOf(recordings, arrows, from) {
  let best = -1;
  for (const x of recordings) {
    if (x < from || arrows[x - from] === undefined || arrows[x - from] < 0) continue;
    if (best < 0 || arrows[x - from] < arrows[best - from]) best = x;
  }
  return best;
}

/** What to say of two concurrent events beyond that no chain joins them. */
function whyConcurrent(run, a, b) {
  if (run.node[a] === run.node[b]) {
    const taken = run.undone[a] >= 0 ? `recovery ${run.undone[a] + 1} took the first one back` : "a restore lies between them";
    return `Both are on the lane of ${run.laneName(run.node[a])}, but ${taken}: what the node did after it does not know of that.`;
  }
  if (run.undone[a] >= 0 || run.undone[b] >= 0) {
    return "A recovery took one of them back, and no message carried anything of it further.";
  }
  if (run.first) return "No chain within this window joins them; what came before the window is not here.";
  return "No chain of steps and messages leads from one to the other: neither can have influenced the other.";
}

/**
 * The steps of a path, for people.
 * @returns {Array<{from: number, to: number, by: "lane"|"arrow"|"restore", text: string}>}
 */
function pathSteps(run, path) {
  const steps = [];
  for (let k = 1; k < path.length; k++) {
    const [from, to] = path[k - 1] < path[k] ? [path[k - 1], path[k]] : [path[k], path[k - 1]];
    steps.push(pathStep(run, from, to));
  }
  return path.length > 1 && path[0] > path[1] ? steps.reverse() : steps;
}

function pathStep(run, from, to) {
  const lane = (i) => run.laneName(run.node[i]);
  if (run.kind[to] === KIND.Restored && lineageOf(run).origin[to] !== from) {
    const text = `snapshot ${run.snapshot[to]}, recorded at ${lane(from)}, is what the restore puts back at ${lane(to)}`;
    return { from, to, by: "restore", text };
  }
  if (lineageOf(run).origin[to] === from) {
    return { from, to, by: "arrow", text: `${arrowName(run, from)} from ${lane(from)} to ${lane(to)}` };
  }
  return { from, to, by: "lane", text: `${lane(from)} goes on: ${run.describe(from)}, and later ${run.describe(to)}` };
}

/** What travels on the arrow that begins at an event. */
function arrowName(run, send) {
  switch (run.kind[send]) {
    case KIND.MarkerSent:
      return `${run.marker} of snapshot ${run.snapshot[send]}`;
    case KIND.Close:
      return "end of the stream";
    case KIND.ControlSent:
      return `control message “${run.word(send)}”`;
  }
  return `message ${run.number[send]}`;
}

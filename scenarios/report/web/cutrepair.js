// Consistent cuts near one that is not. The consistent cuts of one world are closed under
// union and intersection (Mattern 1989), so there is a smallest one that contains a cut, and
// a largest one within it; each is found by moving, as long as there is an orphan, the one
// node that can take it away.

/**
 * The smallest consistent cut that contains a cut: senders move forward until they have sent
 * what is processed.
 * @returns {{cut: ?Int32Array, why: string}} cut null: there is none, and why
 */
function smallestContaining(run, cut) {
  const mixed = mixedWorlds(run, cut);
  if (mixed) return { cut: null, why: mixedText(run, mixed) };
  const traffic = trafficOf(run);
  const out = Int32Array.from(cut);
  const failed = settle(run, out, (v) => traffic.inputs[v], (one) => {
    const { from } = run.channels[one.channel];
    const send = sendBehind(run, out, one);
    if (send >= 0) out[from] = send;
    return send >= 0 ? from : -1;
  });
  if (failed) {
    const { from, to, id } = run.channels[failed.channel];
    const why = `${run.laneName(to)} has processed message ${failed.orphans.at(-1).number} of channel ${id}, ` +
      `and on this branch ${run.laneName(from)} does not send it${run.first ? " within this window" : ""}.`;
    return { cut: null, why };
  }
  const world = mixedWorlds(run, out);
  return world ? { cut: null, why: mixedText(run, world) } : { cut: out, why: "" };
}

/** The first sending, behind the cut, by which a channel has no orphan any more; -1. */
function sendBehind(run, cut, one) {
  const traffic = trafficOf(run);
  const { from } = run.channels[one.channel];
  const wanted = one.orphans.at(-1);
  const fits = (i) => i > cut[from] && traffic.lineage.onBranch(from, cut[from], i);
  if (wanted.send >= 0 && fits(wanted.send)) return wanted.send;
  return traffic.sends[one.channel].find((i) => run.number[i] === wanted.number && fits(i)) ?? -1;
}

/**
 * The largest consistent cut within a cut: receivers move back until nothing is processed
 * that is not sent. A cut of two worlds first goes back, in what a recovery takes back, to
 * the recording that it restores: the world that goes on is the one that is kept.
 * @returns {{cut: Int32Array, why: string}}
 */
function largestWithin(run, cut) {
  const traffic = trafficOf(run);
  const { lineage } = traffic;
  const out = Int32Array.from(cut);
  for (let mixed; (mixed = mixedWorlds(run, out)); ) {
    const restored = lineage.restored[mixed.before].find((i) => lineage.restore[i] === mixed.restore);
    out[mixed.before] = lineage.follows[restored];
  }
  settle(run, out, (v) => traffic.outputs[v], (one) => {
    const { to } = run.channels[one.channel];
    let first = one.orphans[0].receive;
    for (const orphan of one.orphans) first = Math.min(first, orphan.receive);
    out[to] = lineage.follows[first];
    return to;
  });
  return { cut: out, why: "" };
}

/**
 * Moves nodes until no channel has an orphan. move takes one that has, moves a node and
 * returns it; -1: it cannot. Then the channels of which that node is the other end (next)
 * are looked at again. It returns the channel that nothing can be done about, or null.
 */
function settle(run, cut, next, move) {
  const work = new Set(run.channels.keys());
  for (const c of work) {
    work.delete(c);
    const one = across(run, cut, c, Infinity);
    if (one.orphaned === 0) continue;
    const moved = move(one);
    if (moved < 0) return one;
    for (const other of next(moved)) work.add(other);
    work.add(c); // an irregular channel may have more
  }
  return null;
}

/** The consistent past of an event: the smallest consistent cut with it inside. */
function pastCut(run, event) {
  const cut = new Int32Array(run.nodes.length).fill(-1);
  const v = run.node[event];
  if (v >= cut.length) return { cut: null, why: "the coordinator has no part in a cut" };
  cut[v] = event;
  return smallestContaining(run, cut);
}

/** Why a cut of two worlds is none. */
function mixedText(run, mixed) {
  return `${run.laneName(mixed.before)} is in work that recovery ${mixed.restore + 1} takes back, ` +
    `and ${run.laneName(mixed.after)} is behind that recovery: no run passed through such a state.`;
}

// Cuts (Chandy and Lamport 1985, section 2.2; Mattern 1989): by node, the last event inside.
//
// What a node has done by its event is the branch of its lane that ends there (see Lineage):
// a cut behind a restore has what the restored snapshot has, and not what was taken back. Of
// a channel, S is the highest number sent on the sender's branch and R the highest processed
// on the receiver's; numbers go on over a restore from those of the cut that is restored, so
// they name a message in whatever incarnation it was sent. A cut is consistent if no channel
// has R > S: a message processed inside and sent outside is an orphan. What was sent inside
// and is not processed inside is in flight. Only messages of the computation count: the
// marker that makes a node record is sent behind its sender's cut and received in front of
// its receiver's, always.
//
// A cut that has one node in work that a recovery takes back, and another behind that
// recovery, is in no single world: no run passed through it, whatever the messages say.
//
// Where channels lose, double or reorder, S and R are sets and not numbers. Such channels are
// found by looking, and compared message by message.

/** Traffic is what was sent and processed on every channel of a run. */
class Traffic {
  constructor(run) {
    this.run = run;
    this.lineage = lineageOf(run);
    this.sends = byChannel(run, KIND.Send);
    this.processed = byChannel(run, KIND.Process);
    this.irregular = new Map(); // by channel: whether what is processed is not a row of numbers
    this.mishaps = new Uint8Array(run.channels.length);
    for (let i = 0; i < run.n; i++) {
      const mishap = run.kind[i] === KIND.Lost || run.kind[i] === KIND.Doubled;
      if (mishap && run.channel[i] >= 0) this.mishaps[run.channel[i]] = 1;
    }
    const channels = run.channels.map((_, c) => c);
    this.outputs = Array.from({ length: run.nodes.length }, () => []);
    this.inputs = Array.from({ length: run.nodes.length }, () => []);
    for (const c of channels) {
      this.outputs[run.channels[c].from].push(c);
      this.inputs[run.channels[c].to].push(c);
    }
  }

  /** The events of a list (of one lane) on the branch that ends at event i, the last first. */
  *onBranch(list, v, i) {
    for (const [first, last] of this.lineage.branch(v, i)) {
      for (let k = upperBound(list, last) - 1; k >= 0 && list[k] >= first; k--) yield list[k];
    }
  }

  /**
   * The number of the last event of a list on a branch: 0 if there is none, null if it may
   * lie before the window.
   */
  last(list, v, i) {
    for (const event of this.onBranch(list, v, i)) return this.run.number[event];
    if (!this.run.first) return 0;
    const next = list.length > 0 && list[0] > i ? list[0] : -1; // what is next tells what was before
    const sameBranch = next >= 0 && this.lineage.lastRestored(v, next) === this.lineage.lastRestored(v, i);
    return sameBranch ? this.run.number[next] - 1 : null;
  }

  sent(c, i) {
    return this.last(this.sends[c], this.run.channels[c].from, i);
  }

  received(c, i) {
    return this.last(this.processed[c], this.run.channels[c].to, i);
  }

  /** Whether what is processed on a channel is not simply 1, 2, 3... on every branch. */
  isIrregular(c) {
    let irregular = this.irregular.get(c);
    if (irregular === undefined) this.irregular.set(c, (irregular = this.looksIrregular(c)));
    return irregular;
  }

  looksIrregular(c) {
    if (this.mishaps[c]) return true;
    const { run, lineage } = this;
    const v = run.channels[c].to;
    let before = -1;
    for (const event of this.processed[c]) {
      const number = run.number[event];
      if (before < 0 || lineage.lastRestored(v, event) > before) {
        const had = this.received(c, lineage.follows[event]);
        if (had !== null && (lineage.follows[event] >= 0 || !run.first) && number !== had + 1) return true;
      } else if (number !== run.number[before] + 1) {
        return true;
      }
      before = event;
    }
    return false;
  }

  /** The numbers on the branch that ends at event i, each with its last event. */
  numbers(list, v, i) {
    const numbers = new Map();
    for (const event of this.onBranch(list, v, i)) {
      if (!numbers.has(this.run.number[event])) numbers.set(this.run.number[event], event);
    }
    return numbers;
  }

  /** The sending of a message that is not on the sender's branch: where it is after all. */
  sendOf(c, number, process) {
    const peer = process < 0 ? -1 : this.run.peer[process];
    if (peer >= 0) return peer;
    return this.sends[c].find((i) => this.run.number[i] === number) ?? -1;
  }

  /**
   * The first receipt behind event i of a sent message; -1: there is none. What was received
   * in front of it, and taken back by a recovery, does not cross a cut that lies there.
   */
  receiptOf(send, i) {
    return this.run.receives(send).find((receipt) => receipt > i) ?? -1;
  }
}

/** By channel, its events of a kind, ascending. */
function byChannel(run, kind) {
  const lists = run.channels.map(() => []);
  for (let i = 0; i < run.n; i++) {
    if (run.kind[i] === kind && run.channel[i] >= 0) lists[run.channel[i]].push(i);
  }
  return lists;
}

const traffics = new WeakMap();

/** @returns {Traffic} */
function trafficOf(run) {
  let traffic = traffics.get(run);
  if (!traffic) traffics.set(run, (traffic = new Traffic(run)));
  return traffic;
}

/** The cut of a snapshot: by node its Record event; -1: it has none in this window. */
function cutOf(run, snapshot) {
  return Int32Array.from(snapshot.cut);
}

/** The cut that everything up to an event of the run is inside of. */
function cutAt(run, event) {
  return Int32Array.from(run.nodes, (_, v) => run.lastBefore(v, event));
}

/**
 * How a channel lies across a cut.
 * @returns {{channel: number, sent: ?number, processed: ?number, inFlight: Crossing[], orphans: Crossing[],
 *   flying: number, orphaned: number}} sent or processed null: not known in this window; flying and orphaned
 *   count also what the lists leave out
 * @typedef {{channel: number, number: number, send: number, receive: number}} Crossing
 */
function across(run, cut, c, most = 200) {
  const traffic = trafficOf(run);
  const { from, to } = run.channels[c];
  const sent = traffic.sent(c, cut[from]);
  const processed = traffic.received(c, cut[to]);
  const out = { channel: c, sent, processed, inFlight: [], orphans: [], flying: 0, orphaned: 0 };
  if (sent === null || processed === null) return out;
  if (traffic.isIrregular(c)) return acrossSets(run, cut, out, most);
  out.flying = Math.max(0, sent - processed);
  out.orphaned = Math.max(0, processed - sent);
  if (out.flying > 0) {
    for (const send of traffic.onBranch(traffic.sends[c], from, cut[from])) {
      if (run.number[send] <= processed) break;
      out.inFlight.push({ channel: c, number: run.number[send], send, receive: traffic.receiptOf(send, cut[to]) });
    }
  }
  if (out.orphaned > 0) {
    for (const receive of traffic.onBranch(traffic.processed[c], to, cut[to])) {
      const number = run.number[receive];
      if (number <= sent) break;
      out.orphans.push({ channel: c, number, send: traffic.sendOf(c, number, receive), receive });
    }
  }
  return inOrder(out, most);
}

/** across, where the channel does not keep its messages in a row. */
function acrossSets(run, cut, out, most) {
  const traffic = trafficOf(run);
  const { channel: c } = out;
  const { from, to } = run.channels[c];
  const sent = traffic.numbers(traffic.sends[c], from, cut[from]);
  const processed = traffic.numbers(traffic.processed[c], to, cut[to]);
  out.sent = highest(sent.keys());
  out.processed = highest(processed.keys());
  for (const [number, send] of sent) {
    if (!processed.has(number)) out.inFlight.push({ channel: c, number, send, receive: traffic.receiptOf(send, cut[to]) });
  }
  for (const [number, receive] of processed) {
    if (!sent.has(number)) out.orphans.push({ channel: c, number, send: traffic.sendOf(c, number, receive), receive });
  }
  out.flying = out.inFlight.length;
  out.orphaned = out.orphans.length;
  return inOrder(out, most);
}

function highest(numbers) {
  let most = 0;
  for (const number of numbers) most = Math.max(most, number);
  return most;
}

function inOrder(out, most) {
  const byNumber = (a, b) => a.number - b.number;
  out.inFlight = out.inFlight.sort(byNumber).slice(0, most);
  out.orphans = out.orphans.sort(byNumber).slice(0, most);
  return out;
}

/**
 * What there is to say of a cut. Lists have 200 entries at most; the counts are complete.
 * @returns {{consistent: boolean, orphans: Crossing[], inFlight: Crossing[], orphaned: number, flying: number,
 *   unknown: number[], mixed: ?{restore: number, before: number, after: number}}}
 */
function check(run, cut) {
  const out = { consistent: true, orphans: [], inFlight: [], orphaned: 0, flying: 0, unknown: [], mixed: mixedWorlds(run, cut) };
  for (let c = 0; c < run.channels.length; c++) {
    const one = across(run, cut, c);
    if (one.sent === null || one.processed === null) out.unknown.push(c);
    out.orphaned += one.orphaned;
    out.flying += one.flying;
    if (out.orphans.length < 200) out.orphans.push(...one.orphans);
    if (out.inFlight.length < 200) out.inFlight.push(...one.inFlight);
  }
  out.consistent = out.orphaned === 0 && !out.mixed;
  return out;
}

/**
 * A recovery of which the cut has one node in what it takes back, and another behind it;
 * null: the cut is in one world.
 */
function mixedWorlds(run, cut) {
  const lineage = lineageOf(run);
  const before = new Map(); // by restore: a node in what it takes back
  const after = new Map(); // by restore: a node behind it
  for (let v = 0; v < run.nodes.length; v++) {
    for (const restored of lineage.restored[v]) {
      const r = lineage.restore[restored];
      if (restored <= cut[v]) after.set(r, v);
      else if (cut[v] > lineage.follows[restored]) before.set(r, v);
    }
  }
  for (const [restore, v] of before) {
    if (after.has(restore)) return { restore, before: v, after: after.get(restore) };
  }
  return null;
}

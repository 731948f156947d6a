// The data of the page: how it is read, and the runs as objects. What the columns mean
// stands in events.go and head.go; this file foretells events as events.go does.

/** The kinds of events, by name; KINDS has the names as the data have them. */
const KIND = Object.freeze({
  Send: 0, Process: 1, External: 2, Timer: 3, Emit: 4, Drop: 5, Close: 6, Ended: 7, MarkerSent: 8, Marker: 9, Initiate: 10,
  Record: 11, Done: 12, Block: 13, Unblock: 14, Crash: 15, Restored: 16, Lost: 17, Doubled: 18, ControlSent: 19, ControlReceived: 20, Fact: 21,
});
const KINDS = Object.freeze(["send", "process", "external", "timer", "emit", "drop", "close", "ended", "marker-sent", "marker", "initiate",
  "record", "done", "block", "unblock", "crash", "restored", "lost", "doubled", "control-sent", "control-received", "fact"]);

/** Says whether events of a kind put something on a channel. */
const kindSends = (k) => k === KIND.Send || k === KIND.Close || k === KIND.MarkerSent || k === KIND.ControlSent;
/** Says whether events of a kind receive what was sent. */
const kindReceives = (k) => k === KIND.Process || k === KIND.Drop || k === KIND.Ended || k === KIND.Marker || k === KIND.ControlReceived;
/** Says whether events of a kind have a message: key, value, aux. */
const kindSpeaks = (k) => k <= KIND.Emit;
/** Says whether the computation would have events of a kind without an algorithm. */
const kindIsApplication = (k) => k <= KIND.Close;

/**
 * Reads the text of the data: base64 of a gzip of a head in JSON and of columns.
 * @param {string} text
 * @returns {Promise<{head: object, runs: Run[]}>}
 */
async function readPage(text) {
  const binary = atob(text.trim());
  const packed = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) packed[i] = binary.charCodeAt(i); // Uint8Array.from takes ten times as long
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  return { head, runs: head.runs.map((run) => new Run(run, bytes.subarray(4 + length))) };
}

/** Reads the numbers of a column one after the other. */
class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  /** The next number: seven bits a byte, the low ones first. */
  next() {
    let byte = this.bytes[this.at++];
    if (byte < 128) return byte;
    let number = byte & 127;
    for (let scale = 128; ; scale *= 128) {
      byte = this.bytes[this.at++];
      if (byte < 128) return number + byte * scale;
      number += (byte & 127) * scale;
    }
  }

  /** The next number of a column in which they may be negative. */
  signed() {
    const n = this.next();
    return n % 2 === 0 ? n / 2 : -(n + 1) / 2;
  }
}

/** Reads a column of 64-bit words into two halves each. */
class Words {
  constructor(codes, planes, n) {
    this.words = new BigUint64Array(n);
    this.halves = new Uint32Array(this.words.buffer);
    if (!codes) return; // all are 0
    this.codes = new Reader(codes);
    this.fresh = 0;
    const count = planes.length / 8;
    const bytes = new Uint8Array(planes.length);
    for (let i = 0; i < count; i++) for (let k = 0; k < 8; k++) bytes[8 * i + k] = planes[k * count + i];
    this.known = new Uint32Array(bytes.buffer);
  }

  /** Reads the word of event i, which is foretold to be that of an event; -1: to be 0. */
  read(i, like) {
    if (!this.codes) return;
    const code = this.codes.next(), h = this.halves;
    if (code > 0) {
      const place = code === 1 ? this.fresh++ : code - 2;
      h[2 * i] = this.known[2 * place];
      h[2 * i + 1] = this.known[2 * place + 1];
    } else if (like >= 0) {
      h[2 * i] = h[2 * like];
      h[2 * i + 1] = h[2 * like + 1];
    }
  }
}

/** What was sent on each channel with each kind of arrow, and what of it has come. */
class Chains {
  constructor(channels) {
    this.sends = Array.from({ length: 3 * channels }, () => []);
    this.heads = new Int32Array(3 * channels);
  }

  /** The chain of an event; -1: it is a control message, which has none. */
  of(kind, channel) {
    if (channel < 0) return -1;
    if (kind === KIND.Send || kind === KIND.Process || kind === KIND.Drop) return 3 * channel;
    return 3 * channel + (kind === KIND.MarkerSent || kind === KIND.Marker ? 1 : 2);
  }

  send(chain, i) {
    if (chain >= 0) this.sends[chain].push(i);
  }

  /** What event i receives: the next, none (1), or by how many events it lies back. */
  receive(chain, i, code) {
    if (code === 1) return -1;
    const sends = chain >= 0 ? this.sends[chain] : [];
    const send = code === 0 ? sends[this.heads[chain]] : i - (code - 2);
    if (chain >= 0) {
      let low = this.heads[chain];
      while (low < sends.length && sends[low] <= send) low++;
      this.heads[chain] = low;
    }
    return send;
  }
}

/** Reads the events of a run into its arrays. */
function readEvents(run, head, columns) {
  const column = (name) => head.columns[name] && columns.subarray(head.columns[name][0], head.columns[name][0] + head.columns[name][1]);
  const reader = (name) => new Reader(column(name));
  const n = head.events, lanes = head.nodes.length + 1, slots = lanes + run.channels.length;
  const words = ["key", "value", "aux"].map((name) => new Words(column(name), column(name + "s"), n));
  [run.keys, run.values, run.auxes] = [words[0].words, new BigInt64Array(words[1].words.buffer), words[2].words];
  const [incarnations, nodes, channels, peers, numbers, snapshots, undones, ats, places] =
    ["incarnation", "node", "channel", "peer", "number", "snapshot", "undone", "at", "word"].map(reader);
  const { kind, incarnation, node, channel, number, snapshot, peer, undone, at } = run;
  const incident = incidence(head), chains = new Chains(run.channels.length);
  const lastNumber = new Uint32Array(KINDS.length * slots);
  const last = new Int32Array(lanes).fill(-1), spoken = new Int32Array(lanes).fill(-1);
  kind.set(column("kind"));
  let inc = 0, lane = 0, time = 0, recent = 0;
  for (let i = 0; i < n; i++) {
    const k = kind[i];
    incarnation[i] = inc += incarnations.signed();
    node[i] = lane += nodes.signed();
    at[i] = time += ats.signed();
    const place = channels.next();
    channel[i] = place === 0 ? -1 : incident[lane][place - 1];
    let from = -1;
    if (kindSends(k)) chains.send(chains.of(k, channel[i]), i);
    if (kindReceives(k)) {
      from = chains.receive(chains.of(k, channel[i]), i, peers.next());
      if (from >= 0 && peer[from] < 0) peer[from] = i;
      peer[i] = from;
    }
    const slot = k * slots + (channel[i] < 0 ? lane : lanes + channel[i]);
    let guess = lastNumber[slot];
    if (from >= 0) guess = number[from];
    else if (k <= KIND.Drop) guess++;
    else if (i > 0 && (k === KIND.Lost || k === KIND.Doubled)) guess = number[i - 1];
    number[i] = lastNumber[slot] = guess + numbers.signed();
    let about = 0;
    if (from >= 0) about = snapshot[from];
    else if (!kindIsApplication(k)) about = recent;
    snapshot[i] = about + snapshots.signed();
    if (snapshot[i] !== 0) recent = snapshot[i];
    const like = !kindSpeaks(k) ? -1 : from >= 0 ? from : spoken[lane];
    for (const w of words) w.read(i, like);
    if (kindSpeaks(k)) spoken[lane] = i;
    undone[i] = (last[lane] < 0 ? -1 : undone[last[lane]]) + undones.signed();
    last[lane] = i;
    run.wordPlaces[i] = places.next();
  }
  const steps = reader("state");
  run.changes = new TextDecoder().decode(column("changes")).split("\n");
  run.changes.pop(); // behind the last line there is nothing
  run.stateEvents = new Int32Array(run.changes.length);
  for (let k = 0, i = 0; k < run.stateEvents.length; k++) run.stateEvents[k] = i += steps.next();
  run.busy = readBusy(run, reader, head.busy);
}

/** By lane: its channels, those out of it first. */
function incidence(head) {
  const lists = Array.from({ length: head.nodes.length + 1 }, () => []);
  head.channels.forEach(([from], c) => lists[from].push(c));
  head.channels.forEach(([, to], c) => lists[to].push(c));
  return lists;
}

function readBusy(run, reader, n) {
  const busy = { node: new Int32Array(n), from: new Float64Array(n), until: new Float64Array(n) };
  const [events, nodes, froms, lengths] = ["busyEvent", "busyNode", "busyFrom", "busyLength"].map(reader);
  for (let b = 0, i = 0; b < n; b++) {
    i += events.signed();
    busy.node[b] = (run.n ? run.node[i] : 0) + nodes.signed();
    busy.from[b] = (run.n ? run.at[i] : 0) + froms.signed();
    busy.until[b] = busy.from[b] + lengths.signed();
  }
  return busy;
}

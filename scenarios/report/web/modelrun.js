/** One run: its events as columns, and what was judged of it. Nothing in it changes. */
class Run {
  /** @param {object} head its part of the head of the data  @param {Uint8Array} columns */
  constructor(head, columns) {
    const n = head.events;
    Object.assign(this, {
      name: head.name, scenario: head.scenario, seed: head.seed, algorithm: head.algorithm, order: head.order, app: head.app, verdict: head.verdict,
      expected: head.expected, end: head.end, digest: head.digest, reproduce: head.reproduce, nodes: head.nodes, coordinator: head.coordinator,
      initiators: head.initiators, marker: head.barriers ? "barrier" : "marker", n, first: head.first, total: head.total, stepped: head.stepped,
      ended: head.ended, restores: head.restores, violations: head.violations, result: head.result, notes: head.notes, legend: head.legend,
    });
    this.lanes = head.nodes.length + (head.coordinator < 0 ? 0 : 1);
    this.channels = head.channels.map(([from, to, back], id) => ({ id, from, to, backEdge: back === 1, name: `${head.nodes[from]}->${head.nodes[to]}#${id}` }));
    this.KIND = KIND;
    this.kind = new Uint8Array(n);
    this.incarnation = new Uint8Array(n);
    this.node = new Int32Array(n);
    this.channel = new Int32Array(n);
    this.number = new Uint32Array(n);
    this.snapshot = new Uint32Array(n);
    this.peer = new Int32Array(n).fill(-1);
    this.undone = new Int32Array(n);
    this.at = new Float64Array(n);
    this.wordPlaces = new Int32Array(n);
    this.words = head.words;
    readEvents(this, head, columns);
    this.sortLanes();
    this.snapshots = head.snapshots.map((s) => ({ ...s, cut: s.cut.length ? Int32Array.from(s.cut) : new Int32Array(head.nodes.length).fill(-1) }));
    this.blocked = [];
    for (let i = 0; i < head.blocked.length; i += 4) {
      const [channel, snapshot, from, to] = head.blocked.slice(i, i + 4);
      this.blocked.push({ channel, snapshot, from, to });
    }
    this.down = this.downTimes();
    this.states = new States(this, head.initial, this.stateEvents, this.changes);
  }

  /** Puts the events on their lanes. */
  sortLanes() {
    const counts = new Int32Array(this.lanes + 1);
    for (const v of this.node) counts[v + 1]++;
    for (let v = 0; v < this.lanes; v++) counts[v + 1] += counts[v];
    const filled = counts.slice(), order = new Int32Array(this.n);
    this.positions = new Int32Array(this.n);
    for (let i = 0; i < this.n; i++) {
      const v = this.node[i];
      this.positions[i] = filled[v] - counts[v];
      order[filled[v]++] = i;
    }
    this.byLane = Array.from({ length: this.lanes }, (_, v) => order.subarray(counts[v], counts[v + 1]));
    this.more = new Map(); // of a send that came more than once: the receipts behind the first
    for (let i = 0; i < this.n; i++) {
      const send = this.peer[i];
      if (send < 0 || !this.isReceive(i) || this.peer[send] === i) continue;
      if (!this.more.has(send)) this.more.set(send, []);
      this.more.get(send).push(i);
    }
  }

  /** Spans in which a node is down: from its crash to the event that restores it, or to the end. */
  downTimes() {
    const spans = [], open = new Map();
    for (let i = 0; i < this.n; i++) {
      const v = this.node[i];
      if (this.kind[i] === KIND.Crash && !open.has(v)) open.set(v, spans.push({ node: v, from: i, to: this.n }) - 1);
      if (this.kind[i] === KIND.Restored && open.has(v)) {
        spans[open.get(v)].to = i;
        open.delete(v);
      }
    }
    return spans;
  }

  laneName(v) { return v === this.coordinator ? "coordinator" : this.nodes[v]; }
  key(i) { return this.keys[i]; }
  value(i) { return this.values[i]; }
  aux(i) { return this.auxes[i]; }
  word(i) { return this.words[this.wordPlaces[i]]; }
  isSend(i) { return kindSends(this.kind[i]); }
  isReceive(i) { return kindReceives(this.kind[i]); }
  isStep(i) { return this.kind[i] >= KIND.Process && this.kind[i] <= KIND.Timer; }
  isApplication(i) { return kindIsApplication(this.kind[i]); }

  /** The events of a lane, ascending. */
  ofNode(v) { return this.byLane[v]; }
  /** The place of event i in its lane. */
  position(i) { return this.positions[i]; }
  prev(i) { return this.positions[i] > 0 ? this.byLane[this.node[i]][this.positions[i] - 1] : -1; }
  next(i) { return this.byLane[this.node[i]][this.positions[i] + 1] ?? -1; }

  /** The receipts of what event i sends; usually one. */
  receives(i) { return this.peer[i] < 0 || !this.isSend(i) ? [] : [this.peer[i], ...(this.more.get(i) ?? [])]; }

  /** The first event that is not before an instant; n: there is none. */
  firstAt(t) { return lowerBound(this.at, t); }

  /** The last event of lane v up to event i, or -1. */
  lastBefore(v, i) {
    const lane = this.byLane[v], place = lowerBound(lane, i + 1);
    return place > 0 ? lane[place - 1] : -1;
  }

  /** The state of lane v after event i: {state, event, exact}; see States. */
  stateAfter(v, i) { return this.states.after(v, i); }

  /** What event i has changed of its node's state: {before, after, paths}. */
  change(i) { return this.states.change(i); }

  /** Event i in a sentence. */
  describe(i) { return describeEvent(this, i); }
}

/** The first place in a sorted array whose entry is not below a value. */
function lowerBound(sorted, value) {
  let low = 0, high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The cut that people drag: a line through the lanes with a handle on each, that says at
// every moment whether it is consistent, and which message forbids it.

/** CutTool is the cut of one run, or none. It knows nothing of pixels. */
class CutTool {
  /** @param {Run} run */
  constructor(run) {
    this.run = run;
    /** By node the last event inside, -1: none; null: no cut is shown. @type {?Int32Array} */
    this.cut = null;
    this.lane = 0; // whose handle the keys move; -1: the whole line
    this.origin = ""; // where the cut comes from, for people
    this.listeners = [];
    this.checked = null;
  }

  onChange(fn) {
    this.listeners.push(fn);
  }

  changed() {
    this.checked = null;
    for (const fn of this.listeners) fn(this);
  }

  /** Shows a cut. */
  set(cut, origin) {
    this.cut = cut;
    this.origin = origin;
    this.changed();
  }

  clear() {
    this.set(null, "");
  }

  /** What there is to say of the cut; see check. */
  get verdict() {
    if (!this.checked && this.cut) this.checked = check(this.run, this.cut);
    return this.checked;
  }

  /** Chooses the lane whose handle the keys move; before the first one comes the whole line. */
  choose(delta) {
    this.lane = Math.max(-1, Math.min(this.run.nodes.length - 1, this.lane + delta));
    for (const fn of this.listeners) fn(this);
  }

  /** Moves the chosen handle, or all of them, by so many events of their lanes. */
  step(delta) {
    if (!this.cut) return;
    const cut = Int32Array.from(this.cut);
    const move = (v) => {
      const lane = this.run.ofNode(v);
      const at = (cut[v] < 0 ? -1 : this.run.position(cut[v])) + delta;
      cut[v] = lane[Math.min(at, lane.length - 1)] ?? -1;
    };
    if (this.lane >= 0) move(this.lane);
    else cut.forEach((_, v) => move(v));
    this.set(cut, "moved by hand");
  }

  /** Puts the handles of some lanes elsewhere. @param {Array<[number, number]>} places lane, event */
  put(places) {
    if (!this.cut || places.every(([v, event]) => this.cut[v] === event)) return;
    const cut = Int32Array.from(this.cut);
    for (const [v, event] of places) cut[v] = event;
    this.set(cut, "moved by hand");
  }

  /** The smallest consistent cut around this one, or the largest within it. It returns why not, or "". */
  repair(grow) {
    const { cut, why } = grow ? smallestContaining(this.run, this.cut) : largestWithin(this.run, this.cut);
    if (cut) this.set(cut, grow ? "the smallest consistent cut that contains it" : "the largest consistent cut within it");
    return why;
  }

  /** The verdict in a sentence. */
  get sentence() {
    const { verdict, run } = this;
    if (!verdict) return "No cut is shown.";
    const flying = verdict.flying === 0 ? "nothing is in flight" : `${counted(verdict.flying, "message")} in flight`;
    const unknown = verdict.unknown.length > 0 ? ` Of ${counted(verdict.unknown.length, "channel")} this window does not tell.` : "";
    if (verdict.consistent) return `Consistent: every message processed inside was sent inside; ${flying}.${unknown}`;
    const reasons = [];
    if (verdict.mixed) reasons.push(mixedText(run, verdict.mixed));
    if (verdict.orphaned > 0) reasons.push(orphanText(run, verdict.orphans[0]));
    const more = verdict.orphaned > 1 ? ` And ${counted(verdict.orphaned - 1, "more orphan")}.` : "";
    return `Not consistent: ${reasons.join(" ")}${more}${unknown}`;
  }

  /** Where the chosen handle is, in a sentence. */
  get handleSentence() {
    if (!this.cut) return "";
    if (this.lane < 0) return "The keys move the whole line.";
    const event = this.cut[this.lane];
    const at = event < 0 ? "in front of its first event" : `behind event ${this.run.position(event) + 1}: ${this.run.describe(event)}`;
    return `Handle of ${this.run.laneName(this.lane)}, ${at}.`;
  }
}

/** "1 message", "3 messages". */
function counted(n, noun) {
  return `${grouped(n)} ${noun}${n === 1 ? "" : "s"}`;
}

/** Why a message forbids a cut. */
function orphanText(run, { channel, number, send, receive }) {
  const { from, to, name } = run.channels[channel];
  const sent = send < 0 ? "does not send it on this branch" : `sends it behind its cut (${timeText(run, run.at[send])})`;
  return `message ${number} of ${name} is an orphan: ${run.laneName(to)} processes it in front of its cut ` +
    `(${timeText(run, run.at[receive])}), and ${run.laneName(from)} ${sent}.`;
}

/** CutLayer draws a CutTool on the canvas and lets it be dragged. */
class CutLayer {
  constructor(tool, view) {
    this.tool = tool;
    this.view = view;
    tool.onChange(() => view.redraw());
  }

  /** The x of a lane's handle: a little behind the last event inside, in front of the next. */
  handle(v) {
    const { view, tool } = this;
    const { run } = tool;
    const event = tool.cut[v];
    const next = event < 0 ? run.ofNode(v)[0] ?? -1 : run.next(event);
    if (event < 0) return next < 0 ? view.xOfTime(0) : view.x(next) - 9;
    const gap = next < 0 ? Infinity : view.x(next) - view.x(event);
    return view.x(event) + Math.min(9, gap / 2);
  }

  /** The last event of a lane that is not right of an x; -1. */
  eventBefore(v, px) {
    const lane = this.tool.run.ofNode(v);
    let low = 0;
    let high = lane.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.view.x(lane[middle]) <= px) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? -1 : lane[low - 1];
  }

  /** By lane that is shown: [lane, x, y], from top to bottom. */
  places() {
    const places = [];
    for (let v = 0; v < this.tool.run.nodes.length; v++) {
      const y = this.view.y(v);
      if (!Number.isNaN(y)) places.push([v, this.handle(v), y]);
    }
    return places.sort((a, b) => a[2] - b[2]);
  }

  /** Draws the line, the handles, and the messages that cross. */
  draw(painter, view) {
    const { tool } = this;
    if (!tool.cut) return;
    const { consistent, orphans, inFlight } = tool.verdict;
    this.crossings(painter, view, inFlight, { stroke: "in-flight", width: 4, alpha: 0.75 });
    this.crossings(painter, view, orphans, { stroke: "alarm", width: 4, dash: [9, 5] });
    const places = this.places();
    if (places.length === 0) return;
    const colour = consistent ? "cut" : "alarm";
    const line = this.line(places);
    painter.polyline(line, { stroke: "ground", width: 7, alpha: 0.8 });
    painter.polyline(line, { stroke: colour, width: 3, dash: consistent ? [] : [12, 6] });
    painter.circles(places.flatMap(([, x, y]) => [x, y, 7]), { fill: "ground", stroke: colour, width: 3 });
    const chosen = places.filter(([v]) => tool.lane < 0 || v === tool.lane);
    painter.circles(chosen.flatMap(([, x, y]) => [x, y, 3.5]), { fill: colour });
    const label = consistent ? "✓ consistent" : "✗ not consistent";
    const [x, y] = line.slice(-2);
    const right = x + 9 + textWidth(label, 15, true) < view.geometry.width;
    painter.text(right ? x + 9 : x - 9, y - 8, label, { fill: colour, size: 15, bold: true, halo: "ground", align: right ? "left" : "right" });
  }

  /** The points of the line: upright where it crosses a lane, and oblique between two. */
  line(places) {
    const gap = places.length > 1 ? places[1][2] - places[0][2] : 40;
    const upright = Math.min(gap * 0.3, 18);
    const line = places.flatMap(([, x, y]) => [x, y - upright, x, y + upright]);
    const half = Math.max(14, gap / 2);
    line[1] = places[0][2] - half;
    line[line.length - 1] = places.at(-1)[2] + half;
    return line;
  }

  crossings(painter, view, list, style) {
    const segments = [];
    for (const { channel, send, receive } of list) {
      const { from, to } = this.tool.run.channels[channel];
      const [y0, y1] = [view.y(from), view.y(to)];
      if (send < 0 || Number.isNaN(y0) || Number.isNaN(y1)) continue;
      const x0 = view.x(send);
      // What never comes has no other end: a stub shows where it was going.
      if (receive < 0) segments.push(x0, y0, x0 + 24, y0 + Math.sign(y1 - y0) * 24);
      else segments.push(x0, y0, view.x(receive), y1);
    }
    if (segments.length > 0) painter.segments(segments, style);
  }

  /** What is to be dragged at a point: a handle, or the line between two of them; null: nothing. */
  hit(px, py) {
    const { tool } = this;
    if (!tool.cut) return null;
    const places = this.places();
    for (const [v, x, y] of places) {
      if ((px - x) ** 2 + (py - y) ** 2 <= 12 ** 2) return this.dragging([[v, x]], px, v);
    }
    const line = places.length > 0 ? this.line(places) : [];
    for (let k = 2; k < line.length; k += 2) {
      if (distanceToSegment(px, py, line[k - 2], line[k - 1], line[k], line[k + 1]) <= 6) {
        return this.dragging(places.map(([v, x]) => [v, x]), px, -1);
      }
    }
    return null;
  }

  /** A drag that began at an x with these handles. */
  dragging(handles, px, lane) {
    const { tool } = this;
    return {
      cursor: "ew-resize",
      drag: (x) => {
        tool.lane = lane;
        tool.put(handles.map(([v, at]) => [v, this.eventBefore(v, at + x - px)]));
      },
      end: () => {},
    };
  }
}

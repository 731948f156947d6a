// The snapshots against what was true.

/** The most channels, and nodes, of a snapshot that are listed. */
const SNAPSHOT_ROWS = 40;

/** A snapshot against the truth. */
class SnapshotSection {
  constructor(app) {
    Object.assign(this, { app, id: "snapshot", title: "Snapshot against truth", open: true });
    this.truths = new WeakMap();
  }

  hidden({ run }) {
    return run.snapshots.length === 0;
  }

  key({ snapshot }) {
    return [snapshot];
  }

  truth(run, s) {
    if (!this.truths.has(s)) this.truths.set(s, truth(run, s));
    return this.truths.get(s);
  }

  render({ index, run, snapshot }) {
    const { app } = this;
    const choose = make("select", { "aria-label": "Snapshot", "data-focus": "choose", onchange: (e) => app.chooseSnapshot(index, Number(e.target.value)) },
      make("option", { value: -1 }, "choose…"),
      ...run.snapshots.map((s, k) => make("option", { value: k }, `${s.id}: ${s.verdict}`)));
    choose.value = String(snapshot);
    const head = make("p", { class: "buttons" }, make("label", {}, "Snapshot ", choose),
      button("◀", () => app.chooseSnapshot(index, snapshot - 1), { disabled: snapshot <= 0, "aria-label": "Previous snapshot", "data-focus": "previous" }),
      button("▶", () => app.chooseSnapshot(index, snapshot + 1), { disabled: snapshot + 1 >= run.snapshots.length, "aria-label": "Next snapshot", "data-focus": "next" }));
    const s = run.snapshots[snapshot];
    if (!s) return [head];
    const all = this.truth(run, s);
    return [head,
      make("p", {}, verdictBadge(s.verdict), s.because ? `: ${s.because}` : ""),
      accusations(run, s),
      make("p", {}, snapshotTimes(run, s)),
      make("p", { class: "buttons" }, button("Drag its cut", () => app.cutOfSnapshot(index), { "data-focus": "cut" }),
        button("Go to its first recording", () => app.go(index, firstOf(s.cut)), { disabled: firstOf(s.cut) < 0, "data-focus": "go" })),
      channelTable(run, s, all),
      this.states(index, run, s),
      s.explanation?.length > 0 && make("details", { open: s.verdict === "violated" }, make("summary", {}, "Explanation"), explained(s.explanation)),
    ];
  }

  /** What each node recorded. */
  states(index, run, s) {
    const recorded = [...run.nodes.keys()].filter((v) => s.cut[v] >= 0);
    const items = recorded.slice(0, SNAPSHOT_ROWS).map((v) => {
      const state = run.stateAfter(v, s.cut[v]).state;
      return make("li", {}, named(run.nodes[v], 40), " at ", jump(this.app, index, s.cut[v], timeText(run, run.at[s.cut[v]])), ": ",
        make("code", {}, make("bdi", {}, valueText(state))));
    });
    if (recorded.length > items.length) items.push(make("li", { class: "faint" }, `${recorded.length - items.length} more nodes`));
    const missing = run.nodes.length - recorded.length;
    const title = `States recorded by ${recorded.length} of ${counted(run.nodes.length, "node")}${missing > 0 && run.n < run.total ? " in this window" : ""}`;
    return make("details", {}, make("summary", {}, title), make("ul", { class: "states" }, ...items));
  }
}

function firstOf(cut) {
  return cut.reduce((first, event) => (event >= 0 && (first < 0 || event < first) ? event : first), -1);
}

function snapshotTimes(run, s) {
  const parts = [`Triggered at ${timeText(run, s.triggered_ns)}`];
  if (s.started_ns !== null) parts.push(`first recorded at ${timeText(run, s.started_ns)}`);
  parts.push(s.completed_ns === null ? "never complete" : `complete at ${timeText(run, s.completed_ns)}`);
  parts.push(counted(s.markers, run.marker));
  parts.push(`${counted(s.channel_messages, "message")} stored`);
  if (s.blocked_ns > 0) parts.push(`inputs blocked for ${timeText(run, s.blocked_ns)}`);
  return `${parts.join(", ")}.`;
}

/**
 * The four cases of docs/explain.md, by channel: what is wrong first, then what the cut
 * crosses; channels that it crosses nowhere are counted.
 */
function channelTable(run, s, all) {
  const noted = all.filter((c) => c.known && !(c.exact && c.right));
  const allowed = s.verdict === "holds" || s.verdict === "given"; // at-least-once: what is noted is within the promise
  const crossed = all.filter((c) => c.known && c.exact && c.right && c.inFlight.length > 0);
  const idle = all.filter((c) => c.known && c.exact && c.right && c.inFlight.length === 0).length;
  const unknown = all.filter((c) => !c.known);
  const unknownRecorded = unknown.filter((c) => c.recorded.length > 0);
  const rows = [...noted, ...crossed, ...unknownRecorded].slice(0, SNAPSHOT_ROWS).map((c) => ({
    mark: c.known && !c.right ? "wrong" : null,
    cells: [
      make("span", {}, named(run.channels[c.channel].name, 32), run.channels[c.channel].backEdge ? " (back-edge)" : ""),
      c.sent === null ? "?" : String(c.sent), c.processed === null ? "?" : String(c.processed),
      ranges(c.inFlight) || "–", (ranges(c.recorded) || "–") + (c.logged ? " (log)" : ""), channelVerdict(s, c),
    ],
  }));
  const rest = [];
  const listed = noted.length + crossed.length + unknownRecorded.length;
  if (listed > rows.length) rest.push(`${counted(listed - rows.length, "more channel")} with messages`);
  if (idle > 0) rest.push(`on ${counted(idle, "channel")} nothing was in flight and nothing was recorded`);
  const silent = unknown.length - unknownRecorded.length;
  if (silent > 0) rest.push(`of ${counted(silent, "channel")} an end has no recording here`);
  const columns = ["channel", "#S", "#R", "in flight", "recorded", "so"];
  return make("div", {},
    rows.length > 0 && tableOf("What the cut crosses", columns, rows),
    rows.length > 0 && make("p", { class: "faint" }, "S is the last message sent in front of the sender's cut, R the last processed in front of the receiver's; what lies between is in flight."),
    allowed && noted.length > 0 && make("p", {}, "It holds all the same: the algorithm promises at-least-once, and messages that the cut has as orphans are sent and processed again after a restore."),
    rest.length > 0 && make("p", { class: "faint" }, `${rest.join("; ")}.`));
}

/** What is found in what a snapshot has of a channel, in words; a cross only where it is wrong. */
function channelVerdict(s, c) {
  if (!c.known) return "not known here";
  const done = s.completed_ns !== null;
  const parts = [];
  if (c.orphaned > 0) parts.push(`orphans: ${ranges(c.orphans.map((o) => o.number), 4)}`);
  if (c.missing.length > 0) parts.push(`${done ? "missing" : "not recorded"}: ${ranges(c.missing, 4)}`);
  if (c.extra.length > 0) parts.push(`should not be there: ${ranges(c.extra, 4)}`);
  if (c.disordered) parts.push("another order");
  if (c.accused.length > 0 && (c.exact || s.verdict !== "violated")) parts.push(`violates ${[...new Set(c.accused.map((v) => v.invariant))].join(", ")}`);
  if (parts.length > 0 && c.broken) parts.push("not all came once each and in a row");
  if (parts.length === 0) return done ? "✓ exact" : "exact so far";
  return `${c.right ? (done ? "allowed: " : "not finished: ") : "✗ "}${parts.join("; ")}`;
}

/** What the checker has found wrong with a snapshot: it may be nothing that one could see in the channels. */
function accusations(run, s) {
  const about = run.violations.filter((v) => v.snapshot === s.id);
  if (about.length === 0) return null;
  const items = about.slice(0, 6).map((v) => make("li", {}, make("strong", { class: "violation" }, `✗ ${v.invariant}`), ": ", named(v.detail, 300)));
  if (about.length > items.length) items.push(make("li", { class: "faint" }, `${about.length - items.length} more above`));
  return make("ul", { class: "states" }, ...items);
}

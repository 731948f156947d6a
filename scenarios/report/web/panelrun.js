// What was judged of the run, its recoveries, its coordinator, and how to have it again.

/** The violations: each with its story, and the event that shows it. */
class ViolationSection {
  constructor(app) {
    Object.assign(this, { app, id: "violations", title: "Violations", open: true });
  }

  hidden({ run }) {
    return run.violations.length === 0;
  }

  key() {
    return [];
  }

  count({ run }) {
    return String(run.violations.length + (run.result.violations_not_listed ?? 0));
  }

  render({ index, run }) {
    const items = run.violations.slice(0, 50).map((v) => {
      const about = [v.snapshot !== null && `snapshot ${v.snapshot}`, v.recovery !== null && `recovery ${v.recovery + 1}`, v.node, v.channel !== null && run.channels[v.channel]?.name]
        .filter(Boolean).join(", ");
      return make("li", {},
        make("p", {}, make("strong", { class: "violation" }, `✗ ${v.invariant}`), about && make("bdi", {}, `: ${shownName(about, 120)}`)),
        make("p", {}, named(v.detail, 1000)),
        v.event >= 0 ? make("p", {}, jump(this.app, index, v.event, `show it: ${run.describe(v.event)}`)) : make("p", { class: "faint" }, "no event of this window shows it"),
        v.story?.length > 0 && make("details", {}, make("summary", {}, "Why"), explained(v.story)));
    });
    const left = run.violations.length - items.length + (run.result.violations_not_listed ?? 0);
    if (left > 0) items.push(make("li", { class: "faint" }, `${left} more`));
    return [make("ol", { class: "violations" }, ...items)];
  }
}

/** The recoveries. */
class RecoverySection {
  constructor(app) {
    Object.assign(this, { app, id: "recoveries", title: "Recoveries", open: false });
  }

  hidden({ run }) {
    return run.restores.length === 0;
  }

  key() {
    return [];
  }

  count({ run }) {
    return String(run.restores.length);
  }

  render({ index, run }) {
    const names = (list) => list.slice(0, 6).map((v) => shownName(run.nodes[v], 24)).join(", ") + (list.length > 6 ? ` and ${list.length - 6} more` : "");
    const items = run.restores.slice(0, 50).map((r, k) => {
      const result = run.result.recoveries[k];
      const crash = (r.crashed ?? []).length > 0 ? `${names(r.crashed)} crashed; ` : "";
      const text = `${crash}at ${timeText(run, r.at)} ${r.restarted ? `${names(r.restarted)} went` : "all went"} back to ${r.snapshot ? `snapshot ${r.snapshot}` : "the initial state"}`;
      const costs = result && `${counted(result.undone_messages, "message")} and ${counted(result.undone_records, "record")} undone, ` +
        `${counted(result.replayed_messages, "message")} put back or replayed${result.dropped_messages ? `, ${result.dropped_messages} dropped` : ""}`;
      return make("li", {}, make("p", {}, verdictBadge(r.verdict || "holds"), " ", r.event < run.n ? jump(this.app, index, r.event, text) : text),
        costs && make("p", { class: "faint" }, `${costs}.`), r.because && make("p", {}, r.because));
    });
    if (run.restores.length > items.length) items.push(make("li", { class: "faint" }, `${run.restores.length - items.length} more`));
    return [make("ol", {}, ...items)];
  }
}

/** What the coordinator knows and has done, up to the cursor. */
class CoordinatorSection {
  constructor(app) {
    Object.assign(this, { app, id: "coordinator", title: "Coordinator", open: false });
  }

  hidden({ run }) {
    return run.coordinator < 0;
  }

  /** The last event of the coordinator's lane up to the cursor; without one, to the end. */
  upTo({ run, cursor }) {
    return run.lastBefore(run.coordinator, cursor < 0 ? run.n - 1 : cursor);
  }

  key(about) {
    return [this.upTo(about), about.cursor < 0];
  }

  render(about) {
    const { index, run, cursor } = about;
    const last = this.upTo(about);
    const now = cursor < 0 ? Infinity : run.at[cursor];
    const rows = (run.result.coordinator?.checkpoints ?? []).filter((c) => c.began_ns <= now).slice(-8).map((c) => {
      const over = c.ended_ns !== null && c.ended_ns <= now;
      const kept = c.outcome === "retired" && !(c.retired_ns <= now); // it was complete, and is deleted later
      return { cells: [String(c.id), c.savepoint ? "savepoint" : "checkpoint", timeText(run, c.began_ns), !over ? "pending" : kept ? "complete" : c.outcome, over ? timeText(run, c.ended_ns) : ""] };
    });
    const lane = run.ofNode(run.coordinator);
    const place = last < 0 ? 0 : run.position(last) + 1;
    const facts = Array.from(lane.slice(Math.max(0, place - 8), place), (i) => make("li", {}, jump(this.app, index, i, run.describe(i))));
    return [
      rows.length > 0 && tableOf(`Checkpoints ${cursor < 0 ? "at the end" : "at the cursor"}, the last ${rows.length}`, ["#id", "what", "began", "now", "ended"], rows),
      make("p", {}, "What it did last:"), make("ol", { class: "events" }, ...facts),
    ];
  }
}

/** The run in figures, and the command that repeats it. */
class RunSection {
  constructor(app) {
    Object.assign(this, { app, id: "run", title: "The run", open: true });
  }

  key() {
    return [];
  }

  render({ run }) {
    const r = run.result;
    const done = run.snapshots.filter((s) => s.completed_ns !== null).length;
    const shown = run.n === run.total ? counted(run.n, "event") : `${grouped(run.n)} of ${counted(run.total, "event")} are shown`;
    const rows = [
      ["verdict", make("span", {}, verdictBadge(run.verdict), run.expected === null ? "" : run.expected ? ", as expected" : ", not as expected")],
      ["scenario", named(run.scenario, 80)], ["algorithm", named(run.algorithm)], ["app", named(run.app)],
      ["seed, order", `${run.seed}, ${run.order}`], ["graph", `${named(r.graph, 60).textContent}: ${counted(r.nodes, "node")}, ${counted(r.channels, "channel")}`],
      ["events", shown], ["ended", `${run.end}, at ${timeText(run, run.ended)}`], ["deliveries", grouped(r.deliveries)],
      ["snapshots", `${done} complete of ${run.snapshots.length}`], ["recoveries", String(run.restores.length)],
      ["checked", r.checks.join(", ")], ["digest", make("code", {}, run.digest)],
    ];
    if (r.ledger) rows.push(["effects", r.ledger.effects], ["outputs", r.ledger.outputs]);
    if (r.unfired_faults.length > 0) rows.push(["never happened", r.unfired_faults.join("; ")]);
    return [
      make("dl", {}, ...rows.flatMap(([term, value]) => [make("dt", {}, term), make("dd", {}, value)])),
      ...(r.unmet ?? []).map((text) => make("p", { class: "violation" }, text)),
      replayCommand(this.app, run.reproduce),
    ];
  }
}

/** The command that repeats a run, to copy. */
function replayCommand(app, command) {
  const code = make("code", {}, command);
  return make("div", { class: "replay" }, make("span", {}, "Run it again:"), code,
    button("Copy", () => app.copy(command, code), { "data-focus": "copy", "aria-label": "Copy the command" }));
}

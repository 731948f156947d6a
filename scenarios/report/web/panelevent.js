// The event at the cursor, the step that it belongs to, and how two events are ordered.

/** The event at the cursor, and the relation of the two that are selected. */
class EventSection {
  constructor(app) {
    Object.assign(this, { app, id: "event", title: "At the cursor", open: true });
  }

  key({ cursor, selected, second }) {
    return [cursor, selected, second];
  }

  render({ index, run, cursor, selected, second }) {
    const { app } = this;
    const at = cursor >= 0 ? cursor : selected;
    const parts = [];
    if (at < 0) parts.push(make("p", { class: "faint" }, "Click an event, or step with ← and →. Press ? for all keys."));
    else parts.push(eventDetails(app, index, run, at));
    if (at >= 0) parts.push(make("p", { class: "buttons" },
      button("Select it", () => app.select(index, at), { "aria-pressed": selected === at, "data-focus": "select" }),
      button("Compare with the selected (m)", () => app.selectSecond(index, at), { disabled: selected < 0 || selected === at, "data-focus": "second" }),
      button("Its consistent past as a cut", () => app.cutOfPast(index, at), { "data-focus": "past" }),
      selected >= 0 && button("Clear the selection", () => app.select(index, -1), { "data-focus": "clear" })));
    if (selected >= 0) parts.push(make("p", {}, make("strong", { class: "tag first" }, "first"), " ", jump(app, index, selected, run.describe(selected))));
    if (selected >= 0 && second < 0) parts.push(influence(run, app.causality(index)));
    if (selected >= 0 && second >= 0) parts.push(...this.compared(index, run, selected, second));
    return parts;
  }

  /** How the two selected events are ordered, with the proof. */
  compared(index, run, a, b) {
    const { app } = this;
    const found = app.causality(index).relation;
    if (!found) return [];
    const words = {
      before: "The first happened before the second.", after: "The second happened before the first.",
      concurrent: "They are concurrent.", same: "They are the same event.",
    };
    const parts = [
      make("p", {}, make("strong", { class: "tag second" }, "second"), " ", jump(app, index, b, run.describe(b))),
      make("p", { class: `relation ${found.order}` }, make("strong", {}, words[found.order]), found.why ? ` ${found.why}` : ""),
    ];
    if (found.path.length > 1) parts.push(pathList(app, index, run, found.path));
    return parts;
  }
}

/** How much an event can have been influenced by, and can influence. */
function influence(run, { past, future, pastCount, futureCount }) {
  if (!past) return null;
  const text = `${counted(pastCount - 1, "event")} happened before it, ${counted(futureCount - 1, "event")} after it; ` +
    `${counted(run.n - pastCount - futureCount + 1, "event")} ${run.n - pastCount - futureCount === 0 ? "is" : "are"} concurrent with it.` +
    (leavesWindow(run, past) ? " Its past goes on before this window." : "");
  return make("p", {}, text);
}

/** The chain that proves that one event happened before another. */
function pathList(app, index, run, path) {
  const steps = pathSteps(run, path);
  const shown = steps.length > 40 ? [...steps.slice(0, 20), null, ...steps.slice(-20)] : steps;
  const items = shown.map((step) => {
    if (!step) return make("li", { class: "faint" }, `… ${steps.length - 40} more steps`);
    return make("li", { class: step.by }, jump(app, index, step.to, step.text));
  });
  const arrows = steps.filter((step) => step.by !== "lane").length;
  return make("div", {}, make("p", {}, `The chain that proves it, with ${counted(arrows, "arrow")}:`), make("ol", { class: "path" }, ...items));
}

/** What there is to say of an event. */
function eventDetails(app, index, run, i) {
  const rows = [
    ["node", named(run.laneName(run.node[i]))],
    ["event", `${grouped(run.position(i) + 1)} of this lane, ${grouped(run.first + i + 1)} of the run` + (run.first ? ` (${grouped(i + 1)} of this window)` : "")],
    ["time", timeText(run, run.at[i])],
  ];
  if (run.incarnation[i] > 0) rows.push(["incarnation", `${run.incarnation[i]}: after recovery ${run.incarnation[i]}`]);
  if (kindSpeaks(run.kind[i])) rows.push(["message", messageText(run, i)]);
  if (run.isSend(i)) rows.push(["received", arrowEnds(app, index, run, run.receives(i))]);
  if (run.isReceive(i)) rows.push(["sent", run.peer[i] < 0 ? "before this window" : jump(app, index, run.peer[i], timeText(run, run.at[run.peer[i]]))]);
  if (run.undone[i] >= 0) rows.push(["undone", `recovery ${run.undone[i] + 1} took it back`]);
  return make("div", {},
    make("p", { class: "sentence" }, named(run.describe(i), 400)),
    make("dl", {}, ...rows.flatMap(([term, value]) => [make("dt", {}, term), make("dd", {}, value)])));
}

function arrowEnds(app, index, run, receipts) {
  if (receipts.length === 0) return run.first + run.n < run.total ? "not in this window" : "never";
  return make("span", {}, ...receipts.flatMap((r, k) => [k ? ", " : "", jump(app, index, r, timeText(run, run.at[r]))]));
}

/** The words of a message that are not 0. */
function messageText(run, i) {
  const words = [["key", run.key(i)], ["value", run.value(i)], ["aux", run.aux(i)]].filter(([, word]) => word !== 0n);
  return words.length ? words.map(([name, word]) => `${name} ${word}`).join(", ") : "empty";
}

/**
 * The first and the last event of the handler that an event belongs to. A handler runs
 * without a break, so its events follow each other in the run; what comes to the node
 * begins one.
 * @returns {[number, number]}
 */
function handlerOf(run, i) {
  const begins = (k) => {
    const kind = run.kind[k];
    return run.isStep(k) || run.isReceive(k) || kind === KIND.Initiate || kind === KIND.Crash || kind === KIND.Restored;
  };
  let first = i;
  while (first > 0 && !begins(first) && run.node[first - 1] === run.node[i] && run.at[first - 1] === run.at[i]) first--;
  let last = i;
  while (last + 1 < run.n && run.node[last + 1] === run.node[i] && run.at[last + 1] === run.at[i] && !begins(last + 1)) last++;
  return [first, last];
}

/** All that happened in the step of the cursor. */
class StepSection {
  constructor(app) {
    Object.assign(this, { app, id: "step", title: "In this step", open: true });
  }

  hidden({ cursor }) {
    return cursor < 0;
  }

  key({ run, cursor }) {
    return [...handlerOf(run, cursor), cursor];
  }

  count({ run, cursor }) {
    const [first, last] = handlerOf(run, cursor);
    return counted(last - first + 1, "event");
  }

  render({ index, run, cursor }) {
    const [first, last] = handlerOf(run, cursor);
    const from = Math.max(first, Math.min(cursor - 20, last - 40));
    const to = Math.min(last, from + 40);
    const items = [];
    if (from > first) items.push(make("li", { class: "faint" }, `${from - first} before`));
    for (let i = from; i <= to; i++) {
      items.push(make("li", { "aria-current": i === cursor ? "true" : null }, jump(this.app, index, i, run.describe(i))));
    }
    if (to < last) items.push(make("li", { class: "faint" }, `${last - to} more`));
    return [make("ol", { class: "events" }, ...items)];
  }
}

// Several runs beside each other, with one time for all of them.

/**
 * Match finds the events that two runs have in common: what the computation does, named by
 * what no algorithm can change: the lane, the kind, the channel and the number.
 */
class Match {
  /** @param {Run} from @param {Run} to */
  constructor(from, to) {
    this.partner = new Int32Array(from.n).fill(-1); // by event of from: the same one of to; -1: there is none
    const lanes = new Map(to.nodes.map((name, v) => [name, v]));
    const known = new Map();
    const name = (run, i, lane) => `${lane} ${run.kind[i]} ${run.channel[i]} ${run.number[i]} ${run.incarnation[i]}`;
    for (let i = 0; i < to.n; i++) if (to.isApplication(i)) known.set(name(to, i, to.node[i]), i);
    for (let i = 0; i < from.n; i++) {
      const lane = lanes.get(from.laneName(from.node[i]));
      if (from.isApplication(i) && lane !== undefined) this.partner[i] = known.get(name(from, i, lane)) ?? -1;
    }
  }

  /** The event that corresponds to an event: its partner, or that of the last one before it that has one; -1. */
  of(i) {
    while (i >= 0 && this.partner[i] < 0) i--;
    return i < 0 ? -1 : this.partner[i];
  }
}

/**
 * Lock keeps the views of several runs on the same moment: in virtual time on the same
 * instant, in logical order on the same event of the computation.
 */
class Lock {
  /** @param {View[]} views */
  constructor(views) {
    this.views = views;
    this.busy = false; // while they follow, they lead nobody
    this.matches = new Map();
    if (views.length > 1) this.shareExtent();
    for (const view of views) view.onChange((what) => this.follow(what, view));
    this.set(true);
  }

  /** Ties the views together, beginning where the first one is, or lets each go its own way. */
  set(on) {
    this.on = on;
    if (on && this.views.length > 1) this.follow("window", this.views[0]);
  }

  /** All of them can show the time of all of them: else the shorter run would hold the others back. */
  shareExtent() {
    const extents = this.views.map((view) => view.geometry.extent);
    const shared = [Math.min(...extents.map(([a]) => a)), Math.max(...extents.map(([, b]) => b))];
    for (const view of this.views) {
      view.geometry.shared = shared;
    }
  }

  match(from, to) {
    const key = `${this.views.indexOf(from)} ${this.views.indexOf(to)}`;
    if (!this.matches.has(key)) this.matches.set(key, new Match(from.run, to.run));
    return this.matches.get(key);
  }

  /** Brings the other views to where one is now. */
  follow(what, leader) {
    if (!this.on || this.busy || !["cursor", "window", "mode"].includes(what)) return;
    this.busy = true;
    try {
      for (const view of this.views) if (view !== leader) this.lead(what, leader, view);
    } finally {
      this.busy = false;
    }
  }

  lead(what, leader, view) {
    if (leader.mode !== view.mode) view.setMode(leader.mode);
    if (what === "cursor") view.setCursor(this.sameMoment(leader, view));
    const { from, perPixel, plotWidth } = leader.geometry;
    const to = from + perPixel * plotWidth;
    if (leader.mode === "time") view.setWindow(from, to);
    else view.setWindow(this.sameUnit(leader, view, from), this.sameUnit(leader, view, to));
    if (view.run.lanes === leader.run.lanes) {
      Object.assign(view.geometry, { scroll: leader.geometry.scroll, rowHeight: leader.geometry.rowHeight });
      view.geometry.keepRows();
    }
  }

  /** The event of a view at which its cursor is to be. */
  sameMoment(leader, view) {
    const { run, cursor, mode } = leader;
    if (cursor < 0) return -1;
    if (mode === "order") return this.match(leader, view).of(cursor);
    const last = view.run.firstAt(run.at[cursor] + 0.5) - 1; // times are whole
    const lane = view.run.nodes.indexOf(run.laneName(run.node[cursor]));
    const own = lane < 0 ? -1 : view.run.lastBefore(lane, last);
    return own >= 0 && view.run.at[own] === run.at[cursor] ? own : last;
  }

  /** The place in another logical order that corresponds to one in the leader's. */
  sameUnit(leader, view, unit) {
    const { run } = leader;
    if (unit < 0) return unit;
    if (unit >= run.n) return view.run.n + (unit - run.n);
    const i = Math.floor(unit);
    return Math.max(0, this.match(leader, view).of(i)) + (unit - i);
  }
}

/** The figures of a run in one line above its diagram. */
function metricStrip(run) {
  const r = run.result;
  const complete = r.snapshots.filter((s) => s.completed_ns !== null);
  const sum = (field, of = r.snapshots) => of.reduce((total, s) => total + s[field], 0);
  const latency = complete.map((s) => s.completed_ns - s.triggered_ns).sort((a, b) => a - b);
  const figures = [
    ["snapshots", `${complete.length} of ${r.snapshots.length}`],
    ["median latency", latency.length ? timeText(run, latency[(latency.length - 1) >> 1]).replace("step ", "") : "–"],
    [`${run.marker}s`, grouped(sum("markers"))], ["stored messages", grouped(sum("channel_messages", complete))],
    ["blocked", sum("blocked_ns") > 0 ? timeText(run, sum("blocked_ns")).replace("step ", "") : "never"],
    ["recoveries", String(r.recoveries.length)], ["ended at", timeText(run, run.ended)],
  ];
  return make("div", { class: "strip" }, verdictBadge(run.verdict), make("dl", {}, ...figures.map(([term, value]) => make("div", {}, make("dt", {}, term), make("dd", {}, value)))));
}

/** The measures of a comparison, in words: the key says the unit. */
function measureWords(key) {
  return key.replace(/_ns$/, "").replace(/_ppm$/, "").replace(/_per_ks$/, " per 1,000 s").replaceAll("_", " ");
}

/** A value of a measure; null: there was nothing to measure. */
function measureText(key, value, order) {
  if (value === null || value === undefined) return "–";
  if (key.endsWith("_ppm")) return `${Number((value / 1e4).toFixed(2))} %`;
  if (key.endsWith("_ns") && order !== "chosen") return timeText({ order }, value);
  return grouped(value) + (key.endsWith("_ns") ? " steps" : "");
}

/** The table of a comparison: a column for each algorithm, with the paired differences. */
function comparisonTable(c) {
  const run = c.algorithms.filter((a) => a.refused === null);
  const many = c.seeds > 1;
  const columns = ["measure", ...run.map((a) => `#${shownName(a.algorithm, 40)}`)];
  const rows = (run[0]?.summaries ?? []).map((_, k) => ({ cells: [
    measureWords(run[0].summaries[k].measure), ...run.map((a) => summaryCell(a.summaries[k], c.order, many)),
  ] }));
  rows.unshift({ cells: ["runs that hold", ...run.map((a) => `${a.holds} of ${a.holds + a.violated + a.inconclusive}`)] });
  const seeds = many ? `, medians of seeds ${c.first_seed} to ${c.last_seed} and of the paired differences to ${c.reference}` : `, seed ${c.first_seed}`;
  return make("div", {}, tableOf(`${shownName(c.scenario, 80)}${seeds}`, columns, rows),
    ...c.algorithms.filter((a) => a.refused !== null).map((a) => make("p", { class: "note" }, named(a.algorithm), ` was not run: ${a.refused}`)),
    ...(c.notes ?? []).map((text) => make("p", { class: "note" }, text)));
}

function summaryCell(s, order, many) {
  const median = measureText(s.measure, s.median, order);
  const d = s.difference;
  if (!d || (d.median === 0 && !d.low && !d.high)) return median;
  const signed = (x) => (x > 0 ? "+" : x < 0 ? "−" : "±") + measureText(s.measure, Math.abs(x), order);
  const interval = many && d.low !== null ? ` [${signed(d.low)}, ${signed(d.high)}]` : "";
  return make("span", {}, median, make("small", {}, ` ${signed(d.median)}${interval}`));
}

/** The table of a sweep over a parameter: a row for each value, and each algorithm. */
function seriesTable(series) {
  const order = series.points[0]?.comparison?.order;
  const rows = series.points.flatMap(({ value, comparison }) => (comparison?.algorithms ?? []).map((a) => ({ cells: [
    named(String(value), 40), named(a.algorithm, 40),
    ...series.measures.map((key) => (a.refused !== null ? "not run" : measureText(key, a.summaries.find((s) => s.measure === key)?.median, order))),
  ] })));
  return tableOf(`${shownName(series.scenario, 80)} over ${series.parameter}`, [shownName(series.parameter), "algorithm", ...series.measures.map((key) => `#${measureWords(key)}`)], rows);
}

/** A plot. As an image nothing in it can run or load anything. */
function plotFigure({ title, svg }) {
  return make("figure", {}, make("figcaption", {}, title), make("img", { src: `data:image/svg+xml,${encodeURIComponent(svg)}`, alt: title }));
}

/** Shows the comparison, the series and the plots of the page, if it has any. */
function comparisonSection(host, head) {
  const parts = [];
  if (head.comparison) parts.push(make("h2", {}, "Comparison"), comparisonTable(head.comparison));
  if (head.series) parts.push(make("h2", {}, "Series"), seriesTable(head.series));
  parts.push(...head.plots.map(plotFigure));
  host.hidden = parts.length === 0;
  host.replaceChildren(...parts);
}

/** How many px a lane should have for each event, so that shapes can be told apart. */
const LEGIBLE = 12;

/**
 * The snapshot that is chosen first: one that is violated, or the one restored first, or one
 * that holds, or else the first that has a cut; an index, or -1.
 */
function firstToShow(run) {
  const restored = run.restores.map((r) => r.snapshot).find((id) => id > 0);
  for (const is of [(s) => s.verdict === "violated", (s) => s.id === restored, (s) => s.verdict === "holds" && s.cut.some((i) => i >= 0), (s) => s.cut.some((i) => i >= 0)]) {
    const k = run.snapshots.findIndex(is);
    if (k >= 0) return k;
  }
  return -1;
}

/** Shows the whole run if it is legible, or else what is of most interest in it. */
function showFirst(view) {
  const { run, geometry: g } = view;
  g.whole();
  const legible = Math.round(g.plotWidth * g.rows.length / LEGIBLE); // events
  if (run.n <= legible * 1.5) return;
  const [first, last] = ofInterest(view, legible);
  if (first < 0) return;
  const spare = Math.max(legible - (last - first), (last - first) * 0.3) / 2;
  const a = Math.max(0, Math.round(first - spare)), b = Math.min(run.n - 1, Math.round(last + spare));
  const margin = (g.position(b) - g.position(a)) * 0.05;
  g.setWindow(g.position(a) - margin, g.position(b) + margin);
}

/**
 * The events between which lies what is of most interest: the cut of a violated snapshot;
 * or the first recovery, with the cut to which it leads back if it is near; or the first cut.
 * @returns {[number, number]} -1: there is nothing of the kind
 */
function ofInterest(view, near) {
  const { run } = view, snapshot = run.snapshots[view.snapshot];
  const cut = snapshot ? cutSpan(snapshot) : [-1, -1];
  if (snapshot?.verdict === "violated") return withCrossings(run, snapshot, cut, 2 * near);
  if (run.restores.length === 0) return cut;
  const restore = run.restores[0], down = run.down.filter((s) => s.to >= restore.event && s.from < restore.event);
  const last = Math.min(restore.event, run.n - 1), crash = down.reduce((a, s) => Math.min(a, s.from), last);
  const restored = run.snapshots.find((s) => s.id === restore.snapshot);
  const [from] = restored ? cutSpan(restored) : [-1];
  return [from >= 0 && last - from < 2 * near ? from : crash, last];
}

/** A cut and the messages that forbid it, if they are so near that both can be seen. @returns {[number, number]} */
function withCrossings(run, snapshot, [first, last], near) {
  const { orphans, missing, extra } = factsOf(run, snapshot);
  for (const { send, receive } of [...orphans, ...missing, ...extra]) {
    for (const i of [send, receive]) {
      if (i >= 0 && Math.max(last, i) - Math.min(first, i) < near) { first = Math.min(first, i); last = Math.max(last, i); }
    }
  }
  return [first, last];
}

/** The first and the last event of a cut. @returns {[number, number]} */
function cutSpan(snapshot) {
  let first = -1, last = -1;
  for (const i of snapshot.cut) {
    if (i < 0) continue;
    if (first < 0 || i < first) first = i;
    last = Math.max(last, i);
  }
  return [first, last];
}

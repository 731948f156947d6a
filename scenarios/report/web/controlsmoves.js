/** Steps and jumps of the cursor. */

/** Whether an event can be seen, the filters being what they are. */
function isShown(view, i) {
  const { family } = GLYPHS[view.run.kind[i]];
  return view.geometry.rowOf[view.run.node[i]] >= 0 && (!family || view.show[family]);
}

/** The next event in a direction, or -1; sameLane: of the cursor's lane. */
function stepFrom(view, direction, sameLane) {
  const { run, cursor } = view;
  if (cursor < 0) {
    const [i, j] = view.geometry.between(view.geometry.left, view.geometry.width);
    return nextShown(view, direction > 0 ? i : Math.min(j, run.n - 1), direction);
  }
  if (!sameLane) return nextShown(view, cursor + direction, direction);
  let i = cursor;
  do i = direction > 0 ? run.next(i) : run.prev(i); while (i >= 0 && !isShown(view, i));
  return i;
}

function nextShown(view, i, direction) {
  while (i >= 0 && i < view.run.n && !isShown(view, i)) i += direction;
  return i >= 0 && i < view.run.n ? i : -1;
}

/** Moves the cursor by an event. @returns {boolean} whether there was one */
function step(view, direction, sameLane = false) {
  const i = stepFrom(view, direction, sameLane);
  if (i >= 0) view.setCursor(i);
  return i >= 0;
}

/** Moves the cursor to the event of a lane above or below that lies nearest to it. */
function stepLane(view, direction) {
  const { run, geometry: g } = view;
  if (view.cursor < 0) { step(view, 1); return; }
  for (let row = g.rowOf[run.node[view.cursor]] + direction; row >= 0 && row < g.rows.length; row += direction) {
    const list = run.ofNode(g.rows[row]), here = g.position(view.cursor);
    const near = Array.from(list).filter((i) => isShown(view, i));
    if (near.length === 0) continue;
    view.setCursor(near.reduce((a, b) => (Math.abs(g.position(b) - here) < Math.abs(g.position(a) - here) ? b : a)));
    return;
  }
}

/** The first of ascending events behind the cursor in a direction, or -1. */
function beyond(events, cursor, direction) {
  if (direction > 0) return events.find((i) => i > cursor) ?? -1;
  return events.findLast((i) => i < cursor) ?? -1;
}

/** Goes to the next crash. @returns {string} what to say */
function jumpToCrash(view, direction) {
  const { run } = view;
  const crashes = Array.from(view.important).filter((i) => run.kind[i] === KIND.Crash);
  const i = beyond(crashes, direction < 0 && view.cursor < 0 ? run.n : view.cursor, direction);
  if (i < 0) return crashes.length === 0 ? "No node crashes in this run." : "There is no further crash in this direction.";
  view.setCursor(i);
  return run.describe(i);
}

/** Goes to the next violation, and shows the snapshot that it is about. @returns {string} what to say */
function jumpToViolation(view, direction) {
  const { run } = view;
  const list = run.violations.filter((v) => v.event >= 0);
  const events = list.map((v) => v.event).sort((a, b) => a - b);
  const i = beyond(events, direction < 0 && view.cursor < 0 ? run.n : view.cursor, direction);
  if (i < 0) return run.violations.length === 0 ? "Nothing is violated in this run." : "There is no further violation in this direction.";
  const v = list.find((one) => one.event === i);
  const k = run.snapshots.findIndex((s) => s.id === v.snapshot);
  if (k >= 0) view.setSnapshot(k);
  view.setCursor(i);
  return `${v.invariant}: ${v.detail}`;
}

/** Goes to the next snapshot that has a cut: chooses it, and shows its cut line. @returns {string} what to say */
function jumpToSnapshot(view, direction) {
  const { run } = view;
  for (let k = view.snapshot + direction; k >= 0 && k < run.snapshots.length; k += direction) {
    if (showSnapshot(view, k)) return `snapshot ${run.snapshots[k].id}: ${run.snapshots[k].verdict}`;
  }
  return "There is no further snapshot in this direction.";
}

/** Chooses a snapshot, puts the cursor where it was first recorded, and moves its cut into sight. */
function showSnapshot(view, k) {
  const { run, geometry: g } = view;
  const [first, last] = cutSpan(run.snapshots[k]);
  if (first < 0) return false;
  view.setSnapshot(k);
  view.setCursor(first);
  const a = g.position(first), b = g.position(last);
  if (g.x(first) < g.left + 20 || g.x(last) > g.width - 20) {
    const span = Math.max(g.plotWidth * g.perPixel, (b - a) * 1.5);
    view.setWindow((a + b - span) / 2, (a + b + span) / 2);
  }
  return true;
}

/** Plays the run: the cursor goes from event to event, and what comes later is veiled. */
class Player {
  /** @param {Controls} controls */
  constructor(controls) {
    this.controls = controls;
    this.speed = 4; // events a second
    this.playing = false;
    this.onChange = () => {};
  }

  toggle() {
    if (this.playing) { this.stop(); return; }
    this.view = this.controls.active;
    const { run } = this.view;
    if (run.n === 0) return;
    if (this.view.cursor >= run.n - 1) this.view.setCursor(0);
    this.playing = this.view.curtain = true;
    this.owed = 1; // events that should have been passed
    this.before = performance.now();
    requestAnimationFrame(() => this.tick());
    this.onChange();
  }

  stop() {
    if (!this.playing) return;
    this.playing = this.view.curtain = false;
    this.view.redraw();
    this.onChange();
  }

  tick() {
    if (!this.playing) return;
    const now = performance.now();
    this.owed += (now - this.before) / 1000 * this.speed;
    this.before = now;
    let i = this.view.cursor;
    for (; this.owed >= 1; this.owed--) {
      const next = i < 0 ? stepFrom(this.view, 1, false) : nextShown(this.view, i + 1, 1);
      if (next < 0) { this.view.setCursor(i); this.stop(); return; }
      i = next;
    }
    this.view.setCursor(i);
    requestAnimationFrame(() => this.tick());
  }
}

/** Adds the commands that move the cursor and the view. */
function addMoves(controls) {
  const { commands, player } = controls, view = () => controls.active;
  const far = 120; // px a key moves the view
  const add = (keys, label, run) => commands.add(keys, label, () => { if (view()) run(); });
  const told = (jump, direction) => () => controls.say(jump(view(), direction));
  add("ArrowRight", "Next event", () => step(view(), 1));
  add("ArrowLeft", "Previous event", () => step(view(), -1));
  add("Shift+ArrowRight", "Next event of the same lane", () => step(view(), 1, true));
  add("Shift+ArrowLeft", "Previous event of the same lane", () => step(view(), -1, true));
  add("ArrowUp", "Nearest event of the lane above", () => stepLane(view(), -1));
  add("ArrowDown", "Nearest event of the lane below", () => stepLane(view(), 1));
  add("Home", "First event", () => view().setCursor(0));
  add("End", "Last event", () => view().setCursor(view().run.n - 1));
  add("Space", "Play, and stop", () => player.toggle());
  add("Enter", "Select the event at the cursor", () => view().select(view().cursor));
  add("m", "Compare the selected event with the one at the cursor", () => {
    const { selected, cursor } = view();
    view().select(selected < 0 ? cursor : selected, selected < 0 ? -1 : cursor);
  });
  add("Escape", "Select nothing", () => view().select(-1));
  add("n", "Next snapshot", told(jumpToSnapshot, 1));
  add("N", "Previous snapshot", told(jumpToSnapshot, -1));
  add("c", "Next crash", told(jumpToCrash, 1));
  add("C", "Previous crash", told(jumpToCrash, -1));
  add("v", "Next violation", told(jumpToViolation, 1));
  add("V", "Previous violation", told(jumpToViolation, -1));
  add("t", "Virtual time or logical order", () => {
    const mode = view().mode === "time" ? "order" : "time";
    for (const v of controls.views) v.setMode(mode);
  });
  add("+ =", "Zoom in", () => view().zoom(1.5));
  add("- _", "Zoom out", () => view().zoom(1 / 1.5));
  add("0", "The whole run; again: all lanes", () => view().whole());
  add("a Alt+ArrowLeft", "Move left", () => view().pan(far, 0));
  add("d Alt+ArrowRight", "Move right", () => view().pan(-far, 0));
  add("w Alt+ArrowUp", "Move up", () => view().pan(0, far));
  add("s Alt+ArrowDown", "Move down", () => view().pan(0, -far));
}

/** The states of the nodes: what each was at first, and how events changed it. */
class States {
  /** @param {Run} run  @param {any[]} initial by node  @param {Int32Array} events  @param {string[]} changes what each of these did to its node's state, as JSON; see change.go */
  constructor(run, initial, events, changes) {
    this.run = run;
    this.initial = initial;
    this.events = initial.map(() => []);
    this.changes = initial.map(() => []);
    this.known = initial.map(() => []); // by node, by change: the state, where it was already asked for
    events.forEach((event, k) => {
      this.events[run.node[event]].push(event);
      this.changes[run.node[event]].push(changes[k]);
    });
  }

  /**
   * The state of lane v after its last event up to i. event is the one that the state is
   * of, -1: of the beginning. exact is false where later steps have no state in the data,
   * so that this one is old.
   */
  after(v, i) {
    if (v >= this.initial.length) return { state: null, event: -1, exact: true };
    const place = lowerBound(this.events[v], i + 1) - 1;
    const event = place < 0 ? -1 : this.events[v][place];
    return { state: this.at(v, place), event, exact: this.isExact(v, event, i) };
  }

  /** The state of a node after its change with this place; -1: at the beginning. */
  at(v, place) {
    if (place < 0) return this.initial[v];
    const known = this.known[v];
    let from = place;
    while (from >= 0 && known[from] === undefined) from--;
    let state = from < 0 ? this.initial[v] : known[from];
    for (let k = from + 1; k <= place; k++) known[k] = state = applyChange(state, JSON.parse(this.changes[v][k]));
    return state;
  }

  /** Says whether no step lies between the event that a state is of and event i. */
  isExact(v, event, i) {
    if (event < 0 && this.run.first > 0) return false; // what it was when the window begins nobody has said
    return !this.steps(v, Math.max(event, this.run.stepped - 1), i);
  }

  /** Says whether lane v has a step behind event a and up to event b. */
  steps(v, a, b) {
    const lane = this.run.ofNode(v);
    for (let k = lowerBound(lane, a + 1); k < lane.length && lane[k] <= b; k++) if (this.run.isStep(lane[k])) return true;
    return false;
  }

  /** What event i has changed: {before, after, paths}; paths are texts such as words.3.count. */
  change(i) {
    const v = this.run.node[i];
    if (v >= this.initial.length) return { before: null, after: null, paths: [] };
    const place = lowerBound(this.events[v], i);
    const before = this.at(v, place - 1);
    if (this.events[v][place] !== i) return { before, after: before, paths: [] };
    const after = this.at(v, place);
    return { before, after, paths: changedPaths(before, after, "") };
  }
}

/** A state with a change, in the form that change.go describes; what does not change is shared. */
function applyChange(state, change) {
  if (!Array.isArray(change)) {
    const keys = Object.keys(change);
    if (keys.length === 0) return state;
    const changed = { ...state };
    for (const key of keys) {
      if (change[key] === 0) delete changed[key];
      else put(changed, key, applyChange(changed[key], change[key]));
    }
    return changed;
  }
  if (change.length === 1) return change[0];
  const changed = state.slice(0, change[0]);
  for (let k = 1; k < change.length; k += 2) changed[change[k]] = applyChange(changed[change[k]], change[k + 1]);
  return changed;
}

/** Sets a member that is the object's own, whatever its name is: also __proto__. */
function put(object, key, value) {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

function isPlain(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The paths of what differs between two states. */
function changedPaths(a, b, path) {
  if (a === b) return [];
  const both = (is) => is(a) && is(b);
  if (!both(isPlain) && !both(Array.isArray)) return JSON.stringify(a) === JSON.stringify(b) ? [] : [path];
  const paths = [];
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) paths.push(...changedPaths(a[key], b[key], path ? `${path}.${key}` : key));
  return paths;
}

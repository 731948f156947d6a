// The state of a node at the cursor, and what the step has changed of it.

/** The state of the cursor's node. */
class StateSection {
  constructor(app) {
    Object.assign(this, { app, id: "state", title: "State", open: true });
  }

  hidden({ cursor }) {
    return cursor < 0;
  }

  key({ cursor }) {
    return [cursor];
  }

  render({ index, run, cursor }) {
    const v = run.node[cursor];
    if (v === run.coordinator) return [make("p", { class: "faint" }, "The coordinator's state is not recorded; see what it did below.")];
    const now = run.stateAfter(v, cursor);
    const [first] = handlerOf(run, cursor);
    const before = run.stateAfter(v, first - 1);
    const is = byKey(now.state);
    const was = emptyLike(byKey(before.state), is);
    const paths = new Set(changedPaths(was, is, ""));
    const intro = make("p", {}, "of ", named(run.laneName(v)), paths.size
      ? `: this step has changed ${counted(paths.size, "field")}`
      : run.kind[cursor] === KIND.Restored ? ", as the restore has put it back" : ": this step has not changed it");
    return [intro, now.exact ? null : this.old(index, run, now), stateLines(was, is, paths)];
  }

  old(index, run, now) {
    const since = now.event < 0 ? "the beginning of the run" : jump(this.app, index, now.event, run.describe(now.event));
    return make("p", { class: "note" }, "the state after this step is not in this page, for lack of room or because of the window. This is an older one, of ", since, ".");
  }
}

/**
 * A state in which a list of things that have keys, such as the counts of words, is an object
 * with these keys: then what has changed is an entry and not the whole list.
 */
function byKey(value) {
  if (!Array.isArray(value)) {
    return isPlain(value) ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, byKey(part)])) : value;
  }
  const keys = value.map((entry) => (isPlain(entry) ? entry.key : undefined));
  const keyed = value.length > 0 && keys.every((key) => ["string", "number"].includes(typeof key)) && new Set(keys).size === keys.length;
  if (!keyed) return value;
  return Object.fromEntries(value.map(({ key, ...rest }) => {
    const names = Object.keys(rest);
    return [String(key), names.length === 1 ? rest[names[0]] : rest];
  }));
}

/** A state, in which an empty list is an empty object where another state has an object. */
function emptyLike(value, other) {
  if (Array.isArray(value) && value.length === 0 && isPlain(other)) return {};
  if (!isPlain(value) || !isPlain(other)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, emptyLike(part, own(other, name))]));
}

/** The most lines of a state that are shown. */
const STATE_LINES = 300;

/** A state, a line for each field; those that have changed say what they were. */
function stateLines(before, after, paths) {
  const lines = [];
  const walk = (was, is, path, name, depth) => {
    if (lines.length > STATE_LINES) return;
    const nested = isPlain(is) && Object.keys(is).length > 0 && (isPlain(was) || was === undefined || !paths.has(path));
    if (!nested) {
      lines.push(stateLine(was, is, name, depth, paths.has(path)));
      return;
    }
    if (name !== "") lines.push(make("div", { class: "field", style: `--depth:${depth}` }, make("bdi", { class: "name" }, shownName(name, 60))));
    const keys = new Set([...Object.keys(is), ...(isPlain(was) ? Object.keys(was) : [])]);
    for (const key of keys) walk(own(was, key), own(is, key), path ? `${path}.${key}` : key, key, depth + (name === "" ? 0 : 1));
  };
  walk(before, after, "", "", 0);
  const left = lines.length > STATE_LINES ? make("p", { class: "note" }, `only the first ${STATE_LINES} fields are shown`) : null;
  return make("div", { class: "state", tabindex: 0, role: "region", "aria-label": "State" }, ...lines.slice(0, STATE_LINES), left);
}

function own(object, key) {
  return isPlain(object) && Object.hasOwn(object, key) ? object[key] : undefined;
}

function stateLine(was, is, name, depth, changed) {
  const value = is === undefined ? "removed" : valueText(is);
  const note = !changed ? null : is === undefined ? `was ${valueText(was)}` : was === undefined ? "new" : `changed, was ${valueText(was)}`;
  return make("div", { class: changed ? "field changed" : "field", style: `--depth:${depth}` },
    name === "" ? null : make("bdi", { class: "name" }, shownName(name, 60)),
    make("bdi", { class: "value" }, value),
    note && make("span", { class: "was" }, note));
}

/** A value on one line, in 400 characters at most. */
function valueText(value) {
  const text = typeof value === "string" ? value : JSON.stringify(value) ?? "";
  return text.length > 400 ? `${text.slice(0, 400)}… (${text.length} characters)` : text;
}

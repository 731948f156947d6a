// What is seen, as the fragment of the page's address: whoever opens a copy of the address
// sees the same. The form, with everything but v left out where it is as at first:
//
//   #v=1&run=0&theme=dark&0.mode=order&0.window=12.5,80&0.rows=0,40&0.cursor=17&...
//
// A fragment may come from anywhere: what is not as it should be is left out of account.

/** The most handles of a cut that an address has room for. */
const FRAGMENT_HANDLES = 500;

/** The state of the page as a fragment, without the #. */
function fragmentOf(app) {
  const out = new URLSearchParams({ v: "1" });
  if (app.active > 0) out.set("run", app.active);
  if (app.unlocked) out.set("lock", "0");
  const theme = document.documentElement.dataset.theme;
  if (theme) out.set("theme", theme);
  app.views.forEach((view, k) => {
    const g = view.geometry;
    const put = (name, value, plain) => {
      if (value !== plain) out.set(`${k}.${name}`, value);
    };
    put("mode", view.mode, "time");
    if (!isWhole(view)) put("window", `${shortNumber(g.from)},${shortNumber(g.perPixel * g.plotWidth)}`);
    if (g.scroll > 0) put("scroll", shortNumber(g.scroll / g.rowHeight));
    put("cursor", view.cursor, -1);
    put("a", view.selected, -1);
    put("b", view.second, -1);
    put("snapshot", view.snapshot, app.firstSnapshots[k]);
    put("lanes", view.laneFilter, "");
    put("hide", Object.keys(view.show).filter((family) => !view.show[family]).join(","), "");
    const { cut, lane } = app.tools[k];
    if (cut && cut.length <= FRAGMENT_HANDLES) put("cut", Array.from(cut).join("."));
    if (cut) put("handle", lane, 0);
  });
  return out.toString();
}

/** Whether a view shows its whole run. */
function isWhole({ geometry: g }) {
  const [a, b] = g.extent;
  return g.from <= a && g.from + g.perPixel * g.plotWidth >= b;
}

function shortNumber(x) {
  return String(Number(x.toPrecision(10)));
}

/** Brings the page into the state that a fragment describes. */
function applyFragment(app, fragment) {
  const params = new URLSearchParams(fragment.replace(/^#/, "").slice(0, 100000));
  if (params.get("v") !== "1") return;
  const theme = params.get("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  app.setLock(params.get("lock") !== "0");
  app.views.forEach((view, k) => applyView(app, view, k, (name) => params.get(`${k}.${name}`)));
  const run = integer(params.get("run"), 0, app.runs.length - 1);
  if (run !== null) app.use(run);
}

function applyView(app, view, k, get) {
  const { run } = view;
  const event = (name) => integer(get(name), 0, run.n - 1) ?? -1;
  const lanes = get("lanes");
  if (lanes !== null) view.filterLanes(lanes.slice(0, 1000));
  const hidden = (get("hide") ?? "").split(",");
  for (const family of Object.keys(view.show)) view.setShow(family, !hidden.includes(family));
  view.setMode(get("mode") === "order" ? "order" : "time");
  view.setCursor(event("cursor"));
  const [a, b] = [event("a"), event("b")];
  view.select(a, a < 0 ? -1 : b);
  const snapshot = integer(get("snapshot"), -1, run.snapshots.length - 1);
  if (snapshot !== null) view.setSnapshot(snapshot);
  const cut = cutFrom(run, get("cut"));
  if (cut) {
    app.tools[k].lane = integer(get("handle"), -1, run.nodes.length - 1) ?? 0;
    app.tools[k].set(cut, "from the address");
  }
  const place = (get("window") ?? "").split(",").map(finite);
  if (place.length === 2 && place.every((x) => x !== null) && place[1] > 0) view.setWindow(place[0], place[0] + place[1]);
  const scroll = finite(get("scroll") ?? "");
  if (scroll !== null && scroll >= 0) view.pan(0, view.geometry.scroll - scroll * view.geometry.rowHeight);
}

/** A cut, if every handle of it is on its own lane; else null. */
function cutFrom(run, text) {
  const handles = (text ?? "").split(".");
  if (!text || handles.length !== run.nodes.length) return null;
  const cut = handles.map((handle) => integer(handle, -1, run.n - 1));
  return cut.every((event, v) => event !== null && (event < 0 || run.node[event] === v)) ? Int32Array.from(cut) : null;
}

/** A whole number from low to high, or null. */
function integer(text, low, high) {
  if (text === null || !/^-?\d{1,10}$/.test(text)) return null;
  const n = Number(text);
  return n >= low && n <= high ? n : null;
}

/** A number that is one, or null. */
function finite(text) {
  const n = text === "" ? NaN : Number(text);
  return Number.isFinite(n) ? n : null;
}

/** Keeps the address and the page alike. */
class Address {
  constructor(app) {
    this.app = app;
    this.written = location.hash.slice(1);
    window.addEventListener("hashchange", () => {
      const now = location.hash.slice(1);
      if (now !== this.written) applyFragment(app, now);
      this.written = now;
    });
  }

  /** Brings the page to where its address says. */
  open() {
    applyFragment(this.app, this.written);
  }

  /** Writes the state into the address, when nothing has changed for a while. */
  changed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.write(), 250);
  }

  write() {
    clearTimeout(this.timer);
    const fragment = fragmentOf(this.app);
    if (fragment === this.written) return;
    this.written = fragment;
    try {
      history.replaceState(null, "", `#${fragment}`);
    } catch { // too many changes in a short time, for some browsers
      this.changed();
    }
  }
}

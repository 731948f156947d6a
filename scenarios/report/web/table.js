// The events as a table: for those who hear the page, or use it without a pointer.

/** So many events are in the table at a time. */
const TABLE_ROWS = 200;

class EventTable {
  constructor(host, app) {
    this.host = host;
    this.app = app;
    this.page = -1;
    this.lane = -1; // all of them
    this.body = make("tbody");
    this.where = make("span", { class: "faint" });
    this.caption = make("caption");
    this.filter = make("select", { "aria-label": "Lane", onchange: () => this.choose(Number(this.filter.value)) });
    const columns = ["event", "time", "node", "what", "message", "other end"];
    const table = make("table", {}, this.caption,
      make("thead", {}, make("tr", {}, ...columns.map((c) => make("th", { scope: "col" }, c)))), this.body);
    table.addEventListener("keydown", (e) => this.keys(e));
    const turn = (text, label, by) => button(text, () => this.turn(by), { "aria-label": label });
    this.details = make("details", { class: "section" }, make("summary", {}, make("h2", {}, "Events as a table")),
      make("p", { class: "buttons" }, make("label", {}, "Lane ", this.filter), turn("⏮", "First page", -Infinity), turn("◀", "Previous page", -1),
        turn("▶", "Next page", 1), turn("⏭", "Last page", Infinity), this.where),
      make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Events" }, table));
    this.details.addEventListener("toggle", () => this.update());
    host.replaceChildren(this.details);
  }

  /** Opens the table. @returns {HTMLElement} what is focused then */
  open() {
    this.details.open = true;
    this.update();
    return this.body.querySelector("[data-event][tabindex='0']") ?? this.filter;
  }

  /** Follows the cursor of the run that is looked at. */
  update() {
    if (!this.details.open) return;
    const { index, run, cursor } = this.app.about();
    if (index !== this.index) {
      this.index = index;
      this.lane = this.page = -1;
      this.filter.replaceChildren(make("option", { value: -1 }, "all"),
        ...Array.from({ length: Math.min(run.lanes, 1000) }, (_, v) => make("option", { value: v }, shownName(run.laneName(v)))));
      this.moved = true;
    }
    if (cursor !== this.cursor) this.moved = true;
    this.cursor = cursor;
    if (this.moved && cursor >= 0) {
      const place = this.placeOf(run, cursor);
      if (place >= 0) this.show(run, Math.floor(place / TABLE_ROWS));
    }
    this.moved = false;
    if (this.page < 0) this.show(run, 0);
    this.mark();
  }

  /** The place of an event among those that are listed; -1: it is on another lane. */
  placeOf(run, i) {
    if (this.lane < 0) return i;
    return run.node[i] === this.lane ? run.position(i) : -1;
  }

  count(run) {
    return this.lane < 0 ? run.n : run.ofNode(this.lane).length;
  }

  choose(lane) {
    this.lane = lane;
    this.page = -1;
    this.moved = true;
    this.update();
  }

  turn(by) {
    const { run } = this.app.about();
    const last = Math.max(0, Math.ceil(this.count(run) / TABLE_ROWS) - 1);
    this.show(run, Math.max(0, Math.min(last, this.page + by)));
    this.mark();
  }

  /** Shows a page. */
  show(run, page) {
    if (page === this.page) return;
    this.page = page;
    const first = page * TABLE_ROWS;
    const end = Math.min(first + TABLE_ROWS, this.count(run));
    const rows = [];
    for (let k = first; k < end; k++) rows.push(this.row(run, this.lane < 0 ? k : run.ofNode(this.lane)[k]));
    this.body.replaceChildren(...rows);
    const of = `${grouped(first + (end > first ? 1 : 0))} to ${grouped(end)} of ${counted(this.count(run), "event")}`;
    const lane = this.lane < 0 ? "" : ` of ${shownName(run.laneName(this.lane))}`;
    const cut = run.n < run.total ? `; the run has ${grouped(run.total)}` : "";
    this.where.textContent = of + lane + cut;
    this.caption.textContent = `Events ${of}${lane}${cut}`;
  }

  row(run, i) {
    const { app, index } = this;
    const channel = run.channel[i] >= 0 ? run.channels[run.channel[i]].name : "";
    const about = [channel && shownName(channel, 60), kindIsApplication(run.kind[i]) && run.number[i] > 0 && `number ${run.number[i]}`,
      run.snapshot[i] > 0 && `snapshot ${run.snapshot[i]}`, run.word(i), run.undone[i] >= 0 && `undone by recovery ${run.undone[i] + 1}`]
      .filter(Boolean).join(", ");
    const ends = run.isSend(i) ? run.receives(i) : run.isReceive(i) && run.peer[i] >= 0 ? [run.peer[i]] : [];
    const link = button(String(run.first + i + 1), () => app.go(index, i), { class: "link", tabindex: -1, "data-event": i });
    return make("tr", {}, make("th", { scope: "row" }, link), make("td", {}, timeText(run, run.at[i])), make("td", {}, named(run.laneName(run.node[i]), 40)),
      make("td", {}, KINDS[run.kind[i]]), make("td", {}, make("bdi", {}, about)),
      make("td", {}, ...ends.slice(0, 3).map((end) => jump(app, index, end, `${run.first + end + 1}`))));
  }

  /** Marks the cursor's row; one row alone is reached with the tab key. */
  mark() {
    for (const row of this.body.querySelectorAll("[aria-current]")) row.removeAttribute("aria-current");
    for (const link of this.body.querySelectorAll("[data-event][tabindex='0']")) link.tabIndex = -1;
    const link = this.body.querySelector(`[data-event="${this.cursor}"]`);
    const first = link ?? this.body.querySelector("[data-event]");
    if (first) first.tabIndex = 0;
    if (!link) return;
    const row = link.closest("tr");
    row.setAttribute("aria-current", "true");
    if (this.body.contains(document.activeElement)) link.focus();
  }

  /** Up and down go from row to row, and take the cursor along. */
  keys(e) {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 }[e.key];
    if (!step || !e.target.dataset.event) return;
    const { index, run } = this.app.about();
    const place = this.placeOf(run, Number(e.target.dataset.event)) + step;
    const to = Math.max(0, Math.min(this.count(run) - 1, place));
    this.app.go(index, this.lane < 0 ? to : run.ofNode(this.lane)[to]);
    e.preventDefault();
    e.stopPropagation();
  }
}

// What the panel says of the cut that is dragged.

/** The cut of the hand. */
class CutSection {
  constructor(app) {
    Object.assign(this, { app, id: "cut", title: "A cut to drag", open: true });
    this.why = "";
  }

  key({ cursor, snapshot }) {
    return [this.app.cutVersion, cursor >= 0, snapshot, this.why];
  }

  count({ tool }) {
    if (!tool.cut) return "";
    return tool.verdict.consistent ? "✓ consistent" : "✗ not consistent";
  }

  render({ index, run, tool, cursor, snapshot }) {
    const { app } = this;
    const begin = make("p", { class: "buttons" },
      button("From the snapshot", () => app.cutOfSnapshot(index), { disabled: snapshot < 0, "data-focus": "snapshot" }),
      button("At the cursor's time", () => app.cutOfTime(index), { disabled: cursor < 0, "data-focus": "time" }),
      button("Past of the cursor's event", () => app.cutOfPast(index, cursor), { disabled: cursor < 0, "data-focus": "past" }));
    if (!tool.cut) {
      return [make("p", { class: "faint" }, "A line through the lanes, to be dragged by its handles or as a whole. It says at every moment whether it is consistent."), begin];
    }
    const { verdict } = tool;
    return [
      make("p", { class: `cut-verdict ${verdict.consistent ? "holds" : "violated"}` }, tool.sentence),
      tool.origin && make("p", { class: "faint" }, `This cut: ${tool.origin}.`),
      this.handles(run, tool),
      this.crossings("Orphans: processed inside, sent outside", index, run, verdict.orphans, verdict.orphaned),
      this.crossings("In flight: sent inside, not processed inside", index, run, verdict.inFlight, verdict.flying),
      make("p", { class: "buttons" },
        button("Grow it until it is consistent", () => this.repair(tool, true), { disabled: verdict.consistent, "data-focus": "grow" }),
        button("Shrink it until it is consistent", () => this.repair(tool, false), { disabled: verdict.consistent, "data-focus": "shrink" }),
        button("Remove", () => tool.clear(), { "data-focus": "remove" })),
      this.why && make("p", { class: "note" }, this.why),
      begin,
    ];
  }

  repair(tool, grow) {
    this.why = tool.repair(grow);
    if (this.why) this.app.announce(this.why);
    this.app.panel.update();
    this.why = "";
  }

  /** The handle that the keys move, for those who do not drag. */
  handles(run, tool) {
    const choose = make("select", { "aria-label": "Handle", "data-focus": "handle", onchange: (e) => tool.choose(Number(e.target.value) - tool.lane) },
      make("option", { value: -1 }, "the whole line"),
      ...run.nodes.slice(0, 1000).map((name, v) => make("option", { value: v }, shownName(name))));
    choose.value = String(tool.lane);
    return make("p", { class: "buttons" },
      make("label", {}, "Handle ", choose),
      button("◀", () => tool.step(-1), { "aria-label": "Move it to the left", "data-focus": "left" }),
      button("▶", () => tool.step(1), { "aria-label": "Move it to the right", "data-focus": "right" }),
      make("span", { class: "faint" }, tool.handleSentence));
  }

  crossings(caption, index, run, list, count) {
    if (count === 0) return null;
    const rows = list.slice(0, 12).map(({ channel, number, send, receive }) => ({ cells: [
      named(run.channels[channel].name, 40), String(number),
      send < 0 ? "not here" : jump(this.app, index, send, timeText(run, run.at[send])),
      receive < 0 ? "never, or not here" : jump(this.app, index, receive, timeText(run, run.at[receive])),
    ] }));
    const more = count > rows.length ? `, the first ${rows.length} of ${count}` : "";
    return tableOf(caption + more, ["channel", "#number", "sent", "processed"], rows);
  }
}

// What the diagram shows of happened-before: tints, and the chain between two events.

/** From so many events on, the pointer must rest before what it is on is tinted. */
const REST_FROM = 20000;

/** Causality tints the past and the future of the event that is looked at. */
class Causality {
  /** @param {View} view */
  constructor(view) {
    this.view = view;
    this.run = view.run;
    this.of = -1; // the event that is tinted
    this.past = this.future = null;
    this.pastCount = this.futureCount = 0;
    this.relation = null; // of the two selected events
    view.layers.push(this);
    view.onChange((what) => {
      if (what === "selection") this.relate();
      if (what === "selection" || what === "hover") this.follow();
    });
  }

  /** A selected event keeps its tint; without one the tint follows the pointer. */
  follow() {
    const { view, run } = this;
    clearTimeout(this.resting);
    const event = view.selected >= 0 ? view.selected : view.hover;
    if (event === this.of) return;
    if (event >= 0 && view.selected < 0 && run.n > REST_FROM) this.resting = setTimeout(() => this.tint(event), 80);
    else this.tint(event);
  }

  tint(event) {
    const { view, run } = this;
    this.of = event;
    this.past = event < 0 ? null : causalPast(run, event);
    this.future = event < 0 ? null : causalFuture(run, event);
    this.pastCount = event < 0 ? 0 : countOf(this.past);
    this.futureCount = event < 0 ? 0 : countOf(this.future);
    view.tint = event < 0 ? null : { of: event, past: this.past, future: this.future, dim: true };
    view.redraw();
  }

  relate() {
    const { selected, second } = this.view;
    this.relation = selected >= 0 && second >= 0 ? relation(this.run, selected, second) : null;
  }

  /** Draws the chain that orders the two selected events. */
  draw(painter, view) {
    const path = this.relation?.path ?? [];
    const line = path.flatMap((i) => [view.x(i), view.y(this.run.node[i])]);
    if (path.length < 2 || line.some(Number.isNaN)) return;
    painter.polyline(line, { stroke: "ground", width: 9, alpha: 0.7, round: true });
    painter.polyline(line, { stroke: "selected", width: 5, round: true });
    painter.circles(path.flatMap((i) => [view.x(i), view.y(this.run.node[i]), 5]), { fill: "selected", stroke: "ground", width: 1.5 });
  }
}

function countOf(marks) {
  let n = 0;
  for (const mark of marks) n += mark;
  return n;
}

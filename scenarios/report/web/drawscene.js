/**
 * One drawing of a view: what is in sight, how large its shapes may be, and which of its
 * places for labels are taken. It is thrown away when the drawing is done.
 */
class Scene {
  /** @param {View} view @param {CanvasPainter} painter */
  constructor(view, painter) {
    this.view = view;
    this.run = view.run;
    this.g = view.geometry;
    this.painter = painter;
    this.labels = new Labels();
    [this.i0, this.i1] = this.g.visible();
    [this.row0, this.row1] = this.g.visibleRows();
    this.arrows = []; // x and y of both ends, send and receipt of each that can be pointed at
    this.measure();
  }

  /** Decides how large shapes may be, and from where on only their density can be shown. */
  measure() {
    const { g, run } = this, rows = this.row1 - this.row0;
    let inSight = this.i1 - this.i0;
    if (rows < g.rows.length) { // those of the rows in sight alone
      if (rows <= 200) {
        inSight = 0;
        for (let row = this.row0; row < this.row1; row++) {
          const list = run.ofNode(g.rows[row]);
          inSight += lowerBound(list, this.i1) - lowerBound(list, this.i0);
        }
      } else {
        inSight *= rows / g.rows.length;
      }
    }
    this.inSight = inSight;
    const places = inSight * (g.mode === "time" ? this.view.instants : 1);
    const spacing = this.spacing = g.plotWidth * rows / Math.max(1, places); // px of a lane for each place
    this.radius = Math.min(6.5, Math.max(2, spacing * 0.36), g.rowHeight * 0.2);
    this.dense = spacing < 2.5 || inSight > 12000 || g.rowHeight < 9;
    this.detailed = !this.dense && this.radius >= 4;
    const { important } = this.view, records = lowerBound(important, this.i1) - lowerBound(important, this.i0);
    const apart = g.plotWidth * g.rows.length / Math.max(1, records); // px of a lane for a recording
    this.recordHalf = Math.max(1, Math.min(11, apart * 0.3, Math.max(2.5, g.rowHeight) * 0.3)); // half the height of its square
  }

  /** The tone of an event. */
  tone(i) {
    const { tint } = this.view;
    if (tint) {
      if (tint.past[i]) return TONE.past;
      if (tint.future[i]) return TONE.future;
      if (i !== this.view.selected && i !== this.view.hover && tint.dim) return TONE.dim;
    }
    return this.run.undone[i] >= 0 ? TONE.undone : TONE.plain;
  }

  /** Draws all of it, what matters most last. */
  draw() {
    const { g, painter, view } = this;
    painter.rects([0, 0, g.width, g.height], { fill: "ground" });
    drawRows(this);
    painter.clip(g.left, 0, g.plotWidth, g.height, () => {
      drawAxis(this);
      drawRestores(this);
      painter.clip(g.left, g.top, g.plotWidth, g.plotHeight, () => {
        drawUndone(this);
        drawLines(this);
        drawSpans(this);
        if (this.dense) drawDensity(this);
        drawArrows(this);
        drawCuts(this);
        drawCursor(this);
        drawEvents(this);
        drawDownNames(this);
        drawViolations(this);
        drawAlarmNames(this);
        for (const layer of view.layers) layer.draw(painter, view);
        drawCurtain(this);
        drawMarks(this);
      });
      drawNamesAbove(this);
    });
    drawNames(this);
  }
}

/**
 * What the diagram is drawn with. A painter knows lines, shapes and texts, and colours by
 * name; whoever draws knows nothing of canvases. So the picture that is saved as SVG is
 * drawn by the same code as the one on the screen.
 *
 * Styles: {fill, stroke: names of colours, width: px, dash: [px...], alpha: 0 to 1}.
 * Lists of shapes are flat, so that a hundred thousand of them are no objects.
 *
 * @typedef {{fill?: string, stroke?: string, width?: number, dash?: number[], alpha?: number, round?: boolean}} Style
 * @typedef {{fill: string, size: number, bold?: boolean, align?: "left"|"center"|"right", halo?: string, alpha?: number}} TextStyle
 */
class CanvasPainter {
  /** @param {CanvasRenderingContext2D} ctx @param {Palette} palette */
  constructor(ctx, palette) {
    this.ctx = ctx;
    this.palette = palette;
  }

  /** Draws what do() draws, inside a rectangle alone. */
  clip(x, y, w, h, draw) {
    const { ctx } = this;
    ctx.save();
    ctx.beginPath();
    ctx.rect(x, y, w, h);
    ctx.clip();
    draw();
    ctx.restore();
  }

  /** @param {ArrayLike<number>} list x, y, width, height of each */
  rects(list, style) {
    const { ctx } = this;
    this.begin(style);
    if (style.fill) for (let k = 0; k < list.length; k += 4) ctx.fillRect(list[k], list[k + 1], list[k + 2], list[k + 3]);
    if (style.stroke) for (let k = 0; k < list.length; k += 4) ctx.strokeRect(list[k], list[k + 1], list[k + 2], list[k + 3]);
  }

  /** @param {ArrayLike<number>} list x, y and x, y of each */
  segments(list, style) {
    const { ctx } = this;
    this.begin(style);
    // One path of thousands of lines is slower than many short ones where no GPU helps.
    for (let k = 0; k < list.length;) {
      ctx.beginPath();
      for (const end = Math.min(list.length, k + 4 * 48); k < end; k += 4) {
        ctx.moveTo(list[k], list[k + 1]);
        ctx.lineTo(list[k + 2], list[k + 3]);
      }
      ctx.stroke();
    }
  }

  /** @param {ArrayLike<number>} list x and y of each corner of each; n corners have each */
  polygons(list, n, style) {
    const { ctx } = this;
    this.begin(style);
    for (let k = 0; k < list.length;) {
      ctx.beginPath();
      for (const end = Math.min(list.length, k + 2 * n * 32); k < end;) {
        ctx.moveTo(list[k], list[k + 1]);
        for (let c = 1; c < n; c++) ctx.lineTo(list[k + 2 * c], list[k + 2 * c + 1]);
        ctx.closePath();
        k += 2 * n;
      }
      this.end(style);
    }
  }

  /** @param {ArrayLike<number>} list x and y of each point */
  polyline(list, style) {
    const { ctx } = this;
    this.begin(style);
    ctx.beginPath();
    for (let k = 0; k < list.length; k += 2) ctx.lineTo(list[k], list[k + 1]);
    ctx.stroke();
  }

  /** A line from the first point to the third, drawn towards the second. @param {ArrayLike<number>} p its three points */
  curve(p, style) {
    const { ctx } = this;
    this.begin(style);
    ctx.beginPath();
    ctx.moveTo(p[0], p[1]);
    ctx.quadraticCurveTo(p[2], p[3], p[4], p[5]);
    ctx.stroke();
  }

  /** @param {ArrayLike<number>} list x, y, radius of each */
  circles(list, style) {
    const { ctx } = this;
    this.begin(style);
    for (let k = 0; k < list.length;) {
      ctx.beginPath();
      for (const end = Math.min(list.length, k + 3 * 32); k < end; k += 3) {
        ctx.moveTo(list[k] + list[k + 2], list[k + 1]);
        ctx.arc(list[k], list[k + 1], list[k + 2], 0, 2 * Math.PI);
      }
      this.end(style);
    }
  }

  /** A text with its middle at y. @param {TextStyle} style */
  text(x, y, text, style) {
    const { ctx } = this;
    ctx.globalAlpha = style.alpha ?? 1;
    ctx.font = font(style.size, style.bold);
    ctx.textAlign = style.align ?? "left";
    ctx.textBaseline = "middle";
    ctx.direction = "ltr";
    if (style.halo) {
      ctx.setLineDash([]);
      ctx.lineJoin = "round";
      ctx.lineWidth = 4;
      ctx.strokeStyle = this.palette.color(style.halo);
      ctx.strokeText(text, x, y);
    }
    ctx.fillStyle = this.palette.color(style.fill);
    ctx.fillText(text, x, y);
  }

  begin(style) {
    const { ctx } = this;
    ctx.globalAlpha = style.alpha ?? 1;
    if (style.fill) ctx.fillStyle = this.palette.color(style.fill);
    if (!style.stroke) return;
    ctx.strokeStyle = this.palette.color(style.stroke);
    ctx.lineWidth = style.width ?? 1;
    ctx.lineJoin = "round";
    ctx.lineCap = style.round ? "round" : "butt";
    ctx.setLineDash(style.dash ?? []);
  }

  end(style) {
    if (style.fill) this.ctx.fill();
    if (style.stroke) this.ctx.stroke();
  }
}

/** The colours of the page by their names: "message" is the CSS property --message of the element. */
class Palette {
  constructor(element) {
    this.element = element;
    this.refresh();
  }

  /** Asks the page again: its theme has changed. */
  refresh() {
    this.style = getComputedStyle(this.element);
    this.known = new Map();
  }

  color(name) {
    let c = this.known.get(name);
    if (c === undefined) {
      c = this.style.getPropertyValue("--" + name).trim() || "#888";
      this.known.set(name, c);
    }
    return c;
  }
}

const FONT = "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif";

function font(size, bold) { return `${bold ? "600 " : ""}${size}px ${FONT}`; }

const widths = new Map();
let measuring = null;

/** How wide a text is, in px. */
function textWidth(text, size, bold) {
  const key = size + (bold ? "b" : "r") + text;
  let w = widths.get(key);
  if (w === undefined) {
    measuring ??= document.createElement("canvas").getContext("2d");
    measuring.font = font(size, bold);
    w = measuring.measureText(text).width;
    if (widths.size > 5000) widths.clear(); // labels that move by are many
    widths.set(key, w);
  }
  return w;
}

/**
 * A name as it can stand in a picture: of some length, in one line, and set apart, so
 * that a name that is written from right to left turns nothing around but itself.
 */
function shownName(name, most = 40) {
  let text = name.slice(0, 4 * most).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\uFFFD");
  const points = Array.from(text);
  if (points.length > most || name.length > text.length) text = points.slice(0, most - 1).join("") + "…";
  return /[\u0590-\u08FF\uFB1D-\uFEFC]/.test(text) ? `\u2068${text}\u2069` : text;
}

/** A text shortened to so many px. */
function fittingText(text, size, bold, px) {
  if (textWidth(text, size, bold) <= px) return text;
  const points = Array.from(text);
  const n = search(points.length, (k) => textWidth(points.slice(0, k).join("") + "…", size, bold) > px);
  return n <= 1 ? "" : points.slice(0, n - 1).join("") + "…";
}

/** Where labels stand already, so that none is written over another. */
class Labels {
  constructor() { this.boxes = []; }

  /** Takes the place of a box, unless some of it is taken. */
  take(x, y, w, h) {
    for (const b of this.boxes) {
      if (x < b[0] + b[2] && b[0] < x + w && y < b[1] + b[3] && b[1] < y + h) return false;
    }
    this.boxes.push([x, y, w, h]);
    return true;
  }
}

/** Shapes that are drawn with the same style, collected and then drawn at once. */
class Batches {
  constructor() { this.lists = new Map(); }

  /** The list of the shapes with a key. @returns {number[]} */
  of(key) {
    let list = this.lists.get(key);
    if (!list) this.lists.set(key, list = []);
    return list;
  }

  /** The list, or an empty one. */
  get(key) { return this.lists.get(key) ?? []; }
}

/** How an event looks in the light of what is selected. */
const TONE = { plain: 0, undone: 1, past: 2, future: 3, dim: 4 };

/** The colour and the strength of something in a tone, whose plain colour is another. */
function toned(tone, color) {
  switch (tone) {
    case TONE.undone: return { color: "undone", alpha: 0.85 };
    case TONE.past: return { color: "past", alpha: 1 };
    case TONE.future: return { color: "future", alpha: 1 };
    case TONE.dim: return { color, alpha: 0.16 };
  }
  return { color, alpha: 1 };
}

/** The tones in the order of drawing. */
const TONES_UPWARDS = [TONE.dim, TONE.undone, TONE.plain, TONE.future, TONE.past];

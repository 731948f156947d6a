// Pictures of what is seen: PNG and SVG, drawn by the code that draws the screen.

/** SvgPainter is a painter (see CanvasPainter) that writes SVG. */
class SvgPainter {
  /** @param {Palette} palette */
  constructor(palette) {
    this.palette = palette;
    this.parts = [];
    this.clips = 0;
  }

  /** The picture. */
  svg(width, height, title) {
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${round(width)}" height="${round(height)}" viewBox="0 0 ${round(width)} ${round(height)}" ` +
      `role="img"><title>${xmlText(title)}</title>\n${this.parts.join("\n")}\n</svg>\n`;
  }

  clip(x, y, w, h, draw) {
    const id = `clip${++this.clips}`;
    this.parts.push(`<clipPath id="${id}"><rect x="${round(x)}" y="${round(y)}" width="${round(Math.max(0, w))}" height="${round(Math.max(0, h))}"/></clipPath>`, `<g clip-path="url(#${id})">`);
    draw();
    this.parts.push("</g>");
  }

  rects(list, style) {
    let d = "";
    for (let k = 0; k < list.length; k += 4) d += `M${round(list[k])} ${round(list[k + 1])}h${round(list[k + 2])}v${round(list[k + 3])}h${round(-list[k + 2])}z`;
    this.path(d, style);
  }

  segments(list, style) {
    let d = "";
    for (let k = 0; k < list.length; k += 4) d += `M${round(list[k])} ${round(list[k + 1])}L${round(list[k + 2])} ${round(list[k + 3])}`;
    this.path(d, { ...style, fill: undefined });
  }

  polygons(list, n, style) {
    let d = "";
    for (let k = 0; k < list.length; k += 2 * n) {
      for (let c = 0; c < n; c++) d += `${c ? "L" : "M"}${round(list[k + 2 * c])} ${round(list[k + 2 * c + 1])}`;
      d += "z";
    }
    this.path(d, style);
  }

  polyline(list, style) {
    let d = "";
    for (let k = 0; k < list.length; k += 2) d += `${k ? "L" : "M"}${round(list[k])} ${round(list[k + 1])}`;
    this.path(d, { ...style, fill: undefined });
  }

  curve(p, style) {
    const [x0, y0, x1, y1, x2, y2] = Array.from(p, round);
    this.path(`M${x0} ${y0}Q${x1} ${y1} ${x2} ${y2}`, { ...style, fill: undefined });
  }

  circles(list, style) {
    let d = "";
    for (let k = 0; k < list.length; k += 3) {
      const r = round(list[k + 2]);
      d += `M${round(list[k] - list[k + 2])} ${round(list[k + 1])}a${r} ${r} 0 1 0 ${round(2 * list[k + 2])} 0a${r} ${r} 0 1 0 ${round(-2 * list[k + 2])} 0z`;
    }
    this.path(d, style);
  }

  text(x, y, text, style) {
    const anchor = { left: "start", center: "middle", right: "end" }[style.align ?? "left"];
    const halo = style.halo ? ` stroke="${this.color(style.halo)}" stroke-width="4" stroke-linejoin="round" paint-order="stroke"` : "";
    const bold = style.bold ? ' font-weight="600"' : "";
    this.parts.push(`<text x="${round(x)}" y="${round(y)}" dominant-baseline="central" text-anchor="${anchor}" font-family="system-ui, sans-serif" ` +
      `font-size="${round(style.size)}"${bold} fill="${this.color(style.fill)}"${halo}${alphaOf(style)}>${xmlText(text)}</text>`);
  }

  path(d, style) {
    if (!d) return;
    const fill = style.fill ? this.color(style.fill) : "none";
    let stroke = "";
    if (style.stroke) {
      stroke = ` stroke="${this.color(style.stroke)}" stroke-width="${round(style.width ?? 1)}" stroke-linejoin="round"`;
      if (style.round) stroke += ' stroke-linecap="round"';
      if (style.dash?.length) stroke += ` stroke-dasharray="${style.dash.map(round).join(" ")}"`;
    }
    this.parts.push(`<path d="${d}" fill="${fill}"${stroke}${alphaOf(style)}/>`);
  }

  color(name) {
    return xmlText(this.palette.color(name));
  }
}

function alphaOf(style) {
  return style.alpha === undefined || style.alpha === 1 ? "" : ` opacity="${round(style.alpha)}"`;
}

/** Two digits behind the point are more than a screen shows. */
function round(x) {
  return Math.round(x * 100) / 100;
}

/** A text within XML, without the characters that XML cannot have. */
function xmlText(text) {
  const legal = text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD");
  return legal.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

/** The height of the line below a picture that says what it shows. */
const CAPTION = 30;

/** Draws a view and its caption with a painter. */
function paintPicture(view, painter) {
  const { width, height } = view.geometry;
  view.paint(painter);
  painter.rects([0, height, width, CAPTION], { fill: "ground" });
  painter.text(10, height + CAPTION / 2, pictureCaption(view), { fill: "faint", size: 13 });
}

function pictureCaption({ run }) {
  const part = run.n < run.total ? `, events ${run.first + 1} to ${run.first + run.n} of ${run.total}` : "";
  return `${shownName(run.scenario, 60)}, ${shownName(run.algorithm)}, seed ${run.seed}: ${run.verdict}${part}`;
}

/** The view as an SVG picture. */
function svgOf(view) {
  const painter = new SvgPainter(view.palette);
  paintPicture(view, painter);
  return painter.svg(view.geometry.width, view.geometry.height + CAPTION, pictureCaption(view));
}

/** The view as a PNG picture, with two pixels for each, so that it can be projected. @returns {Promise<Blob>} */
function pngOf(view) {
  const scale = Math.max(2, window.devicePixelRatio || 1);
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(view.geometry.width * scale);
  canvas.height = Math.round((view.geometry.height + CAPTION) * scale);
  const ctx = canvas.getContext("2d");
  ctx.scale(scale, scale);
  paintPicture(view, new CanvasPainter(ctx, view.palette));
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture is too large for this browser"))), "image/png");
  });
}

/** Hands a file to the user. */
function download(blob, name) {
  const url = URL.createObjectURL(blob);
  const link = make("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

/** What a file with a picture of a run is called. */
function pictureName(run, ending) {
  const base = run.scenario.split(/[\\/]/).pop().replace(/\.(ya?ml|json)$/, "");
  const plain = `${base}-${run.algorithm}-${run.seed}`.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[-.]+/, "").slice(0, 100);
  return `${plain || "run"}.${ending}`;
}

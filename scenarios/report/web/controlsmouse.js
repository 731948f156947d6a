/**
 * Mouse, pen and touch on the diagram: hover tells, click selects, drag moves, wheel moves
 * and zooms, two fingers zoom. Layers that can be dragged come first.
 */
class Pointer {
  /** @param {View} view @param {(view: View) => void} activate is called when the view is touched */
  constructor(view, activate) {
    this.view = view;
    this.tip = new Tip(view);
    this.fingers = new Map(); // by pointer: where it is
    const on = (name, fn, options) => view.canvas.addEventListener(name, fn, options);
    on("pointerdown", (e) => { activate(view); this.press(e); });
    on("pointermove", (e) => this.move(e));
    on("pointerup", (e) => this.release(e));
    on("pointercancel", (e) => this.release(e, true));
    on("pointerleave", () => this.leave());
    on("dblclick", (e) => view.zoom(e.shiftKey ? 0.4 : 2.5, this.at(e)[0]));
    on("wheel", (e) => { if (this.wheel(e)) e.preventDefault(); }, { passive: false });
    on("focus", () => activate(view));
  }

  at(e) {
    const box = this.view.canvas.getBoundingClientRect();
    return [(e.clientX - box.left) / this.view.scale, (e.clientY - box.top) / this.view.scale];
  }

  press(e) {
    if (e.button !== 0) return;
    const [px, py] = this.at(e), { view } = this;
    view.canvas.setPointerCapture(e.pointerId);
    this.fingers.set(e.pointerId, [px, py]);
    this.start = [px, py];
    this.moved = this.fingers.size > 1;
    this.held = null;
    for (const layer of view.layers) this.held ??= layer.hit?.(px, py) ?? null;
    this.tip.hide();
  }

  move(e) {
    const [px, py] = this.at(e), before = this.fingers.get(e.pointerId), { view } = this;
    if (!before) { this.pointAt(px, py); return; }
    if (this.fingers.size === 2) { this.pinch(e.pointerId, before, [px, py]); return; }
    this.moved ||= Math.hypot(px - this.start[0], py - this.start[1]) > 4;
    if (!this.moved) return;
    if (this.held) this.held.drag(px, py);
    else view.pan(px - before[0], py - before[1]);
    view.canvas.style.cursor = this.held?.cursor ?? "grabbing";
    this.fingers.set(e.pointerId, [px, py]);
  }

  /** Two fingers: what is between them stays there, and grows as they part. */
  pinch(id, before, now) {
    const other = [...this.fingers].find(([k]) => k !== id)[1];
    const far = (p) => Math.max(20, Math.hypot(p[0] - other[0], p[1] - other[1]));
    this.view.pan((now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
    this.view.zoom(far(now) / far(before), (now[0] + other[0]) / 2);
    this.fingers.set(id, now);
  }

  release(e, cancelled) {
    if (!this.fingers.delete(e.pointerId)) return;
    if (this.held) this.held.end?.();
    else if (!this.moved && !cancelled) this.click(...this.at(e), e.shiftKey);
    this.held = null;
    this.view.canvas.style.cursor = "";
  }

  /** Selects what is there: an event, the receipt of an arrow, a snapshot; or nothing. */
  click(px, py, second) {
    const { view } = this;
    let i = view.eventAt(px, py);
    const cut = i < 0 || py < view.geometry.top ? view.cutAt(px, py) : -1;
    if (cut >= 0) { view.setSnapshot(cut); return; }
    if (i < 0) i = view.arrowAt(px, py);
    if (i < 0) { view.select(-1); return; }
    view.setCursor(i);
    if (second && view.selected >= 0) view.select(view.selected, i);
    else view.select(i);
  }

  /** Says what lies under the pointer, once a frame. */
  pointAt(px, py) {
    this.point = [px, py];
    this.pending ||= requestAnimationFrame(() => {
      this.pending = 0;
      if (!this.point) return;
      const { view } = this, [x, y] = this.point;
      let layer = null;
      for (const l of view.layers) layer ??= l.hit?.(x, y) ?? null;
      const i = layer ? -1 : view.eventAt(x, y);
      view.setHover(i);
      view.canvas.style.cursor = layer?.cursor ?? (i >= 0 || view.cutAt(x, y) >= 0 ? "pointer" : "");
      this.tip.show(x, y, layer ? null : this.whatIsAt(x, y, i));
    });
  }

  /** The lines of the tooltip: the first is its title; null: nothing is there. */
  whatIsAt(x, y, i) {
    const { view } = this, { run } = view;
    if (i >= 0) return eventLines(run, i);
    if (x < view.geometry.left) {
      const lane = view.geometry.laneAt(y);
      return lane < 0 ? null : [shownName(run.laneName(lane), 200), `${grouped(run.ofNode(lane).length)} events`];
    }
    const arrow = view.arrowAt(x, y);
    if (arrow >= 0) return [arrowTitle(run, arrow), run.describe(run.peer[arrow]), run.describe(arrow)];
    const cut = view.cutAt(x, y);
    if (cut >= 0) return [`snapshot ${run.snapshots[cut].id}: ${run.snapshots[cut].verdict}`, "Click to see its cut and what crosses it."];
    return blockedLines(view, x, y);
  }

  leave() {
    this.point = null;
    this.view.setHover(-1);
    this.tip.hide();
  }

  /** Moves or zooms. @returns {boolean} whether there was anything to move */
  wheel(e) {
    const { view } = this, g = view.geometry, [px, py] = this.at(e);
    const unit = e.deltaMode === 1 ? 16 : e.deltaMode === 2 ? g.plotHeight : 1;
    const dx = e.deltaX * unit, dy = e.deltaY * unit;
    this.tip.hide();
    if (e.ctrlKey || e.metaKey) {
      if (e.shiftKey) view.zoomRows(Math.exp(-(dy || dx) * 0.004), py);
      else view.zoom(Math.exp(-Math.max(-120, Math.min(120, dy)) * 0.006), px);
      return true;
    }
    if (e.altKey) { view.zoomRows(Math.exp(-(dy || dx) * 0.004), py); return true; }
    const { from, scroll } = g;
    if (e.shiftKey || !g.overflows) view.pan(-(dx || dy), 0);
    else view.pan(-dx, -dy);
    return g.from !== from || g.scroll !== scroll; // else the page may scroll
  }
}

/** A small box beside the pointer. Names are set as text, never as HTML. */
class Tip {
  constructor(view) {
    this.view = view;
    this.box = document.createElement("div");
    this.box.className = "tip";
    this.box.hidden = true;
    view.host.append(this.box);
  }

  show(px, py, lines) {
    if (!lines) { this.hide(); return; }
    this.box.replaceChildren(...lines.map((line, k) => {
      const p = document.createElement(k === 0 ? "strong" : "p");
      p.dir = "auto";
      p.textContent = line.length > 300 ? line.slice(0, 299) + "…" : line;
      return p;
    }));
    this.box.hidden = false;
    const { scale, geometry: { width, height } } = this.view;
    const w = this.box.offsetWidth / scale, h = this.box.offsetHeight / scale;
    this.box.style.left = `${scale * (px + 18 + w > width ? Math.max(0, px - w - 14) : px + 18)}px`;
    this.box.style.top = `${scale * (py + 20 + h > height ? Math.max(0, py - h - 14) : py + 20)}px`;
  }

  hide() { this.box.hidden = true; }
}

/** What there is to say of an event: its kind and time, and a sentence. */
function eventLines(run, i) {
  const lines = [`${KINDS[run.kind[i]]} · ${shownName(run.laneName(run.node[i]))} · ${timeText(run, run.at[i])}`, run.describe(i)];
  if (kindSpeaks(run.kind[i])) lines.push(`key ${run.key(i)}, value ${run.value(i)}`);
  return lines;
}

function arrowTitle(run, receipt) {
  const c = run.channel[receipt], what = ARROW_FAMILY[run.kind[run.peer[receipt]]];
  if (what === "control") return `control message ${run.word(receipt)}`;
  const name = what === "marker" ? `${run.marker} of snapshot ${run.snapshot[receipt]}` : what === "end" ? "end of the stream" : `message ${run.number[receipt]}`;
  const { from, to } = run.channels[c];
  return `${name}, ${shownName(run.laneName(from))} → ${shownName(run.laneName(to))}`;
}

/** The blocked channel whose bar is at a point. */
function blockedLines(view, px, py) {
  const { run, scene } = view;
  if (!scene || !view.show.markers || scene.g.rowHeight < 9) return null;
  const lane = view.geometry.laneAt(py);
  for (const s of run.blocked) {
    if (run.channels[s.channel].to !== lane) continue;
    const xs = spanX(scene, s.from, s.to), t = blockedTrack(scene, s.channel);
    if (!xs || px < xs[0] || px > xs[1] || py < t.y - 2 || py > t.y + t.h + 2) continue;
    const { from, to } = run.channels[s.channel];
    const lines = [`blocked: ${shownName(run.laneName(from))} → ${shownName(run.laneName(to))}`, `for snapshot ${s.snapshot}`];
    if (s.from >= 0 && s.to >= 0) lines.push(`${timeText(run, run.at[s.from])} to ${timeText(run, run.at[s.to])}`);
    return lines;
  }
  return null;
}

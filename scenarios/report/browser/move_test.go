package browser_test

import (
	"math"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// window is what of the horizontal scale is seen: its first unit, and how many units a
// pixel of the window has.
type window struct{ From, Per float64 }

func (r reader) window() window {
	r.t.Helper()
	return see[window](r, `({From: V.geometry.from, Per: V.geometry.perPixel / V.scale})`)
}

// at is the unit at a place in the window.
func (w window) at(p point, plot box) float64 { return w.From + (p.X-plot.X)*w.Per }

// about says whether two numbers are the same but for what a pixel more or less makes.
func about(a, b, tolerance float64) bool { return math.Abs(a-b) <= math.Abs(tolerance) }

// TestPan: what is seen is moved with the mouse, the wheel, the keys and by two buttons,
// and what is drawn goes along.
func TestPan(t *testing.T) {
	r := read(t, scenario("wordcount-crash"))
	plot := r.plot()
	i := r.first(`R.kind[i] === K.Record`)
	pan := func(what string, do func(), px float64) {
		t.Helper()
		before, place, seen := r.window(), r.place(i), r.picture()
		do()
		after, now := r.window(), r.place(i)
		if after.Per != before.Per || !about(after.From-before.From, -px*before.Per, 2*before.Per) {
			t.Errorf("%s: from %v to %v, which is not %g px", what, before, after, px)
		}
		if !about(now.X-place.X, px, 2) {
			t.Errorf("%s: an event went %g px, and not %g", what, now.X-place.X, px)
		}
		r.move(point{2, 2})
		if d := differing(seen, r.picture(), plot); d < 2000 {
			t.Errorf("%s: %d pixels have changed", what, d)
		}
	}
	from := plot.at(0.6, 0.97)
	pan("drag", func() { r.drag(from, from.plus(-150, 0)) }, -150)
	pan("drag back", func() { r.drag(from.plus(-150, 0), from) }, 150)
	pan("wheel", func() { r.wheel(plot.middle(), 90, 0, 0) }, -90)
	scale := see[float64](r, `V.scale`)
	pan("d", func() { r.press("d") }, -120*scale)
	pan("a", func() { r.press("a") }, 120*scale)
	pan("alt and an arrow", func() { r.press(kb.ArrowRight, chromedp.ModifierAlt) }, -120*scale)
}

// TestPanVertically: where there are more lanes than fit, they can be scrolled.
func TestPanVertically(t *testing.T) {
	r := read(t, source(t, `
graph: {generate: ring, nodes: 60}
app: {kind: bank, transfers: 4, every: 2ms}
snapshots: {at: [5ms]}
`))
	scroll := func() float64 { return see[float64](r, `V.geometry.scroll`) }
	if !see[bool](r, `V.geometry.overflows`) {
		t.Fatal("60 lanes fit into the window")
	}
	r.press("s")
	down := scroll()
	r.wheel(r.plot().middle(), 0, 200, 0)
	further := scroll()
	r.press("w")
	if back := scroll(); !(0 < down && down < further && back < further) {
		t.Errorf("scrolled to %g, %g and back to %g", down, further, back)
	}
	r.run(`V.setCursor(R.ofNode(59)[0])`)
	if p, plot := r.place(see[int](r, `R.ofNode(59)[0]`)), r.plot(); p.Y < plot.Y || p.Y > plot.Y+plot.Height {
		t.Errorf("the cursor is at %v, out of sight of %v", p, plot)
	}
}

// TestZoom: the wheel with Ctrl, a double click, keys and buttons zoom, about the place
// where the mouse is.
func TestZoom(t *testing.T) {
	r := read(t, scenario("wordcount-crash"))
	plot := r.plot()
	p := plot.at(0.3, 0.97)
	zoom := func(what string, closer bool, do func()) {
		t.Helper()
		before := r.window()
		do()
		after := r.window()
		if (after.Per < before.Per*0.95) != closer || (after.Per > before.Per*1.05) == closer {
			t.Errorf("%s: from %v to %v", what, before, after)
		}
	}
	unit := r.window().at(p, plot)
	zoom("wheel", true, func() { r.wheel(p, 0, -120, chromedp.ModifierCtrl) })
	if w := r.window(); !about(w.at(p, plot), unit, 2*w.Per) {
		t.Errorf("what was under the mouse, %g, is now %g", unit, w.at(p, plot))
	}
	zoom("wheel back", false, func() { r.wheel(p, 0, 120, chromedp.ModifierCtrl) })
	zoom("+", true, func() { r.press("+") })
	zoom("-", false, func() { r.press("-") })
	zoom("the button +", true, func() { r.clickLabel("Zoom in (+)") })
	zoom("the button -", false, func() { r.clickLabel("Zoom out (-)") })
	zoom("a double click", true, func() {
		r.do(chromedp.MouseClickXY(p.X, p.Y), chromedp.MouseClickXY(p.X, p.Y, chromedp.ClickCount(2)))
		r.settle()
	})
	r.press("0")
	if w := see[[]float64](r, `[V.geometry.xOf?.(0) ?? V.x(0), V.x(R.n - 1), V.geometry.left, V.geometry.width]`); w[0] < w[2] || w[1] > w[3] {
		t.Errorf("the whole run goes from x %g to %g of a plot from %g to %g", w[0], w[1], w[2], w[3])
	}
}

// TestMinimap: the strip with the whole run moves and resizes what is seen, and shows it.
func TestMinimap(t *testing.T) {
	r := read(t, scenario("wordcount-crash"))
	r.run(`const [a, b] = V.geometry.extent; V.setWindow(a + (b - a) * 0.4, a + (b - a) * 0.6)`)
	strip, left := r.box(".minimap canvas"), see[float64](r, `V.geometry.left * V.scale`)
	strip.X, strip.Width = strip.X+left, strip.Width-left
	part := func() [2]float64 {
		p := see[[]float64](r, `(([a, b], g) => [(g.from - a) / (b - a), (g.from + g.plotWidth * g.perPixel - a) / (b - a)])(V.geometry.extent, V.geometry)`)
		return [2]float64{p[0], p[1]}
	}
	want := func(what string, from, to float64) {
		t.Helper()
		if p := part(); !about(p[0], from, 0.02) || !about(p[1], to, 0.02) {
			t.Errorf("%s: %.3f to %.3f of the run are seen, not %.3f to %.3f", what, p[0], p[1], from, to)
		}
	}
	before := r.picture()
	r.drag(strip.at(0.5, 0.5), strip.at(0.7, 0.5))
	want("the brush is moved", 0.6, 0.8)
	if d := differing(before, r.picture(), strip); d < 500 {
		t.Errorf("the brush has moved, and %d pixels of the strip have changed", d)
	}
	r.drag(strip.at(0.8, 0.5), strip.at(0.9, 0.5))
	want("its right edge is moved", 0.6, 0.9)
	r.drag(strip.at(0.6, 0.5), strip.at(0.5, 0.5))
	want("its left edge is moved", 0.5, 0.9)
	r.drag(strip.at(0.1, 0.5), strip.at(0.3, 0.5))
	want("a new one is drawn", 0.1, 0.3)
	r.clickAt(strip.at(0.6, 0.5))
	want("a click beside it", 0.5, 0.7)
}

// TestModes: time and logical order, by a key and two buttons. In logical order every
// event takes as much room as every other, and the axis says so.
func TestModes(t *testing.T) {
	r := read(t, scenario("in-transit"))
	even := func() bool {
		return see[bool](r, `(g => { for (let i = 2; i < R.n; i++) if (Math.abs((V.x(i) - V.x(i - 1)) - (V.x(1) - V.x(0))) > 0.01) return false; return true; })()`)
	}
	timed := r.picture()
	if see[string](r, `V.mode`) != "time" || even() {
		t.Error("a report does not begin in virtual time")
	}
	r.press("t")
	if see[string](r, `V.mode`) != "order" || !even() {
		t.Error("t does not change to logical order")
	}
	if d := differing(timed, r.picture(), r.plot()); d < 1000 {
		t.Errorf("%d pixels have changed", d)
	}
	for _, mode := range []string{"time", "order"} {
		r.click(`[aria-label="Horizontally"] button:nth-of-type(` + map[string]string{"time": "1", "order": "2"}[mode] + `)`)
		pressed := eval[string](r.tab, `document.querySelector('[aria-label="Horizontally"] [aria-pressed="true"]').textContent`)
		if got := see[string](r, `V.mode`); got != mode || pressed != mode {
			t.Errorf("the button %s: mode %s, and the button %s is pressed", mode, got, pressed)
		}
	}
}

package browser_test

import (
	"math"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestCutLine: the cut of the chosen snapshot goes through the recordings of all nodes,
// and another one is chosen by a click on its name.
func TestCutLine(t *testing.T) {
	r := read(t, scenario("ring-both"))
	r.run(`V.whole(); V.setSnapshot(0)`)
	r.run(`const c = R.snapshots[0].cut; V.setWindow(R.at[Math.min(...c)] - 4e6, R.at[Math.max(...c)] + 4e6)`)
	r.move(point{2, 2})
	cut := see[[]int](r, `Array.from(R.snapshots[0].cut)`)
	shown := r.picture()
	is := near(r.color("cut"))
	for v, i := range cut {
		p := r.place(i)
		if n := shown.count(box{p.X - 7, p.Y - 7, 14, 14}, is); n < 40 {
			t.Errorf("node %d: %d pixels of the recording", v, n)
		}
		// Over and under the square, the line.
		if n := shown.count(box{p.X - 30, p.Y + 14, 60, 6}, is); n < 12 {
			t.Errorf("node %d: %d pixels of the cut line under its recording", v, n)
		}
	}
	second := see[int](r, `R.snapshots.findIndex((s, k) => k > 0 && s.verdict === "holds")`)
	r.run(`const c = R.snapshots[%d].cut; V.setWindow(R.at[Math.min(...c)] - 4e6, R.at[Math.max(...c)] + 4e6)`, second)
	name := see[[]float64](r, `V.scene.nameBoxes.find(b => b[4] === %d)`, second)
	r.clickAt(r.on(name[0]+name[2]/2, name[1]+name[3]/2))
	if got := see[int](r, `V.snapshot`); got != second {
		t.Errorf("snapshot %d is chosen, not %d", got, second)
	}
	r.says("#section-snapshot", "complete at")
	r.run(`V.setShow("cuts", false); V.setShow("markers", false)`)
	p := r.place(see[int](r, `R.snapshots[%d].cut[0]`, second))
	if n := r.picture().count(box{p.X - 30, p.Y + 14, 60, 6}, is); n > 0 {
		t.Errorf("cuts are hidden, and %d pixels of one are seen", n)
	}
}

// TestInFlight: what a snapshot recorded in flight is highlighted, and said in the panel.
func TestInFlight(t *testing.T) {
	r := read(t, scenario("in-transit"))
	r.move(point{2, 2})
	green := near(r.color("in-flight"))
	if n := r.picture().count(r.plot(), green); n < 300 {
		t.Errorf("%d pixels of a message in flight", n)
	}
	// In the middle of its arrow it is thick.
	send := r.first(`R.kind[i] === K.Send && R.channels[R.channel[i]].from === 1 && R.number[i] === 1`)
	a, b := r.place(send), r.place(see[int](r, `R.peer[%d]`, send))
	m := point{a.X + (b.X-a.X)*0.3, a.Y + (b.Y-a.Y)*0.3}
	if n := r.picture().count(box{m.X - 4, m.Y - 4, 8, 8}, green); n < 15 {
		t.Errorf("%d pixels in the middle of the message", n)
	}
	r.says("#section-snapshot", "1 message stored")
	r.run(`V.setSnapshot(-1)`)
	if n := r.picture().count(r.plot(), green); n > 0 {
		t.Errorf("no snapshot is chosen, and %d pixels are of a message in flight", n)
	}
}

// TestAlarm: an orphan and a missing message have the colour of alarm, and their pair is
// named, in the picture and in the panel.
func TestAlarm(t *testing.T) {
	for _, c := range []struct {
		args               []string
		picture, invariant string
	}{
		{[]string{scenario("wordcount-crash"), "--algorithm", "no-blocking"}, "orphan: message 6 of source-0→count-0", "consistent-cut"},
		{[]string{scenario("lost-message")}, "missing: message", "channel-state"},
	} {
		r := read(t, c.args...)
		r.run(`V.setSnapshot(R.snapshots.findIndex(s => s.verdict === "violated"))`)
		r.run(`const c = R.snapshots[V.snapshot].cut; V.setWindow(0, R.at[Math.max(...c)] + 9e6)`)
		r.move(point{2, 2})
		alarm := near(r.color("alarm"))
		if n := r.picture().count(r.plot(), alarm); n < 1000 {
			t.Errorf("%s: %d pixels of alarm", c.picture, n)
		}
		// The message itself: an orphan's arrow, or where one that never came was going.
		v := see[span](r, `(v => ({Lane: v.channel, From: v.numbers?.[0] ?? 0, To: v.event}))(R.violations.find(v => v.invariant === %q))`, c.invariant)
		send := r.first(`R.kind[i] === K.Send && R.channel[i] === %d && R.number[i] === %d`, v.Lane, v.From)
		from, to := r.place(send), r.place(v.To)
		if receipt := see[int](r, `R.peer[%d]`, send); receipt < 0 {
			down := r.on(0, see[float64](r, `V.y(R.channels[%d].to)`, v.Lane)).Y - from.Y
			to = from.plus(min(60, math.Abs(down)*0.35), down*0.55)
		}
		part := point{from.X + (to.X-from.X)*0.2, from.Y + (to.Y-from.Y)*0.2}
		if n := r.picture().count(box{part.X - 6, part.Y - 6, 12, 12}, alarm); n < 8 {
			t.Errorf("%s: its arrow has %d pixels of alarm", c.picture, n)
		}
		if svg := see[string](r, `S.output.svgOf(V)`); !strings.Contains(svg, c.picture) {
			t.Errorf("the picture does not say %q", c.picture)
		}
		detail := see[string](r, `R.violations.find(v => v.invariant === %q).detail`, c.invariant)
		r.says("#section-violations", detail)
		r.run(`V.setSnapshot(-1); V.setShow("cuts", false); R.violations.length = 0`)
		if n := r.picture().count(r.plot(), alarm); n > 0 {
			t.Errorf("%s: nothing is violated, and %d pixels are of alarm", c.picture, n)
		}
	}
}

// handle is where the handle of a lane is.
func (r reader) handle(lane int) point {
	r.t.Helper()
	at := see[point](r, `(([, x, y]) => ({X: x, Y: y}))(S.app.cutLayers[0].places().find(([v]) => v === %d))`, lane)
	return r.on(at.X, at.Y)
}

// TestDraggedCut: a cut is dragged by a handle. While it is dragged the page says whether
// it is consistent, and if not which message forbids it.
func TestDraggedCut(t *testing.T) {
	r := read(t, scenario("in-transit"))
	r.run(`V.setSnapshot(-1)`)
	r.press("k")
	r.run(`S.cut[0].set(Int32Array.of(-1, -1), "nothing")`)
	says := func(what, want string) {
		t.Helper()
		r.says("#section-cut", want)
	}
	says("nothing is inside", "Consistent: every message processed inside was sent inside; nothing is in flight.")
	// P2's part to behind its receipt of message 1, which P1 has not sent yet.
	receipt := r.first(`R.kind[i] === K.Process && R.node[i] === 1 && R.number[i] === 1`)
	from, to := r.handle(1), r.place(receipt).plus(6, 0)
	alarm, cut := near(r.color("alarm")), near(r.color("cut"))
	if n := r.picture().count(r.plot(), alarm); n > 0 {
		t.Errorf("%d pixels of alarm for a consistent cut", n)
	}
	r.hold(from, to)
	says("while it is dragged", "Not consistent: message 1 of P1->P2#0 is an orphan: P2 processes it in front of its cut")
	if n := r.picture().count(r.plot(), alarm); n < 300 {
		t.Errorf("%d pixels of alarm while the cut is not consistent", n)
	}
	ring := r.handle(1)
	around := box{ring.X - 9, ring.Y - 9, 18, 18}
	if shown := r.picture(); shown.count(around, alarm) < 30 || shown.count(around, cut) > 5 {
		t.Errorf("the handle has %d pixels of alarm and %d of a cut that is consistent", shown.count(around, alarm), shown.count(around, cut))
	}
	r.release(to)
	if got := see[int](r, `S.cut[0].cut[1]`); got < receipt {
		t.Errorf("P2's part ends at event %d, in front of %d", got, receipt)
	}
	// And P1's behind the sending.
	send := see[int](r, `R.peer[%d]`, receipt)
	r.drag(r.handle(0), r.place(send).plus(12, 0))
	says("both", "Consistent: every message processed inside was sent inside")
	if n := r.picture().count(r.plot(), alarm); n > 0 {
		t.Errorf("%d pixels of alarm for a consistent cut", n)
	}
	if n := r.picture().count(r.plot(), cut); n < 100 {
		t.Errorf("%d pixels of the cut", n)
	}
	flying := see[int](r, `S.cut[0].verdict.flying`)
	if want := see[int](r, `(c => { let n = 0; for (let i = 0; i < R.n; i++) if (R.kind[i] === K.Send && i <= c[R.node[i]] && !R.receives(i).some(j => j <= c[R.node[j]])) n++; return n; })(S.cut[0].cut)`); flying != want {
		t.Errorf("%d messages are in flight, by counting %d", flying, want)
	}
	r.press("k")
	if see[bool](r, `S.cut[0].cut !== null`) {
		t.Error("k does not take the cut away")
	}
}

// TestCutByKeys: the same with the keys alone; and a cut that is not consistent is grown
// or shrunk until it is.
func TestCutByKeys(t *testing.T) {
	r := read(t, scenario("in-transit"))
	r.run(`V.setSnapshot(0)`)
	r.press("k")
	before := see[[]int](r, `Array.from(S.cut[0].cut)`)
	if want := see[[]int](r, `Array.from(R.snapshots[0].cut)`); before[0] != want[0] || before[1] != want[1] {
		t.Errorf("the cut to drag begins as %v, that of the snapshot is %v", before, want)
	}
	r.press(kb.ArrowDown + kb.ArrowUp + kb.ArrowUp) // the whole line, and back to the first handle
	r.press(kb.ArrowDown)
	r.press(kb.ArrowRight)
	if got := see[[]int](r, `Array.from(S.cut[0].cut)`); got[0] != see[int](r, `R.next(%d)`, before[0]) || got[1] != before[1] {
		t.Errorf("one to the right: from %v to %v", before, got)
	}
	r.run(`S.cut[0].set(Int32Array.of(-1, R.n - 1), "all of P2, nothing of P1"); S.app.use(0)`)
	r.says("#section-cut", "Not consistent")
	r.click(`[data-focus="shrink"]`)
	r.says("#section-cut", "the largest consistent cut within it")
	if see[bool](r, `!S.cut[0].verdict.consistent || S.cut[0].cut[0] !== -1`) {
		t.Error("the shrunk cut is not consistent, or larger")
	}
	r.run(`S.cut[0].set(Int32Array.of(-1, R.ofNode(1).at(-1)), "all of P2, nothing of P1")`)
	r.click(`[data-focus="grow"]`)
	r.says("#section-cut", "the smallest consistent cut that contains it")
	if see[bool](r, `!S.cut[0].verdict.consistent || S.cut[0].cut[1] !== R.ofNode(1).at(-1)`) {
		t.Error("the grown cut is not consistent, or smaller")
	}
	r.press(kb.Escape)
	r.press(kb.Home)
	r.press(kb.ArrowRight)
	if got := r.cursor(); got != 1 {
		t.Errorf("after Escape the keys do not move the cursor: it is at %d", got)
	}
}

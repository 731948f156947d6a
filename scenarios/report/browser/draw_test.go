package browser_test

import (
	"strings"
	"testing"
)

// shape is which pixels of a square around an event are not background: what somebody
// sees of it who sees no colours.
func (r reader) shape(i int, half float64) map[point]bool {
	r.t.Helper()
	p, shown := r.place(i), r.picture()
	ground := r.color("ground")
	dark := map[point]bool{}
	for y := -half; y <= half; y++ {
		for x := -half; x <= half; x++ {
			if distance(shown.at(p.plus(x, y)), ground) > 150 {
				dark[point{x, y}] = true
			}
		}
	}
	return dark
}

// unlike is how many pixels only one of two shapes has.
func unlike(a, b map[point]bool) (n int) {
	for p := range a {
		if !b[p] {
			n++
		}
	}
	for p := range b {
		if !a[p] {
			n++
		}
	}
	return n
}

// TestShapes: markers and barriers are told apart from records by their shape, and by
// their colour, too.
func TestShapes(t *testing.T) {
	for _, c := range []struct{ file, algorithm string }{{"in-transit", "chandy-lamport"}, {"even-odd-sums", "abs"}} {
		t.Run(c.algorithm, func(t *testing.T) {
			r := read(t, scenario(c.file), "--algorithm", c.algorithm)
			r.run(`V.setMode("order"); V.setWindow(0, 60)`)
			r.run(`V.setSnapshot(-1); for (const f of ["cuts", "control"]) V.setShow(f, false)`)
			record := r.first(`i > 3 && R.kind[i] === K.Process`)
			r.lookAt(record, 12)
			shape, mark := r.shape(record, 9), r.drawn(record, 9, "marker")
			marker := r.first(`i > 3 && R.kind[i] === K.Marker`)
			r.lookAt(marker, 12)
			if d := unlike(shape, r.shape(marker, 9)); d < 40 {
				t.Errorf("a record and a marker differ in %d pixels only", d)
			}
			if n := r.drawn(marker, 9, "marker"); n < 40 || mark >= n/4 {
				t.Errorf("the marker has %d pixels of its colour, the record %d", n, mark)
			}
			if same := unlike(r.shape(marker, 9), r.shape(marker, 9)); same != 0 {
				t.Errorf("the same shape differs from itself in %d pixels", same)
			}
		})
	}
}

// barOf is how many pixels in a span of a lane have a colour, from one event to another,
// within so many px above and below.
func (r reader) barOf(name string, lane int, from, to float64, above, below float64) int {
	r.t.Helper()
	c, y := r.canvas(), see[float64](r, `V.y(%d)`, lane)
	plot := r.plot()
	x0, x1 := max(c.X+from, plot.X), min(c.X+to, plot.X+plot.Width)
	return r.picture().count(box{x0, c.Y + y - above, x1 - x0, above + below}, near(r.color(name)))
}

// span is a span of a run as a test reads it.
type span struct{ Lane, From, To int }

// TestBlocked: while a channel is blocked there is a bar under the lane of its receiver,
// and only then.
func TestBlocked(t *testing.T) {
	r := read(t, scenario("wordcount-crash"))
	r.run(`V.setSnapshot(-1); V.setShow("cuts", false); V.setMode("time")`)
	r.move(point{2, 2})
	// The first on its lane, so that no other bar lies in front of it.
	blocked := see[span](r, `(b => ({Lane: R.channels[b.channel].to, From: b.from, To: b.to}))(
		R.blocked.find((b, k) => b.from >= 0 && b.to > b.from && R.at[b.to] > R.at[b.from] && !R.blocked.slice(0, k).some(c => R.channels[c.channel].to === R.channels[b.channel].to)))`)
	r.run(`V.setWindow(R.at[%d] - 3e6, R.at[%d] + 3e6); V.reveal(%[1]d)`, blocked.From, blocked.To)
	from, to := r.x(blocked.From), r.x(blocked.To)
	inside, before := r.barOf("blocked", blocked.Lane, from+2, to-2, 0, 40), r.barOf("blocked", blocked.Lane, from-40, from-2, 0, 40)
	if inside < int(to-from) || before > 0 {
		t.Errorf("a channel blocked for %.0f px: %d pixels of the bar, %d in front of it", to-from, inside, before)
	}
	// Under the mouse it says which channel it is, where no arrow is nearer.
	shown, is := r.picture(), near(r.color("blocked"))
	y := see[float64](r, `V.y(%d)`, blocked.Lane)
	for x := from + 6; x < to-6 && !strings.Contains(r.text(".tip"), "blocked: "); x += (to - from) / 12 {
		for below := 4.0; below < 40; below++ {
			if p := r.on(x, y+below); is(shown.at(p)) && is(shown.at(p.plus(0, 2))) {
				r.move(p.plus(0, 1))
				break
			}
		}
	}
	r.says(".tip", "blocked: ")
	r.says(".tip", "for snapshot")
	r.move(point{2, 2})
	r.run(`V.setShow("markers", false)`)
	if n := r.barOf("blocked", blocked.Lane, from+2, to-2, 0, 40); n != 0 {
		t.Errorf("what belongs to markers is hidden, and %d pixels of the bar are not", n)
	}
}

// TestDown: a node that has crashed is hatched until its restore, and its crash is a cross.
func TestDown(t *testing.T) {
	r := read(t, scenario("wordcount-crash"))
	r.run(`V.setSnapshot(-1); V.setShow("cuts", false); V.setMode("time")`)
	r.move(point{2, 2})
	down := see[span](r, `(d => ({Lane: d.node, From: d.from, To: d.to}))(R.down[0])`)
	r.run(`V.setWindow(R.at[%d] - 3e6, R.at[%d] + 3e6); V.reveal(%[1]d)`, down.From, down.To)
	from, to := r.x(down.From), r.x(down.To)
	hatched := r.barOf("down", down.Lane, from+12, to-12, 12, 12)
	if hatched < int(to-from) {
		t.Errorf("a node is down for %.0f px, with %d pixels of hatching", to-from, hatched)
	}
	if n := r.barOf("down", down.Lane, from-60, from-12, 12, 12); n > 0 {
		t.Errorf("%d pixels of hatching before the crash", n)
	}
	if n := r.drawn(down.From, 8, "crash"); n < 30 {
		t.Errorf("%d pixels of a cross at the crash", n)
	}
	if n := r.drawn(down.To, 8, "restored"); n < 30 {
		t.Errorf("%d pixels of a sign at the restore", n)
	}
}

// TestUndone: the work that a rollback took back lies on grey ground and is grey itself.
func TestUndone(t *testing.T) {
	r := read(t, scenario("wordcount-crash"))
	r.run(`V.setSnapshot(-1); V.setShow("cuts", false)`)
	undone := r.first(`R.kind[i] === K.Process && R.undone[i] === 0`)
	kept := r.first(`R.kind[i] === K.Process && R.undone[i] < 0`)
	for _, c := range []struct {
		event  int
		undone bool
	}{{undone, true}, {kept, false}} {
		r.lookAt(c.event, 15)
		if n := r.drawn(c.event, 20, "undone-ground"); (n > 50) != c.undone {
			t.Errorf("event %d, undone %t, has %d pixels of grey ground", c.event, c.undone, n)
		}
		if n := r.drawn(c.event, 4, "step"); (n == 0) != c.undone {
			t.Errorf("event %d, undone %t, has %d pixels of the colour of a step", c.event, c.undone, n)
		}
	}
}

// TestBusy: a node that serves an input has a box on its lane in virtual time, and none in
// logical order, in which no time passes.
func TestBusy(t *testing.T) {
	r := read(t, source(t, `
algorithm: chandy-lamport
graph: {nodes: [a, b], channels: [[a, b], [b, a]]}
app: {kind: bank, transfers: 10, every: 5ms}
network: {delay: {constant: 2ms}}
service: {constant: 1ms}
snapshots: {at: [20ms], initiators: [a]}
stop: {at: 60ms}
`))
	r.move(point{2, 2})
	r.run(`V.setMode("time"); V.setWindow(0, 20e6)`)
	busy := see[[]float64](r, `[R.busy.node[0], V.xOfTime(R.busy.from[0]), V.xOfTime(R.busy.until[0])]`)
	if n := r.barOf("busy", int(busy[0]), busy[1]+10, busy[2]-2, 5, 5); n < int(busy[2]-busy[1])/2 {
		t.Errorf("a node is busy for %.0f px, and %d pixels show it", busy[2]-busy[1], n)
	}
	r.run(`V.setMode("order")`)
	plot := r.plot()
	if n := r.picture().count(plot, near(r.color("busy"))); n > 50 {
		t.Errorf("in logical order %d pixels show that somebody is busy", n)
	}
}

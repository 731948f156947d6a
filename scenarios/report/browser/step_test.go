package browser_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
)

// TestSteps: the cursor goes from event to event, on its lane, to other lanes and to the
// ends, with keys and buttons; it is drawn, and the page says what is there.
func TestSteps(t *testing.T) {
	r := read(t, scenario("in-transit"))
	at := func(what string, want int) {
		t.Helper()
		if got := r.cursor(); got != want {
			t.Errorf("%s: the cursor is at %d, not at %d", what, got, want)
		}
	}
	last := see[int](r, `R.n - 1`)
	r.press(kb.Home)
	at("Home", 0)
	r.press(kb.ArrowRight + kb.ArrowRight)
	at("two to the right", 2)
	r.press(kb.ArrowLeft)
	at("one to the left", 1)
	r.press(kb.ArrowRight, 8)
	at("to the right on the lane", see[int](r, `R.next(1)`))
	r.press(kb.ArrowLeft, 8)
	at("to the left on the lane", 1)
	lane := see[int](r, `R.node[1]`)
	r.press(map[int]string{0: kb.ArrowDown, 1: kb.ArrowUp}[lane])
	if got := see[int](r, `R.node[V.cursor]`); got == lane {
		t.Error("the cursor did not go to the other lane")
	}
	r.press(kb.End)
	at("End", last)
	r.press(kb.ArrowRight)
	at("there is nothing behind the end", last)
	r.clickLabel("Previous event (←)")
	at("the button to the left", last-1)
	r.clickLabel("Next event (→)")
	at("the button to the right", last)

	r.run(`V.setCursor(10)`)
	sentence := see[string](r, `R.describe(10)`)
	r.says("#panel", sentence)
	r.says("#status", sentence)
	p := r.place(10)
	ink := like(r.color("cursor"), r.color("ground"))
	if n := r.picture().count(box{p.X - 2, p.Y - 100, 4, 80}, ink); n < 70 {
		t.Errorf("%d pixels of the cursor's line", n)
	}
}

// TestScrubber: the slider moves the cursor over the whole run, by mouse and by keys, and
// follows it.
func TestScrubber(t *testing.T) {
	r := read(t, scenario("wordcount-crash"))
	n := see[int](r, `R.n`)
	slider := r.box(".scrubber input")
	r.clickAt(slider.at(0.75, 0.5))
	if got := r.cursor(); !about(float64(got), 0.75*float64(n), 0.02*float64(n)) {
		t.Errorf("three quarters along: event %d of %d", got, n)
	}
	was := r.cursor()
	r.press(kb.ArrowLeft)
	if got := r.cursor(); got != was-1 {
		t.Errorf("a key on the slider: from event %d to %d", was, got)
	}
	r.drag(slider.at(0.75, 0.5), slider.at(0.25, 0.5))
	if got := r.cursor(); !about(float64(got), 0.25*float64(n), 0.02*float64(n)) {
		t.Errorf("drawn to a quarter: event %d of %d", got, n)
	}
	r.run(`V.setCursor(100)`)
	if got := eval[string](r.tab, `document.querySelector(".scrubber input").value`); got != "100" {
		t.Errorf("the cursor is at event 100, and the slider at %s", got)
	}
	if got, want := r.text(".scrubber output"), fmt.Sprintf("101 / %s", see[string](r, `R.total.toLocaleString("en")`)); len(got) < len(want) || got[:len(want)] != want {
		t.Errorf("it says %q, not %q", got, want)
	}
}

// TestPlay: the run is played event by event, with what comes later veiled, and stops.
func TestPlay(t *testing.T) {
	r := read(t, scenario("ring-both"))
	r.run(`V.setMode("order"); V.setWindow(0, 200); V.setCursor(0)`)
	plot := r.plot()
	plot.X, plot.Width = plot.X+plot.Width/2, plot.Width/2
	step := near(r.color("step"))
	before := r.picture().count(plot, step)
	r.run(`S.controls.player.speed = 20`)
	r.press(" ")
	r.await(`simrun.views[0].cursor >= 3`)
	r.run(`S.controls.player.speed = 0.001`) // so that it is still there when the picture is taken
	if at := r.cursor(); at > 90 {
		t.Fatalf("within a moment it has come to event %d", at)
	}
	if veiled := r.picture().count(plot, step); veiled*5 > before {
		t.Errorf("%d of %d pixels of what has not happened yet are seen", veiled, before)
	}
	if pressed := eval[string](r.tab, `document.querySelector('[aria-label^="Play"] [aria-pressed]').getAttribute("aria-pressed")`); pressed != "true" {
		t.Errorf("the button is not pressed while the run is played: %s", pressed)
	}
	r.press(" ")
	if after := r.picture().count(plot, step); after != before {
		t.Errorf("it was stopped, and %d of %d pixels are seen", after, before)
	}
	r.run(`S.controls.player.speed = 1000`)
	stopped := r.cursor()
	time.Sleep(100 * time.Millisecond)
	if got := r.cursor(); got != stopped {
		t.Errorf("it was stopped at %d, and has gone on to %d", stopped, got)
	}
	r.clickLabel("Play, and stop (space bar)")
	r.await(`simrun.views[0].cursor === simrun.runs[0].n - 1 && !simrun.controls.player.playing`)
}

// TestJumps: to the next snapshot, crash and violation, and back, with keys and buttons.
func TestJumps(t *testing.T) {
	r := read(t, scenario("wordcount-crash"))
	r.run(`V.setSnapshot(0)`)
	r.press("n")
	if got := see[[]int](r, `[V.snapshot, V.cursor, Math.min(...R.snapshots[1].cut.filter(i => i >= 0))]`); got[0] != 1 || got[1] != got[2] {
		t.Errorf("n: snapshot %d is chosen, and the cursor is at %d, not at %d", got[0], got[1], got[2])
	}
	r.says("#status", "snapshot 2: aborted")
	r.press("N")
	if got := see[int](r, `V.snapshot`); got != 0 {
		t.Errorf("N: snapshot %d is chosen", got)
	}
	r.press(kb.Home)
	r.press("c")
	crash := r.first(`R.kind[i] === K.Crash`)
	if got := r.cursor(); got != crash {
		t.Errorf("c: the cursor is at %d, and the crash is event %d", got, crash)
	}
	if p, plot := r.place(crash), r.plot(); p.X < plot.X || p.X > plot.X+plot.Width {
		t.Errorf("the crash is at %v, which is not in sight", p)
	}
	r.press("c")
	r.says("#status", "no further crash")
	r.press(kb.End)
	r.clickLabel("Previous crash (C)")
	if got := r.cursor(); got != crash {
		t.Errorf("back: the cursor is at %d, and the crash is event %d", got, crash)
	}
}

// TestJumpToViolation: to the event that broke the protocol, with its snapshot and why.
func TestJumpToViolation(t *testing.T) {
	r := read(t, scenario("wordcount-crash"), "--algorithm", "no-blocking")
	events := see[[]int](r, `[...new Set(R.violations.map(v => v.event).filter(i => i >= 0))].sort((a, b) => a - b)`)
	if len(events) < 2 {
		t.Fatalf("violations at %v", events)
	}
	r.press(kb.Home)
	for _, want := range events[:2] {
		r.press("v")
		if got := r.cursor(); got != want {
			t.Errorf("v: the cursor is at %d, not at %d", got, want)
		}
	}
	if n := r.drawn(events[1], 40, "alarm"); n < 100 {
		t.Errorf("%d pixels of alarm at the event of a violation", n)
	}
	r.clickLabel("Previous violation (V)")
	if got := r.cursor(); got != events[0] {
		t.Errorf("V: the cursor is at %d, not at %d", got, events[0])
	}
	about := see[string](r, `(v => v.invariant + ": " + v.detail)(R.violations.find(v => v.event === V.cursor))`)
	r.says("#status", about)
	r.says("#section-violations", see[string](r, `R.violations[0].detail`))
}

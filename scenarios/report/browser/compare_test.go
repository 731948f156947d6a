package browser_test

import (
	"fmt"
	"image/color"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// both opens the report of a scenario under both algorithms.
func both(t testing.TB) reader {
	t.Helper()
	return read(t, scenario("ring-both"), "--algorithms", "chandy-lamport,abs")
}

// TestLockedTime: the runs stand beside each other and show the same moment, whichever of
// them is moved; unlocked each goes its own way.
func TestLockedTime(t *testing.T) {
	r := both(t)
	if names := see[[]string](r, `S.runs.map(r => r.algorithm)`); len(names) != 2 || names[0] == names[1] {
		t.Fatalf("the runs are %q", names)
	}
	apart := func() float64 {
		return see[float64](r, `Math.abs(S.views[0].geometry.from - S.views[1].geometry.from) + Math.abs(S.views[0].geometry.perPixel * S.views[0].geometry.plotWidth - S.views[1].geometry.perPixel * S.views[1].geometry.plotWidth)`)
	}
	r.press("+")
	r.press("d")
	if d := apart(); d > 1 {
		t.Errorf("moved, the runs show times %g ns apart", d)
	}
	r.run(`S.views[1].setWindow(40e6, 90e6)`)
	if d := apart(); d > 1 {
		t.Errorf("the other one moved, they show times %g ns apart", d)
	}
	r.run(`S.views[0].setCursor(S.runs[0].firstAt(60e6))`)
	times := see[[]float64](r, `S.views.map((v, k) => S.runs[k].at[v.cursor])`)
	if d := times[0] - times[1]; d < 0 || d > 3e6 {
		t.Errorf("the cursors are at %v ns", times)
	}
	r.press("t")
	if modes := see[[]string](r, `S.views.map(v => v.mode)`); modes[0] != "order" || modes[1] != "order" {
		t.Errorf("the modes are %q", modes)
	}
	// In logical order the same event of the computation is the same moment.
	i := see[int](r, `(() => { const a = S.runs[0]; let i = 50; while (!a.isStep(i)) i++; S.views[0].setCursor(i); return i; })()`)
	same := see[bool](r, `(([a, b], j) => a.node[%[1]d] === b.node[j] && a.kind[%[1]d] === b.kind[j] && a.number[%[1]d] === b.number[j])(S.runs, S.views[1].cursor)`, i)
	if !same {
		t.Errorf("event %d of the one run is not the event of the other", i)
	}
	r.press("t")
	r.clickLabel("Move all runs together")
	before := see[float64](r, `S.views[1].geometry.from`)
	r.run(`S.controls.active = S.views[0]; S.views[0].pan(-200, 0)`)
	if after := see[float64](r, `S.views[1].geometry.from`); after != before {
		t.Error("unlocked, the one run still follows the other")
	}
	r.press(kb.Escape)
}

// TestPanelOfEither: the panel is about the run that is used.
func TestPanelOfEither(t *testing.T) {
	r := both(t)
	for k, name := range see[[]string](r, `S.runs.map(r => r.algorithm)`) {
		canvas := see[box](r, `(b => ({X: b.x, Y: b.y, Width: b.width, Height: b.height}))((S.views[%[1]d].canvas.scrollIntoView({block: "center"}), S.views[%[1]d].canvas).getBoundingClientRect())`, k)
		r.clickAt(canvas.at(0.7, 0.9))
		r.press(kb.ArrowRight)
		if got := see[int](r, `S.app.about().index`); got != k {
			t.Errorf("the panel is about run %d, and run %d is used", got, k)
		}
		r.says("#section-run", name)
	}
}

// TestComparison: the table has every measure of both algorithms, as simrun compare has.
func TestComparison(t *testing.T) {
	r := both(t)
	for _, name := range []string{"chandy-lamport", "abs"} {
		r.says("#comparison table", name)
	}
	rows := eval[int](r.tab, `document.querySelectorAll("#comparison tbody tr").length`)
	measures := see[int](r, `S.head.comparison.algorithms[0].summaries.length`)
	if rows < measures || measures < 10 {
		t.Errorf("%d rows for %d measures", rows, measures)
	}
	for _, measure := range []string{"snapshots completed", "latency median", "markers", "channel bytes", "state bytes", "blocked", "delay p99", "throughput lost", "records lost", "caught up", "duplicates"} {
		r.says("#comparison", measure)
	}
}

// TestSeries: a sweep over a parameter has its table, and plots that are pictures with
// something in them.
func TestSeries(t *testing.T) {
	r := read(t, scenario("ring-both"), "--algorithms", "chandy-lamport,abs", "--vary", "snapshots.every=20ms,30ms,60ms")
	r.says("#comparison", "snapshots.every")
	for _, value := range []string{"20ms", "30ms", "60ms"} {
		r.says("#comparison", value)
	}
	plots := eval[int](r.tab, `document.querySelectorAll("#comparison figure img").length`)
	if plots == 0 || plots != see[int](r, `S.head.plots.length`) {
		t.Fatalf("%d plots", plots)
	}
	for k := range plots {
		size := eval[[]float64](r.tab, fmt.Sprintf(`(i => i.decode().then(() => [i.naturalWidth, i.naturalHeight]))(document.querySelectorAll("#comparison figure img")[%d])`, k))
		if size[0] < 200 || size[1] < 100 {
			t.Errorf("plot %d is a picture of %v", k, size)
		}
	}
	figure := r.box("#comparison figure img")
	if n := r.picture().count(figure, func(c color.RGBA) bool { return distance(c, color.RGBA{255, 255, 255, 255}) > 250 }); n < 300 {
		t.Errorf("%d pixels of the first plot are dark", n)
	}
	if alt := eval[string](r.tab, `document.querySelector("#comparison figure img").alt`); alt == "" {
		t.Error("a plot has no text for those who do not see it")
	}
}

// TestReproducer: the report of a run that was kept is that of the run.
func TestReproducer(t *testing.T) {
	kept := filepath.Join(t.TempDir(), "kept.yaml")
	out := said(t, "run", scenario("wordcount-crash"), "--algorithm", "no-blocking", "--reproducer", kept)
	r := read(t, kept)
	if digest := see[string](r, `R.digest`); !strings.Contains(out, "digest: "+digest) {
		t.Errorf("the page is that of a run with the digest %s:\n%s", digest, out)
	}
	r.says("#top", "violated")
	r.says("#replay", "simrun")
}

// TestAlike: the lanes of runs beside each other are at the same height, and what changes
// in all of them gives the keys to none.
func TestAlike(t *testing.T) {
	r := both(t)
	for _, size := range [][2]int64{{1280, 800}, {1920, 1080}} {
		r.size(size[0], size[1])
		for lane := range see[int](r, `R.lanes`) {
			y := see[[]float64](r, `S.views.map(v => v.canvas.getBoundingClientRect().y + v.y(%d) * v.scale)`, lane)
			if !about(y[0], y[1], 1) {
				t.Errorf("at %d px lane %d is at %v", size[0], lane, y)
			}
		}
	}
	r.look(looks{dark: true})
	r.press("t")
	r.press("t")
	r.click(`#toolbar input[type=checkbox]`)
	if got := see[[]int](r, `[S.app.about().index, S.views.indexOf(S.controls.active)]`); got[0] != 0 || got[1] != 0 {
		t.Errorf("nobody has touched the second run, and the panel and the keys are those of %v", got)
	}
}

// TestStrip: the figures above each diagram are those of the comparison; of a snapshot that
// was given up nothing counts as stored.
func TestStrip(t *testing.T) {
	r := both(t)
	for k, want := range see[[]int](r, `S.head.comparison.algorithms.map(a => a.summaries.find(s => s.measure === "channel_messages").median)`) {
		got := see[int](r, `Number([...document.querySelectorAll(".strip")[%d].querySelectorAll("div")].find(d => d.firstChild.textContent === "stored messages").lastChild.textContent)`, k)
		if got != want || got == 0 {
			t.Errorf("run %d: %d messages stored, and %d in the comparison", k, got, want)
		}
	}
	if !see[bool](r, `S.runs.every(run => run.result.snapshots.some(s => s.verdict === "aborted" && s.channel_messages > 0))`) {
		t.Error("no snapshot was given up that had stored something")
	}
}

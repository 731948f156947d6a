package browser_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"simrun/scenarios"
	pages "simrun/scenarios/report"
)

// hostile is names that would do something, or turn the page around, if they were put into
// it as they are.
var hostile = []string{
	`</script><script>window.pwned = 1</script>`, `"><img src=x onerror="window.pwned = 2">`, `'--><svg/onload=window.pwned=3>`, `{{.Title}}${window.pwned=4}`,
	"`+(window.pwned=5)+`", "a\x00b\x01c\x1b[31md", "two\nlines\tand a tab", "\u202emirrored\u2066", "\u05e9\u05dc\u05d5\u05dd \u0639\u0631\u0628\u064a", "&amp;<b>bold</b>",
	"__proto__", "constructor", "line\u2028separator", "\ud7ff\U0001F600 \U0010FFFF", strings.Repeat("long name ", 1000), strings.Repeat("\u05d0", 10_000),
}

// hostilePage is a report in which every name is hostile, with a crash and a violation.
func hostilePage(t testing.TB) string {
	t.Helper()
	var nodes, channels []string
	for i := range hostile {
		nodes = append(nodes, fmt.Sprintf("n%d", i))
		channels = append(channels, fmt.Sprintf("[n%d, n%d]", i, (i+1)%len(hostile)))
	}
	text := fmt.Sprintf(`
algorithm: no-channel-state
graph: {nodes: [%s], channels: [%s]}
app: {kind: bank, transfers: 30, every: 2ms}
snapshots: {every: 12ms, initiators: [n0]}
faults: [{crash: [n1], at: 30ms}]
stop: {at: 60ms}
`, strings.Join(nodes, ", "), strings.Join(channels, ", "))
	s, err := scenarios.Parse(scenarios.Default(), "hostile.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := s.Resolve(scenarios.Default(), scenarios.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	plan.Graph.Nodes = hostile // of which a scenario file would refuse some
	run := pages.Of(plan, plan.Seed, pages.Options{})
	var page bytes.Buffer
	if err := pages.Write(&page, &pages.Page{Title: hostile[1], Tool: hostile[0], Replay: hostile[2], Runs: []pages.Run{run}}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "hostile.html")
	if err := os.WriteFile(path, page.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// everything opens every section of a page and presses every key that does something.
func (r reader) everything() {
	r.t.Helper()
	eval[bool](r.tab, `(document.querySelectorAll("details").forEach(d => { d.open = true; }), true)`)
	r.settle()
	for _, keys := range []string{kb.End, kb.Home, kb.ArrowRight, kb.ArrowDown, kb.ArrowUp, kb.ArrowLeft, kb.Enter, kb.ArrowRight, "m", "n", "N", "c", "C", "v", "V", "t", "+", "-", "0", "a", "d", "w", "s",
		"k", kb.ArrowRight, kb.ArrowDown, kb.ArrowRight, kb.Escape, "k", "l", "l", "l", "?", kb.Escape, kb.Escape, kb.ArrowRight} {
		r.press(keys)
	}
	r.press(kb.ArrowRight, 8)
	r.press(kb.ArrowLeft, 8)
	r.press(" ")
	r.press(" ")
	plot := r.plot()
	r.wheel(plot.middle(), 0, -120, 2)
	for _, y := range []float64{0.1, 0.4, 0.7} {
		r.move(plot.at(0.3, y))
		r.clickAt(plot.at(0.5, y))
	}
	r.move(r.on(20, 100)) // over a name
	wellFormed(r.t, []byte(see[string](r, `S.output.svgOf(V)`)))
}

// TestHostileNames: names are text wherever they stand. Nothing of them is executed or
// becomes a part of the page, and the page keeps its shape.
func TestHostileNames(t *testing.T) {
	path := hostilePage(t)
	r := readFile(t, path, "")
	r.run(`V.setSnapshot(0)`)
	r.everything()
	if eval[bool](r.tab, `"pwned" in window`) {
		t.Errorf("name %v was executed", eval[any](r.tab, `pwned`))
	}
	for _, selector := range []string{`img[src="x"]`, "b", "[onload]", "[onerror]", "title + title", "h1 + h1"} {
		if n := eval[int](r.tab, fmt.Sprintf(`document.querySelectorAll(%q).length`, selector)); n > 0 {
			t.Errorf("%d elements %s: a name has become a part of the page", n, selector)
		}
	}
	if got := eval[[]string](r.tab, `simrun.runs[0].nodes`); strings.Join(got, "|") != strings.Join(hostile, "|") {
		t.Errorf("the names are %.300q", got)
	}
	if w := eval[int](r.tab, `document.documentElement.scrollWidth`); w > 1280 {
		t.Errorf("the page is %d px wide", w)
	}
	// The picture as XML has what XML cannot have replaced, and the rest as text.
	r.run(`V.whole()`)
	wellFormed(t, []byte(see[string](r, `S.output.svgOf(V)`)), "</script>", "&amp;<b>")
	// A name from right to left turns nothing around but itself: what follows stands right of it.
	i := r.first(`R.node[i] === 8`)
	r.run(`V.setCursor(%d)`, i)
	order := eval[[]float64](r.tab, `(() => {
		const s = document.querySelector("#section-event .sentence, #panel .sentence");
		const at = (part) => { const w = document.createTreeWalker(s, NodeFilter.SHOW_TEXT); for (let n; (n = w.nextNode());) { const k = n.data.indexOf(part); if (k >= 0) { const g = document.createRange(); g.setStart(n, k); g.setEnd(n, k + part.length); return g.getBoundingClientRect().x; } } return -1; };
		return [s.getBoundingClientRect().x, at(", at ")];
	})()`)
	if order[1] <= order[0] {
		t.Errorf("behind a name from right to left the sentence goes on at x %g, and it begins at %g", order[1], order[0])
	}
}

// TestFew: a run without events, and a graph of one node.
func TestFew(t *testing.T) {
	for name, text := range map[string]string{
		"no event": "graph: {nodes: [a, b], channels: [[a, b], [b, a]]}\napp: {kind: bank, every: 1h}\nstop: {at: 1ns}\n",
		"one node": "graph: {nodes: [alone]}\napp: {kind: windows, records: 3, window: 10ms}\nalgorithm: abs\nsnapshots: {at: [4ms]}\n",
	} {
		t.Run(name, func(t *testing.T) {
			r := read(t, source(t, text))
			if n := see[int](r, `R.n`); (n == 0) != strings.Contains(name, "no event") {
				t.Fatalf("the run has %d events", n)
			}
			r.everything()
			r.says("#section-run", "holds")
		})
	}
}

// TestManyNodes: ten thousand nodes are shown, and the page can be used.
func TestManyNodes(t *testing.T) {
	r := read(t, source(t, "graph: {generate: ring, nodes: 10000}\napp: {kind: bank, transfers: 2}\nsnapshots: {at: [2ms]}\n"))
	if n := see[int](r, `R.lanes`); n != 10000 {
		t.Fatalf("%d lanes", n)
	}
	r.press(kb.End)
	last := see[int](r, `R.n - 1`)
	if p, plot := r.place(last), r.plot(); p.Y < plot.Y || p.Y > plot.Y+plot.Height {
		t.Errorf("the last event is at %v, out of sight", p)
	}
	r.press("k")
	r.says("#section-cut", "onsistent")
	r.press("k")
	r.click(`#toolbar input[type=search]`)
	r.press("n777")
	if rows := see[int](r, `V.geometry.rows.length`); rows != 11 {
		t.Errorf("%d lanes have n777 in their names", rows)
	}
	if notes := see[[]string](r, `R.notes`); see[bool](r, `R.n < R.total`) != (len(notes) > 0) {
		t.Errorf("what is left out: %q", notes)
	}
}

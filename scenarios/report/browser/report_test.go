package browser_test

import (
	"bytes"
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"simrun/cmd/simrun/cli"
	"simrun/scenarios"
)

// scenario is the path of a scenario file that comes with simrun.
func scenario(name string) string {
	return filepath.Join("..", "..", "..", "testdata", "scenarios", name+".yaml")
}

// folder is where the reports of all tests are.
var folder = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "simrun-reports-")
	removed := stop
	stop = func() { removed(); os.RemoveAll(dir) }
	return dir, err
})

var (
	written   = map[string]string{}
	writtenMu sync.Mutex
)

// report is the path of the report that simrun writes when it is called with args. It is
// written once.
func report(t testing.TB, args ...string) string {
	t.Helper()
	writtenMu.Lock()
	defer writtenMu.Unlock()
	key := strings.Join(args, "\x00")
	if path := written[key]; path != "" {
		return path
	}
	dir, err := folder()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, fmt.Sprintf("%d.html", len(written)))
	var said bytes.Buffer
	code := cli.Main(scenarios.Default(), append([]string{"report", "-o", path}, args...), &said, &said)
	if _, err := os.Stat(path); err != nil || code > 1 {
		t.Fatalf("simrun report %v: exit code %d, %v\n%s", args, code, err, &said)
	}
	written[key] = path
	return path
}

// source writes a scenario into a file.
func source(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "scenario.yaml")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// reader is somebody who reads a report.
type reader struct{ *tab }

// read opens the report that simrun writes when it is called with args.
func read(t testing.TB, args ...string) reader {
	t.Helper()
	return readFile(t, report(t, args...), "")
}

// readFile opens a report, with a fragment.
func readFile(t testing.TB, path, fragment string) reader {
	t.Helper()
	r := reader{newTab(t)}
	r.visit(path, fragment)
	r.ready()
	return r
}

// ready waits until all of the report is there and drawn.
func (r reader) ready() {
	r.t.Helper()
	r.await(`window.simrun && simrun.ready`)
	eval[bool](r.tab, `simrun.ready.then(() => true)`)
	r.settle()
}

// see is the value of an expression about the page: V is its first view, R the run that
// this shows.
func see[T any](r reader, format string, args ...any) T {
	r.t.Helper()
	return eval[T](r.tab, `(() => { const S = window.simrun, V = S.views[0], R = V?.run, K = R?.KIND; return (`+fmt.Sprintf(format, args...)+`); })()`)
}

// run runs statements about the page, and waits until it is drawn.
func (r reader) run(format string, args ...any) {
	r.t.Helper()
	see[bool](r, `(() => { `+format+`; return true; })()`, args...)
	r.settle()
}

// first is the first event i for which an expression is true; the test ends if there is none.
func (r reader) first(is string, args ...any) int {
	r.t.Helper()
	i := see[int](r, `(() => { for (let i = 0; i < R.n; i++) if (`+is+`) return i; return -1; })()`, args...)
	if i < 0 {
		r.t.Fatalf("the run has no event that is "+is, args...)
	}
	return i
}

// cursor is the event that the cursor is on.
func (r reader) cursor() int { r.t.Helper(); return see[int](r, `V.cursor`) }

// canvas is where the diagram is, and plot the part of it right of the names of the nodes,
// where events are.
func (r reader) canvas() box {
	r.t.Helper()
	return see[box](r, `(b => ({X: b.x, Y: b.y, Width: b.width, Height: b.height}))(V.canvas.getBoundingClientRect())`)
}

func (r reader) plot() box {
	r.t.Helper()
	c := r.canvas()
	left, top, bottom := see[float64](r, `V.geometry.left`), see[float64](r, `V.geometry.top`), see[float64](r, `V.geometry.bottom`)
	return box{c.X + left, c.Y + top, c.Width - left, c.Height - top - bottom}
}

// place is where an event is drawn, in the window.
func (r reader) place(i int) point {
	r.t.Helper()
	return r.on(r.x(i), see[float64](r, `V.y(R.node[%d])`, i))
}

// on is a place on the canvas, which has its own pixels, in the window.
func (r reader) on(x, y float64) point {
	r.t.Helper()
	scale := see[float64](r, `V.scale`)
	return r.canvas().at(0, 0).plus(x*scale, y*scale)
}

// x is where an event is, in px from the left edge of the canvas.
func (r reader) x(i int) float64 { r.t.Helper(); return see[float64](r, `V.x(%d)`, i) }

// lookAt shows an event with so many px for a unit of logical order around it, and the
// mouse nowhere near.
func (r reader) lookAt(i int, around int) {
	r.t.Helper()
	r.run(`V.setMode("order"); V.setWindow(%d, %d); V.reveal(%d)`, i-around, i+around, i)
	r.move(point{2, 2})
}

// color is a colour of the page, by the name of its CSS property.
func (r reader) color(name string) color.RGBA {
	r.t.Helper()
	text := see[string](r, `getComputedStyle(document.documentElement).getPropertyValue("--" + %q).trim()`, name)
	n, err := strconv.ParseUint(strings.TrimPrefix(text, "#"), 16, 32)
	if err != nil || len(text) != 7 {
		r.t.Fatalf("--%s is %q, and no colour", name, text)
	}
	return color.RGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 255}
}

// drawn is how many pixels around an event have a colour of the page.
func (r reader) drawn(i int, half float64, name string) int {
	r.t.Helper()
	p := r.place(i)
	return r.picture().count(box{p.X - half, p.Y - half, 2 * half, 2 * half}, near(r.color(name)))
}

// text is the text of an element as it is shown.
func (r reader) text(selector string) string {
	r.t.Helper()
	return eval[string](r.tab, fmt.Sprintf(`document.querySelector(%q)?.innerText ?? "(nothing)"`, selector))
}

// says waits until the text of an element has a part.
func (r reader) says(selector, part string) {
	r.t.Helper()
	r.await(fmt.Sprintf(`(document.querySelector(%q)?.innerText ?? "").includes(%q)`, selector, part))
}

// clickAction clicks the button with a label.
func (r reader) clickLabel(label string) {
	r.t.Helper()
	r.click(fmt.Sprintf(`[aria-label=%q]`, label))
}

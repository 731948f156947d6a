package browser_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
)

// downloads lets the page hand out files, and is the folder that they come into.
func (r reader) downloads() string {
	r.t.Helper()
	dir := r.t.TempDir()
	_, err := chromedp.CallBrowser(r.ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorAllow, DownloadPath: dir, BrowserContextID: chromedp.FromContext(r.ctx).BrowserContextID,
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return dir
}

// downloaded waits for a file.
func (r reader) downloaded(dir, name string) []byte {
	r.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if data, err := os.ReadFile(filepath.Join(dir, name)); err == nil && len(data) > 0 {
			return data
		}
	}
	files, _ := os.ReadDir(dir)
	r.t.Fatalf("no file %s came, but %v", name, files)
	return nil
}

// TestPictures: what is seen is saved as PNG and as SVG, with keys and buttons. Both are
// the picture of the screen.
func TestPictures(t *testing.T) {
	r := read(t, scenario("in-transit"))
	dir := r.downloads()
	r.run(`V.setCursor(12)`)
	r.move(point{2, 2})
	r.press("p")
	data := r.downloaded(dir, "in-transit-chandy-lamport-1.png")
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	canvas := r.canvas()
	scale := see[float64](r, `Math.max(2, devicePixelRatio)/V.scale`)
	if got := picture.Bounds().Size(); !about(float64(got.X), canvas.Width*scale, 2) || float64(got.Y) < canvas.Height*scale {
		t.Errorf("the PNG has %v, and the diagram %v", got, canvas)
	}
	if n := (shot{picture}).count(box{0, 0, float64(picture.Bounds().Dx()), float64(picture.Bounds().Dy())}, near(r.color("in-flight"))); n < 1000 {
		t.Errorf("the PNG has %d pixels of a message in flight", n)
	}
	r.clickLabel("Save what is seen as an SVG picture (g)")
	data = r.downloaded(dir, "in-transit-chandy-lamport-1.svg")
	wellFormed(t, data, "P1", "P2", "snapshot 1 ✓")

	// The SVG, opened as a page of its own, looks as the diagram does.
	seen := r.picture()
	same := newTab(t)
	same.visit(filepath.Join(dir, "in-transit-chandy-lamport-1.svg"), "")
	drawn := same.picture()
	ground := r.color("ground")
	part := box{canvas.X, canvas.Y, canvas.Width - 3, canvas.Height - 3}
	for _, c := range []struct {
		of, in shot
		dx, dy float64
	}{{seen, drawn, -canvas.X, -canvas.Y}, {drawn, seen, canvas.X, canvas.Y}} {
		inked, lost := c.of.lost(part, c.in, c.dx, c.dy, ground)
		if inked < 3000 || lost > inked/50 {
			t.Errorf("of %d pixels of the one picture %d are not in the other", inked, lost)
		}
		part = box{3, 3, canvas.Width - 6, canvas.Height - 6}
	}
}

// lost is how many pixels of a box are clearly not ground, and how many of these have no
// such pixel in another picture at the place moved by (dx, dy), within two pixels.
func (p shot) lost(r box, in shot, dx, dy float64, ground color.RGBA) (inked, lost int) {
	ink := func(p shot, x, y float64) bool { return distance(p.at(point{x, y}), ground) > 250 }
	for y := r.Y; y < r.Y+r.Height; y++ {
		for x := r.X; x < r.X+r.Width; x++ {
			if !ink(p, x, y) {
				continue
			}
			inked++
			found := false
			for k := 0; k < 25 && !found; k++ {
				found = ink(in, x+dx+float64(k%5-2), y+dy+float64(k/5-2))
			}
			if !found {
				lost++
			}
		}
	}
	return inked, lost
}

// wellFormed checks that a text is XML without anything in it that runs, and has some texts.
func wellFormed(t testing.TB, data []byte, texts ...string) {
	t.Helper()
	all := ""
	for decoder := xml.NewDecoder(bytes.NewReader(data)); ; {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("no XML: %v", err)
		}
		switch token := token.(type) {
		case xml.CharData:
			all += string(token)
		case xml.StartElement:
			if name := token.Name.Local; !strings.Contains(" svg title g path text clipPath rect ", " "+name+" ") {
				t.Errorf("an element %s", name)
			}
			for _, a := range token.Attr {
				if strings.HasPrefix(strings.ToLower(a.Name.Local), "on") || a.Name.Local == "href" {
					t.Errorf("an attribute %s", a.Name.Local)
				}
			}
		}
	}
	for _, text := range texts {
		if !strings.Contains(all, text) {
			t.Errorf("no text %q", text)
		}
	}
}

// stateOf is what of a page is in its address.
const stateOf = `JSON.stringify({run: S.app.active, theme: document.documentElement.dataset.theme ?? "", views: S.views.map((v, k) => ({
	mode: v.mode, from: +v.geometry.from.toPrecision(6), per: +v.geometry.perPixel.toPrecision(6), scroll: Math.round(v.geometry.scroll), cursor: v.cursor,
	selected: v.selected, second: v.second, snapshot: v.snapshot, lanes: v.laneFilter, show: v.show, cut: S.cut[k].cut && [...S.cut[k].cut]}))})`

// TestFragment: whoever opens a copy of the address sees the same.
func TestFragment(t *testing.T) {
	path := report(t, scenario("wordcount-crash"))
	r := readFile(t, path, "")
	first := see[string](r, stateOf)
	r.press("t")
	r.run(`V.setWindow(300, 500); V.setCursor(420); V.select(410, 430); V.setSnapshot(2); V.filterLanes("count, sink-1"); V.setShow("messages", false)`)
	r.run(`document.documentElement.dataset.theme = "dark"; S.cut[0].set(Int32Array.from(R.snapshots[0].cut), "a test")`)
	r.run(`V.setWindow(300, 500)`)
	want := see[string](r, stateOf)
	r.await(`location.hash.includes("0.cut=")`)
	hash := strings.TrimPrefix(eval[string](r.tab, `location.hash`), "#")
	// The address is written when nothing has changed for a while.
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		if next := strings.TrimPrefix(eval[string](r.tab, `location.hash`), "#"); next == hash || time.Now().After(end) {
			break
		} else {
			hash = next
		}
	}
	hash = see[string](r, `S.output.fragment()`)
	if got := see[string](readFile(t, path, hash), stateOf); got != want || want == first {
		t.Errorf("the address %s leads to\n%s and not to\n%s", hash, got, want)
	}
}

// TestForeignFragment: an address may come from anywhere, and harms nothing.
func TestForeignFragment(t *testing.T) {
	path := report(t, scenario("in-transit"))
	first := see[string](readFile(t, path, ""), stateOf)
	r := reader{newTab(t)}
	for _, fragment := range []string{
		"x", "v=2&0.cursor=3", "v=1&0.cursor=99999999", "v=1&0.cursor=-5&0.a=1e9&0.b=NaN", "v=1&0.window=NaN,Infinity", "v=1&0.window=1,-5", "v=1&run=77&9.cursor=1",
		"v=1&0.cut=1.2.3", "v=1&0.cut=" + strings.Repeat("9.", 1000), "v=1&0.snapshot=99", "v=1&theme=%22%3E%3Cimg%20src=x%20onerror=alert(1)%3E",
		"v=1&0.scroll=1e308", "%E0%A4%A", "v=1&0.mode=__proto__&0.hide=constructor,__proto__",
	} {
		r.visit(path, fragment)
		r.ready()
		if got := see[string](r, stateOf); got != first {
			t.Errorf("#%s leads to %s, not to %s", fragment, got, first)
		}
	}
}

// TestCopy: the command is copied, and makes the run again.
func TestCopy(t *testing.T) {
	r := read(t, scenario("in-transit"))
	for _, name := range []string{"clipboard-read", "clipboard-write"} {
		_, err := chromedp.CallBrowser(r.ctx, browser.SetPermission, browser.SetPermissionParams{
			Permission: &browser.PermissionDescriptor{Name: name}, Setting: browser.PermissionSettingGranted,
			BrowserContextID: chromedp.FromContext(r.ctx).BrowserContextID,
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	r.click(`#section-run [aria-label="Copy the command"]`)
	r.says("#status", "Copied.")
	command := eval[string](r.tab, `navigator.clipboard.readText()`)
	if shown := see[string](r, `R.reproduce`); command != shown || !strings.HasPrefix(command, "simrun run ") {
		t.Fatalf("copied %q, and shown is %q", command, shown)
	}
	out := said(t, strings.Fields(strings.TrimPrefix(command, "simrun "))...)
	if digest := see[string](r, `R.digest`); !strings.Contains(out, "digest: "+digest) {
		t.Errorf("%s does not make digest %s:\n%s", command, digest, out)
	}
}

// TestTruncation: what is left out of a long run is said wherever one looks.
func TestTruncation(t *testing.T) {
	r := read(t, scenario("wordcount-crash"), "--events", "500")
	n, total := see[int](r, `R.n`), see[int](r, `R.total`)
	if n != 500 || total <= n {
		t.Fatalf("%d of %d events", n, total)
	}
	note := see[string](r, `R.notes[0]`)
	for _, part := range []string{"500", see[string](r, `R.total.toLocaleString("en")`)} {
		if !strings.Contains(note, part) && !strings.Contains(note, strings.ReplaceAll(part, ",", "")) {
			t.Errorf("the note does not say %s: %s", part, note)
		}
	}
	r.says("#top", note)
	r.says("#panel", note)
	r.says(".scrubber", "events")
	r.click(`#table summary`)
	r.says("#table caption", "the run has "+see[string](r, `R.total.toLocaleString("en")`))
	if svg := see[string](r, `S.output.svgOf(V)`); !strings.Contains(svg, fmt.Sprintf("events 1 to 500 of %d", total)) {
		t.Error("the SVG does not say that it has a part of the run")
	}
}

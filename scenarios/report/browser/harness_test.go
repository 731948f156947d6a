package browser_test

import (
	"bytes"
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// pageOf writes a page with a script into a file.
func pageOf(t testing.TB, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a page & more.html")
	text := fmt.Sprintf(`<!doctype html><meta charset=utf-8><title>page</title>
<style>
	body { margin: 0; background: rgb(250, 250, 250); transition: none }
	@media (prefers-color-scheme: dark) { body { background: rgb(10, 10, 10) } }
	@media print { body { background: rgb(255, 0, 0) } }
	#field { position: absolute; left: 100px; top: 50px; width: 200px; height: 100px; background: rgb(0, 0, 200) }
</style>
<div id=field tabindex=0></div>
<script>%s</script>`, script)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestComplaintsAreNoticed: whatever a page does that no report may do is a problem,
// and a page that does nothing has none.
func TestComplaintsAreNoticed(t *testing.T) {
	other := filepath.Join(t.TempDir(), "other.js")
	if err := os.WriteFile(other, []byte("var other = 1"), 0o666); err != nil {
		t.Fatal(err)
	}
	b := newTab(t)
	for script, want := range map[string]string{
		``:                                             "",
		`console.log("only said")`:                     "",
		`location.hash = "elsewhere"`:                  "",
		`console.error("spoken")`:                      "console.error:  \"spoken\"",
		`console.warn("spoken")`:                       "console.warning:  \"spoken\"",
		`console.assert(false)`:                        "console.assert:",
		`throw new Error("thrown")`:                    "uncaught at 9:15: Uncaught Error: thrown",
		`Promise.reject(new Error("later"))`:           "Error: later",
		`alert("shown")`:                               "opens a dialog: shown",
		`open("about:blank")`:                          "opens a window: about:blank",
		`fetch("http://example.com/x").catch(() => 0)`: "asks for http://example.com/x",
		`new Image().src = "http://example.com/p.png"`: "asks for http://example.com/p.png",
		`document.body.append(Object.assign(document.createElement("script"), {src: "` + filepath.ToSlash(other) + `"}))`: "other.js",
		`new WebSocket("ws://example.com/")`:                                             "opens a socket to ws://example.com/",
		`fetch("data:text/plain,within").then(r => r.text()).then(t => window.said = t)`: "",
	} {
		b.visit(pageOf(t, script), "")
		eval[bool](b, `new Promise(done => setTimeout(() => done(true), 200))`)
		found := strings.Join(b.seen.problems(), "\n")
		if !strings.Contains(found, want) || (want == "") != (found == "") {
			t.Errorf("%s: problems %q, want %q", script, found, want)
		}
		b.seen.forget()
	}
}

// TestHands: what is done to a page comes there as it would from a user.
func TestHands(t *testing.T) {
	b := open(t, pageOf(t, `
		window.said = [];
		const field = document.getElementById("field");
		for (const kind of ["pointerdown", "pointermove", "pointerup", "wheel", "keydown"])
			field.addEventListener(kind, e => said.push([e.type, e.isTrusted, e.key ?? [e.clientX, e.clientY, e.buttons].join(), e.shiftKey, e.deltaY ?? 0].join(" ")));
	`))
	r := b.box("#field")
	if r != (box{100, 50, 200, 100}) {
		t.Fatalf("the field is at %v", r)
	}
	said := func() []string {
		now := eval[[]string](b, "said")
		eval[bool](b, "said.length = 0, true")
		return now
	}
	b.click("#field")
	if got := said(); !strings.HasPrefix(strings.Join(got, "; "), "pointermove true 200,100,0 false 0; pointerdown true 200,100,1 false 0; pointerup true 200,100,0 false 0") {
		t.Errorf("a click: %q", got)
	}
	b.press(kb.ArrowRight + "x")
	b.press(kb.Home, 8)
	if got := strings.Join(said(), "; "); got != "keydown true ArrowRight false 0; keydown true x false 0; keydown true Home true 0" {
		t.Errorf("keys: %q", got)
	}
	b.drag(r.at(0.1, 0.5), r.at(0.9, 0.5))
	got := strings.Join(said(), "; ")
	for _, part := range []string{"pointerdown true 120,100,1", "pointermove true 200,100,1", "pointerup true 280,100,0"} {
		if !strings.Contains(got, part) {
			t.Errorf("a drag: no %s in %s", part, got)
		}
	}
	b.wheel(r.middle(), 0, 120, 0)
	if got := strings.Join(said(), "; "); !strings.Contains(got, "wheel true 200,100,0 false 120") {
		t.Errorf("the wheel: %q", got)
	}
}

// TestEyes: the light and the dark page, the printed one, and the size of the window.
func TestEyes(t *testing.T) {
	b := open(t, pageOf(t, ""))
	corner := point{5, 5}
	for _, c := range []struct {
		looks looks
		want  color.RGBA
	}{
		{looks{}, color.RGBA{250, 250, 250, 255}},
		{looks{dark: true}, color.RGBA{10, 10, 10, 255}},
		{looks{printed: true}, color.RGBA{255, 0, 0, 255}},
	} {
		b.look(c.looks)
		if got := b.picture().at(corner); got != c.want {
			t.Errorf("%+v: %v, want %v", c.looks, got, c.want)
		}
	}
	b.look(looks{still: true})
	if !eval[bool](b, `matchMedia("(prefers-reduced-motion: reduce)").matches`) {
		t.Error("motion is not reduced")
	}
	b.size(1920, 1080)
	shown := b.picture()
	if size := shown.Bounds().Size(); size.X != 1920 || size.Y != 1080 {
		t.Errorf("the picture has %v", size)
	}
	if blue := shown.count(box{0, 0, 1920, 1080}, near(color.RGBA{0, 0, 200, 255})); blue != 200*100 {
		t.Errorf("%d pixels are blue", blue)
	}
	if pdf := b.pdf(); !bytes.HasPrefix(pdf, []byte("%PDF-")) {
		t.Errorf("a PDF begins with %.20q", pdf)
	}
}

// TestBrowserWanted: where a browser is named that there is not, the message says so.
func TestBrowserWanted(t *testing.T) {
	t.Setenv("SIMRUN_CHROMIUM", filepath.Join(t.TempDir(), "absent"))
	if _, err := find(); err == nil || !strings.Contains(err.Error(), "SIMRUN_CHROMIUM") {
		t.Errorf("found, or %v", err)
	}
	t.Setenv("SIMRUN_CHROMIUM", "")
	t.Setenv("PATH", t.TempDir())
	if _, err := find(); err == nil || !strings.Contains(err.Error(), "none of chromium, chromium-browser, google-chrome") {
		t.Errorf("found, or %v", err)
	}
}

package browser_test

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestKeyboard: everything that can be clicked can be reached with the tab key, is seen to
// have the focus, and is not hidden behind something else.
func TestKeyboard(t *testing.T) {
	r := read(t, scenario("in-transit"))
	r.run(`V.setCursor(12); V.select(5, 12)`)
	want := eval[[]string](r.tab, `(() => {
		let n = 0;
		for (const e of document.querySelectorAll("button, select, input, summary, canvas, a[href], [tabindex='0']"))
			if (e.checkVisibility() && !e.disabled && e.tabIndex >= 0) e.dataset.wanted = n++;
		return [...document.querySelectorAll("[data-wanted]")].map(e => e.dataset.wanted);
	})()`)
	seen := map[string]bool{}
	eval[bool](r.tab, `(document.activeElement.blur(), scrollTo(0, 0), true)`)
	for range len(want) + 30 {
		r.do(chromedp.KeyEvent(kb.Tab))
		at := eval[[]string](r.tab, `(e => {
			const s = getComputedStyle(e), b = e.getBoundingClientRect();
			const over = document.elementFromPoint(b.x + b.width / 2, Math.min(b.y + b.height / 2, innerHeight - 1));
			const ring = s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 2 || s.boxShadow !== "none";
			return [e.dataset.wanted ?? "", String(ring), String(!over || e.contains(over) || over.contains(e)), (e.getAttribute("aria-label") ?? e.innerText ?? "").slice(0, 40) + " <" + e.localName + "> below " + (over?.id || over?.localName)];
		})(document.activeElement)`)
		if at[0] == "" || seen[at[0]] {
			continue
		}
		seen[at[0]] = true
		if at[1] != "true" {
			t.Errorf("the focus is not seen on %s", at[3])
		}
		if at[2] != "true" {
			t.Errorf("what has the focus is hidden: %s", at[3])
		}
	}
	for _, n := range want {
		if !seen[n] {
			t.Errorf("not reached: %s", eval[string](r.tab, fmt.Sprintf(`document.querySelector("[data-wanted='%s']").outerHTML.slice(0, 200)`, n)))
		}
	}
}

// TestHelp: the help lists every key of the page, and is left with Escape.
func TestHelp(t *testing.T) {
	r := read(t, scenario("in-transit"))
	r.press("?")
	r.await(`document.querySelector("#help").open`)
	for _, label := range see[[]string](r, `S.controls.commands.list.map(c => c.label)`) {
		r.says("#help", label)
	}
	for _, what := range []string{"a node processes a message", "a marker comes", "it crashes"} {
		r.says("#help", what)
	}
	r.press(kb.Escape)
	r.await(`!document.querySelector("#help").open`)
}

// TestNames: whatever can be used has a name, for those who hear the page; the diagram is
// a picture with a description, and what happens is told.
func TestNames(t *testing.T) {
	r := read(t, scenario("in-transit"))
	nodes := call(r.tab, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{}).Nodes
	text := func(v *accessibility.Value) string {
		if v == nil {
			return ""
		}
		return strings.Trim(string(v.Value), `"`)
	}
	roles := map[string]int{}
	for _, n := range nodes {
		role, name := text(n.Role), text(n.Name)
		if n.Ignored {
			continue
		}
		roles[role]++
		if slices.Contains([]string{"button", "combobox", "slider", "checkbox", "searchbox", "image", "dialog", "link"}, role) && strings.TrimSpace(name) == "" {
			t.Errorf("a %s has no name", role)
		}
	}
	for _, role := range []string{"button", "image", "slider", "toolbar", "heading", "status"} {
		if roles[role] == 0 {
			t.Errorf("the page has no %s; it has %v", role, roles)
		}
	}
	if eval[string](r.tab, `document.querySelector("#status").getAttribute("aria-live")`) != "polite" {
		t.Error("what is said is not told")
	}
}

// TestTable: the events as a table, with a way through it by keys, and to the diagram and
// back.
func TestTable(t *testing.T) {
	r := read(t, scenario("wordcount-crash"))
	r.press(kb.Home)
	r.click(`#table summary`)
	r.await(`document.querySelectorAll("#table tbody tr").length === 200`)
	for i := range 3 {
		row := eval[[]string](r.tab, fmt.Sprintf(`[...document.querySelectorAll("#table tbody tr")[%d].cells].map(c => c.textContent)`, i))
		if row[0] != fmt.Sprint(i+1) || row[2] != see[string](r, `R.laneName(R.node[%d])`, i) {
			t.Errorf("row %d: %q", i, row)
		}
	}
	r.says("#table", "1 to 200 of "+see[string](r, `R.n.toLocaleString("en")`))
	r.click(`#table tbody tr:nth-child(4) button`)
	if got := r.cursor(); got != 3 {
		t.Errorf("the row of event 4 leads to event %d", got+1)
	}
	r.press(kb.ArrowDown)
	if got := r.cursor(); got != 4 {
		t.Errorf("down from event 4 is event %d", got+1)
	}
	if got := eval[string](r.tab, `document.querySelector("#table [aria-current=true]").textContent`); !strings.HasPrefix(got, "5") {
		t.Errorf("the row of the cursor is %q", got)
	}
	r.run(`V.setCursor(1234)`)
	r.await(`document.querySelector("#table [aria-current=true]")?.textContent.startsWith("1235")`)
	r.click(`#table [aria-label="Last page"]`)
	r.says("#table", "of "+see[string](r, `R.n.toLocaleString("en")`))
	if last := eval[string](r.tab, `[...document.querySelectorAll("#table tbody th")].at(-1).textContent`); last != see[string](r, `String(R.n)`) {
		t.Errorf("the last row is that of event %s", last)
	}
	r.run(`const s = document.querySelector("#table select"); s.value = "5"; s.dispatchEvent(new Event("change"))`)
	names := eval[[]string](r.tab, `[...new Set([...document.querySelectorAll("#table tbody tr")].map(r => r.cells[2].textContent))]`)
	if len(names) != 1 || names[0] != see[string](r, `R.laneName(5)`) {
		t.Errorf("the events of one lane are those of %q", names)
	}
}

// TestPrint: on paper there are the diagram, the result and the legend, in black on white
// whatever the theme, and nothing that can only be clicked.
func TestPrint(t *testing.T) {
	r := read(t, scenario("in-transit"))
	r.look(looks{dark: true, printed: true})
	r.run(`dispatchEvent(new Event("beforeprint"))`)
	shown := r.picture()
	if c := shown.at(point{3, 3}); distance(c, r.color("ground")) > 9 || c.R < 240 {
		t.Errorf("paper is %v", c)
	}
	for selector, visible := range map[string]bool{"#toolbar": false, ".scrubber": false, ".diagram canvas": true, "#section-run": true, "#legend ul": true, "h1": true} {
		if got := eval[bool](r.tab, fmt.Sprintf(`document.querySelector(%q)?.checkVisibility() ?? false`, selector)); got != visible {
			t.Errorf("%s is printed: %t", selector, got)
		}
	}
	r.run(`dispatchEvent(new Event("afterprint"))`)
	r.look(looks{})
	pdf := r.pdf()
	if pages := len(regexp.MustCompile(`/Type\s*/Page\b`).FindAll(pdf, -1)); !bytes.HasPrefix(pdf, []byte("%PDF-")) || pages < 1 || pages > 6 {
		t.Errorf("a PDF of %d bytes with %d pages", len(pdf), pages)
	}
	if len(pdf) < 20000 {
		t.Errorf("a PDF of %d bytes has no picture", len(pdf))
	}
}

// TestStill: who wants little motion gets none.
func TestStill(t *testing.T) {
	r := readFile(t, report(t, scenario("in-transit")), "")
	r.look(looks{still: true})
	r.press("n")
	r.press("k")
	r.click(`#section-run summary`)
	moving := eval[int](r.tab, `document.getAnimations().length`)
	long := eval[int](r.tab, `[...document.querySelectorAll("*")].filter(e => getComputedStyle(e).transitionDuration.split(",").some(d => parseFloat(d) > 0.01) || getComputedStyle(e).animationName !== "none").length`)
	if moving > 0 || long > 0 {
		t.Errorf("%d things move, and %d would", moving, long)
	}
	if eval[string](r.tab, `getComputedStyle(document.documentElement).scrollBehavior`) == "smooth" {
		t.Error("the page scrolls smoothly")
	}
}

// TestNarrow: at the width of a telephone, and with letters of twice the size, nothing has
// to be scrolled sideways.
func TestNarrow(t *testing.T) {
	r := read(t, scenario("wordcount-crash"))
	for _, width := range []int64{320, 640, 1024} {
		r.size(width, 800)
		if got := eval[int64](r.tab, `document.documentElement.scrollWidth`); got > width {
			t.Errorf("in a window of %d px the page is %d px wide", width, got)
		}
	}
	r.size(1280, 800)
	r.run(`document.documentElement.style.fontSize = "32px"; dispatchEvent(new Event("resize"))`)
	if got := eval[int64](r.tab, `document.documentElement.scrollWidth`); got > 1280 {
		t.Errorf("with large letters the page is %d px wide", got)
	}
}

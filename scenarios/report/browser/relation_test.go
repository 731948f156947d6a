package browser_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// slowly is happened-before by its definition, for runs without restores: the closure of
// "earlier on the same lane" and "sent and received".
const slowly = `(() => {
	const before = Array.from({length: R.n}, () => new Set());
	for (let i = 0; i < R.n; i++) {
		const causes = [R.prev(i), R.isReceive(i) ? R.peer[i] : -1].filter(j => j >= 0);
		for (const j of causes) { before[i].add(j); for (const k of before[j]) before[i].add(k); }
	}
	return before;
})()`

// TestTint: the causal past and future of the event under the mouse, or of the one that is
// selected, are tinted, and nothing else.
func TestTint(t *testing.T) {
	r := read(t, scenario("in-transit"))
	r.run(`V.setSnapshot(-1)`)
	i := r.first(`R.kind[i] === K.Process && R.node[i] === 1 && R.number[i] === 2`)
	wrong := func() int {
		return see[int](r, `(before => { let n = 0; for (let j = 0; j < R.n; j++) if (Boolean(V.tint?.past[j]) !== (j === %[1]d || before[%[1]d].has(j)) || Boolean(V.tint?.future[j]) !== (j === %[1]d || before[j].has(%[1]d))) n++; return n; })(%s)`, i, slowly)
	}
	past, future := near(r.color("past")), near(r.color("future"))
	count := func() (int, int) {
		shown := r.picture()
		return shown.count(r.plot(), past), shown.count(r.plot(), future)
	}
	r.move(point{2, 2})
	if p, f := count(); p != 0 || f != 0 {
		t.Errorf("nothing is looked at, and %d and %d pixels are tinted", p, f)
	}
	r.move(r.place(i))
	r.await(fmt.Sprintf(`simrun.views[0].tint?.of === %d`, i))
	r.settle()
	if n := wrong(); n > 0 {
		t.Errorf("under the mouse: %d events have the wrong tint", n)
	}
	if p, f := count(); p < 150 || f < 150 {
		t.Errorf("under the mouse: %d and %d pixels are tinted", p, f)
	}
	r.move(point{2, 2})
	if p, f := count(); p != 0 || f != 0 {
		t.Errorf("the mouse has left, and %d and %d pixels are tinted", p, f)
	}
	r.clickAt(r.place(i))
	r.move(point{2, 2})
	if n, got := wrong(), see[int](r, `V.selected`); n > 0 || got != i {
		t.Errorf("event %d is selected, not %d, and %d events have the wrong tint", got, i, n)
	}
	for _, j := range []int{r.first(`V.tint.past[i] && i !== V.selected && R.kind[i] === K.External`), r.first(`V.tint.future[i] && R.kind[i] === K.External`)} {
		name := "past"
		if j > i {
			name = "future"
		}
		if n := r.drawn(j, 8, name); n < 20 {
			t.Errorf("event %d of the %s has %d pixels of its colour", j, name, n)
		}
	}
	r.says("#panel", "happened before it")
	r.press(kb.Escape)
	if p, f := count(); p != 0 || f != 0 {
		t.Errorf("nothing is selected, and %d and %d pixels are tinted", p, f)
	}
}

// TestRelation: of two selected events the page says whether one happened before the
// other, with a chain that proves it, or that they are concurrent.
func TestRelation(t *testing.T) {
	r := read(t, scenario("in-transit"))
	r.run(`V.setSnapshot(-1)`)
	a := r.first(`R.kind[i] === K.External && R.node[i] === 0`)
	for _, c := range []struct{ is, says, order string }{
		{fmt.Sprintf(`%s[i].has(%d) && R.node[i] === 1 && R.kind[i] === K.Process`, slowly, a), "The first happened before the second.", "before"},
		{fmt.Sprintf(`i !== %d && !%s[i].has(%[1]d) && !%[2]s[%[1]d].has(i) && R.node[i] === 1`, a, slowly), "They are concurrent.", "concurrent"},
	} {
		b := r.first(c.is)
		r.press(kb.Escape)
		r.clickAt(r.place(a))
		r.clickAt(r.place(b), chromedp.ModifierShift)
		r.move(point{2, 2})
		if got := see[[]int](r, `[V.selected, V.second]`); got[0] != a || got[1] != b {
			t.Errorf("%v are selected, not %d and %d", got, a, b)
		}
		r.says("#panel", c.says)
		path := see[[]int](r, `S.app.causality(0).relation.path`)
		if order := see[string](r, `S.app.causality(0).relation.order`); order != c.order {
			t.Errorf("%d and %d: %s, not %s", a, b, order, c.order)
		}
		drawn := r.picture().count(r.plot(), near(r.color("selected")))
		if c.order == "concurrent" {
			if len(path) != 0 || drawn > 0 {
				t.Errorf("concurrent, with a path %v and %d pixels of it", path, drawn)
			}
			continue
		}
		if drawn < 200 {
			t.Errorf("%d pixels of the path", drawn)
		}
		r.proves(path, a, b)
		r.says("#panel", "The chain that proves it")
	}
	// The other way round, and with the keys alone.
	b := r.first(`%s[i].has(%d) && R.node[i] === 1 && R.kind[i] === K.Process`, slowly, a)
	r.press(kb.Escape)
	r.run(`V.setCursor(%d)`, b)
	r.press(kb.Enter)
	r.run(`V.setCursor(%d)`, a)
	r.press("m")
	r.says("#panel", "The second happened before the first.")
}

// proves checks that every step of a path is one of a lane or an arrow.
func (r reader) proves(path []int, a, b int) {
	r.t.Helper()
	if len(path) < 2 || path[0] != a || path[len(path)-1] != b {
		r.t.Errorf("the path %v does not lead from %d to %d", path, a, b)
	}
	for k := 1; k < len(path); k++ {
		if !see[bool](r, `((i, j) => i < j && (R.node[i] === R.node[j] || R.receives(i).includes(j)))(%d, %d)`, path[k-1], path[k]) {
			r.t.Errorf("%d is no step from %d", path[k], path[k-1])
		}
	}
}

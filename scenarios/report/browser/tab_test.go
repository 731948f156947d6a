package browser_test

import (
	"context"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
)

// patience is how long a test waits for anything. It decides only how long a failing
// test takes: a slow machine is no failure.
const patience = 30 * time.Second

// tab is a tab of the browser, with a profile of its own, in which one file is open.
type tab struct {
	t     testing.TB
	ctx   context.Context
	seen  watcher
	looks looks
}

// newTab is an empty tab of 1280 by 800 pixels, in light colours. When the test ends
// it is closed, and what the page complained about or should not have done is an error.
func newTab(t testing.TB) *tab {
	t.Helper()
	b := &tab{t: t}
	ctx, end := chromedp.NewContext(chromium(t),
		chromedp.WithNewBrowserContext(),
		chromedp.WithListener(b.seen.note),
	)
	ctx, late := context.WithTimeout(ctx, 10*patience)
	b.ctx = ctx
	t.Cleanup(func() {
		for _, problem := range b.seen.problems() {
			t.Errorf("the page: %s", problem)
		}
		late()
		end()
	})
	b.do(chromedp.Func(b.dismissDialogs))
	b.size(1280, 800)
	b.look(looks{})
	return b
}

// open opens a file in a new tab.
func open(t testing.TB, path string) *tab {
	t.Helper()
	b := newTab(t)
	b.visit(path, "")
	return b
}

// visit opens a file with a fragment, and waits until all of it is there.
func (b *tab) visit(path, fragment string) {
	b.t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		b.t.Fatal(err)
	}
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(path)}
	b.seen.expect(address)
	// A change of the fragment alone would only be a jump within the page.
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(address.String()+"#"+fragment))
}

// do does things in the tab, one after the other.
func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// call sends a command of the DevTools protocol.
func call[P, R any](b *tab, command cdp.Command[P, R], params P) R {
	b.t.Helper()
	result, err := chromedp.Call(b.ctx, command, params)
	if err != nil {
		b.t.Fatal(err)
	}
	return result
}

// eval is the value of an expression in the page; of a promise, what it becomes.
func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	value, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return value
}

// await waits until an expression is true. A page that has complained does not get there.
func (b *tab) await(expression string) {
	b.t.Helper()
	for end := time.Now().Add(patience); !eval[bool](b, "Boolean("+expression+")"); time.Sleep(20 * time.Millisecond) {
		if problems := b.seen.problems(); len(problems) > 0 {
			b.t.Fatalf("not true: %s: %s", expression, strings.Join(problems, "; "))
		}
		if time.Now().After(end) {
			b.t.Fatalf("never true: %s", expression)
		}
	}
}

// settle waits until the page has drawn what it was told: what an event handler asks
// for is drawn in the next frame, and the frame after that finds it there.
func (b *tab) settle() {
	b.t.Helper()
	eval[bool](b, `new Promise((done, fail) => {
		requestAnimationFrame(() => requestAnimationFrame(() => done(true)));
		setTimeout(() => fail(new Error("no frame is drawn; hidden: " + document.hidden)), 60000);
	})`)
}

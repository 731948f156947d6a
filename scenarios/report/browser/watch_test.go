package browser_test

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// watcher notes what a page must never do, whatever is tested: complain on the
// console, throw, open a dialog or a window, or ask for anything but itself.
type watcher struct {
	mu      sync.Mutex
	address string
	found   []string
}

// expect says which file the page is.
func (w *watcher) expect(address url.URL) {
	w.mu.Lock()
	defer w.mu.Unlock()
	address.Fragment = ""
	w.address = address.String()
}

func (w *watcher) problems() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.found)
}

// forget drops what was noted, where a test has caused it.
func (w *watcher) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.found = nil
}

// note is told every event of the tab, in the order in which they come.
func (w *watcher) note(event any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		if complaints[string(e.Type)] {
			w.add("console.%s: %s", e.Type, words(e.Args))
		}
	case *runtime.EventExceptionThrown:
		d := e.ExceptionDetails
		text := d.Text
		if d.Exception != nil {
			text += " " + d.Exception.Description
		}
		w.add("uncaught at %d:%d: %s", d.LineNumber+1, d.ColumnNumber+1, text)
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			w.add("%s: %s", e.Entry.Level, e.Entry.Text)
		}
	case *network.EventRequestWillBeSent:
		if !w.mayAsk(e.Request.URL) {
			w.add("asks for %.200s", e.Request.URL)
		}
	case *network.EventWebSocketCreated:
		w.add("opens a socket to %s", e.URL)
	case *page.EventJavascriptDialogOpening:
		w.add("opens a dialog: %s", e.Message)
	case *page.EventWindowOpen:
		w.add("opens a window: %s", e.URL)
	}
}

// complaints are the calls of the console that nobody makes about something good.
var complaints = map[string]bool{"error": true, "warning": true, "assert": true, "trace": true}

func (w *watcher) add(format string, args ...any) {
	w.found = append(w.found, fmt.Sprintf(format, args...))
}

// mayAsk says whether a page may ask for an address: its own, or what it has in itself.
func (w *watcher) mayAsk(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	u.Fragment = ""
	return u.Scheme == "data" || u.Scheme == "blob" || u.Scheme == "about" || u.String() == w.address
}

func words(args []*runtime.RemoteObject) (text string) {
	for _, a := range args {
		text += " " + string(a.Value) + a.Description
	}
	return text
}

// dismissDialogs closes every dialog of the tab, so that a page that opens one is found
// out and not waited for.
func (b *tab) dismissDialogs(ctx context.Context, target *chromedp.Target) error {
	opening := cdp.Events(b.ctx, target, page.JavascriptDialogOpening)
	go func() {
		for _, err := range opening {
			if err != nil {
				return // the tab is closed
			}
			// A tab that is closed at this moment has no dialog any more.
			_, _ = cdp.Call(b.ctx, target, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{})
		}
	}()
	return nil
}

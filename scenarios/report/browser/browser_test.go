// Package browser_test opens reports in a real browser, uses them as people do, with
// the mouse and with the keys, and looks at what is drawn. It needs Chromium; where
// there is none its tests are skipped, unless SIMRUN_BROWSER=required says that they
// may not be.
package browser_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// names are what the browser is called, where SIMRUN_CHROMIUM does not say it.
var names = []string{"chromium", "chromium-browser", "google-chrome"}

// find is the path of the browser.
func find() (string, error) {
	if named := os.Getenv("SIMRUN_CHROMIUM"); named != "" {
		path, err := exec.LookPath(named)
		if err != nil {
			return "", fmt.Errorf("SIMRUN_CHROMIUM: %w", err)
		}
		return path, nil
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("no browser: none of %s is in the PATH, and SIMRUN_CHROMIUM names none", strings.Join(names, ", "))
}

// settings start a browser that draws with the processor alone and reaches no network.
func settings(path string) []chromedp.ExecAllocatorOption {
	return append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path),
		chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND"),
	)
}

// stop ends the browser, if one was started.
var stop = func() {}

// started is the one browser of all tests: starting one takes as long as ten tests.
var started = sync.OnceValues(func() (context.Context, error) {
	path, err := find()
	if err != nil {
		return nil, err
	}
	allocator, free := chromedp.NewExecAllocator(context.Background(), settings(path)...)
	ctx, end := chromedp.NewContext(allocator)
	stop = func() { end(); free() }
	if err := chromedp.Do(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("%s does not start", path), err)
	}
	return ctx, nil
})

// chromium is the browser, or the end of a test that needs one.
func chromium(t testing.TB) context.Context {
	t.Helper()
	ctx, err := started()
	switch {
	case err == nil:
		return ctx
	case os.Getenv("SIMRUN_BROWSER") == "required":
		t.Fatalf("SIMRUN_BROWSER=required: %v", err)
	default:
		t.Skipf("not tested: %v", err)
	}
	return nil
}

func TestMain(m *testing.M) {
	code := m.Run()
	stop()
	os.Exit(code)
}

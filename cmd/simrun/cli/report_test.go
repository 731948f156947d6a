package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"simrun/scenarios"
	"simrun/scenarios/documented"
	"simrun/scenarios/reproducer"
)

// TestReportOfAnotherRun: the page of a reproducer whose run has become another one says so,
// and so does the exit code.
func TestReportOfAnotherRun(t *testing.T) {
	plan := planOf(t, "../../../testdata/scenarios/in-transit.yaml")
	r, _, err := reproducer.Of(scenarios.Default(), plan, plan.Seed, "another")
	if err != nil {
		t.Fatal(err)
	}
	r.Digest = "0123456789abcdef" // as if the program had changed since
	path := filepath.Join(t.TempDir(), "kept.yaml")
	if err := writeReproducer(r, "reproducer", path, nil); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr strings.Builder
	if code := Main(scenarios.Default(), []string{"report", path}, &stdout, &stderr); code != exitDiverged {
		t.Errorf("exit code %d\n%s", code, stderr.String())
	}
	page, err := os.ReadFile(strings.TrimSuffix(path, ".yaml") + ".html")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"the page": string(page), "stderr": stderr.String()} {
		if !strings.Contains(text, "This is not the run that was kept: its digest is ") {
			t.Errorf("%s does not say that the run is another one:\n%s", name, text)
		}
	}
}

// TestReportIsDocumented: what report --json prints is in docs/report.md.
func TestReportIsDocumented(t *testing.T) {
	for title, object := range map[string]any{"## The output of report --json": reported{}, "### An entry of runs": reportedRun{}} {
		var fields []string
		kind := reflect.TypeOf(object)
		for i := range kind.NumField() {
			fields = append(fields, kind.Field(i).Tag.Get("json"))
		}
		if names := documented.Names(t, "report.md", title); !slices.Equal(names, fields) {
			t.Errorf("the fields are\n%v, docs/report.md has\n%v", fields, names)
		}
	}
}

// TestReportOfADescriptor: standard input that is a file has no name for a page, and the
// folder of devices is no place for one.
func TestReportOfADescriptor(t *testing.T) {
	f, err := os.Open("../../../testdata/scenarios/in-transit.yaml")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	path := fmt.Sprintf("/dev/fd/%d", f.Fd())
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		t.Skipf("%s does not lead to the file here", path)
	}
	if name, err := pageName(path); err == nil {
		t.Errorf("the page of %s would be written to %s", path, name)
	}
}

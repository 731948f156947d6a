package series

import (
	"context"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"simrun/scenarios"
	"simrun/scenarios/comparison"
	"simrun/scenarios/documented"
)

func readDoc(t *testing.T, name string) string {
	text, err := os.ReadFile("../../docs/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestJSONIsDocumented: docs/json.md has the fields, and no others.
func TestJSONIsDocumented(t *testing.T) {
	for title, value := range map[string]any{"## compare --vary": Series{}, "### An entry of points": Point{}} {
		got := documented.Names(t, "json.md", title)
		var want []string
		for _, f := range reflect.VisibleFields(reflect.TypeOf(value)) {
			want = append(want, f.Tag.Get("json"))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: the fields are\n%v, docs/json.md has\n%v", title, want, got)
		}
	}
}

// TestDocumentedSeries: docs/compare.md has what its command prints.
func TestDocumentedSeries(t *testing.T) {
	_, command, _ := strings.Cut(readDoc(t, "compare.md"), "```\nsimrun compare testdata/scenarios/")
	command, rest, _ := strings.Cut(command, "\n")
	if want := "snapshot-interval.yaml --vary coordinator.interval=20ms..500ms --measure throughput_lost --algorithms no-snapshots,stop-the-world,abs,chandy-lamport"; command != want {
		t.Errorf("the command is %s", command)
	}
	_, printed, _ := strings.Cut(rest, "prints\n\n```\n")
	printed, _, _ = strings.Cut(printed, "```")
	c := scenarios.Default()
	s, err := scenarios.Load(c, "../../testdata/scenarios/snapshot-interval.yaml")
	if err != nil {
		t.Fatal(err)
	}
	s.Name = "testdata/scenarios/snapshot-interval.yaml"
	values, err := Values("20ms..500ms")
	if err != nil {
		t.Fatal(err)
	}
	measures, err := NamedMeasures([]string{"throughput_lost"})
	if err != nil {
		t.Fatal(err)
	}
	out, err := Of(context.Background(), s, c, Options{Parameter: "coordinator.interval", Values: values, Measures: measures, Compare: comparison.Options{
		Algorithms: []string{none, world, abs, cl}, Seeds: &comparison.Range{First: 1, Last: 20}, Workers: runtime.GOMAXPROCS(0)}})
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := out.WriteText(&text); err != nil || text.String() != printed {
		t.Errorf("%v, and it prints\n%s", err, &text)
	}
}

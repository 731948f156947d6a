package graphview

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestJSONIsDocumented: docs/json.md has the fields, and no others.
func TestJSONIsDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	for title, value := range map[string]any{"## graph": Graph{}, "### An entry of graph nodes": Node{}, "### An entry of graph channels": Channel{}} {
		_, section, _ := strings.Cut(string(doc), "\n"+title+"\n")
		section, _, _ = strings.Cut(section, "\n#")
		var got, want []string
		for line := range strings.Lines(section) {
			if first, _, ok := strings.Cut(strings.TrimPrefix(line, "| "), " | "); ok && strings.HasPrefix(line, "| `") {
				for _, name := range strings.Split(first, ", ") {
					got = append(got, strings.Trim(name, "`"))
				}
			}
		}
		for _, f := range reflect.VisibleFields(reflect.TypeOf(value)) {
			if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
				want = append(want, name)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: the fields are\n%v, docs/json.md has\n%v", title, want, got)
		}
	}
}

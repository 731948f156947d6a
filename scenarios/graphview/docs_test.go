package graphview

import (
	"reflect"
	"simrun/scenarios/documented"
	"slices"
	"strings"
	"testing"
)

// TestJSONIsDocumented: docs/json.md has the fields, and no others.
func TestJSONIsDocumented(t *testing.T) {
	for title, value := range map[string]any{"## graph": Graph{}, "### An entry of graph nodes": Node{}, "### An entry of graph channels": Channel{}} {
		got := documented.Names(t, "json.md", title)
		var want []string
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

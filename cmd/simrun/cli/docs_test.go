package cli

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestListingIsDocumented: what checkpoints --json prints is in docs/checkpoints.md.
func TestListingIsDocumented(t *testing.T) {
	data, err := os.ReadFile("../../../docs/checkpoints.md")
	if err != nil {
		t.Fatal(err)
	}
	for title, object := range map[string]any{"\n## The output of checkpoints --json\n": listing{}, "\n### An entry of checkpoints\n": keptOne{}} {
		_, section, found := strings.Cut(string(data), title)
		section, _, _ = strings.Cut(section, "\n#")
		var documented, fields []string
		for row := range strings.Lines(section) {
			if names, _, ok := strings.Cut(strings.TrimPrefix(row, "| "), " |"); ok && strings.HasPrefix(row, "| `") {
				for _, name := range strings.Split(names, ", ") {
					documented = append(documented, strings.Trim(name, "`"))
				}
			}
		}
		kind := reflect.TypeOf(object)
		for i := range kind.NumField() {
			fields = append(fields, kind.Field(i).Tag.Get("json"))
		}
		if !found || !slices.Equal(documented, fields) {
			t.Errorf("the fields are\n%v, docs/checkpoints.md has\n%v", fields, documented)
		}
	}
}

package checkpoints

import (
	"reflect"
	"simrun/scenarios/documented"
	"slices"
	"testing"
)

// TestMetadataIsDocumented: every field of every kind of line is in the table of its
// section, and nothing else is.
func TestMetadataIsDocumented(t *testing.T) {
	for title, line := range map[string]any{
		"The first line": header{}, "A line segment": segment{}, "A line task": task{}, "The last line": end{},
	} {
		names := documented.Names(t, "checkpoints.md", "### "+title)
		var fields []string
		kind := reflect.TypeOf(line)
		for i := range kind.NumField() {
			fields = append(fields, kind.Field(i).Tag.Get("json"))
		}
		if !slices.Equal(names, fields) {
			t.Errorf("%s: the fields are\n%v, docs/checkpoints.md has\n%v", title, fields, names)
		}
	}
}

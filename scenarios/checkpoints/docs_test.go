package checkpoints

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestMetadataIsDocumented: every field of every kind of line is in the table of its
// section, and nothing else is.
func TestMetadataIsDocumented(t *testing.T) {
	data, err := os.ReadFile("../../docs/checkpoints.md")
	if err != nil {
		t.Fatal(err)
	}
	for title, line := range map[string]any{
		"The first line": header{}, "A line segment": segment{}, "A line task": task{}, "The last line": end{},
	} {
		_, section, found := strings.Cut(string(data), "\n### "+title+"\n")
		section, _, _ = strings.Cut(section, "\n#")
		var documented, fields []string
		for row := range strings.Lines(section) {
			if names, _, ok := strings.Cut(strings.TrimPrefix(row, "| "), " |"); ok && strings.HasPrefix(row, "| `") {
				for _, name := range strings.Split(names, ", ") {
					documented = append(documented, strings.Trim(name, "`"))
				}
			}
		}
		kind := reflect.TypeOf(line)
		for i := range kind.NumField() {
			fields = append(fields, kind.Field(i).Tag.Get("json"))
		}
		if !found || !slices.Equal(documented, fields) {
			t.Errorf("%s: the fields are\n%v, docs/checkpoints.md has\n%v", title, fields, documented)
		}
	}
}

package cli

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"simrun/scenarios/lessons"
)

// TestListingIsDocumented: what checkpoints --json and lesson --json print is in
// docs/checkpoints.md and docs/lessons.md.
func TestListingIsDocumented(t *testing.T) {
	for file, objects := range map[string]map[string]any{
		"checkpoints.md": {"## The output of checkpoints --json": listing{}, "### An entry of checkpoints": keptOne{}},
		"lessons.md": {
			"## The output of lesson --json": lessons.List{}, "### An entry of lessons": lessons.Lesson{},
			"## The output of lesson N --json": lessons.Shown{}, "### An entry of runs": lessons.Run{},
			"## The output of lesson N --write --json": written{},
		},
	} {
		data, err := os.ReadFile("../../../docs/" + file)
		if err != nil {
			t.Fatal(err)
		}
		for title, object := range objects {
			_, section, found := strings.Cut(string(data), "\n"+title+"\n")
			section, _, _ = strings.Cut(section, "\n#")
			var documented []string
			for row := range strings.Lines(section) {
				if names, _, ok := strings.Cut(strings.TrimPrefix(row, "| "), " |"); ok && strings.HasPrefix(row, "| `") {
					for _, name := range strings.Split(names, ", ") {
						documented = append(documented, strings.Trim(name, "`"))
					}
				}
			}
			if fields := fieldsOf(reflect.TypeOf(object)); !found || !slices.Equal(documented, fields) {
				t.Errorf("%s: the fields are\n%v, docs/%s has\n%v", title, fields, file, documented)
			}
		}
	}
}

// fieldsOf is the fields that JSON has of a struct.
func fieldsOf(kind reflect.Type) (fields []string) {
	for i := range kind.NumField() {
		switch f := kind.Field(i); {
		case f.Anonymous:
			fields = append(fields, fieldsOf(f.Type)...)
		case f.IsExported() && f.Tag.Get("json") != "-":
			fields = append(fields, f.Tag.Get("json"))
		}
	}
	return fields
}

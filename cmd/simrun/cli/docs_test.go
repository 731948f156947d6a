package cli

import (
	"reflect"
	"slices"
	"testing"

	"simrun/scenarios/documented"
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
		for title, object := range objects {
			names := documented.Names(t, file, title)
			if fields := fieldsOf(reflect.TypeOf(object)); !slices.Equal(names, fields) {
				t.Errorf("%s: the fields are\n%v, docs/%s has\n%v", title, fields, file, names)
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

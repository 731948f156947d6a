package shrink

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

// TestDocumented: docs/shrink.md names every field of the output.
func TestDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/shrink.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, object := range []any{Report{}, Size{}} {
		kind := reflect.TypeOf(object)
		for i := range kind.NumField() {
			if name, _, _ := strings.Cut(kind.Field(i).Tag.Get("json"), ","); !strings.Contains(string(text), "`"+name+"`") {
				t.Errorf("docs/shrink.md says nothing of %s", name)
			}
		}
	}
}

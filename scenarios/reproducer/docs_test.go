package reproducer

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

// TestDocumented: docs/reproducer.md names every key of the file and of the output.
func TestDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/reproducer.md")
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"checksum", "scenario", "steps", Reproduced, Diverged, Otherwise}
	for _, object := range []any{head{}, violation{}, Outcome{}} {
		kind := reflect.TypeOf(object)
		for i := range kind.NumField() {
			for _, tag := range []string{"yaml", "json"} {
				if name, _, _ := strings.Cut(kind.Field(i).Tag.Get(tag), ","); name != "" {
					names = append(names, name)
				}
			}
		}
	}
	for _, name := range names {
		if !strings.Contains(string(text), "`"+name+"`") {
			t.Errorf("docs/reproducer.md says nothing of %s", name)
		}
	}
}

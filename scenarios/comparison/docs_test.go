package comparison

import (
	"fmt"
	"os"
	"reflect"
	"simrun/scenarios/documented"
	"slices"
	"strings"
	"testing"
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
	for title, value := range map[string]any{
		"## compare": Comparison{}, "### An entry of algorithms": Algorithm{}, "### An entry of summaries": Summary{},
		"### The object difference": Difference{}, "### An entry of compared runs": Run{}, "### The object measures": Measured{},
	} {
		got := documented.Names(t, "json.md", title)
		var want []string
		for _, f := range reflect.VisibleFields(reflect.TypeOf(value)) {
			if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
				want = append(want, name)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: the fields are\n%v, docs/json.md has\n%v", title, want, got)
		}
	}
}

// TestMeasures: each stands for a field of Measured of its own, in the same order, and
// docs/compare.md defines each, and no others.
func TestMeasures(t *testing.T) {
	var fields, documented []string
	for _, f := range reflect.VisibleFields(reflect.TypeOf(Measured{})) {
		fields = append(fields, f.Tag.Get("json"))
	}
	for line := range strings.Lines(readDoc(t, "compare.md")) {
		if strings.HasPrefix(line, "| `") {
			row, meaning, _ := strings.Cut(line[2:], " | ")
			title, meaning, _ := strings.Cut(meaning, " | ")
			unit, _, _ := strings.Cut(meaning, " | ")
			documented = append(documented, fmt.Sprintf("%s, %s, %s", strings.Trim(row, "`"), title, unit))
		}
	}
	var keys, entries []string
	for _, m := range Measures() {
		keys, entries = append(keys, m.Key), append(entries, fmt.Sprintf("%s, %s, %s", m.Key, m.Title, m.Unit))
		var run Measured
		*m.field(&run) = new(int64(1))
		field, _ := reflect.TypeOf(run).FieldByNameFunc(func(name string) bool { return !reflect.ValueOf(run).FieldByName(name).IsNil() })
		if field.Tag.Get("json") != m.Key || MeasureOf(m.Key).Title != m.Title {
			t.Errorf("%s is kept as %s", m.Key, field.Tag.Get("json"))
		}
	}
	if !slices.Equal(keys, fields) {
		t.Errorf("the measures are\n%v\nthe fields\n%v", keys, fields)
	}
	if !slices.Equal(entries, documented) {
		t.Errorf("the measures are\n%s\ndocs/compare.md has\n%s", strings.Join(entries, "\n"), strings.Join(documented, "\n"))
	}
	if MeasureOf("") != nil {
		t.Error("there is a measure without a name")
	}
}

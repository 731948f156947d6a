package scenarios

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

func readDoc(t *testing.T, name string) string {
	text, err := os.ReadFile("../docs/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestDocumentedScenarios: every example in the reference is a scenario.
func TestDocumentedScenarios(t *testing.T) {
	parts := strings.Split(readDoc(t, "scenarios.md"), "```yaml\n")
	if len(parts) < 5 {
		t.Fatalf("only %d examples", len(parts)-1)
	}
	for _, part := range parts[1:] {
		text, _, _ := strings.Cut(part, "```")
		plan := mustResolve(t, text)
		if res := plan.NewRunner().Run(plan.Seed); res.ExitCode() != 0 {
			t.Errorf("%s\n%+v", text, res)
		}
	}
}

// TestEverythingIsDocumented: the reference has every key, name and value that a
// scenario can use, and the description of traces every field.
func TestEverythingIsDocumented(t *testing.T) {
	reference := readDoc(t, "scenarios.md")
	var words []string
	for _, section := range []any{Scenario{}, Snapshots{}, Fault{}, When{}, Stop{}, Checks{}, Expect{}, Dist{}, Exponential{}, Bimodal{}, Store{}} {
		words = append(words, keys(reflect.TypeOf(section))...)
	}
	for _, p := range Phases() {
		words = append(words, p.Name)
	}
	words = append(words, mustResolve(t, "algorithm: abs").NewRunner().Run(1).Checks...)
	words = append(words, graphFormats...)
	for _, word := range words {
		if !strings.Contains(reference, word) {
			t.Errorf("docs/scenarios.md says nothing of %s", word)
		}
	}
	traces := readDoc(t, "trace.md")
	for _, word := range keysOfJSON(traceHeader{}, traceChannel{}) {
		if !strings.Contains(traces, "`"+word+"`") {
			t.Errorf("docs/trace.md says nothing of %s", word)
		}
	}
}

func keysOfJSON(values ...any) (names []string) {
	for _, v := range values {
		for i := range reflect.TypeOf(v).NumField() {
			name, _, _ := strings.Cut(reflect.TypeOf(v).Field(i).Tag.Get("json"), ",")
			if name != "from" && name != "to" { // "its ends"
				names = append(names, name)
			}
		}
	}
	return names
}

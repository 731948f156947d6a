package scenarios

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"simrun/invariants/explain"
	"simrun/topology"
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
// scenario can use.
func TestEverythingIsDocumented(t *testing.T) {
	reference := readDoc(t, "scenarios.md")
	var words []string
	for _, section := range []any{Scenario{}, Snapshots{}, SnapshotAt{}, Fault{}, When{}, Stop{}, Checks{}, Expect{}, Exercised{}, Dist{}, Exponential{}, Bimodal{}, Store{}, StoreFailure{}, ChannelSettings{}, Failure{}, Coordinator{}, Restart{}, Search{}, PlanEdge{}} {
		words = append(words, keys(reflect.TypeOf(section))...)
	}
	for _, p := range Phases() {
		words = append(words, p.Name)
	}
	words = append(words, mustResolve(t, "algorithm: abs").NewRunner().Run(1).Checks...)
	words = append(words, graphFormats...)
	for _, s := range topology.Strategies() {
		words = append(words, "`"+s.String()+"`")
	}
	for _, list := range [][]Named{Strategies(), Outcomes(), SearchStrategies()} {
		for _, n := range list {
			words = append(words, n.Name)
		}
	}
	for _, word := range words {
		if !strings.Contains(reference, word) {
			t.Errorf("docs/scenarios.md says nothing of %s", word)
		}
	}
}

// TestJSONIsDocumented: the fields of what --json prints are in docs/json.md, and for
// explain in docs/explain.md, in the section of their object, and they have no others.
func TestJSONIsDocumented(t *testing.T) {
	documented(t, "json.md", map[string]any{
		"run": Result{}, "The object exercised": Exercised{}, "An entry of snapshots": SnapshotResult{}, "An entry of recoveries": RecoveryResult{}, "The object coordinator": CoordinatorResult{}, "An entry of checkpoints": CheckpointResult{}, "The object ledger": LedgerResult{}, "The object outputs": Outputs{}, "An entry of violations": ViolationResult{},
		"The object search": Searched{}, "sweep": Sweep{}, "An entry of found": Found{}, "An entry of strategies": Tried{},
		"list": Listing{}, "An entry": Taking{}, "An entry of parameters": Parameter{},
	})
	documented(t, "explain.md", map[string]any{
		"The output of --json": Explained{}, "A snapshot": explain.Snapshot{}, "A node of the cut": explain.Recording{}, "A channel of the cut": explain.Channel{},
		"A violation": explain.Violation{}, "A message": explain.Message{}, "An event": explain.Event{}, "A difference": explain.Difference{},
	})
}

func documented(t *testing.T, file string, objects map[string]any) {
	t.Helper()
	sections := map[string][]string{}
	section := ""
	for line := range strings.Lines(readDoc(t, file)) {
		if title, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && line[0] == '#' {
			section = strings.TrimSpace(title)
		}
		if first, _, ok := strings.Cut(strings.TrimPrefix(line, "| "), " | "); ok && strings.HasPrefix(line, "| `") {
			for _, name := range strings.Split(first, ", ") {
				sections[section] = append(sections[section], strings.Trim(name, "`"))
			}
		}
	}
	for title, value := range objects {
		want := keysOfJSON(value)
		slices.Sort(want)
		slices.Sort(sections[title])
		if !slices.Equal(want, sections[title]) {
			t.Errorf("%s: the fields are\n%v, docs/%s has\n%v", title, want, file, sections[title])
		}
		delete(sections, title)
	}
	for _, title := range []string{"mutants", "An entry of wrong", "An entry of violated_by", "The object smallest", "An entry of right", "An entry of accused",
		"mutants --strategies", "An entry of wrong, by strategies", "An entry of hunts",
		"crashmatrix", "An entry of cells", "The object pairs", "An entry of pairs.runs", "The objects first and second",
		"compare", "An entry of algorithms", "An entry of summaries", "The object difference", "An entry of compared runs", "The object measures", "compare --vary", "An entry of points",
		"graph", "An entry of graph nodes", "An entry of graph channels",
		"explore", "The object reduction", "An entry of outcomes", "The object violation", "An entry of explored snapshots"} {
		delete(sections, title) // packages mutation, crashmatrix, comparison, series, graphview and explore test them
	}
	if len(sections) > 0 {
		t.Errorf("docs/%s has more: %v", file, sections)
	}
}

// TestEndsAreDocumented: both descriptions have every way in which a run can end.
func TestEndsAreDocumented(t *testing.T) {
	for _, file := range []string{"json.md", "trace.md"} {
		text := readDoc(t, file)
		for _, name := range endNames {
			if !strings.Contains(text, "`"+name+"`") {
				t.Errorf("docs/%s says nothing of %s", file, name)
			}
		}
	}
}

// TestAppsAreDocumented: the parameters of every app, with their defaults, are in
// the reference, and no others.
func TestAppsAreDocumented(t *testing.T) {
	reference, rows := readDoc(t, "scenarios.md"), 0
	for _, k := range Default().List().Apps {
		if line := "- `" + k.Name + "`: " + k.Doc + "\n"; !strings.Contains(reference, line) {
			t.Errorf("docs/scenarios.md does not have %s", line)
		}
		for _, p := range k.Parameters {
			rows++
			row := fmt.Sprintf("| `%s` | `%s` | `%s` | %s |\n", k.Name, p.Name, p.Default, p.Doc)
			if p.Doc == "" || !strings.Contains(reference, row) {
				t.Errorf("docs/scenarios.md does not have %s", row)
			}
		}
	}
	_, table, _ := strings.Cut(reference, "| app | key | default | meaning |\n|---|---|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	if got := len(strings.Split(table, "\n")); got != rows {
		t.Errorf("docs/scenarios.md has %d parameters of apps, there are %d", got, rows)
	}
}

func keysOfJSON(values ...any) (names []string) {
	for _, v := range values {
		for i := range reflect.TypeOf(v).NumField() {
			field := reflect.TypeOf(v).Field(i)
			if field.Anonymous {
				names = append(names, keysOfJSON(reflect.ValueOf(v).Field(i).Interface())...)
			} else if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "" {
				names = append(names, name)
			}
		}
	}
	return names
}

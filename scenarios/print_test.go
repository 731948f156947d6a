package scenarios

import (
	"encoding/json"
	"slices"
	"testing"
)

// TestOddNames: nodes with names that YAML takes for something else come through
// what is printed, as YAML and as JSON.
func TestOddNames(t *testing.T) {
	names := []string{".inf", "-.inf", ".nan", ".NaN", "7", "0x10", "1e3", "true", "null", "~", "1_000", "2001-01-01", "a: b", "a->b", "é", `q"`, "<&>", "- x", "#"}
	text, err := json.Marshal(names)
	if err != nil {
		t.Fatal(err)
	}
	plan := mustResolve(t, "graph: {nodes: "+string(text)+"}\nexpect: {incomplete: true}\nsteps: 5")
	object, err := json.Marshal(plan)
	if err != nil {
		t.Fatal(err)
	}
	var back struct {
		Graph struct{ Nodes []string }
		Steps int
	}
	if err := json.Unmarshal(object, &back); err != nil || !slices.Equal(back.Graph.Nodes, names) || back.Steps != 5 {
		t.Errorf("%v: %s", err, object)
	}
	for _, printed := range []string{string(object), resolvedText(t, plan)} {
		again, err := resolveText(printed)
		if err != nil || !slices.Equal(again.Graph.Nodes, names) {
			t.Errorf("%v: %s", err, printed)
		}
	}
}

// TestManyMappings: keys are counted for each mapping, not for the file.
func TestManyMappings(t *testing.T) {
	for _, text := range []string{
		"faults:\n" + manyKeys(2*maxKeys, "  - crash: n1\n    step: 9%.0d\n"),
		"faults:\n" + manyKeys(2*maxKeys, "- crash: n1\n  step: 9%.0d\n"),
		"faults: [" + manyKeys(2*maxKeys, "{crash: [n1], step: 9%.0d},\n") + "]",
	} {
		if plan := mustResolve(t, text); len(plan.Scenario.Faults) != 2*maxKeys {
			t.Errorf("%d faults", len(plan.Scenario.Faults))
		}
	}
}

package report

import (
	"encoding/json"
	"testing"
)

// TestGeometry: what geometry.js finds by binary search and by blocks of events, a look at
// every event finds, too: the events in sight, the arrows through a window, the event
// under a pointer.
func TestGeometry(t *testing.T) {
	needsNode(t)
	var args []string
	for _, name := range []string{"loop-crash", "in-transit", "duplicated-messages", "partial-recovery", "pending-timer", "open-choices"} {
		p := load(t, "../../testdata/scenarios/"+name+".yaml", "")
		args = append(args, dataFile(t, Of(p, p.Seed, Options{Events: 3000}), &keep{steps: []int{0}}))
	}
	out := inNode(t, "geometry.js", args...)
	var seen map[string]int
	if err := json.Unmarshal(out, &seen); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, rare := range []string{"spanning", "crossing", "hits", "weighty", "hidden", "clamped", "stayed"} {
		if seen[rare] == 0 {
			t.Errorf("nothing was %s: %v", rare, seen)
		}
	}
}

package report

import (
	"strings"
	"testing"

	"simrun/scenarios/spacetime"
)

// TestAroundViolation: of a long run whose first violation comes late, the window lies
// around the event that shows it; and where it is said where to begin, it begins there.
func TestAroundViolation(t *testing.T) {
	p := parsed(t, "late.yaml", `{algorithm: no-channel-state, graph: {generate: ring, nodes: 4}, app: {kind: bank}, snapshots: {at: [60ms]}}`, "")
	const events = 50
	run := Of(p, p.Seed, Options{Events: events})
	d := run.Diagram
	if d.First == 0 || len(d.Events) != events || len(d.Violations) == 0 || d.Violations[0].Event == spacetime.None {
		t.Fatalf("%d events from %d of %d; %+v", len(d.Events), d.First, d.Total, d.Violations)
	}
	if !strings.Contains(run.Notes[0], "around the first violation") {
		t.Errorf("said is %v", run.Notes)
	}
	run = Of(p, p.Seed, Options{Events: events, From: 11})
	if d := run.Diagram; d.First != 10 || d.Violations[0].Event != spacetime.None || !strings.Contains(strings.Join(run.Notes, " "), "are shown by no event that is here") {
		t.Errorf("%d events from %d of %d; %v", len(d.Events), d.First, d.Total, run.Notes)
	}
}

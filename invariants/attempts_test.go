package invariants

import (
	"testing"

	"simrun/sim"
)

// TestWhatIsSaid: what the coordinator and its tasks say is held to what has happened.
func TestWhatIsSaid(t *testing.T) {
	last := func(run *Run, kind sim.FactKind, control sim.ControlKind) *sim.Fact {
		for i := len(run.History.Facts) - 1; i >= 0; i-- {
			if f := &run.History.Facts[i]; f.Kind == kind && f.Control.Kind == control {
				return f
			}
		}
		t.Fatalf("no fact %d of kind %d", kind, control)
		return nil
	}
	acknowledged := func(run *Run) *sim.Fact { return last(run, sim.FactReplied, sim.Acknowledge) }
	add := func(run *Run, f sim.Fact) { run.History.Facts = append(run.History.Facts, f) }
	finishes := func(run *Run, row int) {
		add(run, sim.Fact{Kind: sim.FactReplied, Row: row, Control: sim.Control{Kind: sim.Finished, Attempt: 1}})
	}
	for _, x := range []struct {
		invariant, detail string
		do                func(run *Run)
	}{
		{"coordinator", "something of attempt 7, and attempt 1 is under way", func(run *Run) { last(run, sim.FactTold, sim.Trigger).Control.Attempt = 7 }},
		{"coordinator", "tells the coordinator something of attempt 0, and attempt 1", func(run *Run) { acknowledged(run).Control.Attempt = 0 }},
		{"coordinator", "says that it was taken in attempt 9", func(run *Run) { run.History.Published[0].Attempt = 9 }},
		{"termination", "has never acknowledged its part", func(run *Run) { acknowledged(run).Kind = sim.FactAlarm }},
		{"coordinator", "its part is durable, and nobody has told it to cancel", func(run *Run) { acknowledged(run).Control.Kind = sim.Decline }},
		{"coordinator", "and nothing comes to it once more", func(run *Run) { acknowledged(run).Control.Kind = sim.NotReady }},
		{"coordinator", "allows any number of restarts", func(run *Run) {
			run.Restarts = -1
			add(run, sim.Fact{Kind: sim.FactGaveUp, Task: -1})
		}},
		{"coordinator", "has ordered 1 restart since it started; its strategy allows 5", func(run *Run) {
			run.Restarts = 5
			add(run, sim.Fact{Kind: sim.FactGaveUp, Task: -1})
		}},
		{"coordinator", "node 0 has said that it has finished, and goes on", func(run *Run) { finishes(run, run.History.Restores[0].Row+1) }},
		{"termination", "node 0, which has said that it has finished, has not ended the stream", func(run *Run) { finishes(run, len(run.History.Rows)) }},
	} {
		run := partly(t, 1, false)
		if report := Check(run, nil); !report.Holds() {
			t.Fatal(report.Violations)
		}
		x.do(run)
		says(t, Check(run, nil), x.invariant, x.detail)
	}
	run := partly(t, 1, false)
	run.Restarts = 1
	add(run, sim.Fact{Kind: sim.FactGaveUp, Task: -1})
	if report := Check(run, nil); !report.Holds() {
		t.Errorf("it may give up: %v", report.Violations)
	}
}

package invariants

import (
	"strings"
	"testing"

	"simrun/sim"
)

func TestAbsStaged(t *testing.T) {
	p := sample(t)
	if report := Check(p.run, nil); !report.Holds() || strings.Contains(strings.Join(report.Checks, " "), "abs-staged") {
		t.Errorf("abs-staged was checked for an algorithm that does not align: %v", report)
	}
	p.run.Aligned = true
	v, ok := find(Check(p.run, nil), "abs-staged")
	if !ok || !strings.Contains(v.Detail, "is not aligned on channel A->B") || len(v.Numbers) == 0 {
		t.Errorf("barriers that are not aligned: %v", v)
	}
	p.run.BackEdge = []bool{ca: true, ac: false}
	if v, ok = find(Check(p.run, nil), "abs-staged"); !ok || v.Channel != ab {
		t.Errorf("barriers that are not aligned off the back-edges of a graph that has some: %v", v)
	}
	p.run.BackEdge = []bool{true, true, true, true}
	if report := Check(p.run, nil); !report.Holds() {
		t.Errorf("on back-edges messages may be in flight: %v", report.Violations)
	}

	p = newPlay(graphOf(2, [2]int32{0, 1}))
	s := p.trigger(0)
	p.record(s, 0, 1)
	s.Channels[0] = []sim.Recorded{{Number: 1}}
	p.run.Aligned = true
	v, ok = find(Check(p.end(), nil), "abs-staged")
	if !ok || !strings.Contains(v.Detail, "snapshot 1 stores 1 message of channel A->B") {
		t.Errorf("something stored off the back-edges: %v", v)
	}

	s.Channels[0], s.Processed[0] = nil, 1
	v, ok = find(Check(p.run, nil), "abs-staged")
	if !ok || !strings.Contains(v.Detail, "B processed message 1 before it recorded, A sent it only after it did") {
		t.Errorf("something processed that is sent behind the barrier: %v", v)
	}
}

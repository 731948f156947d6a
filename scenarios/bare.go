package scenarios

import (
	"slices"

	"simrun/sim"
)

// runBare runs the computation of a run again with the same seed and without any
// snapshot algorithm, for the invariant non-interference; nil where the algorithm does
// not promise that it is the same. Nothing is compared beyond the first crash, so the
// bare run has no faults and ends when it has as many events as there are to compare:
// each of its steps makes at least one.
func (r *Runner) runBare(cfg *sim.Config, h *sim.History) *sim.History {
	p := r.plan
	if !p.Algorithm.Invisible || cfg.Order != sim.Timed || len(h.Snapshots) == 0 ||
		slices.Contains(p.Scenario.Checks.Off, "non-interference") {
		return nil
	}
	bare := *cfg
	bare.NewNode = func(sim.NodeInfo) sim.Node { return passing{} }
	bare.Snapshots, bare.Faults = sim.SnapshotPlan{}, nil
	bare.MaxSteps = eventsBeforeCrash(h) + 1
	bare.Observer = nil
	prepare(&r.bare, &bare)
	return r.bare.Run()
}

// eventsBeforeCrash is how many rows a run has before its first crash.
func eventsBeforeCrash(h *sim.History) int64 {
	if len(h.Crashes) == 0 {
		return int64(len(h.Rows))
	}
	return int64(slices.IndexFunc(h.Rows, func(r sim.Row) bool { return r.Kind() == sim.RowCrash }))
}

// passing is no snapshot algorithm: the App gets everything at once, and what it sends
// goes out at once.
type passing struct{}

func (passing) Initiate(sim.SnapshotID, *sim.Out) {}

func (passing) Receive(in sim.Input, m sim.Message, out *sim.Out) { out.Send(out.Process(in, m)...) }

func (passing) Recover([]byte, []sim.Logged, *sim.Out) {}
func (passing) Save(buf []byte) []byte                 { return buf }
func (passing) Load([]byte) error                      { return nil }

package scenarios

import (
	"encoding/json"
	"fmt"

	"simrun/invariants"
	"simrun/sim"
)

// Explorable is the engine's part of a search through all schedules: Config without what
// a number of steps decides. Every snapshot, those at instants and those at any step, is
// triggered before the first step, so that an order to initiate can be carried out at any
// moment, and nothing stops the input but its own end, or the run but that nothing is left
// to do. The error says what of the scenario cannot be searched.
func (p *Plan) Explorable(seed uint64) (sim.Config, error) {
	s := p.Scenario
	fail := func(message, right string, path ...any) (sim.Config, error) {
		return sim.Config{}, s.doc.fail(message, right, path...)
	}
	switch {
	case s.Order != chosen:
		return fail("the schedules of order: timed are not searched: there the times decide", "write order: chosen", "order")
	case len(p.Graph.Nodes)+len(p.Graph.Channels) > mostExplored:
		return fail(fmt.Sprintf("a graph of %s and %s is too large for every schedule of it to be visited", plural(int64(len(p.Graph.Nodes)), "node"), plural(int64(len(p.Graph.Channels)), "channel")),
			fmt.Sprintf("nodes and channels together may be %d, and a few are enough for most questions", mostExplored), "graph")
	case s.Coordinator != nil:
		return fail("schedules with a coordinator are not searched", "leave it out", "coordinator")
	case len(s.Faults) > 0:
		return fail("schedules with faults are not searched", "leave them out", "faults")
	case p.config.Unreliable != nil:
		return fail("schedules with channels that fail are not searched", "leave out reorder, lose and duplicate", "network", "channels")
	case p.config.Snapshots.Every > 0:
		return fail("periodic snapshots have no end", "write any: 1 in place of every, or how many there shall be", "snapshots")
	case len(p.config.Snapshots.At)+p.config.Snapshots.Open > sim.StageSnapshots:
		return fail(fmt.Sprintf("%d snapshots", len(p.config.Snapshots.At)+p.config.Snapshots.Open), fmt.Sprintf("write at most %d", sim.StageSnapshots), "snapshots")
	case s.Stop.Records != nil:
		return fail("the search does not count records over all nodes", "leave it out, and give each source fewer records", "stop", "records")
	}
	cfg := p.Config(seed)
	plan := &cfg.Snapshots
	own := make([][]int32, len(plan.At)+plan.Open)
	for i := range own {
		own[i] = plan.Initiators
		if i < len(plan.InitiatorsAt) && plan.InitiatorsAt[i] != nil {
			own[i] = plan.InitiatorsAt[i]
		}
	}
	plan.At, plan.InitiatorsAt, plan.Open = make([]int64, len(own)), own, 0
	cfg.Stop, cfg.MaxSteps = sim.Stop{}, 0
	return cfg, nil
}

// mostExplored is how many nodes and channels a graph may have whose schedules are searched.
// Each of them is a part of every state: a larger graph would fill the memory before it
// showed anything.
const mostExplored = 1000

// Judge judges a run of this plan that somebody else has carried out.
func (p *Plan) Judge(checker *invariants.Checker, cfg *sim.Config, h *sim.History) *invariants.Report {
	return checker.Check(p.judged(cfg, h), p.Scenario.Checks.Off)
}

// Describe is a node's state for people, as JSON.
func (p *Plan) Describe(seed uint64, v int32, state []byte) json.RawMessage {
	return p.Describer(seed).Describe(v, state)
}

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
	if !r.plan.comparesBare(cfg, h) {
		return nil
	}
	bare := bareOf(cfg, eventsBeforeCrash(h, 0)+1)
	Prepare(&r.bare, &bare)
	return r.bare.Run()
}

// runBareAfter is runBare for what follows each restore, up to the next crash: the bare
// run begins where the restore has left the system. There is none where what went before
// the restore decides what comes after it and is not in the history; and, unless all are
// wanted, where the history says that nothing was held back.
func (r *Runner) runBareAfter(cfg *sim.Config, h *sim.History, all bool) (after []*sim.History) {
	if !r.plan.comparesBare(cfg, h) || !cfg.Rows || cfg.Unreliable != nil || cfg.Service.Kind != sim.Constant || cfg.Stop.Records > 0 {
		return nil
	}
	for k := range h.Restores {
		if !all && !h.Restores[k].HeldBack || holdsMarkers(h.Restores[k].Snapshot) {
			after = append(after, nil)
			continue
		}
		bare := bareOf(cfg, eventsBeforeCrash(h, h.Restores[k].Row)+1)
		bare.From, bare.Resume = nil, &sim.Resume{History: h, Restore: k}
		var engine *sim.Engine // of its own: the history of each is still needed
		Prepare(&engine, &bare)
		after = append(after, engine.Run())
	}
	return after
}

// holdsMarkers says whether a wrong algorithm has saved a marker as the state of a
// channel: without snapshots nobody knows what to do with that.
func holdsMarkers(s *sim.Snapshot) bool {
	return s != nil && slices.ContainsFunc(s.Channels, func(recorded []sim.Recorded) bool {
		return slices.ContainsFunc(recorded, func(m sim.Recorded) bool { return m.Message.Kind() == sim.Marker })
	})
}

// comparesBare says whether a run is held to one without snapshots.
func (p *Plan) comparesBare(cfg *sim.Config, h *sim.History) bool {
	return p.Algorithm.Invisible && cfg.Order == sim.Timed && len(h.Snapshots) > 0 &&
		!slices.Contains(p.Scenario.Checks.Off, "non-interference")
}

// Bare is the computation of the plan alone, with this seed: without snapshots and
// faults, and without rows.
func (p *Plan) Bare(seed uint64) sim.Config {
	cfg := p.Config(seed)
	cfg.Rows = false
	return bareOf(&cfg, cfg.MaxSteps)
}

// bareOf is a configuration without snapshots and faults.
func bareOf(cfg *sim.Config, steps int64) sim.Config {
	bare := *cfg
	bare.NewNode = newPassing
	bare.Snapshots, bare.Management, bare.Faults = sim.SnapshotPlan{}, sim.ManagementPlan{}, nil
	bare.MaxSteps = steps
	bare.Observer = nil
	if cfg.From != nil {
		from := *cfg.From
		from.Struck, from.Coordinated = nil, nil // there are no faults, and no coordinator
		bare.From = &from
	}
	return bare
}

// eventsBeforeCrash is how many rows a run has from one on before its next crash, or
// before its next restore, if a coordinator orders one without a crash.
func eventsBeforeCrash(h *sim.History, from int) int64 {
	rows := h.Rows[min(from, len(h.Rows)):]
	if i := slices.IndexFunc(rows, func(r sim.Row) bool { return r.Kind() == sim.RowCrash }); i >= 0 {
		rows = rows[:i]
	}
	if i := slices.IndexFunc(rows[min(1, len(rows)):], func(r sim.Row) bool { return r.Kind() == sim.RowRestore }); i >= 0 {
		return int64(i) + 1
	}
	return int64(len(rows))
}

// passing is no snapshot algorithm: the App gets everything at once, and what it sends
// goes out at once.
type passing struct{}

func newPassing(sim.NodeInfo) sim.Node { return passing{} }

func (passing) Initiate(sim.SnapshotID, *sim.Out) {}

func (passing) Receive(in sim.Input, m sim.Message, out *sim.Out) { out.Send(out.Process(in, m)...) }

// Recover processes the backup log: it is part of where the system begins.
func (p passing) Recover(_ []byte, log []sim.Logged, out *sim.Out) {
	for _, l := range log {
		p.Receive(l.Input, l.Message, out)
	}
}

// Cancel has nothing to give up: it makes no-snapshots work under a coordinator.
func (passing) Cancel(sim.SnapshotID, *sim.Out) {}

func (passing) Save(buf []byte) []byte { return buf }
func (passing) Load([]byte) error      { return nil }

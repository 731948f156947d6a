package crashmatrix

import (
	"context"
	"slices"

	"simrun/invariants"
	"simrun/scenarios"
	"simrun/scenarios/parallel"
	"simrun/sim"
)

// Options is how a matrix is made.
type Options struct {
	Workers   int         // goroutines; the result does not depend on them
	Pairs     bool        // two crashes at a time, too
	MostPairs int         // so many of them; 0: MostPairs
	Progress  func(int64) // nil, or told how many cells and pairs are done
}

// MostPairs is how many runs with two crashes there are at most, if nothing else is said.
// Of more, as many are taken, spread evenly.
const MostPairs = 1000

func (o *Options) mostPairs() uint64 {
	if o.MostPairs == 0 {
		return MostPairs
	}
	return uint64(o.MostPairs)
}

// Matrix is what became of every crash.
type Matrix struct {
	Scenario    string   `json:"scenario"`
	Algorithm   string   `json:"algorithm"`
	Seed        uint64   `json:"seed"`
	Nodes       []string `json:"nodes"`
	Phases      []string `json:"phases"`
	FaultsLeft  int      `json:"faults_left_out"`
	Cells       []Cell   `json:"cells"` // by phase, then node
	Pairs       *Pairs   `json:"pairs"` // nil if not asked for
	Interrupted bool     `json:"interrupted"`
}

// Cell is what became of a crash of one node in one phase.
type Cell struct {
	Phase    string `json:"phase"`
	Node     string `json:"node"`
	Possible bool   `json:"possible"` // false: there is no such phase at this node
	Reached  bool   `json:"reached"`
	Outcome
}

// Outcome is a run with crashes.
type Outcome struct {
	Faults   []string         `json:"faults"`
	Restored []sim.SnapshotID `json:"restored"` // the checkpoint that each restore went back to; 0: the initial state
	Verdict  string           `json:"verdict"`  // "" if there was no run
	Violated []string         `json:"violated"` // invariants
	Outputs  string           `json:"outputs"`  // an invariants.Guarantee; "" if there was no restore
}

// Pairs is what became of two crashes in one run.
type Pairs struct {
	Of      int    `json:"of"`       // how many there are, of two cells that are reached
	LeftOut int    `json:"left_out"` // of them not run
	Both    int    `json:"both_reached"`
	One     int    `json:"one_reached"`
	Neither int    `json:"none_reached"`
	Runs    []Pair `json:"runs"`
}

// Pair is a run with two crashes.
type Pair struct {
	First  Place `json:"first"`
	Second Place `json:"second"`
	Outcome
}

// Place is a cell, and whether its crash has happened.
type Place struct {
	Phase   string `json:"phase"`
	Node    string `json:"node"`
	Reached bool   `json:"reached"`
}

// Work is how many cells and pairs there are at most to be done for a plan.
func Work(plan *scenarios.Plan, pairs bool) uint64 {
	n := uint64(len(newJob(plan, plan.Seed).cells))
	if pairs {
		n += MostPairs
	}
	return n
}

// Of makes the matrix of a plan. When ctx ends it returns what is known by then.
func Of(ctx context.Context, plan *scenarios.Plan, seed uint64, o Options) *Matrix {
	j := newJob(plan, seed)
	m := &Matrix{
		Scenario: plan.Name, Algorithm: plan.Algorithm.Name, Seed: seed, Nodes: j.names,
		FaultsLeft: len(plan.Scenario.Faults), Cells: []Cell{},
	}
	for _, p := range scenarios.Phases() {
		m.Phases = append(m.Phases, p.Name)
	}
	m.Interrupted = !parallel.Seeds(ctx, 0, uint64(len(j.cells)-1), o.Workers,
		func() func(uint64) Cell { return func(i uint64) Cell { return j.try(&j.cells[i]) } },
		func(c Cell) { m.Cells = append(m.Cells, c) }, o.Progress)
	if o.Pairs && !m.Interrupted {
		m.Pairs = j.pairs(ctx, m, o)
	}
	return m
}

// run runs the plan with these faults and no others.
func (j *job) run(faults []sim.Fault) (Outcome, scenarios.Outcome) {
	plan := j.plan.Changed(func(cfg *sim.Config) { cfg.Faults = faults })
	o := plan.NewRunner().Outcome(j.seed)
	r := Outcome{Faults: []string{}, Restored: append([]sim.SnapshotID{}, o.Restored...), Verdict: o.Verdict, Violated: append([]string{}, o.Broken...)}
	for i := range faults {
		r.Faults = append(r.Faults, plan.FaultOf(&faults[i]).String())
	}
	if o.Ledger != nil && o.Ledger.Outputs != invariants.NoOutputs {
		r.Outputs = string(o.Ledger.Outputs)
	}
	return r, o
}

// try runs a cell until its crash happens, or nothing is left to try.
func (j *job) try(c *cell) Cell {
	result := Cell{Phase: c.phase.Name, Node: j.names[c.node], Possible: c.possible}
	result.Outcome = Outcome{Faults: []string{}, Restored: []sim.SnapshotID{}, Violated: []string{}}
	if !c.possible {
		return result
	}
	for _, faults := range j.attempts(c) {
		var o scenarios.Outcome
		result.Outcome, o = j.run(faults)
		result.Reached = !slices.Contains(o.Unfired, len(faults)-1)
		if result.Reached || len(o.Broken) > 0 {
			break
		}
	}
	return result
}

package properties_test

import (
	"fmt"
	"slices"
	"testing"

	"simrun/algorithms/coordinator"
	"simrun/algorithms/twophase"
	"simrun/invariants"
	"simrun/scenarios"
	"simrun/scenarios/checkpoints"
	"simrun/scenarios/generate"
	"simrun/sim"
)

// TestManagedRunsFromCheckpoints: a run with a coordinator that begins with a checkpoint of
// a run that holds holds, and so does one that begins with a checkpoint of that. Each can
// be saved in the middle.
func TestManagedRunsFromCheckpoints(t *testing.T) {
	sights := map[string]int{}
	for seed := range uint64(*keptRuns) {
		o := scenarios.Overrides{Algorithm: []string{"chandy-lamport", "abs", "abs", "tracking"}[seed%4]}
		plan, err := generate.Coordinated(seed).Resolve(scenarios.Default(), o)
		if err != nil {
			continue // a graph on which this algorithm does not run
		}
		if slices.ContainsFunc(plan.Config(1).Unreliable, func(u sim.Unreliable) bool { return !u.Reliable() }) {
			continue
		}
		var first collector
		if res := plan.NewRunner().Watch(plan.Seed, &first); res.Verdict != scenarios.Holds {
			continue
		}
		for range 2 {
			var next collector
			for _, s := range first.complete {
				if !s.Restorable() {
					sights["of no use"]++
					if _, err := plan.From(&checkpoints.Checkpoint{Path: "chk", Snapshot: s}); err == nil {
						t.Fatalf("%s begins with snapshot %d, with which nothing can begin", plan.Name, s.ID)
					}
					continue
				}
				next = runFrom(t, sights, plan, s)
			}
			first = next
		}
	}
	t.Log(sights)
	for _, what := range []string{
		"timed", "chosen", "plain", "transactional", "higher ids", "transactions waiting", "transactions that had left", "committed again",
		"restored once more", "retired", "crashes of the coordinator", "after the stop", "later snapshots", "of no use",
	} {
		if sights[what] == 0 {
			t.Errorf("no run with %s", what)
		}
	}
}

// runFrom is what a run of the plan that begins with a snapshot completes.
func runFrom(t *testing.T, sights map[string]int, plan *scenarios.Plan, s *sim.Snapshot) (next collector) {
	t.Helper()
	own, err := plan.From(&checkpoints.Checkpoint{Path: "chk", Snapshot: s})
	if err != nil {
		t.Fatalf("%s, snapshot %d: %v", plan.Name, s.ID, err)
	}
	res := own.NewRunner().Watch(own.Seed, &next)
	if res.Verdict == scenarios.Violated {
		t.Fatalf("%s, %s, snapshot %d: %s, ended %s %+v", plan.Name, plan.Algorithm.Name, s.ID, res.Verdict, res.End, res.Violations)
	}
	cfg := own.Config(own.Seed)
	first, second := engineOf(t, &cfg), engineOf(t, &cfg)
	first.Step(int64(s.ID) * 7 % 60)
	if err := second.Load(first.Save(nil)); err != nil {
		t.Fatal(err)
	}
	h := second.Run()
	if got := fmt.Sprintf("%016x", h.Digest); got != res.Digest {
		t.Fatalf("%s, snapshot %d: saved and loaded it ends with %s, want %s", plan.Name, s.ID, got, res.Digest)
	}
	lookAtManaged(sights, plan, s, h)
	sights["inconclusive"] += count(res.Verdict == scenarios.Inconclusive)
	sights["later snapshots"] += count(len(next.complete) > 0)
	return next
}

func lookAtManaged(sights map[string]int, plan *scenarios.Plan, s *sim.Snapshot, h *sim.History) {
	sights[plan.Scenario.Order]++
	sights[plan.Scenario.Sinks]++
	sights["higher ids"] += count(s.Last() > s.ID)
	sights["after the stop"] += count(s.Limits != nil)
	sights["transactions that had left"] += count(slices.ContainsFunc(s.Coordinated.Committed, func(ids []sim.SnapshotID) bool { return len(ids) > 0 }))
	seen := map[sim.FactKind]int{}
	for i := range h.Facts {
		if f := &h.Facts[i]; f.Kind != sim.FactCommitted || f.ID <= s.Last() && f.At == s.CompletedAt {
			seen[f.Kind]++
		}
	}
	sights["transactions waiting"] += count(seen[sim.FactCommitted] > 0)
	sights["committed again"] += count(seen[sim.FactRepeated] > 0)
	sights["retired"] += count(seen[sim.FactRetired] > 0)
	sights["crashes of the coordinator"] += count(seen[sim.FactFailed] > 0)
	sights["restored once more"] += count(len(h.Restores) > 1 && h.Restores[1].Snapshot == h.From)
}

// standing is a coordinator that starts with something else than what is.
type standing struct {
	sim.Coordinator
	change func(s *sim.Standing)
}

// Start implements sim.Coordinator.
func (c *standing) Start(s sim.Standing, out *sim.Decisions) {
	c.change(&s)
	c.Coordinator.Start(s, out)
}

// mute is a sink that commits nothing when it is restored.
type mute struct{ sim.Node }

// Recover implements sim.Node.
func (m mute) Recover(attached []byte, log []sim.Logged, out *sim.Out) {
	m.Node.Recover(attached, log, out)
	out.Rewrite(0, func(op sim.Op) {
		if op.Kind != sim.OpCommit {
			out.Again(op)
		}
	})
}

// Complete passes the notice on.
func (m mute) Complete(id sim.SnapshotID, out *sim.Out) {
	m.Node.(coordinator.Notified).Complete(id, out)
}

// Cancel passes the order on.
func (m mute) Cancel(id sim.SnapshotID, out *sim.Out) { m.Node.(coordinator.Canceller).Cancel(id, out) }

// waitingTransactions is a plan, a checkpoint of it that holds transactions that had not
// left, and their records, by node.
func waitingTransactions(t *testing.T) (*scenarios.Plan, *sim.Snapshot, [][]sim.Message) {
	t.Helper()
	scenario, err := scenarios.Load(scenarios.Default(), "../../testdata/scenarios/transactional-wordcount.yaml")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := scenario.Resolve(scenarios.Default(), scenarios.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	var first collector
	plan.NewRunner().Watch(plan.Seed, &first)
	for _, s := range first.complete {
		waiting, held := make([][]sim.Message, len(s.States)), 0
		for v := range s.Attached {
			list, err := twophase.Transactions(s.Attached[v])
			if err != nil {
				t.Fatal(err)
			}
			for _, tx := range list {
				if s.Coordinated.Committed != nil && slices.Contains(s.Coordinated.Committed[v], tx.ID) {
					t.Fatalf("snapshot %d holds a transaction that had left", s.ID)
				}
				held++
				waiting[v] = append(waiting[v], tx.Records...)
			}
		}
		if held > 1 {
			return plan, s, waiting
		}
	}
	t.Fatal("no checkpoint holds transactions that had not left")
	return nil, nil, nil
}

// TestWrongManagedBeginnings: what a coordinator, a sink or the outside world makes wrongly
// of a checkpoint with which the run begins is found.
func TestWrongManagedBeginnings(t *testing.T) {
	plan, s, waiting := waitingTransactions(t)
	own, err := plan.From(&checkpoints.Checkpoint{Path: "chk", Snapshot: s})
	if err != nil {
		t.Fatal(err)
	}
	crash := []sim.Fault{{Nodes: []int32{0}, At: s.CompletedAt + 5_000_000}}
	started := func(change func(*sim.Standing)) func(*sim.Config) {
		return func(cfg *sim.Config) {
			right := cfg.Management.New
			cfg.Management.New = func() sim.Coordinator { return &standing{right(), change} }
			cfg.Faults = crash
		}
	}
	for _, x := range []struct {
		what, violated string
		change         func(cfg *sim.Config)
		damage         func(h *sim.History)
		left           bool // the transactions had
	}{
		{what: "nothing"},
		{what: "nothing, and a crash", change: func(cfg *sim.Config) { cfg.Faults = crash }},
		{what: "ids given again", violated: "coordinator", change: started(func(s *sim.Standing) { s.Last-- })},
		{what: "the checkpoint forgotten", violated: "coordinator", change: started(func(s *sim.Standing) { s.Metadata = nil })},
		{what: "nothing committed", violated: "recovery", change: func(cfg *sim.Config) {
			cfg.NewNode = coordinator.Task(func(info sim.NodeInfo) sim.Node { return mute{twophase.Sink(plan.Algorithm.New)(info)} })
		}},
		{what: "a transaction that the outside world says it has", violated: "recovery", change: func(cfg *sim.Config) {
			from, mistaken := *s, *s.Coordinated
			mistaken.Committed = make([][]sim.SnapshotID, len(s.States))
			for v := range mistaken.Committed {
				mistaken.Committed[v] = []sim.SnapshotID{s.ID}
			}
			from.Coordinated, cfg.From = &mistaken, &from
		}},
		{what: "a transaction that leaves and had left", violated: "recovery", left: true},
		{what: "a part that is missing", violated: "coordinator", damage: func(h *sim.History) { h.Facts = h.Facts[1:] }},
		{what: "metadata that is missing", violated: "coordinator", damage: func(h *sim.History) { h.Published = nil }},
		{what: "another checkpoint adopted", violated: "coordinator", damage: func(h *sim.History) { h.Facts[len(s.States)].ID-- }},
	} {
		cfg := own.Config(own.Seed)
		cfg.Faults = nil
		if x.change != nil {
			x.change(&cfg)
		}
		h := engineOf(t, &cfg).Run()
		if x.damage != nil {
			x.damage(h)
		}
		run := invariants.Of(&cfg, h)
		run.Aligned, run.HoldsOutputs, run.Transactional = true, true, true
		if !x.left {
			run.Waiting = waiting
		}
		var broken []string
		for _, v := range invariants.Check(run, nil).Violations {
			broken = append(broken, v.Invariant)
		}
		if (x.violated == "") != (len(broken) == 0) || x.violated != "" && !slices.Contains(broken, x.violated) {
			t.Errorf("%s: violated: %v; want %q", x.what, broken, x.violated)
		}
	}
}

package properties_test

import (
	"flag"
	"slices"
	"testing"

	"simrun/algorithms/abs"
	"simrun/invariants"
	"simrun/scenarios"
	"simrun/scenarios/checkpoints"
	"simrun/scenarios/generate"
	"simrun/sim"
)

var keptRuns = flag.Int("kept.runs", 150, "generated scenarios whose checkpoints are begun with")

// collector collects the snapshots of a run when they are complete, as a Store would
// write them.
type collector struct{ complete []*sim.Snapshot }

// Observe implements sim.Observer.
func (c *collector) Observe(ev *sim.Event) {
	if ev.Kind == sim.EventComplete {
		s := *ev.Complete
		c.complete = append(c.complete, &s)
	}
}

// TestRunsFromCheckpoints: a run that begins with any checkpoint of a run that holds
// holds, and so does one that begins with a checkpoint of that.
func TestRunsFromCheckpoints(t *testing.T) {
	sights := map[string]int{}
	for seed := range uint64(*keptRuns) {
		o := scenarios.Overrides{Algorithm: []string{"chandy-lamport", "abs", "loop-hold-inputs"}[seed%3]}
		plan, err := generate.Scenario(seed).Resolve(scenarios.Default(), o)
		if err != nil {
			continue // a graph on which this algorithm does not run
		}
		if plan.Algorithm.HoldsOutputs || slices.ContainsFunc(plan.Config(1).Unreliable, func(u sim.Unreliable) bool { return !u.Reliable() }) {
			continue
		}
		var first collector
		if res := plan.NewRunner().Watch(plan.Seed, &first); res.Verdict != scenarios.Holds {
			continue
		}
		for depth := 0; depth < 2; depth++ {
			var next collector
			for _, s := range first.complete {
				lookAtKept(sights, plan, s)
				own, err := plan.From(&checkpoints.Checkpoint{Path: "chk", Snapshot: s})
				if err != nil {
					t.Fatalf("seed %d, snapshot %d: %v", seed, s.ID, err)
				}
				next = collector{}
				res := own.NewRunner().Watch(own.Seed, &next)
				if res.Verdict != scenarios.Holds {
					t.Fatalf("seed %d, snapshot %d, depth %d: %s %+v", seed, s.ID, depth, res.Verdict, res.Violations)
				}
				if r := res.Recoveries[0]; res.Snapshots[0].Verdict != "given" || *r.Snapshot != uint32(s.ID) || r.At != s.CompletedAt {
					t.Fatalf("seed %d: begins with %+v, %+v", seed, res.Snapshots[0], r)
				}
				if again := own.NewRunner().Run(own.Seed); again.Digest != res.Digest {
					t.Fatalf("seed %d, snapshot %d: two runs differ", seed, s.ID)
				}
				sights["crash before the next snapshot"] += count(len(res.Recoveries) > 1 && *res.Recoveries[1].Snapshot == uint32(s.ID))
				sights["later snapshots"] += count(len(next.complete) > 0)
			}
			first = next
		}
	}
	t.Log(sights)
	for _, what := range []string{"timed", "chosen", "requeued", "logged", "timers", "after the stop", "after a crash", "later incarnation", "crash before the next snapshot", "later snapshots"} {
		if sights[what] == 0 {
			t.Errorf("no run with %s", what)
		}
	}
}

func lookAtKept(sights map[string]int, plan *scenarios.Plan, s *sim.Snapshot) {
	logged, requeued, timers := 0, 0, 0
	for c := range s.Channels {
		for i := range s.Channels[c] {
			if s.Channels[c][i].Logged {
				logged++
			} else {
				requeued++
			}
		}
	}
	for v := range s.Recordings {
		timers += len(s.Recordings[v].Timers)
	}
	sights[plan.Scenario.Order]++
	sights["requeued"] += count(requeued > 0)
	sights["logged"] += count(logged > 0)
	sights["timers"] += count(timers > 0)
	sights["after the stop"] += count(s.Limits != nil)
	sights["after a crash"] += count(len(s.Struck) > 0)
	sights["later incarnation"] += count(s.Incarnation > 0)
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// logless is ABS that loses its backup log in a recovery.
type logless struct{ sim.Node }

// Recover implements sim.Node.
func (f logless) Recover(attached []byte, _ []sim.Logged, out *sim.Out) {
	f.Node.Recover(attached, nil, out)
}

// TestWrongBeginnings: a run that does not begin with what the checkpoint says is
// violated.
func TestWrongBeginnings(t *testing.T) {
	scenario, err := scenarios.Load(scenarios.Default(), "../../testdata/scenarios/loop-crash.yaml")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := scenario.Resolve(scenarios.Default(), scenarios.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	var first collector
	plan.NewRunner().Watch(plan.Seed, &first)
	s := first.complete[1]
	if len(s.Logs[1]) == 0 {
		t.Fatal("the checkpoint has no backup log")
	}
	own, err := plan.From(&checkpoints.Checkpoint{Path: "chk", Snapshot: s})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		what, violated string
		change         func(cfg *sim.Config)
		damage         func(h *sim.History)
	}{
		{what: "nothing"},
		{what: "a log that is not replayed", violated: "fifo", change: func(cfg *sim.Config) {
			cfg.NewNode = func(info sim.NodeInfo) sim.Node { return logless{abs.New(info)} }
		}},
		{what: "another state", violated: "recovery", damage: func(h *sim.History) { h.Restores[0].States[1][0] ^= 1 }},
		{what: "another offset", violated: "recovery", damage: func(h *sim.History) { h.Restores[0].Offsets[0]++ }},
		{what: "another snapshot", violated: "recovery", damage: func(h *sim.History) { h.Restores[0].Snapshot = nil }},
		{what: "a cut that is none", violated: "consistent-cut", damage: func(h *sim.History) { h.From.Processed[0] = h.From.Sent[0] + 1 }},
		{what: "messages that are missing", violated: "channel-state", damage: func(h *sim.History) {
			for c := range h.From.Channels {
				h.From.Channels[c] = nil
			}
		}},
		{what: "an id that is given again", violated: "coordinator", damage: func(h *sim.History) { h.Snapshots[3].Status = sim.Absent }},
	} {
		cfg := own.Config(own.Seed)
		if x.change != nil {
			x.change(&cfg)
		}
		engine, err := sim.New(&cfg)
		if err != nil {
			t.Fatal(err)
		}
		h := engine.Run()
		if x.damage != nil {
			x.damage(h)
		}
		run := invariants.Of(&cfg, h)
		run.Aligned = true
		var broken []string
		for _, v := range invariants.Check(run, nil).Violations {
			broken = append(broken, v.Invariant)
		}
		if (x.violated == "") != (len(broken) == 0) || x.violated != "" && !slices.Contains(broken, x.violated) {
			t.Errorf("%s: violated: %v; want %q", x.what, broken, x.violated)
		}
	}
}

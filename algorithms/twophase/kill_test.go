package twophase_test

import (
	"strings"
	"testing"

	"simrun/algorithms/mutants"
	"simrun/algorithms/twophase"
	"simrun/sim"
)

// killSeeds is within how many runs a wrong sink must be noticed.
const killSeeds = 20

// TestWrongSinks: each wrong sink violates the invariant that should notice it, in every
// kind of job. The right one violates nothing in these runs and more, see
// TestExactlyOnce.
func TestWrongSinks(t *testing.T) {
	for _, m := range mutants.Sinks() {
		for _, j := range jobs {
			killed, first := 0, -1
			for seed := range uint64(killSeeds) {
				cfg := j.config(t, seed, m.New)
				for _, v := range j.judge(cfg, run(t, cfg)).Violations {
					if v.Invariant == m.Catches {
						if killed++; first < 0 {
							first = int(seed)
							t.Logf("%s: %v", j.name, v)
						}
						break
					}
				}
			}
			t.Logf("%s, %s: %d of %d runs violate %s, the first with seed %d", m.Name, j.name, killed, killSeeds, m.Catches, first)
			if killed == 0 {
				t.Errorf("%s, %s: not noticed in %d runs", m.Name, j.name, killSeeds)
			}
		}
	}
}

// deaf is a sink that is not told when a checkpoint is complete.
type deaf struct{ sim.Node }

func (d deaf) Cancel(id sim.SnapshotID, out *sim.Out) {
	d.Node.(interface {
		Cancel(sim.SnapshotID, *sim.Out)
	}).Cancel(id, out)
}

// TestOtherInvariants: a transaction that nothing complete covers is the coordinator's
// invariant, too; and in a run without any crash what never leaves is lost, if the node
// was told that it may.
func TestOtherInvariants(t *testing.T) {
	j := &jobs[1]
	early := mutants.Sinks()[0].New
	never := func(algorithm sim.NewNode) sim.NewNode {
		return func(info sim.NodeInfo) sim.Node { return deaf{twophase.Sink(algorithm)(info)} }
	}
	for _, x := range []struct {
		sink func(sim.NewNode) sim.NewNode
		want string
	}{{early, "coordinator"}, {never, "recovery"}} {
		cfg := j.config(t, 1, x.sink)
		cfg.Faults = nil
		names := map[string]bool{}
		for _, v := range j.judge(cfg, run(t, cfg)).Violations {
			names[v.Invariant] = true
		}
		if !names[x.want] {
			t.Errorf("violated: %v, want %s", names, x.want)
		}
	}
}

// careless is a coordinator that does not remind anybody of the last checkpoint, and so
// never comes to what it would do after that.
type careless struct{ sim.Coordinator }

func (c careless) Rest(out *sim.Decisions) {
	c.Coordinator.(sim.Resting).Rest(out)
	if list := out.List(); len(list) > 0 && list[0].Control.Kind == sim.Remind {
		out.Reset()
	}
}

// TestLostNotice: where the notice of the last checkpoint can be lost, what a sink holds is
// lost with it, unless the coordinator repeats it.
func TestLostNotice(t *testing.T) {
	j, lost := &jobs[1], 0
	for seed := range uint64(40) {
		cfg := j.config(t, seed, twophase.Sink)
		cfg.Management.Fails.Lose.PerMillion = 250_000
		if report := j.judge(cfg, run(t, cfg)); !report.Holds() {
			t.Errorf("seed %d: %v", seed, report.Violations)
		}
		right := cfg.Management.New
		cfg.Management.New = func() sim.Coordinator { return careless{right()} }
		for _, v := range j.judge(cfg, run(t, cfg)).Violations {
			if v.Invariant == "recovery" && strings.Contains(v.Detail, "is complete, and they never left") {
				lost++
			}
		}
	}
	if lost < 4 {
		t.Errorf("%d sinks have lost something", lost)
	}
}

package properties_test

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"simrun/algorithms/abs"
	"simrun/algorithms/chandylamport"
	"simrun/invariants"
	"simrun/scenarios/apps"
	"simrun/sim"
	"simrun/topology"
)

// trial is one random run, decided before it begins.
type trial struct {
	algorithm  string // chandy-lamport or abs
	graph      *topology.Graph
	app        string
	parameters apps.Builder
	config     sim.Config
}

// maxSteps ends a run that has become too long to be of use; few do.
const maxSteps = 20_000

// drawTrial draws a run of one of the right algorithms.
func drawTrial(t *rapid.T) *trial {
	r := &trial{algorithm: rapid.SampledFrom([]string{"chandy-lamport", "abs"}).Draw(t, "algorithm"), graph: drawGraph(t)}
	app, parameters, workload := drawApp(t, r.graph, r.aligned())
	r.app, r.parameters = app, parameters
	seed := rapid.Uint64().Draw(t, "seed")
	cfg := &r.config
	*cfg = sim.Config{
		Graph: r.graph.Sim(), Seed: seed, Rows: true, MaxSteps: maxSteps,
	}
	workload.Into(cfg)
	cfg.Snapshots.Initiators = drawInitiators(t, r.graph)
	if cfg.NewNode = chandylamport.New; r.aligned() {
		cfg.NewNode = abs.New
		cfg.BackEdge = drawBackEdges(t, r.graph, cfg.Snapshots.Initiators)
	}
	if rapid.Bool().Draw(t, "chosen order") {
		cfg.Order = sim.Chosen
	}
	drawTimes(t, cfg)
	drawSnapshots(t, cfg)
	drawFaults(t, cfg)
	if rapid.IntRange(0, 9).Draw(t, "cut short") == 0 {
		cfg.MaxSteps = rapid.Int64Range(1, 300).Draw(t, "steps")
	}
	if rapid.IntRange(0, 3).Draw(t, "replay") == 0 {
		cfg.Replay = sim.NoReplay
	}
	return r
}

// trials draws runs outside of a rapid.Check.
var trials = rapid.Custom(drawTrial)

func (r *trial) aligned() bool { return r.algorithm == "abs" }

// checked is what the invariants are told of the run.
func (r *trial) checked(h *sim.History) *invariants.Run {
	run := invariants.Of(&r.config, h)
	run.Aligned = r.aligned()
	return run
}

// String is all of the run, in words and in the order in which it was decided.
func (r *trial) String() string {
	var b strings.Builder
	cfg := &r.config
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-12s%s\n", name, fmt.Sprintf(format, args...))
	}
	line("algorithm", "%s, seed %d", r.algorithm, cfg.Seed)
	line("graph", "%s", graphText(r.graph, cfg.BackEdge))
	line("app", "%s %+v", r.app, r.parameters)
	line("order", "%s", map[sim.Order]string{sim.Timed: "timed", sim.Chosen: "chosen"}[cfg.Order])
	line("delays", "%+v, by channel %v", cfg.Delays, cfg.DelayOf)
	line("service", "%+v", cfg.Service)
	line("write", "%+v", cfg.Write)
	line("snapshots", "%+v", cfg.Snapshots)
	for i, f := range cfg.Faults {
		inside := "between handlers"
		if f.AfterOutputs != nil {
			inside = fmt.Sprintf("inside a handler, after %d outputs", *f.AfterOutputs)
		}
		f.AfterOutputs = nil
		line(fmt.Sprintf("fault %d", i), "%+v, %s", f, inside)
	}
	line("replay", "%s", map[sim.Replay]string{sim.FromOffset: "from the offset", sim.NoReplay: "none"}[cfg.Replay])
	line("stop", "%+v", cfg.Stop)
	return b.String()
}

package scenarios

import (
	"simrun/algorithms/partial"
	"simrun/invariants"
	"simrun/sim"
)

// What a coordinator restores when tasks have crashed.
const (
	wholeGraph = "whole"   // everything
	someTasks  = "partial" // them, and what is upstream of them
)

// recovery resolves what the coordinator restores.
func (r *resolver) recovery() error {
	x, path := r.Coordinator, []any{"coordinator", "recovery"}
	if err := r.oneOf(&x.Recovery, "recovery", []string{wholeGraph, someTasks}, path...); err != nil || x.Recovery == wholeGraph {
		return err
	}
	const right = "write recovery: whole"
	a := r.plan.Algorithm
	switch {
	case a.Promise != "" && a.Promise != invariants.ExactlyOnce:
		return unsuited(r.fail("partial recovery with "+a.Name+", which promises "+string(a.Promise)+": what is restarted does not send the same again", right, path...))
	case !a.Aligned:
		return unsuited(r.fail("partial recovery with "+a.Name+", which does not align barriers: a message that is in flight across the cut is restored only with its receiver", right+", or choose abs", path...))
	case a.HoldsOutputs:
		return unsuited(r.fail("partial recovery with "+a.Name+", which holds outputs back: what a restarted task has held it sends in another place", right+", or choose abs", path...))
	case x.Finish:
		return r.fail("partial recovery with tasks that finish: the ends of their streams would come again", right+", or leave finish out", path...)
	case r.plan.config.Unreliable != nil:
		return r.fail("partial recovery on unreliable channels: what is sent again must come, in order and once", right+", or make the channels reliable", path...)
	case r.plan.config.Replay == sim.NoReplay:
		return r.fail("partial recovery and replay: none, so that nothing is sent again", right+", or replay: from-offset", path...)
	}
	return nil
}

// partialRecovery says whether only what has failed is restored, and what is upstream.
func (s *Scenario) partialRecovery() bool {
	return s.Coordinator != nil && s.Coordinator.Recovery == someTasks
}

// surviving is an algorithm, or a sink around it, whose tasks can go on if they have to.
func (r *resolver) surviving(algorithm sim.NewNode) sim.NewNode {
	if r.partialRecovery() {
		return partial.Survivor(algorithm)
	}
	return algorithm
}

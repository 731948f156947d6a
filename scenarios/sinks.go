package scenarios

import (
	"simrun/algorithms/coordinator"
	"simrun/algorithms/twophase"
)

// How records leave the system.
const (
	plain         = "plain"         // at once: after a restore some leave again
	transactional = "transactional" // once, when a checkpoint that covers them is complete
)

// sinks resolves how records leave the system.
func (r *resolver) sinks() error {
	if r.Sinks == "" && r.Coordinator == nil {
		return nil
	}
	if err := r.oneOf(&r.Sinks, "sinks", []string{plain, transactional}, "sinks"); err != nil || r.Sinks == plain {
		return err
	}
	switch {
	case r.Coordinator == nil:
		return r.fail("transactional sinks without a coordinator, which tells them when a checkpoint is complete", "write coordinator: {}, or sinks: plain", "sinks")
	case r.plan.Algorithm.HoldsOutputs:
		return r.fail("transactional sinks with "+r.plan.Algorithm.Name+", which holds outputs back itself", "choose another algorithm, or write sinks: plain", "sinks")
	}
	r.plan.settings.Final = true
	r.plan.config.Management.New = coordinator.New(r.plan.settings)
	r.plan.config.NewNode = coordinator.Task(twophase.Sink(r.plan.Algorithm.New))
	return nil
}

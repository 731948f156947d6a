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
	if err := r.oneOf(&r.Sinks, "sinks", []string{plain, transactional}, "sinks"); err != nil {
		return err
	}
	a := r.plan.Algorithm
	switch {
	case r.Sinks == plain && a.Sink != nil:
		return unsuited(r.fail(a.Name+" is a transactional sink", "write sinks: transactional", "sinks"))
	case r.Sinks == plain:
		return nil
	case r.Coordinator == nil:
		return r.fail("transactional sinks without a coordinator, which tells them when a checkpoint is complete", "write coordinator: {}, or sinks: plain", "sinks")
	case a.Unsaved:
		return unsuited(r.fail("transactional sinks with "+a.Name+", which takes no checkpoint, so that nothing would ever leave", "choose another algorithm, or write sinks: plain", "sinks"))
	case a.HoldsOutputs:
		return r.fail("transactional sinks with "+a.Name+", which holds outputs back itself", "choose another algorithm, or write sinks: plain", "sinks")
	case a.isTask():
		return unsuited(r.fail("transactional sinks with "+a.Name+", which talks to the coordinator itself", "choose another algorithm, or write sinks: plain", "sinks"))
	}
	sink := twophase.Sink
	if a.Sink != nil {
		sink = a.Sink
	}
	r.plan.settings.Final = true
	r.plan.config.Management.New = a.coordinator(r.plan.settings)
	r.plan.config.NewNode = coordinator.Task(r.surviving(sink(a.New)))
	return nil
}

package sim

// Chronicler is an Observer that is told every step of a run in timed order, in the
// order in which they are taken: what a Scheduler would have had to pick in chosen
// order for the same events of the application. It is told, too, where the snapshots,
// the faults and the end of the input fall between them (StepTrigger, StepFault,
// StepStop), which no Scheduler picks.
//
// In chosen order it is told nothing: the Scheduler knows.
type Chronicler interface {
	Observer
	Took(s Step)
}

// RunningDigest is the digest of all events up to now. It is not History.Digest, which
// covers the end state as well.
func (e *Engine) RunningDigest() uint64 { return e.digest }

// took tells the Chronicler that a step is taken.
func (e *Engine) took(kind StepKind, entity int32, index uint32) {
	if e.chronicler != nil {
		e.chronicler.Took(Step{Kind: kind, Entity: entity, Index: index})
	}
}

// watch prepares for the Chronicler, if there is one. Deliveries are many, so that they
// are told by way of a flag of the receiver that is looked at anyway.
func (e *Engine) watch() {
	e.chronicler = nil
	if c, ok := e.observer.(Chronicler); ok && !e.chosen {
		e.chronicler = c
	}
}

// tookFrom tells of the head of a reliable channel; what an unreliable channel brings is
// told where it comes out of the many that are under way there.
func (e *Engine) tookFrom(c int32) {
	e.told = e.steps
	if e.looseAt(c) == nil {
		e.took(StepDeliver, c, 0)
	}
}

package sim

// Fault is a crash, decided before the run, or left open. Exactly one of At, Step,
// Phase and Times says when; each fault but an open one fires once. In chosen order At
// is not allowed, in timed order Times is not.
type Fault struct {
	// Nodes that crash together; with a Phase, the first is the one that must reach it;
	// with Times, those of which each can.
	Nodes []int32
	At    int64 // ns; 0: not used
	Step  int64 // after this many steps of the run; 0: not used

	// Times leaves the fault to the Scheduler: it may let one of Nodes crash at any step,
	// at most so many times; 0: not used.
	Times int

	Phase      Phase
	Snapshot   SnapshotID // 0: any
	Occurrence int        // which time, from 1; 0 means 1

	// AfterOutputs, if not nil, lets the crash fall inside a handler of the
	// first node: with a Phase the one that reaches it, else the first one at
	// or after the time, the step, or the Phase if that is reached outside of its
	// handlers. The first *AfterOutputs entries of what it asked for are carried out.
	// PhaseBeforeRecord has no use for it, and an open fault may not have it.
	AfterOutputs *int

	Down int64 // ns from the crash until these nodes can be restored; ignored in chosen order
}

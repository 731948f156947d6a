package sim

// Phase is a moment in a snapshot's life at one node, which a fault can wait for.
type Phase uint8

// The phases.
const (
	NoPhase Phase = iota
	// PhaseBeforeRecord: the node is about to be given the snapshot's first marker,
	// barrier or order to initiate. The handler does not run.
	PhaseBeforeRecord
	// PhaseAligning: the node has blocked an input for the snapshot and has not
	// recorded. After the handler that blocked.
	PhaseAligning
	// PhaseRecorded: the node has recorded its state and the snapshot is not
	// complete. After the handler that recorded.
	PhaseRecorded
)

// Fault is a crash, decided before the run. Exactly one of At, Step and Phase
// says when; each fault fires once. In chosen order At is not allowed.
type Fault struct {
	Nodes []int32 // that crash together; with a Phase, the first is the one that must reach it
	At    int64   // ns; 0: not used
	Step  int64   // after this many steps of the run; 0: not used

	Phase      Phase
	Snapshot   SnapshotID // 0: any
	Occurrence int        // which time, from 1; 0 means 1

	// AfterOutputs, if not nil, lets the crash fall inside a handler of the
	// first node: with a Phase the one that reaches it, else the first one at
	// or after the time or step. The first *AfterOutputs entries of what it
	// asked for are carried out.
	AfterOutputs *int

	Down int64 // ns from the crash until these nodes can be restored; ignored in chosen order
}

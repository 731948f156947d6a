package sim

// Node is a snapshot algorithm on one node: a pure state machine. It gets every
// message that arrives and the order to initiate; it has no clock, no
// randomness, no goroutine and no I/O. What it wants done it writes into out, an
// ordered list that the engine carries out after the handler returns and that a
// test can compare.
type Node interface {
	// Initiate is the order to start a snapshot here: at a Chandy-Lamport
	// initiator, or at an ABS node that has the Nil input.
	Initiate(id SnapshotID, out *Out)
	// Receive is given what arrived: a message or marker on an input channel,
	// an External record, or a timer of the App. The App sees it when, and only
	// if, the Node calls out.Process.
	Receive(in Input, m Message, out *Out)
	// Recover is called once after a restore, on a fresh Node, before any
	// input: with what Attach saved in the restored snapshot (nil for the
	// initial state) and with the backup log that SaveLog saved, in order.
	Recover(attached []byte, log []Logged, out *Out)
	// Save appends the whole state, canonically, and Load reads it back: for
	// saving the engine in the middle of a run.
	Save(buf []byte) []byte
	Load(state []byte) error
}

// Logged is a message of a backup log and the input it came on.
type Logged struct {
	Input   Input
	Message Message
}

// NodeInfo is what an algorithm may know about the node that it runs on.
type NodeInfo struct {
	ID      int32
	Inputs  int // number of input channels
	Outputs int // number of output channels
	// Attempt is the incarnation in which this Node lives, 0 at first.
	Attempt uint8
	// Initiator says that this node is given the order to initiate: it has the
	// Nil input of ABS.
	Initiator bool
	// BackEdge says, by input, whether the channel is a back-edge (the L of ABS
	// Algorithm 2). Nil if none of this node's inputs is one.
	BackEdge []bool
	// Cyclic says that some channel of the graph is a back-edge.
	Cyclic bool
}

// NewNode makes the algorithm's part of one node.
type NewNode func(NodeInfo) Node

// Package tracking is barrier tracking: the at-least-once mode that Apache Flink has
// beside aligned barriers (Carbone et al., arXiv:1506.08603, 2015, are where the barriers
// come from). A task counts on which of its inputs the barrier of a snapshot has come,
// and goes on reading all of them. With the last barrier it saves its state and passes
// the barrier on.
//
// So no input is ever blocked, and a state can have effects of records from behind the
// barrier: the inputs on which it came early have run on. Those records are orphans of
// the cut. After a restore they are sent again, and take effect twice. Nothing is ever
// missing: what was sent before a barrier has been processed when it comes. Where no
// task has more than one input, the last barrier is the first, there are no orphans,
// and the effects are exactly once.
//
// Loops are logged as in Algorithm 2 of the paper: between the saving of the state and a
// back-edge's own barrier its records go to the backup log, and Recover processes them.
// So this works on every graph that Asynchronous Barrier Snapshotting works on.
//
// The engine has to be told that orphans are sent again after a restore:
//
//	config := sim.Config{NewNode: tracking.New, BackEdge: backEdges, Duplicates: true, ...}
//
// # Epochs
//
// Every snapshot is counted on its own, so any number of them may be under way at a
// task. As channels are FIFO, a snapshot whose barriers all come has them before any
// later one has; when a later one is saved, earlier ones have lost a barrier, and are
// given up here.
//
// An input that has ended counts as one on which every barrier has come.
package tracking

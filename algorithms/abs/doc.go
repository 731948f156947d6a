// Package abs is Asynchronous Barrier Snapshotting: P. Carbone, G. Fóra, S. Ewen,
// S. Haridi, K. Tzoumas, "Lightweight Asynchronous Snapshots for Distributed
// Dataflows", arXiv:1506.08603, 2015, section 4.
//
// It asks for FIFO channels that can be blocked, and then buffer. Barriers enter
// at the sources on an input of their own, Nil, and cut every stream into what
// belongs to a snapshot and what does not. A task that waits for the barrier on
// all of its inputs (it aligns them) has nothing in flight to save. Where the
// graph has loops that wait would never end, so the back-edges are not waited
// for: what they deliver between the copy of the state and their own barrier goes
// into a backup log.
//
//	Paper                               Here
//	Algorithm 1, acyclic dataflow       Acyclic
//	Algorithm 2, cyclic dataflow        Cyclic
//	upon event receive barrier          onBarrier, and take
//	upon event receive message          onRecord
//	udf, send                           udf
//	block, unblock, broadcast           Out.Block, Out.Unblock, broadcast
//	trigger snapshot                    Out.SaveState, Out.SaveLog, Out.Done
//	(inputs that end)                   onEnd
//
// # Epochs
//
// The listings handle one snapshot. Here the next may begin while this one is
// under way. A task handles one snapshot at a time: a barrier of a later one
// waits, its channel is blocked, and it is handled when this one is done here.
// Nothing that this snapshot needs can be behind that barrier, so waiting for it
// is safe. Nil cannot be blocked; the orders to initiate queue up instead, which
// moves the cut and harms nothing, because the cut is where the state is copied.
//
// # Ends
//
// A source can end, and then the tasks behind it (Flink's FLIP-147; the paper says nothing
// of it). An input that has ended counts as aligned: nothing is in flight on it, and nothing
// follows. A task whose inputs all have ended gets no barrier, and is told of a snapshot
// (Ordered); one that has finished takes part with its last state, and sends no barrier. A
// task in a loop does not finish, as that could always bring more.
//
// # What it relies on
//
// Every task gets the orders to initiate, if it gets any, in the order of the
// snapshots' ids. The graph without its back-edges has no cycle, and every task
// has an input that is not a back-edge (Nil is one); otherwise nothing ends. More
// back-edges than a depth-first search finds make no error, only longer logs.
//
// Not here: choosing the back-edges (see topology), and recovery of a part of
// the graph.
//
// A node is made by New, which is a sim.NewNode:
//
//	config := sim.Config{NewNode: abs.New, BackEdge: backEdges, ...}
package abs

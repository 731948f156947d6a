// Package looped is Asynchronous Barrier Snapshotting on graphs with loops without
// a backup log of what runs on: an idea that is wrong as it is usually stated, and
// two ways to make it right.
//
// The idea: block the regular inputs until the loop's own barriers have come back,
// and only then take the local snapshot. A task has to pass the barrier on before
// it waits, or the barrier that it waits for never comes. What it does between the
// two, its window, is the trouble. The records that are still in the loop change
// the state that it will record, and what it sends because of them travels behind
// the barrier: the receiver has recorded already, nobody logs it, and a recovery
// loses it.
//
//	NoLog        the idea as stated: loses what is sent in the window
//	HoldOutputs  sends nothing in the window: the outputs wait for the snapshot,
//	             and are part of it
//	HoldInputs   processes nothing in the window: the records wait for the
//	             snapshot, and are part of it as channel state
//
// The listings in their files use the words of package abs: L is the back-edges,
// Nil the input on which barriers are injected, udf the App. In all three a
// back-edge, too, is blocked behind its own barrier until the snapshot. The price
// beside abs is time: no regular input moves until the loops are flushed.
//
// A task handles one snapshot at a time. A barrier of a later one blocks the
// channel that it comes on, and waits; orders to initiate, which nothing can
// block, queue up. Neither harms anything: what is behind such a barrier is after
// the cut, and that is where the snapshot is taken.
//
// What it relies on is what abs relies on: the graph without L has no cycle, and
// every task has an input that is not in L, where Nil is one. Not here: choosing
// L (see topology), and proving a loop empty before the barrier enters it, which
// would make NoLog right.
//
// A node is made by NewNoLog, NewHoldOutputs or NewHoldInputs:
//
//	config := sim.Config{NewNode: looped.NewHoldOutputs, BackEdge: backEdges, ...}
package looped

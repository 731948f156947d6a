// Package sim runs a distributed computation in one goroutine, deterministically,
// while a snapshot algorithm works on it, and writes down what really happened.
//
// # Model
//
// A [Graph] of nodes is joined by one-way FIFO channels. On every node an [App] (the
// computation) does what a [Node] (the snapshot algorithm) lets it do: a Node is
// handed everything that arrives, and what it wants done it writes into an [Out].
// An [Engine] carries that out, advances virtual time, crashes nodes and restores
// them from what was recorded, and writes the [History], which neither App nor Node
// can see. Checkers read it afterwards.
//
// One event is one call of a handler, run to completion: an atomic step, as in the
// papers. Only a crash may fall between two of its outputs.
//
// # Determinism
//
// The same [Config] gives the same History and the same two digests, in every run of
// every process on every processor. An App and a Node keep their side of it if they
// use no clock, no map order, no goroutine and no randomness but a [Word] in their
// own state. Every random draw of the engine is a hash of (seed, purpose, entity,
// incarnation, counter), see [Draw]; no floating point decides anything.
//
// In [Timed] order the earliest event is next, ties by (class, id, arming order). In
// [Chosen] order a [Scheduler] picks among all enabled steps, and time is their count.
//
// One that panics, or asks for what there is not (the engine then panics with a
// [Misconduct]), ends the run; [Engine.Abandon] tells what happened until then.
//
// # Numbers
//
// A message's number is its position in its channel's history, stitched over all
// recoveries: a restore goes back to the numbers of the cut and goes on from there in
// a new incarnation. Markers have no numbers. Where some nodes are restored and others go
// on, what these have processed comes again under the same numbers, to be dropped.
//
// # Not here
//
// What a graph looks like is package topology's business, whether a run was right
// package invariants', and everything that has a name in a file package scenarios'.
package sim

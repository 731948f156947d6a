// Package stoptheworld is snapshots as Naiad takes them (D. G. Murray et al., "Naiad: A
// Timely Dataflow System", SOSP 2013, section 3.4): the world stops, what is in flight is
// drained, everybody saves, and the world goes on.
//
//	ordered to initiate, or a halt marker on an input:
//	    when it is there on every input (Nil is one):
//	        save the state; pass the halt marker on
//	        hold what comes from outside: External records, and timers of the App
//	the snapshot is complete, or given up:
//	    process what was held, and go on
//
// Channels are FIFO and nobody whose halt marker has left sends anything, so a task with
// the marker on every input has processed all that was ever sent to it: the channels are
// drained, and nothing is in flight across the cut. No input needs to be blocked, as
// behind a marker there is nothing.
//
// When the world may go on a task cannot know alone: on a graph without cycles nothing
// that happens below a source can reach it. The coordinator tells it: that the checkpoint
// is complete (coordinator.Notified) or given up (coordinator.Canceller). Without one the
// sources would hold for ever, so this is only for runs with a coordinator, whose control
// channels lose nothing: a notice that is lost leaves a task halted until the next one.
//
// Nor is it for graphs with cycles. A record in a loop goes on while the sources hold, so
// that the marker has come round says nothing of what is behind it; one would have to go
// round again and again until nothing was met on the way, and all loops at the same time.
//
//	config := sim.Config{NewNode: coordinator.Task(stoptheworld.New), ...}
package stoptheworld

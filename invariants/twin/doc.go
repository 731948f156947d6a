// Package twin decides about a run a second time, from the definitions alone. It
// shares no code with package invariants, and is as slow and as plain as it likes;
// where the two disagree, one of them is wrong.
//
// The definitions:
//
//   - The stitched run of an incarnation is the rows of the one before it that lie
//     inside the restored cut (for each node, those before its Record row), in the
//     order of the log, and then its own rows.
//   - It is legal if every row is what a run without failures could do next: fresh
//     Apps that are given what the rows say produce, in order, every message that is
//     sent and every record that is emitted; what is processed was sent before and is
//     the next of its channel (where the channel is not reliable: it is still to
//     come, and comes in order if there is one); an External record is the next of its source; a timer
//     that fires is armed; a node that is down does nothing. The run stops being legal
//     at the first row, in the order of the log, that is not, taken back later or not;
//     or at a restore that goes back to a cut in which something was processed that
//     was not sent.
//   - One event is a cause of another if it happened before it (Lamport 1978): earlier
//     at the same node, or the sending of what the other one processes, or a cause of
//     a cause. Vector clocks say so: an event's clock has, for each node, how many of
//     its events are causes of this one.
//   - A cut is consistent if no event inside it has a cause outside it.
//   - The state of a channel is the list of the messages that were sent inside the cut
//     and not processed inside it (Chandy and Lamport 1985, section 3).
//   - A node's recorded state is true if its own events inside the cut, done again on a
//     fresh App, lead to it: with this offset and these timers armed. What they have
//     produced and the node has not let go must be attached.
//   - Aligned barriers (Carbone et al. 2015) leave nothing in flight off the back-edges.
//
// A complete snapshot holds if all of this is so and none of its recordings comes
// after the run has stopped being legal: from there on there is no true state that it
// could agree with. A restore holds if its snapshot does, if it puts back what that
// holds, and if the run is legal until the next restore; the last one also if nothing
// that crossed its cut is nowhere when the run has come to rest.
//
// Runs in which only some nodes are restored are not for it: there the stitched run is
// not in the order of the log.
//
// It does not say whether cuts are monotone, whether anything is conserved, or whether
// everything ends. It explains nothing; package invariants does.
package twin

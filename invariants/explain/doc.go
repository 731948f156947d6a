// Package explain tells people why a verdict is what it is.
//
// A violation becomes a story: which message, sent by whom at which of its events,
// processed where; on which sides of the cut that is; the chain of events that proves
// it; which marker or barrier should have come first, and what became of it. A
// snapshot, be it right or wrong, becomes its cut (when each node recorded, and what
// made it) and a table of every channel's messages by the four cases: sent before or
// after the sender's recording, processed before or after the receiver's.
//
// It decides nothing. What is wrong is for package invariants to say; this package
// reads the same history again and words it. Markers are no rows of a history, so
// they are told only if Notes watched the run.
//
// An event of a node is a step of its App, a send, an emission or a recording. Events
// are counted from 1 in the stitched run: a restore takes the count back to the cut,
// where the node recorded. So within one incarnation and its past a number names one
// event.
package explain

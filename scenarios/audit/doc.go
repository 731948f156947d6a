// Package audit stands between the engine and the code of those who use it: algorithms,
// Apps, sources, coordinators. It knows at every moment whose code is running and what it
// was handed, so that a panic there is told as the fault of a node, with the event.
//
// If it is asked for, it also holds them to what the engine relies on. Every handler is
// carried out again, on copies that were loaded from the state that the node and its App
// had saved, and must ask for the same and leave the same state: then nothing depends on
// the order of a map, on a clock, on a variable of the process, or on a field that is not
// saved. What was saved must not change when what goes on does, nor the other way round.
// A handler that does not return is found by the clock of the wall.
//
// The copies have recorders of their own. An audited run is the same run, to the last
// digest, as one that is not.
package audit

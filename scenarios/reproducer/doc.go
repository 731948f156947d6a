// Package reproducer keeps a run in a file from which any simrun can carry it out again
// and say whether it is still the same.
//
// A reproducer holds the scenario with all defaults, the steps of the run with a piece of
// the running digest before each of them, the digests at the end, and what was violated.
// In chosen order the steps are the choices, and they alone decide the order of the run:
// no seed and no strategy has to be believed. In timed order they say what the clock has
// chosen, so that a run that differs is caught at the first step that differs.
//
// A file that was changed since it was written is refused, and a run that has become
// another one is reported as diverged: what says "reproduced" has been reproduced.
//
//	r, err := reproducer.Read(catalogue, "failure.yaml")
//	outcome := r.Replay(false)
package reproducer

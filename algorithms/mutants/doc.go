// Package mutants is wrong snapshot algorithms. Each has one mistake that is easy
// to make, and an invariant that must notice it: they test the tests. A checker
// that no mutant needs, or a mutant that no checker notices, is a hole.
//
// Every mutant is a type of its own in a file of its own, whose comment says what
// is wrong. What is right in it comes from one of three plain algorithms, which
// it embeds and of which it replaces a step: marking (Chandy-Lamport), barriers
// (ABS, Algorithm 2) and aligning (ABS, Algorithm 1). Those are written for
// shortness, not speed, and a test compares the first two with the real ones.
//
// Mistakes of a checkpoint coordinator, and of tasks that work with one, are in a list
// of their own (Managed). What is right in them comes from checkpoints, a plain
// coordinator, and attending, barriers that can be cancelled, or finishing, which is that
// for tasks that finish. The real ones of package
// coordinator are the other half of such a run. A wrong transactional sink is not an
// algorithm but goes around one: see Sinks.
//
// Not here: mistakes of the engine or of an App.
//
//	for _, m := range mutants.All() {
//		config.NewNode = m.New // and see that m.Catches is violated
//	}
package mutants

// Package simtest tests a snapshot algorithm of one's own in a Go test:
//
//	func TestMySnapshots(t *testing.T) {
//		simtest.Check(t, mine.New, simtest.StronglyConnected(2, 6), simtest.Crashes(0, 2))
//	}
//
// Check draws small scenarios (a graph, an app, delays, snapshots, crashes), runs the
// algorithm on each, and judges every run by everything that simrun can check. The first
// run that is violated it makes as small as it can be; it draws a picture of it, tells
// what went wrong, and keeps the run as a reproducer below testdata/simrun. What lies
// there is carried out again first by every later Check of this test, so that a mistake
// that was mended stays so. The same algorithm and options give the same runs everywhere.
// Every run is audited: an algorithm that depends on more than its state and what it is
// handed, panics or does not return violates the invariant conduct (docs/audit.md).
//
// The flags of the test binary:
//
//	-simrun.runs N     how many scenarios are drawn, in place of what Runs says
//	-simrun.seed N     the seed of the first one, 1 if it is not given
//	-simrun.file FILE  carry out this reproducer alone, and tell all that there is to say
//
// Property is the same for rapid.Check, among draws of one's own; Fuzz for go test -fuzz;
// StronglyConnected and its like, and Scenarios, have rapid generators.
//
// Not here: large graphs and long runs, for which there are scenario files, and
// measurements.
package simtest

// Package shrink makes a run that violates something as small as it can: fewer faults,
// snapshots, nodes, channels, inputs and steps, and then a more regular order. What is
// left violates the same invariant on the same kind of object.
//
// It works on a reproducer. A run in timed order is first told in chosen order, where
// steps can be left out one by one; if that cannot be, only the scenario is made smaller.
// Each attempt is a run with the full ground truth. It follows the steps of the last
// success as far as they are possible, and, where the scenario was changed, also a few
// random orders. An attempt that violates the same is the new beginning (Zeller and
// Hildebrandt 2002, "Simplifying and isolating failure-inducing input", section 3, for
// the way in which parts of a list are left out).
//
// The result depends on the reproducer and the number of runs that are allowed, and on
// nothing else; a limit of time only ends it early, and then it says so.
package shrink

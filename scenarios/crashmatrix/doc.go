// Package crashmatrix runs a scenario with a crash of every node in every phase of a
// snapshot, one at a time or two, and says of each what became of it: whether the node
// came to that phase at all, which checkpoint the graph went back to, and the verdict.
//
// A node that cannot come to a phase, as the graph and the algorithm show, has no such
// pair; a node that could and did not is shown as never reached, which is no success.
// Of the times that it comes to the phase the second is taken, so that there is
// something to go back to, and else the first. What is only there after another crash
// (restoring and replaying) is given one first. The faults of the scenario itself are
// left out: they would be in every one of these runs.
//
//	m := crashmatrix.Of(ctx, plan, plan.Seed, crashmatrix.Options{Workers: 4})
//	m.WriteText(os.Stdout)
package crashmatrix

// Package mutation measures what verdicts are worth: it runs wrong algorithms over
// generated scenarios and counts how many it takes until the invariant that must
// catch each of them does, and runs right ones over the same scenarios, of which
// none may be accused.
//
// It takes its algorithms from a Catalogue, so that those of a main of one's own are
// measured like the built-in ones. An algorithm counts as killed only by the
// invariant that it names itself. A wrong algorithm that another invariant notices,
// while its own sleeps, would hide a hole.
//
// Strategies measures instead what ways to choose the order of steps are worth: how many
// seeds each takes to the same verdicts.
//
//	c := scenarios.Default()
//	result := mutation.Run(ctx, c, c.Algorithms, 1, 200, 4, nil)
//	result.WriteText(os.Stdout)
package mutation

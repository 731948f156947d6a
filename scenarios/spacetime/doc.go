// Package spacetime is a run as its space-time diagram (Lamport 1978, "Time, Clocks, and
// the Ordering of Events"): a lane for each node, the events on it, each receipt with the
// event that sent what it received, and over it what the snapshots made of the run: their
// cuts, what they recorded of the channels, what was blocked, what a recovery took back.
//
// It is what people look at: reports, pictures, exports to the tools of others. It
// decides nothing; the verdicts in it are those of package invariants.
//
//	d := spacetime.Of(plan, plan.Seed, spacetime.Options{})
//	for i := range d.Events {
//		e := &d.Events[i]
//		fmt.Println(e.At, d.Lane(e.Node), e.Kind, d.Channel(e.Channel))
//	}
package spacetime

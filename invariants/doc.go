// Package invariants decides whether a run was right: a history in, a verdict with
// the reason out.
//
// Check looks at every complete snapshot and every restore of a run, and at the run
// as a whole. Each invariant is a small file of its own:
//
//	consistent-cut  no message is received inside the cut and sent outside it
//	channel-state   what is recorded of a channel is what was in flight, exactly
//	state-truth     a recorded state is what replaying the node's own history gives
//	abs-staged      aligned barriers leave nothing in flight off the back-edges, so that
//	                a snapshot has the effects of exactly the source records before it
//	fifo            every message processed is the next of its channel
//	monotone-cuts   a snapshot started after another one contains it
//	reachability    what happened while a snapshot was recorded, in another order, passes
//	                through the recorded state: Chandy and Lamport's theorem, executed
//	conservation    what the Apps hold between them is neither made nor lost
//	recovery        a restore puts the newest complete snapshot back, and the run
//	                goes on from there as one that never failed
//	termination     what was started ends, and nothing waits for ever
//	coordinator     every snapshot is decided once, and rightly
//	non-interference
//	                taking a snapshot changes nothing of the computation that the
//	                algorithm promises to leave alone
//
// Some need no more than counters that the engine noted with each snapshot. The
// others come out of one pass over the rows of the history, the replay, which
// executes the run again on fresh Apps: see the type replay. A run whose rows were
// not kept is judged by its counters, and the Report says so.
//
//	engine, err := sim.New(cfg)
//	...
//	run := invariants.Of(cfg, engine.Run())
//	run.Aligned = true // for Asynchronous Barrier Snapshotting
//	report := invariants.Check(run, nil)
//	for _, v := range report.Violations {
//		fmt.Println(v)
//	}
//
// Of a run with restores the Report also has a Ledger: the source records whose effects
// and outputs came about exactly once, and those of which they are lost or doubled.
//
// It does not touch a running engine, does not know any algorithm, and does not
// repair histories: one that contradicts itself is a violation, never a panic.
// Whether a run was supposed to be right is for others to say.
package invariants

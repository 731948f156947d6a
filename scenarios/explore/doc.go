// Package explore visits every schedule of a small scenario in chosen order and says what
// can come of it: every snapshot that a run could record, every verdict, and the shortest
// schedule that leads to a violation.
//
//	result, err := explore.Run(ctx, plan, explore.Options{Seed: plan.Seed})
//
// It does not look at crashes, coordinators and channels that fail: Plan.Explorable says
// what it refuses.
//
// # States
//
// A step is one handler of one node. What it depends on and changes is the node's part
// (sim.Stage), and what it puts on channels; both are a function of the part and of the
// item that is handed over. So each is worked out once, by the engine's own handlers, and
// looked up afterwards. A state is a row of numbers: a part for every node, a content for
// every channel. States are kept whole and compared whole, so that none is lost to a
// collision of hashes. The search is breadth first: the first schedule that leads to a
// state is a shortest one. A share of a snapshot that nobody can see being written is
// written at once (see sim.Stage); such writes do not count as steps of their own where
// lengths are compared.
//
// # Verdicts
//
// States are merged, so a verdict must be a function of the state. A part holds what
// verdicts depend on, beside what the handlers do: what was recorded, where the cut lies
// on each channel, the App's state at the recording, what crosses the cut on each input
// (every message carries whether its sender had recorded), and whether a delivery was out of
// order or an output was withheld. When a snapshot is complete, all that is in the parts
// about it and about earlier ones is its kind. Of every kind, of every state in which a run
// is over, and of every first mark of the last sort one run is carried out by the engine,
// along a shortest schedule, and judged by package invariants from the whole history: there
// is no second judge. What snapshots that are complete have recorded is then forgotten, as
// no step depends on it; while others are under way it is kept, for monotone-cuts.
//
// Two things a verdict looks at are not in the parts: from which source records a message
// descends (abs-staged compares sets of them), where Aux does not tell; and whether an App
// that chooses its input was given what it would not have taken. They are judged for the
// run of each kind, and not for all of that kind.
//
// # Reduction
//
// Of the steps enabled in a state only a persistent set is taken: whatever is done outside
// of it first, in any order, is independent of all steps in it (P. Godefroid,
// Partial-Order Methods for the Verification of Concurrent Systems, LNCS 1032, 1996,
// chapter 4; the closure is that of A. Valmari's stubborn sets). The set is a function of
// the state alone, not of the way there, so it goes together with merging states: from
// every state that is visited, every course to an end has an equivalent one, its
// independent steps in another order, that begins with a step of the set; by induction
// over its length some such course is visited whole. (Sleep sets, and methods that look
// back along the schedule, are not of this kind.) Equivalent courses make the same parts
// and contents, so they record the same snapshots and end in the same state.
//
// Steps of different nodes are independent: each has its own part, a channel has one
// sender, who puts items at the end, and one receiver, who takes them from the head. That
// one makes the other possible is no dependence, but must not bring a step of the same node
// into play; so where a channel is empty its sender counts. Two steps of one node are
// independent where doing them in both orders leads to the same part and puts the same on
// each channel (conditional independence: S. Katz and D. Peled, Defining Conditional
// Independence Using Collapses, TCS 101, 1992). For this the search works out beforehand
// all parts of a node that it could get into if every item that is ever put on its inputs
// could come wherever that item's place in the channel allows it. That is more than
// happens, and so on the safe side. If it is too much, all steps of a node are taken for
// dependent, and every sender counts that can still be given something.
//
// A run that never ends could put a step off for ever. A set is therefore not used if all
// that it leads to has been left already (D. Bosnacki, S. Leue, A. Lluch Lafuente,
// Partial-Order Reduction for General State Exploring Algorithms, STTT 11, 2009).
//
// Breadth first among some of the schedules does not find the shortest of all. So when a
// violation is found, a search without reduction goes as deep as that.
package explore

package invariants

// invariant is an index into all.
type invariant int

const (
	consistentCut invariant = iota
	channelState
	stateTruth
	absStaged
	fifo
	monotoneCuts
	reachability
	conservation
	recovery
	termination
	coordinator
	nonInterference
	conduct
	invariants
)

// Invariant describes what a run can be held to.
type Invariant struct {
	Name, Doc string
}

var all = [invariants]Invariant{
	consistentCut:   {"consistent-cut", "no message was processed inside the cut and sent outside it"},
	channelState:    {"channel-state", "the recorded state of a channel is exactly what was in flight across the cut, in order"},
	stateTruth:      {"state-truth", "a recorded state is what replaying the node's own history up to the cut gives"},
	absStaged:       {"abs-staged", "under an algorithm with aligned barriers nothing is in flight across the cut but on back-edges, and a snapshot has the effects of exactly the source records before it"},
	fifo:            {"fifo", "every message processed is the next of its channel, once, and of no past that was rolled back"},
	monotoneCuts:    {"monotone-cuts", "a snapshot that was begun after another contains it"},
	reachability:    {"reachability", "the computation, its events in another order, passes through the recorded global state"},
	conservation:    {"conservation", "what the app holds between its nodes, such as money, is neither made nor lost"},
	recovery:        {"recovery", "a restore puts back exactly the newest complete snapshot, and the run goes on as if nothing had failed"},
	termination:     {"termination", "when nothing is left to do, no snapshot is pending and no message is stranded"},
	coordinator:     {"coordinator", "every checkpoint is decided once, and is complete only if every part of it is durable"},
	nonInterference: {"non-interference", "a snapshot changes nothing of the computation that the algorithm promises to leave alone"},
	conduct:         {"conduct", "algorithms and apps return, ask for what there is, and depend on nothing but their state and what they are handed; whoever runs them sees that, and not Check"},
}

// All is every invariant that has a name, always in this order.
func All() []Invariant { return append([]Invariant(nil), all[:]...) }

// Names is the names of all invariants, in the order of All.
func Names() []string {
	list := make([]string, len(all))
	for i := range all {
		list[i] = all[i].Name
	}
	return list
}

// String is the invariant's name.
func (i invariant) String() string { return all[i].Name }

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
	invariants
)

// Invariant describes what a run can be held to.
type Invariant struct {
	Name, Doc string
	Checked   bool // false: the name is taken, and Check does not check it yet
}

var all = [invariants]Invariant{
	consistentCut:   {"consistent-cut", "no message was processed inside the cut and sent outside it", true},
	channelState:    {"channel-state", "the recorded state of a channel is exactly what was in flight across the cut, in order", true},
	stateTruth:      {"state-truth", "a recorded state is what replaying the node's own history up to the cut gives", true},
	absStaged:       {"abs-staged", "under an algorithm with aligned barriers nothing is in flight across the cut but on back-edges, and a snapshot has the effects of exactly the source records before it", true},
	fifo:            {"fifo", "every message processed is the next of its channel, once, and of no past that was rolled back", true},
	monotoneCuts:    {"monotone-cuts", "a snapshot that was begun after another contains it", true},
	reachability:    {"reachability", "the recorded global state can be reached from the first and can reach the last", false},
	conservation:    {"conservation", "what the app holds between its nodes, such as money, is neither made nor lost", true},
	recovery:        {"recovery", "a restore puts back exactly the newest complete snapshot, and the run goes on as if nothing had failed", true},
	termination:     {"termination", "when nothing is left to do, no snapshot is pending and no message is stranded", true},
	coordinator:     {"coordinator", "every checkpoint is decided once, and is complete only if every part of it is durable", false},
	nonInterference: {"non-interference", "a snapshot changes nothing of what it records", false},
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

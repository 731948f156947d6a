package sim

// Graph is what the engine needs of a graph: nodes 0..Nodes-1 and channels, by
// id. Parallel channels and self-loops are legal. A node's inputs and outputs
// are its channels in the order of their ids.
type Graph struct {
	Nodes    int
	From, To []int32 // by channel
}

// Order is how the next event is found.
type Order uint8

const (
	// Timed: the earliest event is next; ties are broken by class and id.
	Timed Order = iota
	// Chosen: a Scheduler picks among all enabled steps. Time is the step
	// count; there are no delays, service times or write times.
	Chosen
)

// Config is a run, decided before it begins. Times are nanoseconds of virtual
// time from 0, or steps in chosen order.
type Config struct {
	Graph Graph
	Seed  uint64

	NewNode   NewNode
	NewApp    func(node int32) App
	NewSource func(node int32) Source // nil, or nil for a node: no External input

	BackEdge []bool // by channel; nil: none

	Order     Order
	Scheduler Scheduler // for Chosen; nil: RandomScheduler of Seed

	Delays     []Dist       // of messages; nil: 1 ns
	DelayOf    []uint8      // by channel, an index into Delays; nil: Delays[0] for all
	Unreliable []Unreliable // by channel; nil: all are reliable
	Service    Dist         // how long a node is busy with an application input
	Write      Dist         // how long until a node's part of a snapshot is durable

	Snapshots  SnapshotPlan
	Management ManagementPlan // a coordinator; Snapshots then has Initiators, and in At when the user asks for savepoints
	Faults     []Fault
	Replay     Replay
	// Duplicates says that a cut of the algorithm may have orphans, as it promises
	// at-least-once and no more: after a restore they are sent again, under the same
	// numbers, and processed once more.
	Duplicates bool
	Stop       Stop
	Restless   bool  // the App never rests: after the stop the run ends once no snapshot is pending
	MaxSteps   int64 // 0: 10,000,000

	// Resume lets the run begin where a restore of another one has left it.
	Resume *Resume

	// From is a snapshot of an earlier run of an equal Config, kept by another process;
	// nil: the run begins at the beginning. It begins with the restore of a copy, at the
	// instant at which From was complete. Ids go on above From.Last; snapshots, faults and
	// the stop that came before are not repeated. The channels must be reliable. A
	// coordinator starts then, and finds From in the store; transactions that had left
	// do not leave again.
	From *Snapshot

	Rows     bool     // keep History.Rows
	Observer Observer // nil: nobody watches
}

// Resume is a restore of a run that is over, whose Config was the same but for the
// algorithm, the snapshots and the faults. What its unreliable channels had done and how
// often its nodes had served is not known here: runs with the one, or with service times
// that are drawn, do not go on in the same way.
type Resume struct {
	History *History // with its rows
	Restore int      // index into History.Restores
}

// SnapshotPlan says when snapshots are triggered, and where.
type SnapshotPlan struct {
	Every      int64   // period, the first after one period; 0: not periodic
	At         []int64 // more instants, ascending
	Initiators []int32 // every one is ordered to initiate each snapshot
	// InitiatorsAt is, by entry of At, who initiates that snapshot instead. Nil, or nil
	// for an entry: Initiators. An entry with initiators of its own is a snapshot of its
	// own, also at the instant of another.
	InitiatorsAt [][]int32
	// Open is how many more a Scheduler may trigger, at any steps, in chosen order.
	Open int
}

// Replay says what a restore does to the External input.
type Replay uint8

const (
	// FromOffset reads again from the offset in the snapshot.
	FromOffset Replay = iota
	// NoReplay goes on with the next unread record: what was consumed after
	// the cut is lost, and that is expected.
	NoReplay
)

// Stop ends the input: afterwards no further External record, order to initiate
// or fault that has not fired. The run goes on until nothing is enabled. A
// record that was released before the stop may still be read, or read again.
type Stop struct {
	At      int64 // 0: never
	Records int64 // External records read, over all nodes; 0: never
}

// DefaultMaxSteps is the step limit of a Config that has none.
const DefaultMaxSteps = 10_000_000

// MaxTime is the last instant of virtual time, in ns: more than a year.
const MaxTime = 1<<55 - 1

// MaxOpen is how many snapshots may be under way at once.
const MaxOpen = 10_000

// MaxRecoveries is how many recoveries a run may have: messages carry their
// incarnation in 8 bits.
const MaxRecoveries = 250

package sim

import "cmp"

// StepKind is what a step of a run does.
type StepKind uint8

// The steps, in the order in which they run at one instant of timed order.
const (
	StepFault StepKind = iota
	StepRestore
	StepWrite    // a node's part of a snapshot becomes durable
	StepTimer    // a timer of an App fires
	StepExternal // a source is given its next record
	StepInitiate // a node is ordered to initiate a snapshot
	StepDeliver  // a channel's head, or any message of one that reorders, is handed to its receiver
)

// Steps of a run that has a coordinator.
const (
	StepControl StepKind = 20 + iota // a control message is handed over
	StepAlarm                        // an alarm of the coordinator's goes off
	StepPublish                      // the metadata of a checkpoint becomes durable
	StepNotice                       // the coordinator is told of a crash
	StepStart                        // the coordinator starts again
	StepDrained                      // a node is told that nothing of its own comes any more
)

// Steps that nothing makes necessary: a Scheduler may choose them where the Config leaves
// crashes (Fault.Times), snapshots (SnapshotPlan.Open) and losses (Unreliable.MayLose)
// open. A run ends when only such are left.
const (
	StepCrash    StepKind = 40 + iota // a node crashes
	StepSnapshot                      // a snapshot begins: its orders to initiate follow
	StepLose                          // what is put on a channel next is lost
)

// Open says whether a step is one that nothing makes necessary.
func (k StepKind) Open() bool { return k >= StepCrash && k <= StepLose }

// No steps, but told to a Chronicler like them.
const (
	StepStop    StepKind = 100 + iota // the input ends
	StepTrigger                       // a snapshot begins: orders to initiate follow; Index is its id
)

// managed says whether a step is the coordinator's: a restore of the graph leaves it.
func (k StepKind) managed() bool { return k >= StepControl && k <= StepStart }

// Step is one choice of a Scheduler: what, where, and which. It names entities,
// never positions in a list, so that a recorded choice means the same in a
// changed run.
type Step struct {
	Kind   StepKind
	Entity int32  // node or channel
	Index  uint32 // timer id, snapshot id, fault; on an unreliable channel which message, in the order in which they were put on it, from 1; 0 for the others
}

// Compare orders steps by what they are, wherever they stand in a list: by kind, by
// entity, by index.
func (s Step) Compare(o Step) int {
	return cmp.Or(cmp.Compare(s.Kind, o.Kind), cmp.Compare(s.Entity, o.Entity), cmp.Compare(s.Index, o.Index))
}

// Enabled is the set of steps that could run next. It is never empty when a
// Scheduler is asked. Its order is deterministic and otherwise without meaning.
type Enabled interface {
	Len() int
	At(i int) Step
}

// IndexOf is where a step stands in the set, -1 if it is not enabled.
func IndexOf(enabled Enabled, s Step) int {
	for i := range enabled.Len() {
		if enabled.At(i) == s {
			return i
		}
	}
	return -1
}

// Scheduler decides the order of a run in chosen order, and nothing else does.
type Scheduler interface {
	// Pick returns the index of the step to run as step number n (from 0).
	Pick(n int64, enabled Enabled) int
}

// RandomScheduler picks uniformly among the enabled steps.
type RandomScheduler struct{ stream Stream }

// NewRandomScheduler is the scheduler of a seed.
func NewRandomScheduler(seed uint64) *RandomScheduler {
	return &RandomScheduler{NewStream(seed, ForSchedule, 0)}
}

// Pick implements Scheduler.
func (r *RandomScheduler) Pick(n int64, enabled Enabled) int { return r.pick(n, enabled.Len()) }

// pick is Pick without the calls through interfaces, for the engine's default.
func (r *RandomScheduler) pick(n int64, among int) int {
	return int(Scale(r.stream.Draw(0, uint64(n)), uint64(among)))
}

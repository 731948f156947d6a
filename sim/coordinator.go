package sim

// Coordinator decides when checkpoints are taken, when one is complete, and what the
// graph is restored from: Flink's checkpoint coordinator and restart strategy. It is a
// node of the simulation with channels of its own to every task, and like a Node a
// pure state machine: what it wants done goes into out. It loses its state when it
// crashes, and Start finds what is durable.
type Coordinator interface {
	// Start is called at the beginning of the run and after each crash of its own.
	Start(s Standing, out *Decisions)
	// Alarm is one that it has set itself.
	Alarm(id uint32, out *Decisions)
	// Receive is given what a task has sent.
	Receive(task int32, c Control, out *Decisions)
	// Published is told that the metadata of a checkpoint is durable, or that the
	// store has failed to write it.
	Published(id SnapshotID, ok bool, out *Decisions)
	// Failed is told that a task has crashed.
	Failed(task int32, out *Decisions)
	// Restored is told that the graph runs again, in a new attempt, from a
	// checkpoint (0: the initial state); or, if ok is false, that the checkpoint
	// cannot be read and nothing has changed.
	Restored(attempt uint8, from SnapshotID, ok bool, out *Decisions)
	// Stop is told that the input has ended: no checkpoint begins later.
	Stop(out *Decisions)
	Save(buf []byte) []byte
	Load(state []byte) error
}

// Resting is a Coordinator that has something left to do when the input has ended and
// nothing is on its way any more: a checkpoint that covers everything.
type Resting interface {
	// Rest is told so. The run ends if nothing comes of what is decided.
	Rest(out *Decisions)
}

// Task is a Node that works with a coordinator.
type Task interface {
	Node
	// Told is given what the coordinator has sent to this task.
	Told(c Control, out *Out)
	// Written is told that the store has this node's part of a snapshot, under a
	// handle; or 0, that it has failed to write it.
	Written(id SnapshotID, handle Handle, out *Out)
}

// Standing is what a coordinator finds when it starts.
type Standing struct {
	Tasks   int
	Sources []int32 // where barriers are injected
	Attempt uint8   // of the graph, 0 at first
	Again   bool    // it has crashed before
	// Last is the highest id that a checkpoint has been given: a durable counter.
	Last     SnapshotID
	Metadata []Metadata // of the checkpoints that are stored, by id
	// Upstream is, by task, the tasks in front of it, over channels that are no
	// back-edges; nil where no task ever finishes.
	Upstream [][]int32
}

// Metadata is what makes a checkpoint one: which parts belong to it.
type Metadata struct {
	ID        SnapshotID
	Attempt   uint8
	Savepoint bool     // the user's: not to be restored after a crash, and not to be retired
	Handles   []Handle // by task; 0: none
	Finished  []bool   // by task: it had finished when it recorded its part; nil where no task ever finishes
}

// Handle names a node's part of a snapshot in the store; 0 is none.
type Handle uint32

// Control is a message between the coordinator and a task.
type Control struct {
	Kind    ControlKind
	Attempt uint8 // that it belongs to
	ID      SnapshotID
	Handle  Handle // of an Acknowledge
	// Finished says of an Acknowledge that the task had finished when it recorded.
	Finished bool
}

// ControlKind is what a Control asks for or tells.
type ControlKind uint8

const (
	Trigger     ControlKind = iota // to a source, or a task behind none that could pass it on: begin the checkpoint
	Cancel                         // to a task: the checkpoint is aborted
	Notify                         // to a task: the checkpoint is complete
	Acknowledge                    // to the coordinator: this task's part is durable
	Decline                        // to the coordinator: there will be no such part
	Finished                       // to the coordinator: the task has finished
	NotReady                       // to the coordinator: nor will there, as this task has not caught up with what was restarted
	Remind                         // to a task: the checkpoint is complete, to be confirmed
	Confirm                        // to the coordinator: the reminder has come
)

// Decisions is the recorder that a Coordinator writes into. The engine carries the list
// out in order; a crash may fall between two entries.
type Decisions struct{ list []Decision }

// Decision is one entry of Decisions. Which fields count depends on the kind.
type Decision struct {
	Kind     DecisionKind
	Task     int32
	Control  Control
	ID       SnapshotID // of a checkpoint; or the id of an alarm
	After    int64      // ns
	Partial  bool       // of a restore
	Metadata Metadata
}

// DecisionKind is what an entry of Decisions asks for.
type DecisionKind uint8

// The entries of Decisions, each made by the method of the same name.
const (
	DecideBegin DecisionKind = iota
	DecideSend
	DecideAlarm
	DecidePublish
	DecideAbort
	DecideDiscard
	DecideRetire
	DecideRestore
	DecideGiveUp
	DecidePurge
	DecideSweep
)

// Begin says that checkpoint id begins. Ids start at 1, grow, and are never used again.
func (o *Decisions) Begin(id SnapshotID) { o.add(Decision{Kind: DecideBegin, ID: id}) }

// Send sends a message to a task.
func (o *Decisions) Send(task int32, c Control) {
	o.add(Decision{Kind: DecideSend, Task: task, Control: c})
}

// Alarm has Coordinator.Alarm called after so many nanoseconds, at least 1; in chosen
// order at any later step. Setting it again replaces it.
func (o *Decisions) Alarm(id uint32, after int64) {
	o.add(Decision{Kind: DecideAlarm, ID: SnapshotID(id), After: min(max(after, 1), MaxTime)})
}

// BeginSavepoint is Begin for a checkpoint that the user has asked for: it shares no
// chunks with others.
func (o *Decisions) BeginSavepoint(id SnapshotID) {
	o.add(Decision{Kind: DecideBegin, ID: id, Metadata: Metadata{Savepoint: true}})
}

// Publish writes the metadata of a checkpoint: when it is durable the checkpoint is
// complete, and the graph can be restored from it.
func (o *Decisions) Publish(m Metadata) {
	m.Handles, m.Finished = append([]Handle(nil), m.Handles...), append([]bool(nil), m.Finished...)
	o.add(Decision{Kind: DecidePublish, ID: m.ID, Metadata: m})
}

// Abort gives a checkpoint up.
func (o *Decisions) Abort(id SnapshotID) { o.add(Decision{Kind: DecideAbort, ID: id}) }

// Discard deletes a part from the store that no checkpoint needs. Chunks of it that
// other parts share stay.
func (o *Decisions) Discard(h Handle) {
	o.add(Decision{Kind: DecideDiscard, Control: Control{Handle: h}})
}

// Purge deletes a part, and every chunk that was written with it: the store does not
// count who shares them, and the coordinator has to know that nobody does.
func (o *Decisions) Purge(h Handle) {
	o.add(Decision{Kind: DecidePurge, Control: Control{Handle: h}})
}

// Sweep deletes every part in the store but these: those that were on their way to a
// checkpoint when the coordinator crashed, and of which it has not heard.
func (o *Decisions) Sweep(keep []Handle) {
	o.add(Decision{Kind: DecideSweep, Metadata: Metadata{Handles: append([]Handle(nil), keep...)}})
}

// Retire deletes a stored checkpoint, its metadata first.
func (o *Decisions) Retire(id SnapshotID) { o.add(Decision{Kind: DecideRetire, ID: id}) }

// Restore takes the whole graph back to a stored checkpoint, 0 for the initial state,
// after so many nanoseconds.
func (o *Decisions) Restore(id SnapshotID, after int64) {
	o.add(Decision{Kind: DecideRestore, ID: id, After: max(after, 0)})
}

// RestorePart is Restore for the tasks that have crashed, and all that are upstream of
// them. The others go on, if they are Rejoiners: what they are sent again they drop.
func (o *Decisions) RestorePart(id SnapshotID, after int64) {
	o.add(Decision{Kind: DecideRestore, ID: id, After: max(after, 0), Partial: true})
}

// GiveUp ends the run: the graph is not restored any more.
func (o *Decisions) GiveUp() { o.add(Decision{Kind: DecideGiveUp}) }

func (o *Decisions) add(x Decision) {
	if len(o.list) >= entriesMax {
		panic(endless)
	}
	o.list = append(o.list, x)
}

// List is what was decided since the last Reset.
func (o *Decisions) List() []Decision { return o.list }

// Reset forgets what was decided and keeps the memory.
func (o *Decisions) Reset() { o.list = o.list[:0] }

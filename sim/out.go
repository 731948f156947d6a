package sim

// Out is the recorder that a handler of a Node writes into. Process and
// SaveState also run the App at once, because their results are part of what
// the handler decides; everything else is only noted. The engine carries out the
// list in order when the handler has returned; a crash may fall between two
// entries, and the rest is lost.
type Out struct {
	nodes   []node // whose App runs: nodes[at]; an index is cheaper to set than an App
	at      int32
	effects Effects
	ops     []Op // of which n are recorded; the others are memory for more
	n       int
	blobs   []byte    // states and attachments; an Op's Message.Key and Aux hold its range
	records []Message // of transactions, likewise
	extra   int       // how many more than entriesMax n may be
}

// OpKind is what an entry of an Out asks for.
type OpKind uint8

// The entries of an Out, each made by the method of the same name.
const (
	OpProcess OpKind = iota
	OpSend
	OpEmit
	OpSaveState
	OpSaveReference
	OpSaveChannel
	OpSaveLog
	OpAttach
	OpBlock
	OpUnblock
	OpDone
	OpTell   // an answer to the coordinator
	OpCommit // a transaction
	OpDrain
	OpDrop  // a message that was processed before
	opTimer // the App armed a timer, inside Process
)

// Op is one entry of an Out. Which fields count depends on the kind.
type Op struct {
	Message  Message    // Process, Send, Emit, SaveChannel, SaveLog, Drop
	Channel  int32      // the output of Send; the Input of the others
	Snapshot SnapshotID // all but Process, Send, Emit, Drop
	Kind     OpKind
}

// NewOut is a recorder for app, for tests of a Node without an engine.
func NewOut(app App) *Out { return &Out{nodes: []node{{app: app}}} }

// Process steps the App on an input, which counts as processed at this position,
// and returns what the App sends. The Node forwards it with Send or holds it
// back; it is valid until the handler returns.
func (o *Out) Process(in Input, m Message) []Send {
	op := o.next(OpProcess, int32(in))
	op.Message = m
	s, t := o.effects.n, len(o.effects.timers)
	o.nodes[o.at].app.Step(in, m, &o.effects)
	if len(o.effects.timers) > t {
		o.noteTimers(t)
	}
	n := o.effects.n
	return o.effects.sends[s:n:n]
}

// noteTimers adds an entry for each timer that the App armed, from the t-th on.
func (o *Out) noteTimers(t int) {
	for _, order := range o.effects.timers[t:] {
		o.next(opTimer, 0).Message = Message{Key: uint64(order.id), Value: order.after}
	}
}

// next appends an entry to be filled in where it stands.
func (o *Out) next(kind OpKind, channel int32) *Op {
	n := o.n
	if n >= len(o.ops) {
		if n >= entriesMax+o.extra {
			panic(endless)
		}
		o.ops = append(o.ops, make([]Op, n+4)...)
	}
	op := &o.ops[n]
	o.n = n + 1
	op.Kind, op.Channel, op.Snapshot = kind, channel, 0
	return op
}

// note appends an entry of the rarer kinds.
func (o *Out) note(op Op) { *o.next(op.Kind, op.Channel) = op }

// Send puts messages on output channels, or lets them leave the system where
// their Output is Sink.
func (o *Out) Send(sends ...Send) {
	for i := range sends {
		s := &sends[i]
		kind := OpSend
		if s.Output == Sink {
			kind = OpEmit
		}
		o.next(kind, s.Output).Message = s.Message
	}
}

// SendMarker puts the marker (or barrier) of a snapshot on one output channel.
func (o *Out) SendMarker(output int, id SnapshotID) {
	o.note(Op{Kind: OpSend, Channel: int32(output), Message: NewMarker(id)})
}

// SaveState records this node's local state for a snapshot, by value, as it is
// at this position. The engine notes the cut here: how many messages were sent
// and processed on each incident channel.
func (o *Out) SaveState(id SnapshotID) {
	from := len(o.blobs)
	o.blobs = o.nodes[o.at].app.Save(o.blobs)
	o.blob(OpSaveState, id, from)
}

// SaveReference is SaveState but that it keeps a reference to the App in place of
// its bytes, which the store reads when it has written this node's part: right only
// if nothing changes the App until then. The cut is noted here.
func (o *Out) SaveReference(id SnapshotID) {
	o.note(Op{Kind: OpSaveReference, Snapshot: id})
}

// Attach adds the algorithm's own data to this node's part of a snapshot, by
// value: what it must know again after a restore (held outputs, tables of seen
// ids). Recover is given it back.
func (o *Out) Attach(id SnapshotID, data []byte) {
	from := len(o.blobs)
	o.blobs = append(o.blobs, data...)
	o.blob(OpAttach, id, from)
}

func (o *Out) blob(kind OpKind, id SnapshotID, from int) {
	o.note(Op{Kind: kind, Snapshot: id, Message: Message{Key: uint64(from), Aux: uint64(len(o.blobs))}})
}

// SaveChannel adds a message to the recorded state of an input channel; after a
// restore it is the channel's content again, already arrived.
func (o *Out) SaveChannel(id SnapshotID, in Input, m Message) {
	o.note(Op{Kind: OpSaveChannel, Snapshot: id, Channel: int32(in), Message: m})
}

// SaveLog adds a message to the snapshot's backup log (ABS Algorithm 2); it is
// recorded channel state too, but after a restore Recover is given it.
func (o *Out) SaveLog(id SnapshotID, in Input, m Message) {
	o.note(Op{Kind: OpSaveLog, Snapshot: id, Channel: int32(in), Message: m})
}

// Block stops deliveries from an input channel, which buffers meanwhile; the
// time is put down to the snapshot. Blocking a blocked channel does nothing.
func (o *Out) Block(in Input, id SnapshotID) {
	o.note(Op{Kind: OpBlock, Channel: int32(in), Snapshot: id})
}

// Unblock lets deliveries from an input channel go on.
func (o *Out) Unblock(in Input) {
	o.note(Op{Kind: OpUnblock, Channel: int32(in)})
}

// Done says that this node's part of the snapshot is whole: it goes to the store
// now, and the snapshot is complete when every node's part is durable. Before the
// state is recorded there is no part, and Done means nothing; what is recorded
// after it is not in the snapshot.
func (o *Out) Done(id SnapshotID) {
	o.note(Op{Kind: OpDone, Snapshot: id})
}

// Tell sends a message to the coordinator.
func (o *Out) Tell(c Control) {
	o.note(Op{Kind: OpTell, Snapshot: c.ID, Message: Message{Key: uint64(c.Kind) | bit(c.Finished)<<8, Value: int64(c.Attempt), Aux: uint64(c.Handle)}})
}

// Told is the message of an entry that Tell made.
func (op *Op) Told() Control {
	return Control{
		Kind: ControlKind(op.Message.Key), Attempt: uint8(op.Message.Value), ID: op.Snapshot, Handle: Handle(op.Message.Aux),
		Finished: op.Message.Key>>8 == 1,
	}
}

// Ops is the list recorded since the last Reset.
func (o *Out) Ops() []Op { return o.ops[:o.n] }

// Saved is the bytes of an entry that SaveState or Attach made.
func (o *Out) Saved(op Op) []byte { return o.blobs[op.Message.Key:op.Message.Aux] }

// Reset forgets what was recorded and keeps the memory.
func (o *Out) Reset() {
	o.effects.Reset()
	o.n = 0
	o.blobs, o.records = o.blobs[:0], o.records[:0]
}

package sim

// RowKind is what a row of the history tells.
type RowKind uint8

const (
	RowSend      RowKind = iota // entity: channel, number: the message's
	RowProcess                  // entity: channel, number: the message's; the App stepped
	RowExternal                 // entity: node, number: of the record, from 1; the App stepped
	RowTimer                    // entity: node, number: the timer's id, hash: 0, or 1 if it had not gone off or was changed; the App stepped
	RowEmit                     // entity: node, number: of the emission there, from 1
	RowRecord                   // entity: node, number: the snapshot's id
	RowCrash                    // entity: node
	RowRestore                  // entity: 0, number: the snapshot's id, 0 for the initial state
	RowLose                     // entity: channel, number: of the message that the row before sent; the channel loses it
	RowDuplicate                // entity: channel, number: likewise; it will come twice
	RowDrop                     // entity: channel, number: of a message that its receiver had processed before its sender was restarted
)

// Row is one event of the causal history: 16 bytes. Hash is the payload's
// (Message.Hash) where there is one. Rows stand in the order in which things
// happened; the rows of one handler keep its order.
type Row struct {
	head   uint32 // kind in the upper 4 bits, entity in the lower 28
	Number uint32
	Hash   uint64
}

// NewRow makes a row; checkers' tests build damaged histories with it.
func NewRow(kind RowKind, entity int32, number uint32, hash uint64) Row {
	return Row{kind.head() | uint32(entity), number, hash}
}

// head is the kind's part of a row's head.
func (k RowKind) head() uint32 { return uint32(k) << 28 }

// Kind is what the row tells.
func (r Row) Kind() RowKind { return RowKind(r.head >> 28) }

// Entity is the channel or node of the row.
func (r Row) Entity() int32 { return int32(r.head & (1<<28 - 1)) }

// Restore is one recovery: the whole graph went back to a snapshot, or the nodes of it
// that had failed and all that are upstream of them.
type Restore struct {
	At          int64
	Row         int       // index of its RowRestore, if rows are on
	Incarnation uint8     // the one that begins here
	Snapshot    *Snapshot // nil: the initial state
	CrashedAt   int64     // the first crash that led to it
	Crashed     []int32   // the nodes that were down, in the order in which they crashed
	Aborted     []SnapshotID
	Partial     []int32 // the nodes that were restarted, ascending, where the others went on; nil: all

	// What the engine put in place, read back from the parts themselves after
	// loading and before Recover; of nodes that went on, and channels into them, nothing.
	States   [][]byte // by node: what the loaded App saves
	Offsets  []uint64 // by node
	Timers   [][]ArmedTimer
	Requeued [][]Recorded // by channel: its first content
	Logged   [][]Recorded // by channel: what Recover was given
	// What the crash threw away: the counters when the restore began.
	LostProcessed, LostExternal int64 // events after the cut: to be done again, or lost
	Replayed                    int64 // messages put back or replayed from the snapshot
	Dropped                     int64 // messages dropped from here to the next restore: they had come before a partial one
	HeldBack                    bool  // History.HeldBack of what follows, up to the next crash
}

// Breach is a delivery that the channel's stitched history does not allow: not
// the next number, or sent by an incarnation that was rolled back; or a message dropped
// that was not processed before.
type Breach struct {
	At              int64
	Row             int
	Channel         int32
	Incarnation     uint8
	Number, Next    uint32 // the message's number, and the one that was due
	SentIncarnation uint8
	Dropped         bool // it was not processed, but dropped
}

// Behind is something that was sent on a channel behind the end of its stream.
type Behind struct {
	At          int64
	Row         int
	Channel     int32
	Incarnation uint8
	Number      uint32     // of the message; 0: it was none
	Marker      SnapshotID // the snapshot whose marker it was; 0: it was none
}

// End is how a run ended.
type End uint8

const (
	Quiescent     End = iota // nothing is enabled
	Settled                  // an App that never rests, after the stop, with no snapshot pending
	StepLimit                // MaxSteps reached: inconclusive
	RecoveryLimit            // too many recoveries: inconclusive
	TimeLimit                // virtual time would pass MaxTime: inconclusive
	OpenLimit                // more than MaxOpen snapshots under way: inconclusive
	GaveUp                   // the coordinator's restart strategy allows no more restarts: inconclusive
	Misbehaved               // a Node, an App or the coordinator panicked, or asked for what there is not: see Abandon
)

// Limited says that the run was cut short: it shows what it shows, and no more.
func (e End) Limited() bool { return e >= StepLimit }

// History is what really happened. The engine writes it; no App and no Node can
// see or touch it.
type History struct {
	Rows      []Row       // nil if rows are off
	Snapshots []*Snapshot // by id: Snapshots[i].ID == i+1
	From      *Snapshot   // the one that the run began with, by Restores[0]; nil: the initial state
	Restores  []Restore
	Breaches  []Breach
	Behind    []Behind
	Crashes   []Crash
	Facts     []Fact     // of a run with a coordinator; nil if there is none
	Published []Metadata // the metadata that became durable, in the order of their facts
	Written   int64      // bytes of parts that the coordinator's store has written

	// HeldBack says that, before the first crash, some algorithm did not give its App
	// an input in the handler that was handed it, or did not let go there what came of
	// it, or blocked a channel. If not, the run is that of the Apps alone.
	HeldBack bool

	// How the run ended.
	End               End
	EndedAt           int64
	Steps             int64  // handlers run, faults, restores and writes; choices in chosen order
	Deliveries        int64  // application messages processed
	Digest            uint64 // of all events and the end state
	ApplicationDigest uint64 // of application events only; a function of the rows
	Final             FinalState
	UnfiredFaults     []int // indexes into Config.Faults
}

// Crash is one node going down.
type Crash struct {
	At    int64
	Node  int32
	Fault int // index into Config.Faults
}

// FinalState is the system as the run left it.
type FinalState struct {
	Down      []int32  // nodes that never came back
	States    [][]byte // by node; nil if a node or its App has misbehaved
	Offsets   []uint64 // by node: External records processed
	Read      []uint64 // by node: External records handed to the Node
	Timers    [][]ArmedTimer
	GoneOff   [][]uint32   // by node: timers handed to the Node that its App has not processed; nil if none ever went off
	Sent      []uint32     // by channel
	Processed []uint32     // likewise; on an unreliable one the highest number
	Gaps      [][]uint32   // by channel: numbers below Processed that were not processed; nil if all are reliable
	InFlight  [][]Recorded // by channel: application messages not processed
	Markers   []uint32     // by channel: markers and ends of streams still waiting in it
	Ended     []int32      // channels whose streams have ended
	Blocked   []SnapshotID // by channel: the snapshot that blocks it, 0 if none
	Refused   []int32      // channels whose head the receiver's App does not accept
}

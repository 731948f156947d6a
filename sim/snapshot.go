package sim

// Status is how far a snapshot came.
type Status uint8

const (
	Pending  Status = iota // not every part is durable
	Complete               // every part is durable: the graph can be restored from it
	Aborted                // a restore took the system back before it was complete
	Absent                 // of an earlier process, and nothing is known of it here; see Config.From
)

// Snapshot is what the algorithm recorded, next to the cut that the engine
// noted while it did. Slices by node have one entry per node, slices by channel
// one per channel of the graph.
type Snapshot struct {
	ID          SnapshotID
	Status      Status
	Savepoint   bool    // the user has asked for it; see Savepointer
	Incarnation uint8   // in which it was triggered
	Initiators  []int32 // the nodes that were ordered to initiate
	TriggeredAt int64   // ns, or the step in chosen order
	StartedAt   int64   // the first record; -1 before
	CompletedAt int64   // the last part durable; -1 before
	Markers     int64   // markers sent for it
	BlockedFor  int64   // ns (or steps) that inputs were blocked for it, summed over inputs; of those that still are, up to the end

	// What the algorithm recorded.
	States   [][]byte     // by node; nil: not recorded
	Channels [][]Recorded // by channel, in the order saved, SaveChannel and SaveLog alike
	Logs     [][]LogEntry // by node: what SaveLog saved, in order
	Attached [][]byte     // by node
	DoneAt   []int64      // by node: Done was said; -1 before
	Durable  []bool       // by node: its part is written

	// What the engine noted.
	Recordings []Recording // by node: when it recorded, and its position in the run
	Sent       []uint32    // by channel: messages sent at the sender's recording
	Processed  []uint32    // by channel: messages processed at the receiver's recording; on an unreliable one the highest number
	Marked     []bool      // by channel: its marker was handed to the receiver
	Gaps       [][]uint32  // by channel: numbers below Processed not processed then; nil if all channels are reliable
	LostOn     []int32     // unreliable channels that lost its marker
	Twice      []int32     // nodes that recorded this snapshot more than once

	// What else had happened when it was complete; see Config.From.
	Steps  int64    // of the run
	Struck []int32  // faults that had struck, indexes into Config.Faults
	Limits []uint32 // by node: how many External records there are; nil: the input had not ended
	// Coordinated is what else was durable then where there is a coordinator; nil: there
	// is none.
	Coordinated *Coordinated

	parts  int    // not durable yet
	unread []bool // by node: its state was saved by reference, and the store has not read it
	// reached is, by node, the phases that it has come to, each a bit; of those of which
	// the rest does not tell, and kept while a fault waits for a phase.
	reached []uint32
}

// Last is the highest id that a snapshot had been given when this one was complete, as
// far as that is known: a run that begins with it gives higher ones.
func (s *Snapshot) Last() SnapshotID {
	if s.Coordinated == nil {
		return s.ID
	}
	return s.Coordinated.Last
}

// processedOn is how many messages of a channel the cut has as processed.
func (s *Snapshot) processedOn(c int) int {
	if s.Gaps == nil {
		return int(s.Processed[c])
	}
	return int(s.Processed[c]) - len(s.Gaps[c])
}

// Recording is the instant at which one node recorded its state.
type Recording struct {
	Seq    uint32 // position among all recordings of the run, from 1; 0: not recorded
	Row    int    // index into History.Rows of its Record row, if rows are on
	At     int64
	Offset uint64       // External records processed
	Timers []ArmedTimer // by id
}

// ArmedTimer is a timer of the App that has not fired.
type ArmedTimer struct {
	ID  uint32
	Due int64
}

// Recorded is a message in a recorded channel state, with the identity that the
// engine gave it. Number 0 marks a message that no channel ever carried.
type Recorded struct {
	Message     Message
	Number      uint32 // position in its channel's stitched history, from 1
	Incarnation uint8  // that sent it
	Logged      bool   // by SaveLog: Recover is given it; else the channel is
}

// LogEntry points at a message of a backup log: Channels[Channel][Index].
type LogEntry struct{ Channel, Index int32 }

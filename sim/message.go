package sim

// SnapshotID names one snapshot (a checkpoint, in Flink's words). Ids start at
// 1, grow, survive every rollback, and are never reused.
type SnapshotID uint32

// Kind tells what a message is; see Message.Kind.
type Kind uint8

const (
	// Data is an application message.
	Data Kind = iota
	// Marker belongs to a snapshot: Chandy and Lamport's marker, or the barrier
	// of Asynchronous Barrier Snapshotting. Its Key is the snapshot's id.
	Marker
	// EndOfStream is the last that travels on a channel: its sender has finished.
	EndOfStream
)

// Input names where a node's input comes from: a value of 0 or more is an index
// into the node's input channels, in the order of NodeInfo; the negative values
// are the inputs that are not channels.
type Input int32

const (
	// External is the record that the outside world hands to a source.
	External Input = -1
	// Timer is a timer that the App armed itself; the message's Key is its id.
	Timer Input = -2
	// Nil is the input on which an order to initiate arrives (ABS paper, 4.2).
	// The engine calls Initiate for it; algorithms that treat it as an input
	// among others need a name for it.
	Nil Input = -3
)

// Message is what travels on a channel: a small value without pointers. What
// the fields mean is the application's business, but for a Marker.
//
// The engine writes a message's identity (its number on its channel and the
// incarnation that sent it) into an unexported word. It travels with the value
// through a Node, so that the history can tell which message a Node processed
// or saved, whatever the Node believes.
//
// Four words are what the compiler still keeps in registers.
type Message struct {
	Key   uint64 // what it is about; the snapshot's id on a Marker
	Value int64  // how much
	Aux   uint64 // a word for bookkeeping: source record number, colour, attempt

	tag uint64 // kind<<40 | incarnation<<32 | number
}

const kindShift, incarnationShift = 40, 32

// NewMarker is the marker (or barrier) of snapshot id.
func NewMarker(id SnapshotID) Message {
	return Message{Key: uint64(id), tag: uint64(Marker) << kindShift}
}

// NewEndOfStream is the end of a stream.
func NewEndOfStream() Message { return Message{tag: uint64(EndOfStream) << kindShift} }

// Kind tells a Marker or an EndOfStream from Data.
func (m Message) Kind() Kind { return Kind(m.tag >> kindShift) }

func (m Message) number() uint32     { return uint32(m.tag) }
func (m Message) incarnation() uint8 { return uint8(m.tag >> incarnationShift) }

// identified is the message with the identity that the engine gives it.
func (m Message) identified(number uint32, incarnation uint8) Message {
	m.tag = m.tag>>kindShift<<kindShift | uint64(incarnation)<<incarnationShift | uint64(number)
	return m
}

// Snapshot is the id of the snapshot that a Marker belongs to.
func (m Message) Snapshot() SnapshotID { return SnapshotID(m.Key) }

// Payload is the message without its identity: what two messages must share to
// say the same.
func (m Message) Payload() Message { return m.identified(0, 0) }

// Equal compares payloads; tests that compare with go-cmp use it.
func (m Message) Equal(o Message) bool { return m.Payload() == o.Payload() }

// Hash is a 64-bit hash of the payload, the one in History's rows.
func (m Message) Hash() uint64 {
	h := (m.Key ^ 0x9e3779b97f4a7c15) * 0xd6e8feb86659fd93
	h = (h ^ h>>32 ^ uint64(m.Value)) * 0xc2b2ae3d27d4eb4f
	h = (h ^ h>>29 ^ m.Aux) * 0x9fb21c651e98df25
	return h ^ h>>32 ^ m.tag>>kindShift
}

// Send is a message on its way out of a node: Output is an index into the
// node's output channels, or Sink.
type Send struct {
	Message
	Output int32
}

// Sink as an Output means that the record leaves the system here.
const Sink int32 = -1

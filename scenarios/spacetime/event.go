package spacetime

import "simrun/sim"

// Kind is what an Event is.
type Kind uint8

// The kinds. Those of a computation without snapshots come first.
const (
	Send            Kind = iota // Channel, Number, Message; Peer: the first receipt
	Process                     // Channel, Number, Message; Peer: the Send
	External                    // Number, Message: a record from outside is processed
	Timer                       // Number: the timer's id
	Emit                        // Number, Message: a record leaves the system
	Drop                        // Channel, Number; Peer: the Send: it had come before
	Close                       // Channel; Peer: the Ended: the end of a stream is sent
	Ended                       // Channel; Peer: the Close: and comes
	MarkerSent                  // Channel, Snapshot; Peer: the Marker
	Marker                      // Channel, Snapshot; Peer: the MarkerSent
	Initiate                    // Snapshot: the order to initiate comes
	Record                      // Snapshot: the state is recorded
	Done                        // Snapshot: the node's part of it is finished
	Block                       // Channel, Snapshot: an input is blocked
	Unblock                     // Channel, Snapshot
	Crash                       //
	Restored                    // Restore: the node is put back to what a snapshot has of it
	Lost                        // Channel, Number or Snapshot: the channel loses what the event before sent
	Doubled                     // Channel, Number or Snapshot: and this will come twice
	ControlSent                 // Word, Number, Snapshot; Peer: the ControlReceived: between coordinator and node
	ControlReceived             // Word, Number, Snapshot; Peer: the ControlSent
	Fact                        // Word, Snapshot: something else that coordinator, store or sink did
	kinds
)

// names are the words for the kinds, for those who read data.
var names = [kinds]string{
	Send: "send", Process: "process", External: "external", Timer: "timer", Emit: "emit", Drop: "drop",
	Close: "close", Ended: "ended", MarkerSent: "marker-sent", Marker: "marker", Initiate: "initiate",
	Record: "record", Done: "done", Block: "block", Unblock: "unblock", Crash: "crash", Restored: "restored",
	Lost: "lost", Doubled: "doubled", ControlSent: "control-sent", ControlReceived: "control-received", Fact: "fact",
}

// String is the word for the kind.
func (k Kind) String() string { return names[k] }

// Kinds is every kind, in the order of their numbers.
func Kinds() []Kind {
	all := make([]Kind, kinds)
	for i := range all {
		all[i] = Kind(i)
	}
	return all
}

// Steps says whether the App of the node steps.
func (k Kind) Steps() bool { return k == Process || k == External || k == Timer }

// Sends says whether something is put on a channel, and Receives whether it comes.
func (k Kind) Sends() bool {
	return k == Send || k == Close || k == MarkerSent || k == ControlSent
}

// Receives says whether something that was sent comes to a node.
func (k Kind) Receives() bool {
	return k == Process || k == Drop || k == Ended || k == Marker || k == ControlReceived
}

// Application says whether the computation would have the event without an algorithm, so
// that it lies inside or outside a cut.
func (k Kind) Application() bool { return k <= Close }

// None is an index that points at nothing.
const None int32 = -1

// Event is something that happened at a node. Which fields mean something depends on the
// kind; Channel, Peer and Undone are None where there is nothing to point at.
type Event struct {
	Kind        Kind
	Incarnation uint8
	Node        int32 // the lane: a node, or Diagram.Coordinator
	Channel     int32
	Number      uint32 // of the message on its channel, or of the record at its node, from 1
	Snapshot    sim.SnapshotID
	Peer        int32 // the other end of the arrow, an index into Events
	Undone      int32 // the recovery that took the event back, an index into Restores
	At          int64 // ns of virtual time; in chosen order the step
	Message     sim.Message
	Word        string // of Fact and the control kinds: what it was
}

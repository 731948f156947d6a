package sim

// Observer watches a run: for traces, reports and measurements. It cannot
// change it. The Event and what it points at are valid during the call only.
type Observer interface{ Observe(ev *Event) }

// EventKind is what an Event tells.
type EventKind uint8

const (
	EventSend       EventKind = iota // Channel, Number, Message, Due
	EventProcess                     // Channel, Number, Message, SentIncarnation
	EventExternal                    // Number, Message
	EventTimer                       // Timer
	EventArm                         // Timer, Due: the App armed a timer
	EventEmit                        // Number, Message
	EventMarkerSent                  // Channel, Snapshot, Due
	EventMarker                      // Channel, Snapshot: handed to the receiver
	EventTrigger                     // Snapshot, Initiators; Node is -1
	EventInitiate                    // Snapshot
	EventRecord                      // Snapshot, State
	EventChannel                     // Snapshot, Channel, Recorded: at Done, one for each input channel
	EventDone                        // Snapshot
	EventDurable                     // Snapshot
	EventComplete                    // Snapshot, Complete; Node is -1
	EventAbort                       // Snapshot; Node is -1
	EventBlock                       // Channel, Snapshot
	EventUnblock                     // Channel, Snapshot
	EventBusy                        // Due: the node takes nothing until then
	EventCrash                       //
	EventRestore                     // Restore; Node is -1
	EventLose                        // Channel, and Number, Message or Snapshot: an unreliable channel loses what was sent
	EventDuplicate                   // likewise, and Due: it is put on again
	EventFact                        // Fact; Node is its Task
	EventEndSent                     // Channel, Due: the end of its stream
	EventEnd                         // Channel: handed to the receiver
	EventDrop                        // Channel, Number, Message, SentIncarnation: it was processed before its sender was restarted
)

// Event is one thing that happened. Which fields count depends on the kind.
type Event struct {
	Kind            EventKind
	Incarnation     uint8
	SentIncarnation uint8
	Node            int32
	Channel         int32
	Number          uint32
	Timer           uint32
	Snapshot        SnapshotID
	At              int64 // ns, or steps
	Due             int64
	Initiators      []int32
	Message         Message
	State           []byte
	Recorded        []Recorded
	Restore         *Restore
	Complete        *Snapshot
	Fact            *Fact
}

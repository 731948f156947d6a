package spacetime

import (
	"simrun/scenarios"
	"simrun/sim"
	"simrun/topology"
)

// Diagram is a run, or a window of it. Nobody changes it once it is made.
type Diagram struct {
	Plan   *scenarios.Plan
	Result *scenarios.Result
	Told   *scenarios.Told // the reasons; nil: they were not asked for

	Graph       *topology.Graph
	BackEdge    []bool // by channel; nil if there are none
	Coordinator int32  // the lane behind those of the nodes; None: there is no coordinator

	Events []Event // in the order in which they happened
	First  int     // how many events of the run come before Events[0]
	Total  int     // how many the run has

	Initial   [][]byte // by node: the state at the beginning, as JSON
	States    []State  // after the steps of the Apps and at the recordings, in the order of Events
	Stepped   int      // the states are those after every step up to this index into Events; later only recordings have them
	Snapshots []Snapshot
	Restores  []Restore
	Blocked   []Blocked
	Busy      []Busy

	Violations []Violation // in the order of Result.Violations
	EndedAt    int64       // when the run was over
}

// Lane is the name of a node, or of the coordinator.
func (d *Diagram) Lane(v int32) string {
	if v == d.Coordinator {
		return "coordinator"
	}
	return d.Graph.Nodes[v]
}

// Lanes is how many there are: the nodes, and the coordinator if there is one.
func (d *Diagram) Lanes() int {
	if d.Coordinator == None {
		return len(d.Graph.Nodes)
	}
	return len(d.Graph.Nodes) + 1
}

// Whole says whether the diagram has every event of the run.
func (d *Diagram) Whole() bool { return len(d.Events) == d.Total }

// State is what the App of an event's node was after the event, as a JSON merge patch
// (RFC 7396) of what the last State of this node, or Initial, had led to. After a restore
// and on a recording it may change anything. The patch null says that it is not known.
type State struct {
	Event int32
	Patch []byte
}

// Snapshot is one snapshot, with its cut.
type Snapshot struct {
	Result   *scenarios.SnapshotResult
	ID       sim.SnapshotID
	Cut      []int32           // by node: its Record event; None: it did not record, or not in this window
	Channels []RecordedChannel // those of which messages were recorded, by id
}

// RecordedChannel is what a snapshot recorded of a channel.
type RecordedChannel struct {
	Channel int32
	Numbers []uint32 // of the messages, in the order in which they were recorded; 0: of one that no channel ever carried
	Logged  bool     // as a backup log: a restore gives it to the algorithm
}

// Restore is one recovery.
type Restore struct {
	Result    *scenarios.RecoveryResult
	At        int64
	Event     int32 // so many of Events had happened
	Snapshot  sim.SnapshotID
	Crashed   []int32
	Restarted []int32 // nil: all nodes
}

// Blocked is a span in which an input was blocked.
type Blocked struct {
	Channel  int32
	Snapshot sim.SnapshotID
	From, To int32 // indexes into Events; From None: before the window; To None: until its end
}

// Busy is a span in which a node served an input and took nothing.
type Busy struct {
	Node        int32
	From, Until int64
}

// Violation is a violated invariant, and where to look for it.
type Violation struct {
	Result *scenarios.ViolationResult
	Event  int32 // the event that shows it best; None: there is none in this window
}

package explain

import (
	"fmt"

	"simrun/invariants"
	"simrun/sim"
)

// Explainer explains one run.
type Explainer struct {
	index
	report *invariants.Report
	notes  *Notes
	truths map[int]*truth // by incarnation
}

// New is an Explainer of a run with this report. Without notes nothing is said of
// markers.
func New(run *invariants.Run, report *invariants.Report, notes *Notes) *Explainer {
	return &Explainer{index: *newIndex(run), report: report, notes: notes, truths: make(map[int]*truth)}
}

// Event is one event of a node, or a thing that happened there behind one.
type Event struct {
	Node        string `json:"node"`
	Number      uint32 `json:"event"` // from 1; 0: before its first
	Incarnation int    `json:"incarnation"`
	What        string `json:"what"`
}

// name names a node.
func (x *index) name(v int32) string {
	if v < 0 || int(v) >= x.run.Graph.Nodes {
		return fmt.Sprintf("node %d (which does not exist)", v)
	}
	if x.run.NodeName == nil {
		return fmt.Sprintf("node %d", v)
	}
	return x.run.NodeName(v)
}

// link names a channel, as from->to#id.
func (x *index) link(ch int32) string {
	switch g := &x.run.Graph; {
	case ch < 0 || int(ch) >= len(g.From):
		return fmt.Sprintf("channel %d (which does not exist)", ch)
	case x.run.ChannelName == nil:
		return fmt.Sprintf("%s->%s#%d", x.name(g.From[ch]), x.name(g.To[ch]), ch)
	}
	return x.run.ChannelName(ch)
}

// marker is what the run's algorithm calls its markers.
func (x *index) marker() string {
	if x.run.Aligned {
		return "barrier"
	}
	return "marker"
}

func (x *index) backEdge(ch int32) bool {
	return int(ch) < len(x.run.BackEdge) && x.run.BackEdge[ch]
}

// eventAt is the event of a row.
func (x *index) eventAt(row int) Event {
	return Event{Node: x.name(x.node[row]), Number: x.event[row], Incarnation: x.incarnation(row), What: x.what(row)}
}

// what words what a row tells.
func (x *index) what(i int) string {
	row := x.h.Rows[i]
	switch row.Kind() {
	case sim.RowSend:
		return fmt.Sprintf("sends message %d on %s", row.Number, x.link(row.Entity()))
	case sim.RowProcess:
		return fmt.Sprintf("processes message %d from %s", row.Number, x.link(row.Entity()))
	case sim.RowExternal:
		return fmt.Sprintf("reads record %d from outside", row.Number)
	case sim.RowTimer:
		return fmt.Sprintf("is woken by its timer %d", row.Number)
	case sim.RowEmit:
		return fmt.Sprintf("lets record %d leave the system", row.Number)
	case sim.RowRecord:
		return fmt.Sprintf("records snapshot %d", row.Number)
	}
	return "crashes"
}

// its is "its event 6", of the row's node.
func (x *index) its(row int) string { return fmt.Sprintf("its event %d", x.event[row]) }

// behind is where a note is among the events of a node.
func (x *index) behind(n *note, v int32) string {
	if e := x.eventBefore(v, n.row); e > 0 {
		return fmt.Sprintf("after event %d of %s", e, x.name(v))
	}
	return "before the first event of " + x.name(v)
}

// snapshot is the one with an id; nil if there is none.
func (x *index) snapshot(id sim.SnapshotID) *sim.Snapshot {
	if id == 0 || uint64(id) > uint64(len(x.h.Snapshots)) {
		return nil
	}
	return x.h.Snapshots[id-1]
}

// truth is what the messages of an incarnation and its past said.
func (x *Explainer) truth(k int) *truth {
	if x.truths[k] == nil {
		x.truths[k] = x.execute(x.world(k), -1, nil)
	}
	return x.truths[k]
}

// at is s[i], or the zero value where a damaged history has no entry.
func at[T any](s []T, i int32) (value T) {
	if i >= 0 && int(i) < len(s) {
		value = s[i]
	}
	return value
}

// number counts things.
func number(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

package invariants

import (
	"fmt"

	"simrun/sim"
)

// isEvent says whether a row is an event of the computation: what happens at one
// node and changes its state or one channel of it. Recordings, crashes and restores
// are none.
func isEvent(kind sim.RowKind) bool {
	switch kind {
	case sim.RowSend, sim.RowProcess, sim.RowExternal, sim.RowTimer, sim.RowEmit:
		return true
	}
	return false
}

// eventAt is the node at which the event of a row happens; -1 if the row is no event
// of the computation or the node does not exist.
func (r *Run) eventAt(row sim.Row) int32 {
	id := row.Entity()
	switch row.Kind() {
	case sim.RowSend:
		if int(id) < len(r.Graph.From) {
			return r.Graph.From[id]
		}
	case sim.RowProcess:
		if int(id) < len(r.Graph.To) {
			return r.Graph.To[id]
		}
	case sim.RowExternal, sim.RowTimer, sim.RowEmit:
		if int(id) < r.Graph.Nodes {
			return id
		}
	}
	return -1
}

// event words what happens in a row.
func (r *Run) event(row sim.Row) string {
	id, n := row.Entity(), row.Number
	switch row.Kind() {
	case sim.RowSend:
		return fmt.Sprintf("%s sends message %d on %s", r.node(at(r.Graph.From, id)), n, r.channel(id))
	case sim.RowProcess:
		return fmt.Sprintf("%s processes message %d on %s", r.node(at(r.Graph.To, id)), n, r.channel(id))
	case sim.RowDrop:
		return fmt.Sprintf("%s drops message %d on %s, which had come before", r.node(at(r.Graph.To, id)), n, r.channel(id))
	case sim.RowExternal:
		return fmt.Sprintf("%s reads External record %d", r.node(id), n)
	case sim.RowTimer:
		return fmt.Sprintf("timer %d of %s fires", n, r.node(id))
	case sim.RowEmit:
		return fmt.Sprintf("%s lets emission %d leave the system", r.node(id), n)
	case sim.RowRecord:
		return fmt.Sprintf("%s records snapshot %d", r.node(id), n)
	case sim.RowCrash:
		return fmt.Sprintf("%s crashes", r.node(id))
	case sim.RowRestore:
		return "the system is restored"
	}
	return fmt.Sprintf("something of the unknown kind %d happens", row.Kind())
}

package invariants

import (
	"fmt"
	"slices"

	"simrun/sim"
)

// Witness is a computation that passes through the recorded state of a snapshot,
// Chandy and Lamport's theorem (1985, section 4) as a value. Its events are those that
// really happened, as indexes of rows: first Prefix, in the order in which they
// happened; then Pre, which happened at nodes that had not recorded yet, and which
// lead to the recorded state; then Post, which lead to the state that the system
// really was in at the end of the window. Recordings, crashes and restores are no
// events of the computation.
type Witness struct {
	Snapshot    sim.SnapshotID
	Incarnation uint8 // in which it was recorded
	First, Last int   // the window: the rows of the first recording and the last
	Prefix      []int // what happened before the window and was not taken back
	Pre, Post   []int
	Swaps       int64 // exchanges of neighbours that bring Pre before Post
}

// WitnessOf is the witness of a complete snapshot. The error says why there is none: no
// rows, no such snapshot, or a history that is damaged. That its events can be carried
// out, and lead to these states, is what the invariant reachability says; of a snapshot
// that violates it the witness is an order that is no computation.
func WitnessOf(run *Run, id sim.SnapshotID) (*Witness, error) {
	h := run.History
	if h.Rows == nil {
		return nil, fmt.Errorf("the rows of the run were not kept")
	}
	if id == 0 || uint64(id) > uint64(len(h.Snapshots)) || h.Snapshots[id-1] == nil || h.Snapshots[id-1].Status != sim.Complete {
		return nil, fmt.Errorf("there is no complete snapshot %d", id)
	}
	s := h.Snapshots[id-1]
	if len(s.Recordings) != run.Graph.Nodes || int(s.Incarnation) > len(h.Restores) {
		return nil, fmt.Errorf("the history is damaged: snapshot %d has %d recordings and incarnation %d", id, len(s.Recordings), s.Incarnation)
	}
	w := &Witness{Snapshot: id, Incarnation: s.Incarnation, First: len(h.Rows), Last: -1}
	for v := range s.Recordings {
		row := s.Recordings[v].Row
		if s.Recordings[v].Seq == 0 || row < 0 || row >= len(h.Rows) || h.Rows[row] != sim.NewRow(sim.RowRecord, int32(v), uint32(id), 0) {
			return nil, fmt.Errorf("the history is damaged: the recording of snapshot %d at %s has no row", id, run.node(int32(v)))
		}
		w.First, w.Last = min(w.First, row), max(w.Last, row)
	}
	for i, row := range h.Rows[:max(w.Last, 0)] {
		v := run.eventAt(row)
		switch {
		case v < 0 || i < w.First && !run.survives(i, v, int(s.Incarnation)):
		case i < w.First:
			w.Prefix = append(w.Prefix, i)
		case i < s.Recordings[v].Row:
			w.Pre = append(w.Pre, i)
			w.Swaps += int64(len(w.Post))
		default:
			w.Post = append(w.Post, i)
		}
	}
	if slices.ContainsFunc(h.Restores[:s.Incarnation], func(r sim.Restore) bool { return r.Partial != nil }) {
		w.reorder(run)
	}
	return w, nil
}

// reorder lets what was processed before some nodes were restarted come behind what these
// have sent again.
func (w *Witness) reorder(run *Run) {
	var left []int
	w.Prefix, left = Causal(run, w.Prefix)
	if len(left) > 0 {
		all := slices.Concat(w.Prefix, left, w.Pre)
		order, _ := Causal(run, all)
		w.Prefix, w.Pre = order[:len(w.Prefix)], order[len(w.Prefix):]
	}
}

// survives says whether a row of node v is still part of the run after the first so
// many restores: it is after them, or inside the cut of each that came after it.
func (r *Run) survives(i int, v int32, restores int) bool {
	for k := range restores {
		restore := &r.History.Restores[k]
		if restore.Row < i || !restore.Restarted(v) {
			continue
		}
		if restore.Snapshot == nil || i >= at(restore.Snapshot.Recordings, v).Row {
			return false
		}
	}
	return true
}

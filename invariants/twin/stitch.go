package twin

import "simrun/sim"

// findRestores lists the rows that are restores: each begins an incarnation.
func (j *judge) findRestores() {
	for i, row := range j.h.Rows {
		if row.Kind() == sim.RowRestore {
			j.restores = append(j.restores, i)
		}
	}
}

// executeAll executes the stitched run of each incarnation, until one is not legal.
func (j *judge) executeAll() {
	var rows []int // of the incarnation before
	for k := 0; k <= len(j.restores); k++ {
		first, end := 0, len(j.h.Rows)
		if k > 0 {
			first = j.restores[k-1] + 1
			if !j.canRestore(k - 1) {
				j.legal = j.restores[k-1]
				return
			}
			rows = j.inside(rows, j.h.Restores[k-1].Snapshot)
		}
		if k < len(j.restores) {
			end = j.restores[k]
		}
		for i := first; i < end; i++ {
			rows = append(rows, i)
		}
		events, legal := j.execute(rows)
		j.stitched = append(j.stitched, events)
		if !legal {
			j.legal = max(rows[len(events)], first-1) // a row from before the restore: that is to blame
			return
		}
	}
}

// inside is the rows inside the cut of a snapshot; nil is the initial state.
func (j *judge) inside(rows []int, s *sim.Snapshot) (kept []int) {
	if s == nil {
		return nil
	}
	for _, i := range rows {
		if i < s.Recordings[j.owner(j.h.Rows[i])].Row {
			kept = append(kept, i)
		}
	}
	return kept
}

// canRestore says whether the history agrees with itself about a restore, and it goes
// back to a snapshot of the incarnation that ends, or to where that began.
func (j *judge) canRestore(k int) bool {
	if k >= len(j.h.Restores) || j.h.Restores[k].Row != j.restores[k] {
		return false
	}
	s := j.h.Restores[k].Snapshot
	if j.h.Rows[j.restores[k]].Number != uint32(number(s)) {
		return false
	}
	var before *sim.Snapshot
	if k > 0 {
		before = j.h.Restores[k-1].Snapshot
	}
	if s == before {
		return true
	}
	if s == nil || s.Status != sim.Complete || !j.whole(s) {
		return false
	}
	for v := range s.Recordings {
		if !j.isRecording(s, int32(v)) || j.incarnation(s.Recordings[v].Row) != k {
			return false
		}
	}
	return true
}

// isRecording says whether a node's recording of a snapshot stands in the row that it
// should.
func (j *judge) isRecording(s *sim.Snapshot, v int32) bool {
	i := s.Recordings[v].Row
	if i < 0 || i >= len(j.h.Rows) {
		return false
	}
	row := j.h.Rows[i]
	return row.Kind() == sim.RowRecord && row.Entity() == v && row.Number == uint32(s.ID)
}

// incarnation is the one that a row belongs to.
func (j *judge) incarnation(row int) int {
	k := 0
	for k < len(j.restores) && j.restores[k] <= row {
		k++
	}
	return k
}

// number is the id of a snapshot, 0 for the initial state.
func number(s *sim.Snapshot) sim.SnapshotID {
	if s == nil {
		return 0
	}
	return s.ID
}

// owner is the node at which a row happened; -1 if there is none.
func (j *judge) owner(row sim.Row) int32 {
	g, id := &j.run.Graph, row.Entity()
	switch row.Kind() {
	case sim.RowSend, sim.RowProcess, sim.RowLose, sim.RowDuplicate:
		switch {
		case int(id) >= len(g.From):
			return -1
		case row.Kind() == sim.RowProcess:
			return g.To[id]
		}
		return g.From[id]
	case sim.RowExternal, sim.RowTimer, sim.RowEmit, sim.RowRecord, sim.RowCrash:
		if int(id) < g.Nodes {
			return id
		}
	}
	return -1
}

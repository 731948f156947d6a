package explain

import (
	"cmp"
	"slices"
	"sort"

	"simrun/invariants"
	"simrun/sim"
)

// index finds things in a history. It takes any history, damaged ones too.
type index struct {
	run *invariants.Run
	h   *sim.History

	node   []int32  // by row: whose it is; -1: nobody's
	event  []uint32 // by row: which of its node's events, from 1; 0: none
	starts []int    // by incarnation: its first row

	sends, processes [][]int32 // by channel: the rows
	losses, copies   []int32   // the rows of unreliable channels that lose a message, or bring it twice
}

func newIndex(run *invariants.Run) *index {
	x := &index{run: run, h: run.History, starts: []int{0}}
	rows, channels := x.h.Rows, len(run.Graph.From)
	x.node, x.event = make([]int32, len(rows)), make([]uint32, len(rows))
	x.sends, x.processes = make([][]int32, channels), make([][]int32, channels)
	counts := make([]uint32, run.Graph.Nodes)
	for i, row := range rows {
		v := x.owner(row)
		x.node[i] = v
		switch kind := row.Kind(); {
		case kind == sim.RowRestore:
			x.goBack(counts)
			x.starts = append(x.starts, i)
		case kind == sim.RowLose:
			x.losses = append(x.losses, int32(i))
		case kind == sim.RowDuplicate:
			x.copies = append(x.copies, int32(i))
		case v < 0 || kind == sim.RowCrash:
		default:
			counts[v]++
			x.event[i] = counts[v]
			if kind == sim.RowSend {
				x.sends[row.Entity()] = append(x.sends[row.Entity()], int32(i))
			} else if kind == sim.RowProcess {
				x.processes[row.Entity()] = append(x.processes[row.Entity()], int32(i))
			}
		}
	}
	return x
}

// owner is the node that a row belongs to; -1 if that is none.
func (x *index) owner(row sim.Row) int32 {
	id := row.Entity()
	g := &x.run.Graph
	switch kind := row.Kind(); {
	case kind == sim.RowSend && int(id) < len(g.From):
		return g.From[id]
	case kind == sim.RowProcess && int(id) < len(g.To):
		return g.To[id]
	case kind == sim.RowSend, kind == sim.RowProcess, kind >= sim.RowRestore, int(id) >= g.Nodes:
		return -1
	}
	return id
}

// goBack takes the counts of events of what is restarted back to the cut of the next
// restore.
func (x *index) goBack(counts []uint32) {
	k := len(x.starts) - 1
	if k >= len(x.h.Restores) {
		clear(counts)
		return
	}
	r := &x.h.Restores[k]
	for v := range counts {
		if !r.Restarted(int32(v)) {
			continue
		}
		counts[v] = 0
		if r.Snapshot == nil {
			continue
		}
		if row, ok := x.recordedAt(r.Snapshot, int32(v)); ok {
			counts[v] = x.event[row]
		}
	}
}

// recordedAt is the row in which a node recorded a snapshot; false if it never did.
func (x *index) recordedAt(s *sim.Snapshot, v int32) (int, bool) {
	if v < 0 || int(v) >= len(s.Recordings) || s.Recordings[v].Seq == 0 {
		return 0, false
	}
	row := s.Recordings[v].Row
	return row, row >= 0 && row < len(x.h.Rows)
}

// incarnation is the one that a row belongs to.
func (x *index) incarnation(row int) int {
	return sort.Search(len(x.starts), func(k int) bool { return x.starts[k] > row }) - 1
}

// eventBefore is the number of the last event of a node before a row: 0 if there was
// none in that incarnation or its past.
func (x *index) eventBefore(v int32, row int) uint32 {
	w := x.world(max(x.incarnation(row), 0))
	for i := min(row, len(x.node)) - 1; i >= 0; i-- {
		if x.node[i] == v && x.event[i] > 0 && x.has(w, i) {
			return x.event[i]
		}
	}
	return 0
}

// world is a stitched run: what an incarnation and its past make together.
type world int

// world is the stitched run up to the end of an incarnation.
func (x *index) world(k int) world { return world(k) }

// has says whether a row is part of a world: its node has come from there to the end of
// the world's incarnation without being restarted, or within the cut whenever it was.
func (x *index) has(w world, row int) bool {
	k, own, limit := int(w), x.incarnation(row), len(x.h.Rows)
	for k > own {
		if k > len(x.h.Restores) {
			return false // the history is damaged
		}
		r := &x.h.Restores[k-1]
		if !r.Restarted(x.node[row]) {
			k--
			continue
		}
		if r.Snapshot == nil || int(r.Snapshot.Incarnation) >= k {
			return false
		}
		last, ok := x.recordedAt(r.Snapshot, x.node[row])
		if !ok {
			return false
		}
		k, limit = int(r.Snapshot.Incarnation), min(limit, last)
	}
	return k == own && row <= limit
}

// failed says whether one of these rows is about the message that was sent in row
// sent: it follows at once.
func (x *index) failed(rows []int32, sent int) bool {
	_, found := slices.BinarySearch(rows, int32(sent)+1)
	return found && sent >= 0
}

// entry is a message's number and the row in which it was sent or processed.
type entry struct {
	number uint32
	row    int
}

// entries are those of the rows that are part of a world, by number; of a number
// that occurs twice the first one counts.
func (x *index) entries(w world, rows []int32) []entry {
	var list []entry
	for _, row := range rows {
		if x.has(w, int(row)) {
			list = append(list, entry{x.h.Rows[row].Number, int(row)})
		}
	}
	slices.SortStableFunc(list, func(a, b entry) int { return cmp.Compare(a.number, b.number) })
	return slices.CompactFunc(list, func(a, b entry) bool { return a.number == b.number })
}

// find is the row of a number; false if there is none.
func find(list []entry, number uint32) (int, bool) {
	i, ok := slices.BinarySearchFunc(list, number, func(e entry, n uint32) int { return cmp.Compare(e.number, n) })
	if !ok {
		return 0, false
	}
	return list[i].row, true
}

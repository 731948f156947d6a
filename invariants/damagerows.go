package invariants

import (
	"fmt"
	"slices"

	"simrun/sim"
)

// tally is what the rows say in sum, next to the lists and counters of the history.
type tally struct {
	c        *Checker
	recorded uint32 // recordings so far
	again    uint32 // those that another of the same node and snapshot has replaced
	crashed  int    // crashes so far
	first    int    // of them, the first since the last restore
	restored int
	steps    int64   // messages processed in all
	inRun    []int64 // by node: those that no restore has taken back
	read     []int64 // by node: External records likewise
	dropped  int64   // since the last restore
}

// checkRows counts the rows, and holds them against what the history has counted. What
// a restore of a snapshot that is not whole says is not looked at.
func (c *Checker) checkRows() {
	nodes := c.run.Graph.Nodes
	l := tally{c: c, inRun: make([]int64, nodes), read: make([]int64, nodes)}
	l.begin()
	for i, row := range c.h.Rows {
		switch row.Kind() {
		case sim.RowProcess:
			l.steps++
			if v := c.run.eventAt(row); v >= 0 {
				l.inRun[v]++
			}
		case sim.RowExternal:
			if v := c.run.eventAt(row); v >= 0 {
				l.read[v]++
			}
		case sim.RowRecord:
			l.recording(i, row)
		case sim.RowCrash:
			l.crash(i, row)
		case sim.RowDrop:
			l.dropped++
		case sim.RowRestore:
			l.drops()
			l.restore(i)
		}
		if row.Kind() >= sim.RowRecord && row.Hash != 0 || row.Kind() == sim.RowRestore && row.Entity() != 0 {
			c.damage(nonInterference, nowhere, "the history is damaged: row %d, in which %s, has a content or a place", i, c.run.event(row))
		}
	}
	l.drops()
	if l.steps != c.h.Deliveries {
		c.damage(nonInterference, nowhere, "the history is damaged: it counts %d messages processed, and has rows of %d", c.h.Deliveries, l.steps)
	}
	if l.crashed < len(c.h.Crashes) {
		c.damage(recovery, nowhere, "the history is damaged: it lists %d crashes, and has rows of %d", len(c.h.Crashes), l.crashed)
	}
	recordings := uint32(0)
	for _, s := range c.h.Snapshots {
		if s == nil {
			continue
		}
		for v := range s.Recordings {
			if s.Recordings[v].Seq != 0 {
				recordings++
			}
		}
	}
	if recordings+l.again != l.recorded {
		c.damage(stateTruth, nowhere, "the history is damaged: its snapshots have %d recordings, and there are rows of %d", recordings, l.recorded-l.again)
	}
}

// recording compares a Record row with what the snapshot says of it.
func (l *tally) recording(i int, row sim.Row) {
	l.recorded++
	v, id := row.Entity(), row.Number
	if id == 0 || uint64(id) > uint64(len(l.c.h.Snapshots)) || l.c.h.Snapshots[id-1] == nil {
		return // the replay says so
	}
	s := l.c.h.Snapshots[id-1]
	if r := at(s.Recordings, v); r.Seq > l.recorded && slices.Contains(s.Twice, v) {
		l.again++
	} else if r.Seq != l.recorded || r.Row != i {
		where := atNode(v)
		where.Snapshot = sim.SnapshotID(id)
		l.c.damage(stateTruth, where, "the history is damaged: recording %d, in row %d, is that of snapshot %d by %s, which names recording %d, in row %d",
			l.recorded, i, id, l.c.run.node(v), r.Seq, r.Row)
	}
}

// crash compares a Crash row with the list of crashes.
func (l *tally) crash(i int, row sim.Row) {
	crashes := l.c.h.Crashes
	if k := l.crashed; k >= len(crashes) || crashes[k].Node != row.Entity() || k > 0 && crashes[k].At < crashes[k-1].At || crashes[k].At > l.c.h.EndedAt {
		l.c.damage(recovery, atNode(row.Entity()), "the history is damaged: crash %d, in row %d, is of %s, and the list of crashes says otherwise, or gives no instant to it that it can have had",
			k+1, i, l.c.run.node(row.Entity()))
	}
	l.crashed++
}

// restore compares what a restore says it has thrown away with what has happened.
func (l *tally) restore(i int) {
	c, k := l.c, l.restored
	l.restored++
	first := l.first
	l.first = l.crashed
	if k >= len(c.h.Restores) {
		return // the replay says so
	}
	r := &c.h.Restores[k]
	where := nowhere
	where.Restore = k
	ordered := c.h.Facts != nil && len(r.Crashed) == 0 // by a coordinator, of its own accord
	ordered = ordered || k == 0 && c.from() != nil     // the run begins with it
	if !ordered && (first >= l.crashed || first >= len(c.h.Crashes) || c.h.Crashes[first].At != r.CrashedAt) {
		c.damage(recovery, where, "the history is damaged: restore %d, in row %d, follows a crash at %d, and no such crash came first", k+1, i, r.CrashedAt)
	}
	processed, read := l.goBack(r)
	if s := r.Snapshot; s != nil && !c.whole(s) {
		return
	}
	if len(c.run.Unreliable) == 0 && processed != r.LostProcessed || read != r.LostExternal {
		c.damage(recovery, nowhere, "the history is damaged: restore %d says that it takes back %d messages processed and %d External records; the rows say %d and %d",
			k+1, r.LostProcessed, r.LostExternal, processed, read)
	}
}

// drops compares how many messages were dropped since the last restore with what that says.
func (l *tally) drops() {
	counted := int64(0)
	if k := l.restored - 1; k >= 0 && k < len(l.c.h.Restores) {
		counted = l.c.h.Restores[k].Dropped
	}
	if l.dropped != counted {
		l.c.damage(recovery, nowhere, "the history is damaged: after restore %d there are rows of %d messages dropped, and it counts %d", l.restored, l.dropped, counted)
	}
	l.dropped = 0
}

// goBack takes the sums of what is restarted back to the cut of a restore, and says by how
// much.
func (l *tally) goBack(r *sim.Restore) (processed, read int64) {
	kept, offset := make([]int64, len(l.inRun)), make([]int64, len(l.read))
	if s := r.Snapshot; s != nil && l.c.whole(s) {
		for ch := range s.Processed {
			kept[l.c.run.Graph.To[ch]] += int64(l.c.run.keptOn(s, ch))
		}
		for v := range s.Recordings {
			offset[v] = int64(s.Recordings[v].Offset)
		}
	}
	for v := range l.inRun {
		if !r.Restarted(int32(v)) {
			continue
		}
		processed, read = processed+l.inRun[v]-kept[v], read+l.read[v]-offset[v]
		l.inRun[v] = kept[v]
		if l.c.run.Replay != sim.NoReplay {
			l.read[v] = offset[v]
		}
	}
	return processed, read
}

// number is fmt.Sprint for what is counted.
func number[N int | sim.SnapshotID](n N) string { return fmt.Sprint(n) }

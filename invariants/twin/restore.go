package twin

import (
	"bytes"
	"slices"

	"simrun/sim"
)

// restore decides about a restore: what it puts back is what its snapshot holds, or
// the initial state, and the run is legal until the next one.
func (j *judge) restore(k int, snapshots []Verdict, verdict *Verdict) {
	r := &j.h.Restores[k]
	if next := k + 1; j.legal < len(j.h.Rows) && (next >= len(j.restores) || j.legal < j.restores[next]) {
		verdict.add(Illegal)
	}
	if k >= len(j.restores) || r.Row != j.restores[k] {
		verdict.add(Malformed)
	}
	if s := r.Snapshot; s != nil {
		if s.Status != sim.Complete || !j.whole(s) || s.ID == 0 || int(s.ID) > len(snapshots) || j.h.Snapshots[s.ID-1] != s {
			verdict.add(Malformed)
			return
		}
		if !snapshots[s.ID-1].Holds() {
			verdict.add(FromWrong)
		}
	}
	for _, s := range j.h.Snapshots {
		if s != nil && s.Status == sim.Complete && !s.Savepoint && s.ID > number(r.Snapshot) && s.CompletedAt < r.At && int(s.Incarnation) <= k {
			verdict.add(NotNewest)
		}
	}
	for v := range int32(j.run.Graph.Nodes) {
		j.restoredNode(r, v, verdict)
	}
	for ch := range int32(len(j.run.Graph.From)) {
		j.restoredChannel(r, ch, verdict)
	}
	if k == len(j.h.Restores)-1 && j.legal == len(j.h.Rows) && k+1 < len(j.stitched) {
		j.end(j.stitched[k+1], verdict)
		if j.loses(k, j.stitched[k+1]) {
			verdict.add(Lost)
		}
	}
}

// restoredNode compares what a node was given back with what the snapshot has of it.
func (j *judge) restoredNode(r *sim.Restore, v int32, verdict *Verdict) {
	var state []byte
	var recording sim.Recording
	if r.Snapshot == nil {
		state = j.run.NewApp(v).Save(nil)
	} else {
		state, recording = r.Snapshot.States[v], r.Snapshot.Recordings[v]
	}
	if int(v) >= min(len(r.States), len(r.Offsets), len(r.Timers)) {
		verdict.add(Malformed)
		return
	}
	if !bytes.Equal(state, r.States[v]) {
		verdict.add(WrongState)
	}
	if r.Offsets[v] != recording.Offset && j.run.Replay != sim.NoReplay ||
		j.run.Replay == sim.NoReplay && r.Offsets[v] != uint64(j.inLog(sim.RowExternal, v, r.Row)) {
		verdict.add(WrongOffset)
	}
	same := len(recording.Timers) == len(r.Timers[v])
	for i := 0; same && i < len(recording.Timers); i++ {
		saved, got := recording.Timers[i], r.Timers[v][i]
		same = saved.ID == got.ID && (got.Due == saved.Due || got.Due == max(saved.Due, r.At))
	}
	if !same {
		verdict.add(WrongTimers)
	}
}

// restoredChannel compares what was put back into a channel and what was handed out
// as the log of its receiver with what the snapshot has of it.
func (j *judge) restoredChannel(r *sim.Restore, ch int32, verdict *Verdict) {
	var queue, log []sim.Recorded
	if r.Snapshot != nil {
		for _, m := range r.Snapshot.Channels[ch] {
			if m.Logged {
				log = append(log, m)
			} else {
				queue = append(queue, m)
			}
		}
	}
	same := func(a, b sim.Recorded) bool {
		return a.Number == b.Number && a.Incarnation == b.Incarnation && a.Message.Equal(b.Message)
	}
	if int(ch) >= min(len(r.Requeued), len(r.Logged)) {
		verdict.add(Malformed)
	} else if !slices.EqualFunc(r.Requeued[ch], queue, same) || !slices.EqualFunc(r.Logged[ch], log, same) {
		verdict.add(Altered)
	}
}

// end compares the states in which the run was left with what its events lead to.
func (j *judge) end(events []event, verdict *Verdict) {
	f := &j.h.Final
	for v := range int32(j.run.Graph.Nodes) {
		if slices.Contains(f.Down, v) {
			continue
		}
		if int(v) >= len(f.States) || !bytes.Equal(j.alone(v, events).app.Save(nil), f.States[v]) {
			verdict.add(WrongEnd)
		}
	}
}

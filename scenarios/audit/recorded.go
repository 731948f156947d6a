package audit

import (
	"fmt"
	"hash/fnv"
	"slices"

	"simrun/sim"
)

// recording is what a node records of a snapshot.
type recording struct {
	node int32
	id   sim.SnapshotID
}

// note remembers the states that a handler records.
func (w *Watch) note(p *part, out *sim.Out, after *state) {
	for _, op := range out.Ops() {
		at := recording{p.info.ID, op.Snapshot}
		switch op.Kind {
		case sim.OpSaveState:
			w.recorded[at] = append(w.recorded[at], sum(out.Saved(op)))
		case sim.OpSaveReference:
			w.recorded[at] = append(w.recorded[at], sum(after.app))
		}
	}
}

func sum(state []byte) uint64 {
	h := fnv.New64a()
	h.Write(state)
	return h.Sum64()
}

// Ended looks whether the states of the complete snapshots are those that were recorded,
// when the run is over.
func (w *Watch) Ended(h *sim.History) (list []Misdeed) {
	if w.settings.Again == 0 {
		return nil
	}
	for _, s := range h.Snapshots {
		if s == h.From || s.Status != sim.Complete {
			continue
		}
		for v := range s.States {
			if s.Recordings[v].Seq == 0 {
				continue // a wrong coordinator completes what not everybody recorded
			}
			if known := w.recorded[recording{int32(v), s.ID}]; known != nil && !slices.Contains(known, sum(s.States[v])) {
				list = append(list, Misdeed{Node: int32(v), Snapshot: s.ID, Kind: Sharing, Detail: fmt.Sprintf(
					"the state of %s in snapshot %d is not the one that it recorded: it has changed since", w.names.Node(int32(v)), s.ID)})
			}
		}
	}
	return list
}

package twin

import (
	"slices"

	"simrun/sim"
)

// Run is what is judged. The graph is taken to be valid. The History must have its
// rows; what they and the snapshots say may be damaged.
type Run struct {
	Graph     sim.Graph
	NewApp    func(node int32) sim.App
	NewSource func(node int32) sim.Source // nil, or nil for a node: no External input
	BackEdge  []bool                      // by channel; nil: none
	// How channels may fail; nil: none does.
	Unreliable []sim.Unreliable
	Aligned    bool // the algorithm promises nothing in flight off the back-edges
	Replay     sim.Replay
	History    *sim.History
}

// Reason is one way in which a snapshot or a restore is wrong.
type Reason string

// The reasons.
const (
	Malformed   Reason = "malformed"      // parts are missing that every complete snapshot has
	Illegal     Reason = "after the end"  // the run had stopped being legal
	Unrecorded  Reason = "unrecorded"     // some node never recorded it
	Twice       Reason = "recorded twice" // some node recorded it more than once
	NoRow       Reason = "no row"         // a recording has no row of its own, or is of another incarnation
	Orphan      Reason = "orphan"         // something is processed inside the cut and sent outside it
	WrongCount  Reason = "wrong counter"  // the noted cut is not where the recordings stand
	Missing     Reason = "missing"        // a message in flight is not recorded
	Extra       Reason = "extra"          // one is recorded that is not in flight, or one is recorded again
	Reordered   Reason = "reordered"      // all are recorded, in another order
	Altered     Reason = "altered"        // one is recorded that says something else, or of another incarnation
	Unattached  Reason = "unattached"     // outputs were held back and are not in the snapshot
	WrongState  Reason = "wrong state"    // of an App
	WrongOffset Reason = "wrong offset"   // of an External input
	WrongTimers Reason = "wrong timers"   // other ones are armed
	NotAligned  Reason = "not aligned"    // the cut crosses a message off the back-edges
	NotNewest   Reason = "not newest"     // a restore passed over a newer complete snapshot
	FromWrong   Reason = "from a wrong snapshot"
	Lost        Reason = "lost"      // of a restore: what crossed its cut came nowhere
	WrongEnd    Reason = "wrong end" // the run after the last restore does not end as its events do
)

// Verdict is what is said of one snapshot or restore.
type Verdict struct {
	Judged  bool     // a snapshot that is not complete is not judged
	Reasons []Reason // why it does not hold, each once, in no order
}

// Holds says whether nothing is wrong.
func (v Verdict) Holds() bool { return len(v.Reasons) == 0 }

// Has says whether this is one of the reasons.
func (v Verdict) Has(r Reason) bool { return slices.Contains(v.Reasons, r) }

func (v *Verdict) add(r Reason) {
	if !v.Has(r) {
		v.Reasons = append(v.Reasons, r)
	}
}

// Judgement is what Judge says.
type Judgement struct {
	Legal     int       // how many rows the run is legal for: all, or up to the first that is not
	Snapshots []Verdict // by id: Snapshots[0] is that of snapshot 1
	Restores  []Verdict // by index into History.Restores
}

// Judge decides about every complete snapshot and every restore of a run.
func Judge(run *Run) *Judgement {
	j := &judge{run: run, h: run.History, legal: len(run.History.Rows)}
	j.findRestores()
	j.executeAll()
	out := &Judgement{Legal: j.legal}
	for i, s := range j.h.Snapshots {
		var verdict Verdict
		switch {
		case s == nil:
		case s.ID != sim.SnapshotID(i+1):
			verdict.Judged = s.Status == sim.Complete
			verdict.add(Malformed)
		case s.Status == sim.Complete:
			verdict.Judged = true
			j.snapshot(s, &verdict)
		}
		out.Snapshots = append(out.Snapshots, verdict)
	}
	for k := range j.h.Restores {
		verdict := Verdict{Judged: true}
		j.restore(k, out.Snapshots, &verdict)
		out.Restores = append(out.Restores, verdict)
	}
	return out
}

// reliable says whether a channel never fails.
func (j *judge) reliable(ch int32) bool {
	return int(ch) >= len(j.run.Unreliable) || j.run.Unreliable[ch].Reliable()
}

// judge is one judgement in the making.
type judge struct {
	run      *Run
	h        *sim.History
	restores []int     // the rows that are restores
	legal    int       // rows for which the run is legal
	stitched [][]event // by incarnation, as far as it is legal
}

// whole says whether a snapshot has the parts that every complete one has.
func (j *judge) whole(s *sim.Snapshot) bool {
	nodes, channels := j.run.Graph.Nodes, len(j.run.Graph.From)
	return len(s.States) == nodes && len(s.Recordings) == nodes &&
		len(s.Channels) == channels && len(s.Sent) == channels && len(s.Processed) == channels
}

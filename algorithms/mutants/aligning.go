package mutants

import (
	"slices"

	"simrun/sim"
)

// aligning is what the mutants of ABS Algorithm 1 share: which barriers have
// come, for every snapshot under way, and records that are just processed. What a
// barrier leads to is theirs.
type aligning struct {
	info   sim.NodeInfo
	active []recording
	done   sim.SnapshotID
}

func newAligning(info sim.NodeInfo) aligning { return aligning{info: info} }

// arrive notes a barrier, and returns how many are still missing. ok is false if
// it has come before.
func (n *aligning) arrive(i sim.Input, id sim.SnapshotID) (missing int, ok bool) {
	if id <= n.done {
		return 0, false
	}
	at := slices.IndexFunc(n.active, func(r recording) bool { return r.id == id })
	if at < 0 {
		at = len(n.active)
		n.active = append(n.active, newRecording(id, slots(n.info)))
	}
	r := &n.active[at]
	if s := slot(n.info, i); r.open[s] {
		r.open[s] = false
		r.left--
		missing, ok = r.left, true
	}
	return missing, ok
}

// end says that a snapshot is done here.
func (n *aligning) end(id sim.SnapshotID, out *sim.Out) {
	out.Done(id)
	n.done = id
	n.active = slices.DeleteFunc(n.active, func(r recording) bool { return r.id <= id })
}

// block stops a channel; Nil is none.
func (n *aligning) block(i sim.Input, id sim.SnapshotID, out *sim.Out) {
	if i != sim.Nil {
		out.Block(i, id)
	}
}

func (n *aligning) unblockAll(out *sim.Out) {
	for c := range n.info.Inputs {
		out.Unblock(sim.Input(c))
	}
}

func (n *aligning) Recover([]byte, []sim.Logged, *sim.Out) {}

func (n *aligning) state(c *codec) {
	list(c, &n.active, recordingState)
	number(c, &n.done)
}

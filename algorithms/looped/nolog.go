package looped

import "simrun/sim"

// NoLog is the idea as stated, and wrong:
//
//	at the start:
//	    marked = {}
//	when a barrier comes on input i:
//	    marked += i
//	    if i is not Nil:
//	        block i
//	    if every input that is not in L is marked, for the first time:
//	        broadcast the barrier
//	    if every input is marked:
//	        marked = {}
//	        snapshot the state; unblock every input
//	when a record m comes on input i:
//	    state, outputs = udf(m, state); send the outputs
//
// The outputs of a record that comes between the broadcast and the snapshot are
// behind the barrier, and their cause is in the state. So the cut has them as
// sent and not received, and no channel state has them. A record that comes then
// is one of the loop, or of the outside world, or a timer: these two cannot be
// blocked.
type NoLog struct{ alignment }

// NewNoLog makes the algorithm's part of one task. It is a sim.NewNode.
func NewNoLog(info sim.NodeInfo) sim.Node { return &NoLog{newAlignment(info)} }

// Initiate is a barrier on Nil.
func (n *NoLog) Initiate(id sim.SnapshotID, out *sim.Out) {
	n.onBarrier(sim.Nil, id, out, n.snapshot)
}

// Receive takes what came in: a barrier, or a record.
func (n *NoLog) Receive(i sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() == sim.Marker {
		n.onBarrier(i, m.Snapshot(), out, n.snapshot)
		return
	}
	out.Send(out.Process(i, m)...)
}

func (n *NoLog) snapshot(out *sim.Out) {
	out.SaveState(n.current)
	n.end(out)
}

// Recover has nothing to do, which is what the idea was for.
func (n *NoLog) Recover([]byte, []sim.Logged, *sim.Out) {}

// Save appends the whole state.
func (n *NoLog) Save(buf []byte) []byte { return save(buf, n.state) }

// Load replaces the state with one that Save wrote on the same task.
func (n *NoLog) Load(state []byte) error {
	loaded := NoLog{newAlignment(n.info)}
	if err := load(state, loaded.state); err != nil {
		return err
	}
	*n = loaded
	return nil
}

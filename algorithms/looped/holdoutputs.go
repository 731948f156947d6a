package looped

import "simrun/sim"

// HoldOutputs is NoLog with nothing sent in the window:
//
//	at the start:
//	    marked = {}; queue = []
//	when a barrier comes on input i:
//	    marked += i
//	    if i is not Nil:
//	        block i
//	    if every input that is not in L is marked, for the first time:
//	        broadcast the barrier
//	    if every input is marked:
//	        marked = {}
//	        snapshot (the state, queue); unblock every input
//	        send the queue; queue = []
//	when a record m comes on input i:
//	    state, outputs = udf(m, state)
//	    if between the broadcast and the snapshot:
//	        queue += outputs
//	    else:
//	        send the outputs
//	at a recovery:
//	    load the state; send the queue
//
// Nothing is in flight across the cut: what was sent before the barrier has been
// processed, and what the state still owes is in the snapshot, in order. Records
// from outside and timers, which cannot be blocked, are treated like those of the
// loop: the snapshot has them as processed, and what they give waits. So does
// what leaves the system, which the snapshot would else not know of.
type HoldOutputs struct {
	alignment
	queue []sim.Send
}

// NewHoldOutputs makes the algorithm's part of one task. It is a sim.NewNode.
func NewHoldOutputs(info sim.NodeInfo) sim.Node {
	return &HoldOutputs{alignment: newAlignment(info)}
}

// Initiate is a barrier on Nil.
func (h *HoldOutputs) Initiate(id sim.SnapshotID, out *sim.Out) {
	h.onBarrier(sim.Nil, id, out, h.snapshot)
}

// Receive takes what came in: a barrier, or a record.
func (h *HoldOutputs) Receive(i sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() == sim.Marker {
		h.onBarrier(i, m.Snapshot(), out, h.snapshot)
		return
	}
	outputs := out.Process(i, m)
	if h.forwarded {
		h.queue = append(h.queue, outputs...)
		return
	}
	out.Send(outputs...)
}

// snapshot records the state with what it owes, and pays it.
func (h *HoldOutputs) snapshot(out *sim.Out) {
	out.SaveState(h.current)
	if len(h.queue) > 0 {
		out.Attach(h.current, save(nil, h.sends))
	}
	h.end(out)
	h.pay(out)
}

// pay sends the queue.
func (h *HoldOutputs) pay(out *sim.Out) {
	out.Send(h.queue...)
	h.queue = nil
}

// Recover sends what the recorded state owed, before anything comes in.
func (h *HoldOutputs) Recover(attached []byte, _ []sim.Logged, out *sim.Out) {
	if attached == nil {
		return
	}
	if err := load(attached, h.sends); err != nil {
		panic(err) // snapshots do not change in the store
	}
	h.pay(out)
}

func (h *HoldOutputs) sends(c *codec) { list(c, &h.queue, c.send) }

func (h *HoldOutputs) state(c *codec) {
	h.alignment.state(c)
	h.sends(c)
}

// Save appends the whole state.
func (h *HoldOutputs) Save(buf []byte) []byte { return save(buf, h.state) }

// Load replaces the state with one that Save wrote on the same task.
func (h *HoldOutputs) Load(state []byte) error {
	loaded := HoldOutputs{alignment: newAlignment(h.info)}
	if err := load(state, loaded.state); err != nil {
		return err
	}
	*h = loaded
	return nil
}

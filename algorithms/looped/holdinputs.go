package looped

import "simrun/sim"

// HoldInputs is NoLog with nothing processed in the window:
//
//	at the start:
//	    marked = {}; held = []
//	when a barrier comes on input i:
//	    marked += i
//	    if i is not Nil:
//	        block i
//	    if every input that is not in L is marked, for the first time:
//	        broadcast the barrier
//	    if every input is marked:
//	        marked = {}
//	        snapshot (the state, those of held that came on L); unblock every input
//	        process held; held = []
//	when a record m comes on input i:
//	    if between the broadcast and the snapshot:
//	        held += (i, m)
//	    else:
//	        state, outputs = udf(m, state); send the outputs
//	at a recovery:
//	    load the state; process what the snapshot has of L
//
// The state does not change in the window, so the cut is where the barrier was
// passed on, and what a back-edge brings from there to its own barrier is its
// channel state. Held records are processed in the step that takes the snapshot,
// so that nothing of the same channel comes first.
//
// A timer that is held and that the step of another held input arms again goes off
// at once: a Node cannot see that it was armed again.
//
// Records from outside and timers would change the state as well, and are held
// too. They are in no channel: the snapshot has the records as not read and the
// timers as armed, and after a restore the engine brings them again.
type HoldInputs struct {
	alignment
	held   []sim.Logged  // of channels and External, as they came
	timers []sim.Message // that went off
}

// NewHoldInputs makes the algorithm's part of one task. It is a sim.NewNode.
func NewHoldInputs(info sim.NodeInfo) sim.Node {
	return &HoldInputs{alignment: newAlignment(info)}
}

// Initiate is a barrier on Nil.
func (h *HoldInputs) Initiate(id sim.SnapshotID, out *sim.Out) {
	h.onBarrier(sim.Nil, id, out, h.snapshot)
}

// Receive takes what came in: a barrier, or a record.
func (h *HoldInputs) Receive(i sim.Input, m sim.Message, out *sim.Out) {
	switch {
	case m.Kind() == sim.Marker:
		h.onBarrier(i, m.Snapshot(), out, h.snapshot)
	case h.forwarded && i == sim.Timer:
		h.timers = append(h.timers, m)
	case h.forwarded:
		h.held = append(h.held, sim.Logged{Input: i, Message: m})
	default:
		udf(i, m, out)
	}
}

// snapshot records the state with the channel states, and lets go what was held.
func (h *HoldInputs) snapshot(out *sim.Out) {
	out.SaveState(h.current)
	for _, l := range h.held {
		if l.Input != sim.External {
			out.SaveLog(h.current, l.Input, l.Message)
		}
	}
	h.end(out)
	// Timers first: the step of a held record may arm one of them again, and what
	// has gone off may not be taken for that.
	for _, m := range h.timers {
		udf(sim.Timer, m, out)
	}
	process(h.held, out)
	h.held, h.timers = nil, nil
}

// Recover processes the channel states, before anything comes in.
func (h *HoldInputs) Recover(_ []byte, log []sim.Logged, out *sim.Out) { process(log, out) }

func process(log []sim.Logged, out *sim.Out) {
	for _, l := range log {
		udf(l.Input, l.Message, out)
	}
}

// udf lets the user-defined function process a record, and sends what it gives.
func udf(i sim.Input, m sim.Message, out *sim.Out) {
	out.Send(out.Process(i, m)...)
}

func (h *HoldInputs) state(c *codec) {
	h.alignment.state(c)
	list(c, &h.held, c.logged)
	list(c, &h.timers, c.message)
}

// Save appends the whole state.
func (h *HoldInputs) Save(buf []byte) []byte { return save(buf, h.state) }

// Load replaces the state with one that Save wrote on the same task.
func (h *HoldInputs) Load(state []byte) error {
	loaded := HoldInputs{alignment: newAlignment(h.info)}
	if err := load(state, loaded.state); err != nil {
		return err
	}
	*h = loaded
	return nil
}

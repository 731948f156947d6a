package audit

import (
	"fmt"

	"simrun/sim"
)

// call is what the engine has called somebody for.
type call struct {
	kind    callKind
	node    int32 // -1: the coordinator
	in      sim.Input
	number  uint32 // of a snapshot, of a record, of an alarm
	message sim.Message
	control sim.Control
}

type callKind uint8

const (
	making callKind = iota
	receiving
	initiating
	recovering
	told
	written
	draining
	rejoining
	stepping
	saving
	loading
	accepting
	reading
	starting
	alarmed
	heard
	published
	failed
	restored
	stopped
	resting
	savepointing
)

// when is a call as the rest of a sentence that ends with "when".
func (w *Watch) when(c call) string {
	switch c.kind {
	case making:
		return "it is made"
	case receiving:
		return w.received(c)
	case initiating:
		return fmt.Sprintf("it is ordered to initiate snapshot %d", c.number)
	case recovering:
		return fmt.Sprintf("it recovers, in attempt %d", c.number)
	case told:
		return fmt.Sprintf("the coordinator tells it to %s %d", [...]string{sim.Trigger: "trigger", sim.Cancel: "cancel", sim.Notify: "take note of", sim.Acknowledge: "acknowledge", sim.Decline: "decline"}[c.control.Kind], c.control.ID)
	case written:
		return fmt.Sprintf("it is told what became of its part of snapshot %d", c.number)
	case draining:
		return "it is told that nothing of its own comes any more"
	case rejoining:
		return fmt.Sprintf("it goes on while others are restarted, in attempt %d", c.number)
	case saving:
		return "its state is saved"
	case loading:
		return "its state is loaded"
	case accepting:
		return fmt.Sprintf("it is asked whether it would take a message of %s", w.channel(c))
	case reading:
		return fmt.Sprintf("it is asked for External record %d", c.number)
	case starting:
		return "it starts"
	case alarmed:
		return fmt.Sprintf("alarm %d goes off", c.number)
	case heard:
		return fmt.Sprintf("it is given a message of %s about checkpoint %d", w.names.Node(int32(c.in)), c.control.ID)
	case published:
		return fmt.Sprintf("it is told what became of the metadata of checkpoint %d", c.number)
	case failed:
		return "it is told of the crash of " + w.names.Node(int32(c.in))
	case restored:
		return fmt.Sprintf("it is told what became of the restore of checkpoint %d", c.number)
	case savepointing:
		return "it is asked for a savepoint"
	case stopped:
		return "it is told that the input has ended"
	}
	return "it is told that nothing is left to do"
}

// received is when for what a Node was handed.
func (w *Watch) received(c call) string {
	number := uint32(0)
	if w.engine != nil {
		number, _ = w.engine.Identity(c.message)
	}
	m := c.message
	payload := fmt.Sprintf("(key %d, value %d, aux %d)", m.Key, m.Value, m.Aux)
	switch {
	case m.Kind() == sim.Marker:
		return fmt.Sprintf("the marker of snapshot %d comes on %s", m.Snapshot(), w.channel(c))
	case m.Kind() == sim.EndOfStream:
		return "the end of the stream comes on " + w.channel(c)
	case c.in == sim.External:
		return fmt.Sprintf("External record %d %s is handed to it", number, payload)
	case c.in == sim.Timer:
		return fmt.Sprintf("timer %d goes off", m.Key)
	}
	return fmt.Sprintf("message %d of %s %s is handed to it", number, w.channel(c), payload)
}

// channel names the channel of a call's input.
func (w *Watch) channel(c call) string {
	if w.inputs == nil {
		for channel, v := range w.to {
			for int(v) >= len(w.inputs) {
				w.inputs = append(w.inputs, nil)
			}
			w.inputs[v] = append(w.inputs[v], int32(channel))
		}
	}
	if c.in < 0 || int(c.node) >= len(w.inputs) || int(c.in) >= len(w.inputs[c.node]) {
		return fmt.Sprintf("input %d", c.in)
	}
	return w.names.Channel(w.inputs[c.node][c.in])
}

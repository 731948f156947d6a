package audit

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"simrun/sim"
)

// differing finds the first entry in which two recorders differ.
func differing(a, b *sim.Out) (inA, inB string, differ bool) {
	x, y := a.Ops(), b.Ops()
	for i := range max(len(x), len(y)) {
		switch {
		case i >= len(x):
			return "no more", entry(b, y[i]), true
		case i >= len(y):
			return entry(a, x[i]), "no more", true
		case !same(a, x[i], b, y[i]):
			return entry(a, x[i]), entry(b, y[i]), true
		}
	}
	return "", "", false
}

// same says whether two entries ask for the same. Some name what stands beside the list.
func same(a *sim.Out, x sim.Op, b *sim.Out, y sim.Op) bool {
	if x.Kind != y.Kind || x.Snapshot != y.Snapshot || x.Channel != y.Channel {
		return false
	}
	switch x.Kind {
	case sim.OpSaveState, sim.OpAttach:
		return bytes.Equal(a.Saved(x), b.Saved(y))
	case sim.OpCommit:
		return slices.Equal(a.Committed(x), b.Committed(y))
	}
	return x.Message == y.Message
}

// entry says what an entry asks for.
func entry(out *sim.Out, op sim.Op) string {
	m := op.Message
	payload := fmt.Sprintf("(key %d, value %d, aux %d)", m.Key, m.Value, m.Aux)
	switch op.Kind {
	case sim.OpProcess:
		return fmt.Sprintf("a step of the App on input %d %s", op.Channel, payload)
	case sim.OpSend:
		switch m.Kind() {
		case sim.Marker:
			return fmt.Sprintf("the marker of snapshot %d on output %d", m.Snapshot(), op.Channel)
		case sim.EndOfStream:
			return fmt.Sprintf("the end of the stream on output %d", op.Channel)
		}
		return fmt.Sprintf("a message on output %d %s", op.Channel, payload)
	case sim.OpEmit:
		return "an emission " + payload
	case sim.OpSaveState:
		return fmt.Sprintf("its state to be saved for snapshot %d (%s)", op.Snapshot, size(out.Saved(op)))
	case sim.OpSaveReference:
		return fmt.Sprintf("its state to be saved by reference for snapshot %d", op.Snapshot)
	case sim.OpSaveChannel, sim.OpSaveLog:
		return fmt.Sprintf("a message of input %d to be saved for snapshot %d %s", op.Channel, op.Snapshot, payload)
	case sim.OpAttach:
		return fmt.Sprintf("%s to be attached to snapshot %d", size(out.Saved(op)), op.Snapshot)
	case sim.OpBlock:
		return fmt.Sprintf("input %d to be blocked for snapshot %d", op.Channel, op.Snapshot)
	case sim.OpUnblock:
		return fmt.Sprintf("input %d to be unblocked", op.Channel)
	case sim.OpDrop:
		return fmt.Sprintf("a message of input %d to be dropped %s", op.Channel, payload)
	case sim.OpDrain:
		return "to be told when nothing of its own comes any more"
	case sim.OpDone:
		return fmt.Sprintf("the end of its part of snapshot %d", op.Snapshot)
	case sim.OpTell:
		return fmt.Sprintf("the coordinator to be told of checkpoint %d", op.Snapshot)
	case sim.OpCommit:
		return fmt.Sprintf("transaction %d of %d records", op.Snapshot, len(out.Committed(op)))
	}
	return fmt.Sprintf("timer %d after %d", m.Key, m.Value)
}

// size is how long a byte string is, and how it begins.
func size(data []byte) string {
	const shown = 8
	if len(data) > shown {
		return fmt.Sprintf("%d bytes, %x...", len(data), data[:shown])
	}
	return fmt.Sprintf("%d bytes, %x", len(data), data)
}

// answer says what a step of an App came to.
func (s *step) answer() string {
	var parts []string
	for _, x := range s.sends {
		where := fmt.Sprintf("on output %d", x.Output)
		if x.Output == sim.Sink {
			where = "as an emission"
		}
		parts = append(parts, fmt.Sprintf("(key %d, value %d, aux %d) %s", x.Key, x.Value, x.Aux, where))
	}
	for _, t := range s.timers {
		parts = append(parts, fmt.Sprintf("timer %d after %d", t.id, t.after))
	}
	const shown = 4
	if n := len(parts); n > shown {
		parts = append(parts[:shown], fmt.Sprintf("%d more", n-shown))
	}
	if parts == nil {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}

// signature is all that a copy has done and left, as a text.
func (r *replica) signature() string {
	var b strings.Builder
	for i := range r.steps {
		fmt.Fprintln(&b, r.steps[i])
	}
	for _, op := range r.out.Ops() {
		fmt.Fprintln(&b, op.Kind, op.Channel, op.Snapshot, entry(r.out, op))
		switch op.Kind {
		case sim.OpSaveState, sim.OpAttach:
			fmt.Fprintf(&b, "%x\n", r.out.Saved(op))
		case sim.OpCommit:
			fmt.Fprintln(&b, r.out.Committed(op))
		}
	}
	fmt.Fprintf(&b, "%x\n%x\n", r.node.Save(nil), r.app.App.Save(nil))
	return b.String()
}

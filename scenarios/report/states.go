package report

import (
	"bytes"
	"encoding/json"

	"simrun/scenarios/spacetime"
)

// stateList is the states of a run as the data have them.
type stateList struct {
	initial []json.RawMessage // by node
	changes bytes.Buffer      // a line for each: what it does to the state that its node had
	events  varints           // how many events later than the one before
	stepped int               // up to this event there is one after every step
}

// statesOf takes the states after the first steps, at most so many of them, and those at
// recordings and restores, which a reader looks at first.
func statesOf(d *spacetime.Diagram, steps int) *stateList {
	out := &stateList{initial: []json.RawMessage{}, stepped: d.Stepped}
	now := make([]any, len(d.Initial)) // by node: what it is
	shown := make([]any, len(d.Initial))
	for v, text := range d.Initial {
		now[v] = parse(text)
		shown[v] = now[v]
		out.initial = append(out.initial, marshal(now[v]))
	}
	previous := int32(0)
	for _, s := range d.States {
		e := &d.Events[s.Event]
		now[e.Node] = merged(now[e.Node], parse(s.Patch))
		if e.Kind.Steps() {
			if steps == 0 {
				out.stepped = min(out.stepped, int(s.Event))
				continue
			}
			steps--
		}
		out.changes.Write(changeOf(shown[e.Node], now[e.Node]))
		out.changes.WriteByte('\n')
		out.events.add(uint64(s.Event - previous))
		previous, shown[e.Node] = s.Event, now[e.Node]
	}
	return out
}

// stepStates is how many states after steps there are.
func stepStates(d *spacetime.Diagram) (n int) {
	for i := range d.States {
		if d.Events[d.States[i].Event].Kind.Steps() {
			n++
		}
	}
	return n
}

package explain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"simrun/sim"
)

// Difference is one field of a state that is not what it should be.
type Difference struct {
	Field    string          `json:"field"` // "": the state has no fields
	Is       json.RawMessage `json:"is"`
	ShouldBe json.RawMessage `json:"should_be"`
}

// Describe shows a state as JSON: what the node's App describes, else its bytes in
// hexadecimal digits.
func (x *Explainer) Describe(v int32, state []byte) json.RawMessage {
	app := x.run.NewApp(v)
	if describer, ok := app.(sim.Describer); ok && app.Load(state) == nil {
		if text, err := json.Marshal(describer.Describe()); err == nil {
			return text
		}
	}
	return fmt.Appendf(nil, "%q", fmt.Sprintf("%x", state))
}

// state explains a recorded state that is not the node's at its cut.
func (x *Explainer) state(v int32, out *Violation, s *sim.Snapshot) {
	cut, ok := x.recordedAt(s, v)
	if !ok {
		out.say("%s has no recording of snapshot %d", x.name(v), s.ID)
		return
	}
	out.Chain = []Event{x.eventAt(cut)}
	recorded := at(s.States, v)
	truly, alike, reached := x.compareStates(v, cut, recorded, s)
	switch {
	case !reached:
		out.say("The run stops being a legal one before that, so nobody knows the true state")
		return
	case bytes.Equal(truly, recorded):
		x.position(v, cut, out, s)
		return
	}
	out.Differences = diff(x.Describe(v, recorded), x.Describe(v, truly))
	if len(out.Differences) == 0 {
		out.Differences = []Difference{{"", hex(recorded), hex(truly)}}
	}
	switch {
	case alike == initially:
		out.say("It is the state before the first event of %s", x.name(v))
	case alike >= 0 && x.event[alike] < x.event[cut]:
		out.say("It is the state after its event %d (%s), %s before the recording: too old", x.event[alike], x.what(alike), number(int(x.event[cut]-x.event[alike]), "event"))
		out.Chain = slices.Insert(out.Chain, 0, x.eventAt(alike))
	case alike >= 0:
		out.say("It is the state after its event %d (%s), %s after the recording: too new", x.event[alike], x.what(alike), number(int(x.event[alike]-x.event[cut]), "event"))
		out.Chain = append(out.Chain, x.eventAt(alike))
	default:
		out.say("%s was in no such state after any of its events in this run", x.name(v))
	}
}

// initially stands for no row: before all of them. Nowhere: no row fits.
const initially, nowhere = -1, -2

// compareStates executes the run and returns the node's true state at its cut, and
// the row nearest to it after which the state was the recorded one: initially or
// nowhere if it is none.
func (x *Explainer) compareStates(v int32, cut int, recorded []byte, s *sim.Snapshot) (truly []byte, alike int, reached bool) {
	alike = nowhere
	state := x.run.NewApp(v).Save(nil)
	if bytes.Equal(state, recorded) {
		alike = initially
	}
	x.execute(x.world(int(s.Incarnation)), v, func(row int, app sim.App) {
		state = app.Save(state[:0])
		if row == cut {
			truly, reached = slices.Clone(state), true
		}
		if kind := x.h.Rows[row].Kind(); kind != sim.RowProcess && kind != sim.RowExternal && kind != sim.RowTimer {
			return
		}
		if bytes.Equal(state, recorded) && (alike < 0 || row < cut || alike < cut && row-cut < cut-alike) {
			alike = row
		}
	})
	return truly, alike, reached
}

// position explains a recording of the right state with the wrong offset or timers.
func (x *Explainer) position(v int32, cut int, out *Violation, s *sim.Snapshot) {
	w, read := x.world(int(s.Incarnation)), uint32(0)
	for row := range cut {
		if x.node[row] == v && x.h.Rows[row].Kind() == sim.RowExternal && x.has(w, row) {
			read = x.h.Rows[row].Number
		}
	}
	recording := at(s.Recordings, v)
	if uint64(read) != recording.Offset {
		out.Differences = append(out.Differences, Difference{"records read from outside", fmt.Append(nil, recording.Offset), fmt.Append(nil, read)})
		out.say("The state is right, but not how far the input from outside had been read: a restore would read records again, or leave some out")
		return
	}
	out.say("The state is right, but not the timers that were armed then")
}

// hex is bytes as a JSON string.
func hex(state []byte) json.RawMessage { return fmt.Appendf(nil, "\"%x\"", state) }

// diff compares two states in JSON, field by field of the outermost object.
func diff(recorded, truly json.RawMessage) (list []Difference) {
	a, okA := fields(recorded)
	b, okB := fields(truly)
	if !okA || !okB {
		if bytes.Equal(recorded, truly) {
			return nil
		}
		return []Difference{{"", recorded, truly}}
	}
	value := func(list []field, name string) json.RawMessage {
		if i := slices.IndexFunc(list, func(f field) bool { return f.name == name }); i >= 0 {
			return list[i].value
		}
		return json.RawMessage("null")
	}
	for _, f := range a {
		if other := value(b, f.name); !bytes.Equal(f.value, other) {
			list = append(list, Difference{f.name, f.value, other})
		}
	}
	for _, f := range b {
		if !slices.ContainsFunc(a, func(o field) bool { return o.name == f.name }) {
			list = append(list, Difference{f.name, json.RawMessage("null"), f.value})
		}
	}
	return list
}

type field struct {
	name  string
	value json.RawMessage
}

// fields is an object's fields in their order; false if it is no object.
func fields(object json.RawMessage) (list []field, ok bool) {
	d := json.NewDecoder(bytes.NewReader(object))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, false
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, false
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return nil, false
		}
		list = append(list, field{fmt.Sprint(name), value})
	}
	return list, true
}

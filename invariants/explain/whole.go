package explain

import (
	"bytes"
	"fmt"

	"simrun/invariants"
	"simrun/sim"
)

// This file explains what is about a snapshot or a restore as a whole.

// conservation looks for the messages that a snapshot has twice or not at all, or as
// something else, and adds up what they carry.
func (x *Explainer) conservation(out *Violation, s *sim.Snapshot) {
	w, t := x.world(int(s.Incarnation)), x.truth(int(s.Incarnation))
	found, sum := 0, int64(0)
	for ch := range int32(len(x.run.Graph.From)) {
		traffic := x.traffic(w, s, ch)
		if !traffic.cut {
			continue
		}
		for _, e := range traffic.sent {
			c := x.crossing(s, traffic, e.number)
			m, _ := t.message(ch, e.number)
			has, reason := c.balance(m)
			if has == 0 && reason == "" {
				continue
			}
			sum += has
			if found++; found <= listedMax {
				out.say("Message %d of %s, which carries %d: %s (%+d)", e.number, x.link(ch), x.carried(ch, m), reason, has)
			}
		}
	}
	switch {
	case found > listedMax:
		out.say("And %s more; together they make a difference of %+d", number(found-listedMax, "message"), sum)
	case found > 0:
		out.say("Together they make a difference of %+d", sum)
	default:
		out.say("Every message is in the snapshot as often as it should be, so some recorded state must be wrong")
	}
}

// balance is how much more of a message the snapshot holds than it should, in its
// states and its channels, and why; "" if all is right.
func (c *crossing) balance(m sim.Message) (more int64, reason string) {
	copies, same, place := c.saved(), true, c.t.place(c.n)
	if len(copies) == 0 && (place == BeforeBefore || place == AfterAfter) {
		return 0, ""
	}
	carried, recorded := c.carried(c.ch, m), int64(0)
	for _, r := range copies {
		recorded += c.carried(c.ch, r.Message)
		same = same && r.Message.Equal(m)
	}
	switch {
	case place == BeforeAfter && len(copies) == 0:
		return -carried, "in flight and not recorded, so it is missing"
	case place == BeforeAfter && len(copies) == 1 && same:
		return 0, ""
	case place == BeforeAfter && same:
		return recorded - carried, fmt.Sprintf("recorded %d times", len(copies))
	case place == BeforeAfter:
		return recorded - carried, fmt.Sprintf("recorded with another content, which carries %d", recorded)
	case place == AfterBefore:
		return recorded + carried, "an orphan: its receiver has it, and its sender still has it too"
	case !same:
		return recorded, fmt.Sprintf("something that carries %d is recorded under its number", recorded)
	case place == BeforeBefore:
		return recorded, "its receiver has it, and the channel has it too"
	}
	return recorded, "the channel has it, and its sender still has it too"
}

// carried is what a message in flight holds; 0 if the apps conserve nothing.
func (x *Explainer) carried(ch int32, m sim.Message) int64 {
	if app, ok := x.run.NewApp(x.run.Graph.To[ch]).(sim.Conserving); ok {
		amount, _ := app.Carried(m)
		return amount
	}
	return 0
}

// recovery explains a restore that did not put back what it should have, or a run
// that does not go on from it.
func (x *Explainer) recovery(v *invariants.Violation, out *Violation) {
	r := &x.h.Restores[v.Restore]
	source := "the initial state"
	if r.Snapshot != nil {
		source = fmt.Sprintf("snapshot %d", r.Snapshot.ID)
	}
	down := ""
	for i, node := range r.Crashed {
		if i == listedMax {
			down += fmt.Sprintf(" and %d more", len(r.Crashed)-i)
			break
		}
		if i > 0 {
			down += ", "
		}
		down += x.name(node)
	}
	out.say("Recovery %d came after a crash of %s, went back to %s and began incarnation %d", v.Restore+1, down, source, r.Incarnation)
	switch {
	case v.Node >= 0 && int(v.Node) < x.run.Graph.Nodes:
		x.restoredNode(r, v.Node, out)
	case v.Channel >= 0 && int(v.Channel) < len(x.run.Graph.From):
		var had []sim.Recorded
		if r.Snapshot != nil {
			had = at(r.Snapshot.Channels, v.Channel)
		}
		out.say("On %s: %s has %s; put back into the channel: %s; given to the algorithm to process first: %s",
			x.link(v.Channel), source, numbers(had), numbers(at(r.Requeued, v.Channel)), numbers(at(r.Logged, v.Channel)))
		if len(v.Numbers) > 0 {
			c := x.crossing(nil, x.traffic(x.world(v.Restore+1), nil, v.Channel), v.Numbers[0])
			out.Message, out.Chain = c.message(), c.chain()
		}
	}
}

// restoredNode compares what a node was given with what it should have been given.
func (x *Explainer) restoredNode(r *sim.Restore, v int32, out *Violation) {
	should := x.run.NewApp(v).Save(nil)
	if r.Snapshot != nil {
		should = at(r.Snapshot.States, v)
		if row, ok := x.recordedAt(r.Snapshot, v); ok {
			out.Chain = append(out.Chain, x.eventAt(row))
		}
	}
	if got := at(r.States, v); !bytes.Equal(got, should) {
		out.Differences = diff(x.Describe(v, got), x.Describe(v, should))
	}
}

// numbers lists the messages of a recorded state.
func numbers(recorded []sim.Recorded) string {
	if len(recorded) == 0 {
		return "nothing"
	}
	var r Ranges
	for i := range recorded {
		r.add(recorded[i].Number)
	}
	return messages(r)
}

package explain

import (
	"fmt"

	"simrun/invariants"
	"simrun/sim"
)

// Violation is the story of one violation. Its JSON is described in docs/explain.md.
type Violation struct {
	Invariant string  `json:"invariant"`
	Snapshot  *uint32 `json:"snapshot"` // nil: none in particular
	Recovery  *int    `json:"recovery"` // index into the recoveries; nil: none
	Node      *string `json:"node"`
	Channel   *string `json:"channel"`

	Detail      string       `json:"detail"`  // the checker's sentence
	Message     *Message     `json:"message"` // the first that it is about; nil: none
	Chain       []Event      `json:"chain"`   // what happened; of an orphan, each event before the next
	Why         []string     `json:"why"`
	Differences []Difference `json:"differences"`
	Should      string       `json:"should"` // which marker should have come when; "" if it is about none
	Also        Ranges       `json:"also"`   // more messages of the channel that it is about
}

func (v *Violation) say(format string, args ...any) {
	v.Why = append(v.Why, fmt.Sprintf(format, args...))
}

// Violation explains a violation of the report.
func (x *Explainer) Violation(v *invariants.Violation) *Violation {
	out := &Violation{Invariant: v.Invariant, Detail: v.Detail, Chain: []Event{}, Why: []string{}, Differences: []Difference{}, Also: Ranges{}}
	g := &x.run.Graph
	s := x.snapshot(v.Snapshot)
	hasNode := v.Node >= 0 && int(v.Node) < g.Nodes
	hasChannel := v.Channel >= 0 && int(v.Channel) < len(g.From)
	if v.Snapshot != 0 {
		id := uint32(v.Snapshot)
		out.Snapshot = &id
	}
	if v.Restore >= 0 {
		k := v.Restore
		out.Recovery = &k
	}
	if hasNode {
		name := x.name(v.Node)
		out.Node = &name
	}
	if hasChannel {
		name := x.link(v.Channel)
		out.Channel = &name
	}
	switch inv := v.Invariant; {
	case inv == "fifo" && hasChannel && len(v.Numbers) > 0:
		x.fifo(v, out)
	case inv == "recovery" && v.Restore >= 0 && v.Restore < len(x.h.Restores):
		x.recovery(v, out)
	case inv == "termination":
		x.termination(v, out, s)
	case inv == "non-interference":
		out.say("A snapshot may look at the computation and not change it: what an app sends goes out at once, and under Chandy-Lamport in timed order everything happens as it does without snapshots")
	case inv == "coordinator":
		out.say("A snapshot is decided once: complete when every part of it is recorded, done and durable, or given up by the restore that comes first")
	case inv == "conduct":
		out.say("Whatever is run has to return from what it is called for, to ask only for what there is, and to do the same again in the same state: everything else that is said of a run rests on that")
	case s == nil || len(x.h.Rows) == 0:
	case inv == "monotone-cuts":
		x.monotone(v, out, s)
	case inv == "conservation":
		x.conservation(out, s)
	case (inv == "state-truth" || inv == "reachability") && hasNode && !hasChannel:
		x.state(v.Node, out, s)
	case inv == "consistent-cut" && hasNode && !hasChannel:
		x.recordings(v.Node, out, s)
	case hasChannel && len(v.Numbers) > 0:
		x.ofCut(v, out)
	case hasChannel && (inv == "channel-state" || inv == "reachability"):
		if recorded := at(s.Channels, v.Channel); len(recorded) > 0 {
			out.say("The recorded state of the channel has the messages in this order: %s", orderOf(recorded))
		} else {
			out.say("The recorded state of the channel is empty")
		}
	}
	return out
}

// recordings lists when a node recorded a snapshot.
func (x *Explainer) recordings(v int32, out *Violation, s *sim.Snapshot) {
	for row := range x.h.Rows {
		r := x.h.Rows[row]
		if r.Kind() == sim.RowRecord && x.node[row] == v && r.Number == uint32(s.ID) {
			out.Chain = append(out.Chain, x.eventAt(row))
		}
	}
	first, ok := x.recordedAt(s, v)
	switch {
	case !ok:
		out.say("%s has no recording of snapshot %d", x.name(v), s.ID)
	case len(s.Twice) > 0:
		out.say("The cut is at the first recording (%s); a snapshot with two cuts at one node has none, and what %s recorded again was thrown away", x.its(first), x.name(v))
	}
}

// fifo explains a delivery that was not the next of its channel.
func (x *Explainer) fifo(v *invariants.Violation, out *Violation) {
	k, n := v.Restore+1, v.Numbers[0]
	w := x.world(k)
	c := x.crossing(nil, x.traffic(w, nil, v.Channel), n)
	row := c.did
	for i := range x.h.Breaches {
		if b := &x.h.Breaches[i]; b.Channel == v.Channel && b.Number == n && int(b.Incarnation) == k {
			row = b.Row
			x.breach(b, c, out)
			break
		}
	}
	out.Message = c.message()
	if row >= 0 && row < len(x.h.Rows) && x.node[row] >= 0 {
		wrong := x.eventAt(row)
		out.Message.Processed = &wrong
	}
	out.Chain = x.events([]int{c.sent, c.did, row})
	out.say("A channel hands over what was put on it once each, in the order in which it was sent")
}

// breach says what the delivery was, and what was due.
func (x *Explainer) breach(b *sim.Breach, c *crossing, out *Violation) {
	if c.did >= 0 && c.did < b.Row {
		out.say("%s had processed message %d already, at %s", c.to, b.Number, x.its(c.did))
	}
	if b.Number == b.Next {
		out.say("Incarnation %d sent it, and the system has since gone back to a cut before that: it is a message of a past that was undone", b.SentIncarnation)
		return
	}
	due := x.crossing(nil, c.t, b.Next)
	switch {
	case b.Number == 0:
		out.say("No channel ever carried it: the node made it up")
	case due.sent < 0:
		out.say("Message %d was due, which %s has not sent at all", b.Next, c.from)
	case due.did < 0:
		out.say("Message %d was due, which %s sent at %s; it was never processed", b.Next, c.from, x.its(due.sent))
	case due.did > b.Row:
		out.say("Message %d was due, which %s sent at %s; it was processed only at %s", b.Next, c.from, x.its(due.sent), x.its(due.did))
	default:
		out.say("Message %d was due, which %s sent at %s", b.Next, c.from, x.its(due.sent))
	}
}

// monotone explains a cut that goes back behind an older one.
func (x *Explainer) monotone(v *invariants.Violation, out *Violation, n *sim.Snapshot) {
	if v.Channel >= 0 && int(v.Channel) < len(x.run.Graph.From) && len(v.Numbers) > 0 {
		c := x.crossing(n, x.traffic(x.world(int(n.Incarnation)), n, v.Channel), v.Numbers[0])
		out.Message = c.message()
		out.Chain = append(out.Chain, c.chain()...)
	}
	for id := n.ID - 1; id >= 1; id-- {
		m := x.snapshot(id)
		if m == nil || m.Status != sim.Complete {
			continue
		}
		nodes := []int32{v.Node}
		if v.Node < 0 && out.Message != nil {
			nodes = []int32{x.run.Graph.From[v.Channel], x.run.Graph.To[v.Channel]}
		}
		for _, node := range nodes {
			older, ok := x.recordedAt(m, node)
			newer, also := x.recordedAt(n, node)
			if ok && also && older > newer {
				out.Chain = append(out.Chain, x.eventAt(newer), x.eventAt(older))
				out.say("Every initiator of snapshot %d had recorded snapshot %d before, so its cut must contain that one; %s recorded them the other way round", n.ID, m.ID, x.name(node))
				return
			}
		}
	}
}

// termination explains what is left when nothing can happen any more.
func (x *Explainer) termination(v *invariants.Violation, out *Violation, s *sim.Snapshot) {
	switch {
	case v.Channel >= 0 && int(v.Channel) < len(x.run.Graph.From) && len(v.Numbers) > 0:
		c := x.crossing(nil, x.traffic(x.world(len(x.starts)-1), nil, v.Channel), v.Numbers[0])
		out.Message = c.message()
		out.Chain = c.chain()
		out.say("Nothing is left that could let %s process it", c.to)
	case s != nil && v.Channel < 0 && v.Node < 0:
		for node := range int32(len(s.Recordings)) {
			if row, ok := x.recordedAt(s, node); ok && len(out.Chain) < cutMax {
				out.Chain = append(out.Chain, x.eventAt(row))
			}
		}
		out.say("Nothing is left to do, so what the snapshot waits for will never come")
		out.Should = x.shouldCome(s)
	}
}

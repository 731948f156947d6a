package invariants

import "simrun/sim"

// heldOutputs is what the Nodes held back in one snapshot: outputs of steps that the
// recorded states have made and that were not sent inside the cut.
type heldOutputs struct {
	id    sim.SnapshotID
	worth worth
}

// held looks at the outputs that a node holds back when it records. They have to be
// attached, because after a restore nobody else knows of them.
func (r *replay) held(v int32, n *node, s *sim.Snapshot) {
	attached := at(s.Attached, v) != nil
	for _, id := range r.outs[r.outStart[v]:r.outStart[v+1]] {
		ch := &r.channels[id]
		if ch.produced == ch.sent {
			continue
		}
		r.holdOver(ch)
		if attached {
			r.weighHeld(ch, s)
			continue
		}
		where := inChannel(id, between(ch.sent+1, ch.produced)...)
		where.Snapshot, where.Node = s.ID, v
		r.c.report(channelState, where, "in snapshot %d the state of %s has made steps whose output for %s, %s, is neither sent inside the cut nor attached",
			s.ID, r.c.run.node(v), r.c.run.channel(id), span(ch.sent+1, ch.produced))
	}
	if len(n.emits) > 0 && !attached {
		where := atNode(v)
		where.Snapshot = s.ID
		r.c.report(channelState, where, "in snapshot %d the state of %s has made steps of which %s did not leave inside the cut and is not attached",
			s.ID, r.c.run.node(v), counted(len(n.emits), "emission"))
	}
}

// weighHeld adds up what the outputs that are held back for one channel carry.
func (r *replay) weighHeld(ch *channel, s *sim.Snapshot) {
	receiver, ok := r.c.spareApp(ch.to).(sim.Conserving)
	if !ok {
		return
	}
	if len(r.heldIn) == 0 || r.heldIn[len(r.heldIn)-1].id != s.ID {
		r.heldIn = append(r.heldIn, heldOutputs{id: s.ID})
	}
	sum := &r.heldIn[len(r.heldIn)-1].worth
	for i := ch.unsent; i != 0; i = r.queues.entries[i].next {
		sum.add(receiver.Carried(r.queues.entries[i].message))
	}
}

// heldWorth is what the Nodes held back in a snapshot. It is not known if something
// is attached and the replay has not come by.
func (r *replay) heldWorth(s *sim.Snapshot) (sum worth, known bool) {
	for _, h := range r.heldIn {
		if h.id == s.ID {
			sum.add(h.worth.amount, h.worth.weight)
		}
	}
	for v := range s.Attached {
		if s.Attached[v] != nil && s.Recordings[v].Row >= r.at {
			return sum, false
		}
	}
	return sum, true
}

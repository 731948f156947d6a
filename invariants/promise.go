package invariants

import "simrun/sim"

// This file is what an algorithm that promises at-least-once is spared: orphans, and
// what follows when the system goes back to a cut that has some. Its receiver has
// processed messages that its sender, there, has not sent. They are sent again, under the
// same numbers, perhaps with another content as inputs come in another order, and take
// effect again. So what is in the receiver's state twice is known by the source
// records from which the orphans descend.

// duplicates says that orphans are allowed.
func (r *Run) duplicates() bool { return r.Promise == AtLeastOnce }

// spared says whether a snapshot has orphans, and may.
func (r *Run) spared(s *sim.Snapshot) bool {
	if s == nil || !r.duplicates() {
		return false
	}
	for ch, processed := range s.Processed {
		if processed > at(s.Sent, int32(ch)) {
			return true
		}
	}
	return false
}

// keptOn is how many of the messages processed in the cut of a snapshot are not
// processed again after a restore.
func (r *Run) keptOn(s *sim.Snapshot, ch int) uint32 {
	if r.duplicates() {
		return min(s.Processed[ch], s.Sent[ch])
	}
	return s.Processed[ch]
}

// doubling is the snapshot that the next restore goes back to, if it has orphans that
// it may have.
func (r *replay) doubling(s *sim.Snapshot) *sim.Snapshot {
	if r.c.run.spared(s) {
		return s
	}
	return nil
}

// sentAgain notes that a node has processed a message that the next restore has sent again.
func (r *replay) sentAgain() {
	r.root |= orphaned
	r.ledger.orphans = append(r.ledger.orphans, r.root)
}

// sendAgain makes a channel expect the orphans of the cut to which the system goes back.
// It cannot if their sender held messages back there, of which some are gone.
func (r *replay) sendAgain(ch *channel) bool {
	if !r.c.run.duplicates() || ch.produced > ch.sent {
		return false
	}
	ch.processed = ch.sent
	if ch.loose > 0 {
		l := &r.loose[ch.loose]
		for l.taken = l.taken[:ch.sent]; len(l.taken) > 0 && l.taken[len(l.taken)-1] == 0; {
			l.taken = l.taken[:len(l.taken)-1]
		}
		ch.processed = uint32(len(l.taken))
	}
	return true
}

// double closes the account of the orphans of a restore. A record that is not read
// again, as there is no replay, has the effect of the orphan and no other.
func (l *ledger) double(s *sim.Snapshot, replay sim.Replay) {
	for _, root := range l.orphans {
		if v, k := root.node(), root.number(); replay != sim.NoReplay || k <= s.Recordings[v].Offset {
			l.twice[v].add(k)
		}
	}
	l.orphans = l.orphans[:0]
}

// repeated counts the records whose effects some state has more than once: those of
// orphans that were read again, or that a backup log held.
func (r *replay) repeated(out *Ledger) {
	for v := range int32(len(r.nodes)) {
		for k := range r.ledger.twice[v].all() {
			if k <= r.nodes[v].offset {
				out.EffectsRepeated++
				out.Repeated = listRecord(out.Repeated, RecordID{v, k})
			}
		}
	}
}

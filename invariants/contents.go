package invariants

import "simrun/sim"

// watch is a recorded channel state of which some messages have not been sent yet
// when the receiver records. Chandy and Lamport's receiver often records first.
type watch struct {
	s       *sim.Snapshot
	channel int32
	last    uint32 // the last message of the channel state
	next    int32  // the next watch of the same channel
}

// contents compares the recorded state of one channel with what was really sent,
// at the receiver's recording. checkChannels has compared the numbers; where they
// are wrong there is nothing to compare.
func (r *replay) contents(id int32, s *sim.Snapshot) {
	recorded := s.Channels[id]
	ch := &r.channels[id]
	if len(recorded) == 0 || ch.processed != s.Processed[id] || !r.c.exactly(s, id) {
		return
	}
	if ch.loose > 0 {
		r.looseContents(id, s)
	} else {
		i := ch.next
		for n := ch.processed + 1; n <= min(ch.sent, s.Sent[id]); n++ {
			e := &r.queues.entries[i]
			r.compare(id, s, n, e)
			i = e.next
		}
	}
	if s.Sent[id] > ch.sent {
		r.watches = append(r.watches, watch{s: s, channel: id, last: s.Sent[id], next: ch.watch})
		ch.watch = int32(len(r.watches) - 1)
		r.watching++
	}
}

// watched compares a message that was just sent with the channel states that say
// they contain it.
func (r *replay) watched(id int32, n uint32, e *entry) {
	ch := &r.channels[id]
	link := &ch.watch
	for *link != 0 {
		w := &r.watches[*link]
		r.compare(id, w.s, n, e)
		if n == w.last {
			*link = w.next
			r.watching--
		} else {
			link = &w.next
		}
	}
	if r.watching == 0 {
		r.watches = r.watches[:1]
	}
}

// compare compares message n of a channel with its copy in a snapshot.
func (r *replay) compare(id int32, s *sim.Snapshot, n uint32, e *entry) {
	copied := r.copyOf(id, s, n)
	if copied.Message.Equal(e.message) && copied.Incarnation == e.incarnation {
		return
	}
	where := inChannel(id, n)
	where.Snapshot = s.ID
	if copied.Message.Equal(e.message) {
		r.c.report(channelState, where, "snapshot %d has message %d on %s as sent in incarnation %d; it was sent in %d",
			s.ID, n, r.c.run.channel(id), copied.Incarnation, e.incarnation)
		return
	}
	r.c.report(channelState, where, "snapshot %d has message %d on %s with another content than it was sent with",
		s.ID, n, r.c.run.channel(id))
}

// unseen reports the watches that still wait when no message can come any more: at
// a restore and at the end.
func (r *replay) unseen() {
	if r.watching == 0 {
		return
	}
	for id := range r.channels {
		ch := &r.channels[id]
		for i := ch.watch; i != 0; i = r.watches[i].next {
			w := &r.watches[i]
			where := inChannel(int32(id), between(ch.sent+1, w.last)...)
			where.Snapshot = w.s.ID
			r.c.report(channelState, where, "snapshot %d has %s in the state of %s, although never sent",
				w.s.ID, span(ch.sent+1, w.last), r.c.run.channel(int32(id)))
		}
		ch.watch = 0
	}
	r.watches, r.watching = r.watches[:1], 0
}

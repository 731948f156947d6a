package invariants

import (
	"slices"

	"simrun/sim"
)

// loose is the replay's record of an unreliable channel: what became of each of its
// messages, by number less one. All of them stay in the queue.
type loose struct {
	how     *sim.Unreliable
	entries []int32 // indexes into queues.entries
	lost    []bool  // of those that were sent
	doubled []bool
	taken   []uint8 // how often processed; up to the highest number processed
	kept    []uint8 // the main cursor's taken, while the receiver is on a branch
}

// loosen lays out the unreliable channels.
func (r *replay) loosen() {
	r.loose = append(r.loose[:0], loose{})
	for id := range r.channels {
		if how := r.c.run.unreliable(int32(id)); how != nil {
			r.channels[id].loose = int32(len(r.loose))
			r.loose = append(r.loose, loose{how: how})
		}
	}
}

// mishap is a row that says what an unreliable channel will do with the message that
// was sent last.
func (r *replay) mishap(kind sim.RowKind, id int32, n uint32) {
	ch := &r.channels[id]
	if _, ok := r.enter(ch.from); !ok {
		return
	}
	l := &r.loose[ch.loose]
	did, may := "lost", l.how != nil && l.how.Lose.Any()
	if kind == sim.RowDuplicate {
		did, may = "doubled", l.how != nil && l.how.Duplicate.Any()
	}
	if !may || n == 0 || n != ch.sent {
		r.fail(fifo, inChannel(id, n), "the history is damaged: message %d on %s was %s, which this channel does not do, or not to a message sent before",
			n, r.c.run.channel(id), did)
		return
	}
	l.grow(n)
	if kind == sim.RowLose {
		l.lost[n-1] = true
	} else {
		l.doubled[n-1] = true
	}
}

// grow makes place for what is known of the first n messages.
func (l *loose) grow(n uint32) {
	for uint64(len(l.lost)) < uint64(n) {
		l.lost, l.doubled = append(l.lost, false), append(l.doubled, false)
	}
}

// times is how often a message that was sent comes.
func (l *loose) times(n uint32) uint8 {
	switch {
	case uint64(n) > uint64(len(l.lost)):
		return 1
	case l.lost[n-1]:
		return 0
	case l.doubled[n-1]:
		return 2
	}
	return 1
}

// took is how often a message has been processed.
func (l *loose) took(n uint32) uint8 {
	if uint64(n) > uint64(len(l.taken)) {
		return 0
	}
	return l.taken[n-1]
}

// come takes a message that is processed, and returns its entry; 0 if it cannot have
// come.
func (r *replay) come(id int32, n uint32) int32 {
	ch := &r.channels[id]
	l := &r.loose[ch.loose]
	where := inChannel(id, n)
	channel, to := r.c.run.channel(id), r.c.run.node(ch.to)
	switch {
	case n == 0 || n > ch.sent:
		r.wrongProcess(id, n)
		return 0
	case l.times(n) == 0:
		r.fail(fifo, where, "%s processed message %d on %s, which the channel lost", to, n, channel)
		return 0
	case l.took(n) >= l.times(n):
		r.fail(fifo, where, "%s processed message %d on %s again; the channel brought it %s", to, n, channel, counted(uint32(l.times(n)), "time"))
		return 0
	case !l.how.Reorder && !r.inTurn(ch, l, n):
		r.fail(fifo, where, "%s processed message %d on %s out of order, and the channel does not reorder", to, n, channel)
		return 0
	}
	for uint64(len(l.taken)) < uint64(n) {
		l.taken = append(l.taken, 0)
	}
	l.taken[n-1]++
	ch.processed = max(ch.processed, n)
	return l.entries[n-1]
}

// inTurn says whether a message comes in order: everything between the highest
// processed and it was lost, or it is the highest itself, come again.
func (r *replay) inTurn(ch *channel, l *loose, n uint32) bool {
	if n <= ch.processed {
		return n == ch.processed
	}
	for k := ch.processed + 1; k < n; k++ {
		if l.times(k) > 0 {
			return false
		}
	}
	return true
}

// keep and rejoin are a branch of the receiver and its end.
func (l *loose) keep() {
	if l.how != nil {
		l.kept = append(l.kept[:0], l.taken...)
	}
}

func (l *loose) rejoin() {
	if l.how != nil {
		l.taken = append(l.taken[:0], l.kept...)
	}
}

// truncateLoose is queues.truncate for an unreliable channel, which keeps all.
func (r *replay) truncateLoose(ch *channel) {
	l := &r.loose[ch.loose]
	l.entries = l.entries[:min(len(l.entries), int(ch.produced))]
	l.lost = l.lost[:min(len(l.lost), int(ch.sent))]
	l.doubled = l.doubled[:len(l.lost)]
	ch.next, ch.unsent, ch.head, ch.tail = 0, 0, 0, 0
	if len(l.entries) > 0 {
		ch.head, ch.tail = l.entries[0], l.entries[len(l.entries)-1]
		r.queues.entries[ch.tail].next = 0
	}
	if ch.sent < ch.produced {
		ch.unsent = l.entries[ch.sent]
	}
}

// looseContents compares the messages of a recorded channel state that were sent by
// now; the others are watched for.
func (r *replay) looseContents(id int32, s *sim.Snapshot) {
	l := &r.loose[r.channels[id].loose]
	for i := range s.Channels[id] {
		if n := s.Channels[id][i].Number; n <= r.channels[id].sent {
			r.compare(id, s, n, &r.queues.entries[l.entries[n-1]])
		}
	}
}

// copyOf is the copy of message n in a recorded channel state that holds it.
func (r *replay) copyOf(id int32, s *sim.Snapshot, n uint32) *sim.Recorded {
	recorded := s.Channels[id]
	if r.channels[id].loose == 0 {
		return &recorded[n-s.Processed[id]-1]
	}
	return &recorded[slices.IndexFunc(recorded, func(m sim.Recorded) bool { return m.Number == n })]
}

// gaps compares the numbers that were not processed inside a cut with the replay's.
func (r *replay) gaps(id int32, s *sim.Snapshot) {
	if want := r.loose[r.channels[id].loose].absent(); !slices.Equal(at(s.Gaps, id), want) {
		where := inChannel(id, want[:min(len(want), numbersMax)]...)
		where.Snapshot = s.ID
		r.c.report(consistentCut, where, "the cut of snapshot %d says that %s had been passed over on %s; it was %s",
			s.ID, messages(at(s.Gaps, id)), r.c.run.channel(id), messages(want))
	}
}

// absent is the numbers below the highest processed that were not.
func (l *loose) absent() (numbers []uint32) {
	for i, times := range l.taken {
		if times == 0 {
			numbers = append(numbers, uint32(i+1))
		}
	}
	return numbers
}

// looseInFlight is inFlight for an unreliable channel: what the engine left in it is
// what was sent, not lost, and not processed as often as it comes.
func (r *replay) looseInFlight(id int32, left []sim.Recorded) {
	ch := &r.channels[id]
	l := &r.loose[ch.loose]
	where := inChannel(id)
	where.Restore = r.restores - 1
	still := make([]uint8, ch.sent)
	waiting := 0
	for n := uint32(1); n <= ch.sent; n++ {
		if took, times := l.took(n), l.times(n); took < times {
			still[n-1] = times - took
			waiting += int(times - took)
		}
	}
	if got := at(r.c.h.Final.Gaps, id); !slices.Equal(got, l.absent()) {
		r.c.report(r.blame(), where, "at the end the engine says that %s were passed over on %s; the rows say %s",
			messages(got), r.c.run.channel(id), messages(l.absent()))
	}
	for i := range left {
		n := left[i].Number
		if n == 0 || n > ch.sent || still[n-1] == 0 {
			where.Numbers = []uint32{n}
			r.c.report(r.blame(), where, "at the end %s holds message %d, which is not on the way", r.c.run.channel(id), n)
			continue
		}
		still[n-1]--
		waiting--
		if e := &r.queues.entries[l.entries[n-1]]; !left[i].Message.Equal(e.message) || left[i].Incarnation != e.incarnation || left[i].Logged {
			where.Numbers = []uint32{n}
			r.c.report(r.blame(), where, "at the end message %d is in %s with another content than it was sent with, or from another incarnation", n, r.c.run.channel(id))
		}
	}
	if v := ch.to; waiting > 0 && r.c.h.End == sim.Quiescent && !r.nodes[v].down {
		where.Node = v
		r.c.report(termination, where, "the run has ended, and %s still holds back %s of %s from its App",
			r.c.run.node(v), counted(waiting, "message"), r.c.run.channel(id))
	}
}

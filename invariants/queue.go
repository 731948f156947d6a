package invariants

import "simrun/sim"

// channel is the replay's record of one channel: what the sender's App has
// produced for it, of which the first `sent` messages have been put on the channel
// and the first `processed` have reached the receiver's App. A message's number is
// its position among those produced.
type channel struct {
	from, to int32
	input    int32 // index among the receiver's inputs
	back     bool  // it is a back-edge

	// Indexes into queues.entries; 0: none.
	head, tail int32 // what is kept: all that the main cursor has not processed
	next       int32 // message processed+1
	unsent     int32 // message sent+1

	produced, sent, processed uint32
	kept                      counters // where the main cursor stands, of an end that is on a branch
	watch                     int32    // index into replay.watches; 0: none
	loose                     int32    // index into replay.loose; 0: the channel is reliable
	echo                      int32    // index into replay.echoes; 0: nothing comes once more
}

// counters are a channel's, at one position of the run.
type counters struct{ produced, sent, processed uint32 }

// entry is one message in a queue.
type entry struct {
	message     sim.Message
	hash        uint64
	root        lineage
	next        int32
	incarnation uint8 // in which it was sent or, as long as it was not, produced
}

// queues holds the messages of all channels in one pool, linked by index.
type queues struct {
	entries []entry
	free    int32
}

func (q *queues) reset() {
	q.entries, q.free = append(q.entries[:0], entry{}), 0
}

// push appends what the sender's App has produced.
func (q *queues) push(ch *channel, m *sim.Message, root lineage, incarnation uint8) {
	i := q.free
	if i != 0 {
		q.free = q.entries[i].next
	} else {
		i = int32(len(q.entries))
		q.entries = append(q.entries, entry{})
	}
	e := &q.entries[i]
	e.message, e.hash, e.root, e.next, e.incarnation = *m, m.Hash(), root, 0, incarnation
	ch.produced++
	if ch.head == 0 {
		ch.head = i
	} else {
		q.entries[ch.tail].next = i
	}
	ch.tail = i
	if ch.next == 0 {
		ch.next = i
	}
	if ch.unsent == 0 {
		ch.unsent = i
	}
}

// advance moves on to the next message to process. The main cursor never comes
// back to the one before, a branch does.
func (q *queues) advance(ch *channel, branched bool) {
	i := ch.next
	ch.next = q.entries[i].next
	ch.processed++
	if !branched {
		ch.head = ch.next
		q.entries[i].next = q.free
		q.free = i
	}
}

// skip drops the next message to process.
func (q *queues) skip(ch *channel) {
	i := ch.next
	ch.next = q.entries[i].next
	if ch.head == i {
		ch.head = ch.next
		q.entries[i].next = q.free
		q.free = i
	}
}

// truncate brings a queue back to its counters: what was produced beyond them is
// dropped, and what was not processed is still to come.
func (q *queues) truncate(ch *channel) {
	ch.next, ch.unsent = 0, 0
	last := int32(0)
	i := ch.head
	for n := ch.processed + 1; i != 0 && n <= ch.produced; n++ {
		if n == ch.processed+1 {
			ch.next = i
		}
		if n == ch.sent+1 {
			ch.unsent = i
		}
		last, i = i, q.entries[i].next
	}
	if last == 0 {
		ch.head = 0
	} else {
		q.entries[last].next = 0
	}
	ch.tail = last
	for i != 0 {
		next := q.entries[i].next
		q.entries[i].next = q.free
		q.free, i = i, next
	}
}

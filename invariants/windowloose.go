package invariants

import (
	"fmt"
	"slices"

	"simrun/sim"
)

// On an unreliable channel messages are processed in any order, some never and some
// twice, and the replay keeps all of them. A window keeps how often each was processed.

// keepLoose is keepChannel for an unreliable channel.
func (r *replay) keepLoose(kept *windowChannel, ch *channel) {
	kept.produced = ch.produced
	kept.taken = append(kept.taken[:0], r.loose[ch.loose].taken...)
}

// looseEntry is a message of an unreliable channel by its number.
func (r *replay) looseEntry(id int32, n uint32) *entry {
	return &r.queues.entries[r.loose[r.channels[id].loose].entries[n-1]]
}

// producedLoose is push for an unreliable channel, and says whether the message is the
// one that really was produced.
func (r *replay) producedLoose(kept *windowChannel, m sim.Message) bool {
	if kept.produced >= r.channels[kept.id].produced {
		return false
	}
	kept.produced++
	return r.looseEntry(kept.id, kept.produced).message.Equal(m)
}

// sendLoose and takeLoose are the two events of an unreliable channel in a window.
func (kept *windowChannel) sendLoose(n uint32) bool {
	if n > kept.produced {
		return false
	}
	kept.sent = n
	return true
}

func (kept *windowChannel) takeLoose(n uint32) {
	for uint64(len(kept.taken)) < uint64(n) {
		kept.taken = append(kept.taken, 0)
	}
	kept.taken[n-1]++
	kept.processed = max(kept.processed, n)
}

// looseAtRecorded is channelAtRecorded for an unreliable channel, after the counters:
// what was sent and not processed is the recorded channel state, in any order if the
// channel has none.
func (r *replay) looseAtRecorded(w *window, id int32) string {
	s, name := w.s, r.c.run.channel(id)
	l := &r.loose[r.channels[id].loose]
	passed := loose{taken: l.taken}
	if place := r.windows.channel[id]; place != 0 {
		passed.taken = w.channels[place-1].taken
	}
	if gaps := passed.absent(); !slices.Equal(gaps, at(s.Gaps, id)) {
		return fmt.Sprintf("%s have been passed over on %s, and in the cut %s", messages(gaps), name, messages(at(s.Gaps, id)))
	}
	if !r.c.exactly(s, id) {
		return fmt.Sprintf("%s holds %s, and recorded is %s", name, messages(r.c.due(s, id)), messages(numbersOf(s.Channels[id])))
	}
	for i := range s.Channels[id] {
		m := &s.Channels[id][i]
		if e := r.looseEntry(id, m.Number); !m.Message.Equal(e.message) || m.Incarnation != e.incarnation {
			return fmt.Sprintf("message %d on %s is another one than the recorded one", m.Number, name)
		}
	}
	return ""
}

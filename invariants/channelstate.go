package invariants

import (
	"slices"
	"strings"

	"simrun/sim"
)

// checkChannels is the invariant channel-state, as far as numbers go: what is
// recorded of a channel is the messages R_c+1 to S_c, once each, in order, and
// nothing else. That they also say what the messages said is for the replay to
// find out (see replay.channels).
func (c *Checker) checkChannels(s *sim.Snapshot) {
	for i := range s.Channels {
		sent, processed, ch := s.Sent[i], s.Processed[i], int32(i)
		if c.exactly(s, ch) {
			continue
		}
		where := nowhere
		where.Snapshot, where.Channel = s.ID, ch
		should := "it should be empty"
		if due := c.due(s, ch); len(due) > 0 {
			should = "it should hold " + messages(due)
		}
		var what string
		what, where.Numbers = c.channelFaults(s, ch)
		c.report(channelState, where, "the state that snapshot %d has of %s is wrong: %s (R_c = %d, S_c = %d). %s",
			s.ID, c.run.channel(ch), should, processed, sent, what)
	}
}

// exactly says whether a channel state is what it should be, as far as numbers go.
func (c *Checker) exactly(s *sim.Snapshot, ch int32) bool {
	if c.run.unreliable(ch) != nil {
		return c.exactLoose(s, ch)
	}
	return exact(s.Channels[ch], s.Processed[ch], s.Sent[ch])
}

// due is the messages that a channel state should hold: sent inside the cut and not
// processed inside it.
func (c *Checker) due(s *sim.Snapshot, ch int32) []uint32 {
	if c.run.unreliable(ch) != nil {
		return dueLoose(s, ch)
	}
	if s.Processed[ch] >= s.Sent[ch] {
		return nil
	}
	return between(s.Processed[ch]+1, s.Sent[ch])
}

// exact says whether the numbers are processed+1 to sent, in order.
func exact(recorded []sim.Recorded, processed, sent uint32) bool {
	if processed > sent {
		return len(recorded) == 0
	}
	if uint64(len(recorded)) != uint64(sent-processed) {
		return false
	}
	for i := range recorded {
		if recorded[i].Number != processed+1+uint32(i) {
			return false
		}
	}
	return true
}

// channelFaults words what is wrong with a recorded channel state, and lists the
// messages that are.
func (c *Checker) channelFaults(s *sim.Snapshot, ch int32) (string, []uint32) {
	recorded, processed, sent := s.Channels[ch], s.Processed[ch], s.Sent[ch]
	have := make([]uint32, len(recorded))
	for i := range recorded {
		have[i] = recorded[i].Number
	}
	slices.Sort(have)
	var foreign int
	var early, late, twice []uint32
	for i, n := range have {
		switch {
		case n == 0:
			foreign++
		case n <= processed && !gap(s, ch, n):
			early = append(early, n)
		case n > sent:
			late = append(late, n)
		case i > 0 && have[i-1] == n:
			twice = append(twice, n)
		}
	}
	missing := c.absentFrom(s, ch, have)

	var faults []string
	add := func(what string, numbers []uint32) {
		if len(numbers) > 0 {
			faults = append(faults, what+": "+messages(numbers))
		}
	}
	from, to := c.run.node(c.run.Graph.From[ch]), c.run.node(c.run.Graph.To[ch])
	add("missing", missing)
	add("there more than once", twice)
	add("there although processed by "+to+" before it recorded", early)
	add("there although sent by "+from+" only after it recorded", late)
	if foreign > 0 {
		faults = append(faults, "there although no channel ever carried it: "+counted(foreign, "message"))
	}
	if len(faults) == 0 {
		faults = append(faults, "they are out of order")
	}
	text := strings.Join(faults, "; ")
	numbers := slices.Concat(missing, twice, early, late)
	return strings.ToUpper(text[:1]) + text[1:], numbers[:min(len(numbers), numbersMax)]
}

// absentFrom is the messages that a channel state should hold and that the sorted list
// does not have.
func (c *Checker) absentFrom(s *sim.Snapshot, ch int32, sorted []uint32) []uint32 {
	if c.run.unreliable(ch) == nil {
		return absent(sorted, s.Processed[ch], s.Sent[ch])
	}
	return slices.DeleteFunc(dueLoose(s, ch), func(n uint32) bool {
		_, there := slices.BinarySearch(sorted, n)
		return there
	})
}

// absent is the numbers from processed+1 to sent that the sorted list does not
// have, the first numbersMax of them.
func absent(sorted []uint32, processed, sent uint32) []uint32 {
	var missing []uint32
	i := 0
	for n := uint64(processed) + 1; n <= uint64(sent) && len(missing) < numbersMax; n++ {
		for i < len(sorted) && uint64(sorted[i]) < n {
			i++
		}
		if i == len(sorted) || uint64(sorted[i]) > n {
			missing = append(missing, uint32(n))
		}
	}
	return missing
}

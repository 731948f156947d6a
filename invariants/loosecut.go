package invariants

import (
	"slices"

	"simrun/sim"
)

// On an unreliable channel what was processed inside a cut is no range: some numbers
// below the highest can be missing. Otherwise the definitions stay what they are,
// with sets in place of ranges, and without an order where there is none.

// gap says whether message n, below the highest processed inside the cut, was not
// processed inside it.
func gap(s *sim.Snapshot, ch int32, n uint32) bool {
	_, found := slices.BinarySearch(at(s.Gaps, ch), n)
	return found
}

// processedBetween is the messages from first to last that were processed inside the
// cut, the first numbersMax of them.
func (c *Checker) processedBetween(s *sim.Snapshot, ch int32, first, last uint32) []uint32 {
	if c.run.unreliable(ch) == nil {
		return between(first, last)
	}
	var numbers []uint32
	for n := uint64(first); n <= uint64(last) && len(numbers) < numbersMax; n++ {
		if !gap(s, ch, uint32(n)) || n == uint64(last) {
			numbers = append(numbers, uint32(n))
		}
	}
	return numbers
}

// dueLoose is the messages sent inside the cut and not processed inside it: those
// that were overtaken or lost, and those above the highest processed. It stops when
// there are more than the snapshot can hold: a damaged one may speak of any number.
func dueLoose(s *sim.Snapshot, ch int32) (numbers []uint32) {
	most := len(at(s.Gaps, ch)) + len(s.Channels[ch]) + numbersMax
	for _, n := range at(s.Gaps, ch) {
		if n <= s.Sent[ch] {
			numbers = append(numbers, n)
		}
	}
	for n := uint64(s.Processed[ch]) + 1; n <= uint64(s.Sent[ch]) && len(numbers) < most; n++ {
		numbers = append(numbers, uint32(n))
	}
	return numbers
}

// exactLoose says whether a channel state holds what it should: in order, unless
// the channel has none.
func (c *Checker) exactLoose(s *sim.Snapshot, ch int32) bool {
	have := make([]uint32, 0, len(s.Channels[ch]))
	for i := range s.Channels[ch] {
		have = append(have, s.Channels[ch][i].Number)
	}
	if c.run.unreliable(ch).Reorder {
		slices.Sort(have)
	}
	return slices.Equal(have, dueLoose(s, ch))
}

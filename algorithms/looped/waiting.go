package looped

import (
	"cmp"
	"slices"

	"simrun/sim"
)

// barrier is one that has come, and on which input.
type barrier struct {
	id    sim.SnapshotID
	input sim.Input
}

func (b barrier) compare(c barrier) int {
	return cmp.Or(cmp.Compare(b.id, c.id), cmp.Compare(b.input, c.input))
}

// waiting is the barriers that came while an earlier snapshot was under way:
// lowest id first, and of one id lowest input first, so that equal states look
// equal. A channel has one barrier here at most, because it is blocked behind it.
type waiting []barrier

// add keeps a barrier. An order to initiate that is there already is not kept
// twice.
func (w *waiting) add(b barrier) {
	if at, found := slices.BinarySearchFunc(*w, b, barrier.compare); !found {
		*w = slices.Insert(*w, at, b)
	}
}

// next takes out the next barrier that may be handled while current is under way
// (0: none is).
func (w *waiting) next(current sim.SnapshotID) (b barrier, ok bool) {
	if len(*w) == 0 || current != 0 && (*w)[0].id != current {
		return barrier{}, false
	}
	b = (*w)[0]
	*w = slices.Delete(*w, 0, 1)
	return b, true
}

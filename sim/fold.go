package sim

import (
	"math/bits"
	"slices"
)

// With few entities a sorted list beats the wheel, whose slots would hold one each.
// So when few are left they are all folded into the batch, and what is filed goes
// there too, until there are many again.
const (
	foldBelow   = 48
	unfoldAbove = 96
	foldSpan    = int64(1) << (63 - entityBits) // how far ahead of the base a batch key can reach
)

// fold takes everything out of the slots into the batch. The base is now, because
// nothing can be filed before it.
func (w *wheel) fold(e *Engine) {
	var entities [foldBelow]int32
	all := w.unfile(entities[:0])
	w.base, w.horizon, w.folded = e.now, e.now+foldSpan, true
	for _, entity := range all {
		if due := e.dueOf(entity); due < w.horizon {
			w.batch = append(w.batch, uint64(due-w.base)<<entityBits|uint64(entity))
		} else {
			w.insert(e, entity, due)
		}
	}
	sortKeys(w.batch)
}

// trim keeps a folded batch short: it drops what was taken, and when there are too
// many entities it files all but the next few in the slots again.
func (w *wheel) trim(e *Engine) {
	if w.next >= unfoldAbove {
		w.batch = w.batch[:copy(w.batch, w.batch[w.next:])]
		w.next = 0
	}
	if len(w.batch)-w.next <= unfoldAbove {
		return
	}
	// The horizon falls between two instants, so that ties stay together.
	cut := w.next + foldBelow/2
	for cut < len(w.batch) && w.batch[cut]>>entityBits == w.batch[cut-1]>>entityBits {
		cut++
	}
	if cut == len(w.batch) {
		return
	}
	far := w.unfile(nil) // filed by the old horizon
	rest := w.batch[cut:]
	w.batch, w.folded = w.batch[:cut], false
	w.horizon = w.base + int64(rest[0]>>entityBits)
	for _, key := range rest {
		w.insert(e, int32(key&(1<<entityBits-1)), w.base+int64(key>>entityBits))
	}
	for _, entity := range far {
		w.insert(e, entity, e.dueOf(entity))
	}
}

// unfile empties all slots and appends what was in them to entities.
func (w *wheel) unfile(entities []int32) []int32 {
	for level := range w.slots {
		for w.summary[level] != 0 {
			word := bits.TrailingZeros32(w.summary[level])
			s := word<<6 + bits.TrailingZeros64(w.full[level][word])
			newest := w.detach(level, s)
			w.slots[level][s] = 0
			for i := newest; i != 0; i = w.release(i, false) {
				c := &w.chunks[i]
				entities = append(entities, c.entities[:c.n]...)
			}
		}
	}
	w.count = 0
	return entities
}

func sortKeys(keys []uint64) {
	if len(keys) > 24 {
		slices.Sort(keys)
		return
	}
	for i := 1; i < len(keys); i++ {
		k, j := keys[i], i
		for ; j > 0 && keys[j-1] > k; j-- {
			keys[j] = keys[j-1]
		}
		keys[j] = k
	}
}

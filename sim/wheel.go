package sim

import (
	"math/bits"
	"slices"
)

// The wheel is the agenda of timed order: which channel head or External record
// is due next. Entities wait in the slots of a hierarchical timing wheel, linked
// through their own records; when the clock comes near, one slot is opened into
// the batch, a sorted list in which every tie is already broken by class and id.
//
// An entity below Engine.externals is the External input of that node, any other
// a channel: so the order of entities is the order of the two classes.

const (
	levelBits = 11
	slotCount = 1 << levelBits
	levels    = 5 // 55 bits of time

	entityBits = 29 // of a batch key; the rest is the distance from the batch's base
	// A slot wider than one instant is opened as it stands if it holds no more
	// than this, else it is spread over the level below.
	batchLimit = 128
	// The highest level whose width still fits a batch key.
	batchLevel = 2
)

type wheel struct {
	horizon int64 // what is due before it is in the batch, all else in the slots
	count   int   // entities in the slots

	batch []uint64 // keys: (due-base)<<entityBits | entity, ascending
	next  int      // first key not taken
	base  int64

	slots   [levels][slotCount]int32 // entity+1 of the first in the slot; 0: empty
	full    [levels][slotCount / 64]uint64
	summary [levels]uint32 // bit i: full[i] is not zero
}

// insert files an entity under its due instant, which is not before now.
func (w *wheel) insert(e *Engine, entity int32, due int64) {
	if due < w.horizon {
		w.intoBatch(uint64(due-w.base)<<entityBits | uint64(entity))
		return
	}
	level := 0
	if x := uint64(due ^ w.horizon); x >= slotCount {
		level = (bits.Len64(x) - 1) / levelBits
	}
	s := due >> (levelBits * level) & (slotCount - 1)
	*e.link(entity) = w.slots[level][s]
	w.slots[level][s] = entity + 1
	w.full[level][s>>6] |= 1 << (s & 63)
	w.summary[level] |= 1 << (s >> 6)
	w.count++
}

func (w *wheel) intoBatch(key uint64) {
	w.batch = append(w.batch, key)
	i := len(w.batch) - 1
	for ; i > w.next && w.batch[i-1] > key; i-- {
		w.batch[i] = w.batch[i-1]
	}
	w.batch[i] = key
}

// peek finds the next entity and its instant; false if there is none up to the
// limit. What lies beyond stays closed, because what happens at the limit may
// file something that is due before it.
func (w *wheel) peek(e *Engine, limit int64) (entity int32, due int64, ok bool) {
	if w.next == len(w.batch) && !w.advance(e, limit) {
		return 0, 0, false
	}
	key := w.batch[w.next]
	return int32(key & (1<<entityBits - 1)), w.base + int64(key>>entityBits), true
}

// advance opens the next slot that holds anything and begins by the limit.
func (w *wheel) advance(e *Engine, limit int64) bool {
	w.batch, w.next = w.batch[:0], 0
	for w.count > 0 {
		if w.horizon&(slotCount-1) == 0 {
			w.spreadAtHorizon(e)
		}
		if s, ok := w.find(0, int(w.horizon&(slotCount-1))); ok {
			if w.horizon&^(slotCount-1)|int64(s) > limit {
				return false
			}
			w.open(e, 0, s)
			return true
		}
		for level := 1; level < levels; level++ {
			digit := int(w.horizon >> (levelBits * level) & (slotCount - 1))
			s, ok := w.find(level, digit+1)
			if !ok {
				continue
			}
			above := levelBits * (level + 1)
			start := w.horizon>>above<<above | int64(s)<<(levelBits*level)
			if start > limit {
				return false
			}
			w.horizon = start
			if level <= batchLevel && w.short(e, level, s) {
				w.open(e, level, s)
				return true
			}
			w.spread(e, level, s)
			break
		}
	}
	return false
}

// spreadAtHorizon empties the slots of every level that begin exactly at the
// horizon: the levels below already file what falls into them.
func (w *wheel) spreadAtHorizon(e *Engine) {
	for level := levels - 1; level > 0; level-- {
		if w.horizon&(1<<(levelBits*level)-1) != 0 {
			continue
		}
		s := int(w.horizon >> (levelBits * level) & (slotCount - 1))
		if w.slots[level][s] != 0 {
			w.spread(e, level, s)
		}
	}
}

// find is the first non-empty slot of a level at or after from.
func (w *wheel) find(level, from int) (int, bool) {
	if from >= slotCount {
		return 0, false
	}
	word := from >> 6
	if x := w.full[level][word] >> (from & 63); x != 0 {
		return from + bits.TrailingZeros64(x), true
	}
	rest := w.summary[level] >> word >> 1
	if rest == 0 {
		return 0, false
	}
	word += bits.TrailingZeros32(rest) + 1
	return word<<6 + bits.TrailingZeros64(w.full[level][word]), true
}

// short says whether a slot holds no more than a batch may.
func (w *wheel) short(e *Engine, level, s int) bool {
	n := 0
	for entity := w.slots[level][s] - 1; entity >= 0; entity = *e.link(entity) - 1 {
		if n++; n > batchLimit {
			return false
		}
	}
	return true
}

// detach empties a slot and returns the first of its entities.
func (w *wheel) detach(level, s int) int32 {
	entity := w.slots[level][s] - 1
	w.slots[level][s] = 0
	if w.full[level][s>>6] &^= 1 << (s & 63); w.full[level][s>>6] == 0 {
		w.summary[level] &^= 1 << (s >> 6)
	}
	return entity
}

// open makes a slot, which begins at or contains the horizon, the batch.
func (w *wheel) open(e *Engine, level, s int) {
	width := int64(1) << (levelBits * level)
	w.base = w.horizon&^(slotCount*width-1) | int64(s)*width
	w.horizon = w.base + width
	for entity := w.detach(level, s); entity >= 0; entity = *e.link(entity) - 1 {
		key := uint64(entity)
		if level > 0 { // else all are due at the base
			key |= uint64(e.dueOf(entity)-w.base) << entityBits
		}
		w.batch = append(w.batch, key)
	}
	w.count -= len(w.batch)
	if len(w.batch) > 1 {
		sortKeys(w.batch)
	}
}

// spread files the entities of a slot at the levels below.
func (w *wheel) spread(e *Engine, level, s int) {
	for entity := w.detach(level, s); entity >= 0; {
		following := *e.link(entity) - 1
		w.count--
		w.insert(e, entity, e.dueOf(entity))
		entity = following
	}
}

func (w *wheel) reset(now int64) {
	batch := w.batch[:0]
	*w = wheel{batch: batch, horizon: now, base: now}
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

// channelEntity is the entity of a channel.
func (e *Engine) channelEntity(c int32) int32 { return e.externals + c }

// link is where an entity keeps the next one of its slot, or its position in
// the ready set.
func (e *Engine) link(entity int32) *int32 {
	if entity >= e.externals {
		return &e.channels[entity-e.externals].link
	}
	return &e.sources[entity].link
}

// dueOf is the instant at which a filed entity is due.
func (e *Engine) dueOf(entity int32) int64 {
	if entity >= e.externals {
		return e.pool.slots[e.channels[entity-e.externals].head].due()
	}
	return e.sources[entity].at
}

package sim

import (
	"math/bits"
)

// The wheel is the agenda of timed order: which channel head or External record
// is due next. Entities wait in the slots of a hierarchical timing wheel; when the
// clock comes near, one slot is opened into the batch, a sorted list in which
// every tie is already broken by class and id.
//
// An entity below Engine.externals is the External input of that node, any other
// a channel: so the order of entities is the order of the two classes.

const (
	levelBits = 11
	slotCount = 1 << levelBits
	levels    = 5 // 55 bits of time

	entityBits = 29 // of a batch key; the rest is the distance from the batch's base
	// How many coming events have their memory touched together.
	touchAhead = 16
	// The highest level whose width still fits a batch key.
	batchLevel = 2
)

// A slot wider than one instant may be opened as it stands instead of being
// spread over the level below: if it holds few entities, or, where no message can
// be sent and due again within its width, quite a few. The higher levels are too
// wide for a batch key.
const (
	fewEntities = 16
	quiteAFew   = 1024
)

type wheel struct {
	horizon int64 // what is due before it is in the batch, all else in the slots
	count   int   // entities in the slots
	touched uint64
	keep    bool          // delays are so short that slots are used again soon: each keeps a chunk
	limits  [levels]int32 // how many entities a slot may hold to be opened as it stands

	batch  []uint64 // keys: (due-base)<<entityBits | entity, ascending
	next   int      // first key not taken
	base   int64
	folded bool // there are so few entities that all are in the batch

	chunks  []chunk                        // chunk 0 is none
	free    int32                          // the first unused chunk
	slots   [levels][slotCount]int32       // the newest chunk of the slot, which it keeps; 0: none yet
	full    [levels][slotCount / 64]uint64 // bit per slot: it holds something
	summary [levels]uint32                 // bit i: full[i] is not zero
}

// insert files an entity under its due instant, which is not before now.
func (w *wheel) insert(e *Engine, entity int32, due int64) {
	if due < w.horizon {
		w.intoBatch(uint64(due-w.base)<<entityBits | uint64(entity))
		if w.folded {
			w.trim(e)
		}
		return
	}
	level := 0
	if due-w.horizon >= slotCount {
		level = (bits.Len64(uint64(due^w.horizon)) - 1) / levelBits
	}
	s := due >> (levelBits * level) & (slotCount - 1)
	w.full[level][s>>6] |= 1 << (s & 63)
	w.summary[level] |= 1 << (s >> 6)
	slot := &w.slots[level][s]
	i := *slot
	if i == 0 || w.chunks[i].n == chunkSize {
		i = w.newChunk(i)
		*slot = i
	}
	c := &w.chunks[i]
	c.entities[c.n] = entity
	c.n++
	w.count++
}

// chunk is a part of a slot's content: a cache line.
type chunk struct {
	older    int32 // the chunk filled before this one
	n        int32
	entities [chunkSize]int32
}

const chunkSize = 14

func (w *wheel) newChunk(older int32) int32 {
	if w.free == 0 {
		w.grow()
	}
	i := w.free
	c := &w.chunks[i]
	w.free = c.older
	c.older, c.n = older, 0
	return i
}

// grow adds one unused chunk.
func (w *wheel) grow() {
	if len(w.chunks) == 0 {
		w.chunks = append(w.chunks, chunk{})
	}
	w.free = int32(len(w.chunks))
	w.chunks = append(w.chunks, chunk{})
}

// release empties a chunk that has been read, the newest of its slot or an older
// one, and returns the next one to read. Where slots are used again soon, each
// keeps its newest chunk, so that filing rarely finds none.
func (w *wheel) release(i int32, newest bool) (older int32) {
	c := &w.chunks[i]
	older = c.older
	if c.n = 0; newest && w.keep {
		c.older = 0
	} else {
		c.older, w.free = w.free, i
	}
	return older
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
	if w.next%touchAhead == 0 && len(w.batch)-w.next >= touchAhead/2 {
		w.touch(e)
	}
	key := w.batch[w.next]
	return int32(key & (1<<entityBits - 1)), w.base + int64(key>>entityBits), true
}

// touch reads the memory that the next events will need, so that in a large run
// the cache misses overlap instead of following one another.
func (w *wheel) touch(e *Engine) {
	for _, key := range w.batch[w.next:min(w.next+touchAhead, len(w.batch))] {
		if c := int32(key&(1<<entityBits-1)) - e.externals; c >= 0 {
			ch := &e.channels[c]
			w.touched += e.pool.slots[ch.head].when + uint64(e.nodes[ch.to].flags)
		}
	}
}

// advance opens the next slot that holds anything and begins by the limit.
func (w *wheel) advance(e *Engine, limit int64) bool {
	w.batch, w.next, w.folded = w.batch[:0], 0, false
	if w.count > 0 && w.count <= foldBelow {
		w.fold(e)
		if len(w.batch) > 0 {
			return true
		}
	}
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
		if w.summary[0] != 0 { // what is left at level 0 lies beyond the next multiple
			start := w.horizon&^(slotCount-1) + slotCount
			if start > limit {
				return false
			}
			w.horizon = start
			continue
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
			if w.short(level, s) {
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
	top := 1
	for top < levels-1 && w.horizon&(1<<(levelBits*(top+1))-1) == 0 {
		top++
	}
	for level := top; level > 0; level-- {
		s := int(w.horizon >> (levelBits * level) & (slotCount - 1))
		if w.full[level][s>>6]&(1<<(s&63)) != 0 {
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
func (w *wheel) short(level, s int) bool {
	n := int32(0)
	for i := w.slots[level][s]; i != 0 && n <= w.limits[level]; i = w.chunks[i].older {
		n += w.chunks[i].n
	}
	return n <= w.limits[level]
}

// detach marks a slot as empty and returns the newest of its chunks.
func (w *wheel) detach(level, s int) int32 {
	if w.full[level][s>>6] &^= 1 << (s & 63); w.full[level][s>>6] == 0 {
		w.summary[level] &^= 1 << (s >> 6)
	}
	return w.slots[level][s]
}

// open makes a slot, which begins at or contains the horizon, the batch.
func (w *wheel) open(e *Engine, level, s int) {
	width := int64(1) << (levelBits * level)
	w.base = w.horizon&^(slotCount*width-1) | int64(s)*width
	w.horizon = w.base + width
	newest := w.detach(level, s)
	if !w.keep {
		w.slots[level][s] = 0
	}
	for i := newest; i != 0; i = w.release(i, i == newest) {
		c := &w.chunks[i]
		for _, entity := range c.entities[:c.n] {
			key := uint64(entity)
			if level > 0 { // else all are due at the base
				key |= uint64(e.dueOf(entity)-w.base) << entityBits
			}
			w.batch = append(w.batch, key)
		}
	}
	w.count -= len(w.batch)
	if len(w.batch) > 1 {
		sortKeys(w.batch)
	}
}

// spread files the entities of a slot at the levels below.
func (w *wheel) spread(e *Engine, level, s int) {
	newest := w.detach(level, s)
	w.slots[level][s] = 0
	for i := newest; i != 0; i = w.release(i, false) {
		entities, n := w.chunks[i].entities, w.chunks[i].n
		for _, entity := range entities[:n] {
			w.count--
			w.insert(e, entity, e.dueOf(entity))
		}
	}
}

// tune sets the limits for the shortest delay of a message.
func (w *wheel) tune(shortest int64) {
	w.keep = shortest < slotCount
	for level := 1; level <= batchLevel; level++ {
		w.limits[level] = fewEntities
		if 1<<(levelBits*level) <= shortest {
			w.limits[level] = quiteAFew
		}
	}
}

func (w *wheel) reset(now int64) {
	*w = wheel{batch: w.batch[:0], chunks: w.chunks[:0], horizon: now, base: now, limits: w.limits, keep: w.keep}
}

// channelEntity is the entity of a channel.
func (e *Engine) channelEntity(c int32) int32 { return e.externals + c }

// dueOf is the instant at which a filed entity is due.
func (e *Engine) dueOf(entity int32) int64 {
	if entity >= e.externals {
		return e.pool.slots[e.channels[entity-e.externals].head].due()
	}
	return e.sources[entity].at
}

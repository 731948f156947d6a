package sim

import (
	"slices"
	"testing"
)

// The wheel gives entities back in the order of (due, id), whatever was filed
// when, and while diary events keep it from looking ahead. Its twin is a list
// that is sorted again after every change.
func TestWheelAgainstASortedList(t *testing.T) {
	folds := 0
	for seed := range uint64(300) {
		random := Word(seed)
		const entities = 300
		e := &Engine{channels: make([]channel, entities), nodes: make([]node, 1)}
		e.pool.reset(entities)
		spread := int64(1) << random.Below(40)
		e.wheel.tune(1 + int64(random.Below(1<<22)))
		type entry struct {
			due    int64
			entity int32
		}
		var twin []entry
		file := func(entity int32, due int64) {
			i := e.pool.take()
			e.pool.slots[i] = envelope{when: uint64(due) << 8}
			e.channels[entity].head = i
			e.wheel.insert(e, entity, due)
			twin = append(twin, entry{due, entity})
			slices.SortFunc(twin, func(a, b entry) int {
				if a.due != b.due {
					return int(min(max(a.due-b.due, -1), 1))
				}
				return int(a.entity - b.entity)
			})
		}
		var idle []int32 // entities that are not filed
		for entity := range int32(entities) {
			idle = append(idle, entity)
		}
		crowd := random.Below(entities) // how many are to be filed
		for range 3_000 {
			if random.Below(200) == 0 {
				crowd = random.Below(entities)
			}
			for len(twin) < crowd && (len(twin) == 0 || random.Below(3) > 0) {
				i := random.Below(len(idle))
				file(idle[i], e.now+random.sometime(spread))
				idle = append(idle[:i], idle[i+1:]...)
			}
			if len(twin) == 0 {
				continue
			}
			folded := e.wheel.folded
			limit := e.now + random.sometime(spread)
			entity, due, ok := e.wheel.peek(e, limit)
			if e.wheel.folded && !folded {
				folds++
			}
			if !ok || due > limit { // a diary event comes first
				if twin[0].due <= limit {
					t.Fatalf("seed %d: nothing up to %d, but %v is due", seed, limit, twin[0])
				}
				e.now = limit
				continue
			}
			if want := twin[0]; entity != want.entity || due != want.due {
				t.Fatalf("seed %d: entity %d at %d, want %d at %d", seed, entity, due, want.entity, want.due)
			}
			e.wheel.next++
			e.now = due
			twin = twin[1:]
			idle = append(idle, entity)
		}
	}
	if folds < 100 {
		t.Errorf("the wheel was folded %d times", folds)
	}
}

// sometime is a distance in time: often 0, sometimes far.
func (w *Word) sometime(spread int64) int64 {
	switch w.Below(4) {
	case 0:
		return 0
	case 1:
		return int64(Scale(w.Next(), 3000))
	}
	return int64(Scale(w.Next(), uint64(spread)))
}

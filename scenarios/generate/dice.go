package generate

import "simrun/sim"

// Source is where draws come from.
type Source interface {
	// Within is a number from low to high, both included.
	Within(low, high int64) int64
	// Word is any number.
	Word() uint64
}

// dice is a Source, and what one makes of it.
type dice struct{ Source }

// The parts of a scenario that are drawn.
const (
	ofGraph int32 = iota
	ofApp
	ofTimes
	ofSnapshots
	ofFaults
	ofCoordinator
	ofHurry
	ofSinks
	ofSinkFailures
	ofPhases
	ofStore
	ofFinish
	ofRecovery
	ofSavepoints
)

// newDice is the stream of draws of a seed for a part. Every part has its own, so that
// one draw more in one shifts nothing in the others.
func newDice(seed uint64, part int32) *dice {
	return &dice{&stream{sim.Word(sim.Draw(seed, sim.ForScenario, part, 0, 0))}}
}

// stream is a Source that is made from a seed.
type stream struct{ word sim.Word }

func (s *stream) Within(low, high int64) int64 {
	return low + int64(sim.Scale(s.Word(), uint64(high-low+1)))
}

func (s *stream) Word() uint64 { return s.word.Next() }

// below is a number from 0 to n-1.
func (d *dice) below(n int) int { return int(d.within(0, int64(n)-1)) }

// within is a number from low to high, both included; 64 bits wide everywhere.
func (d *dice) within(low, high int64) int64 { return d.Within(low, high) }

// between is a number from low to high, both included.
func (d *dice) between(low, high int) int { return low + d.below(high-low+1) }

// chance is true in so many percent of the draws.
func (d *dice) chance(percent int) bool { return d.below(100) < percent }

// shuffle brings a list into any order.
func shuffle[T any](d *dice, list []T) {
	for i := len(list) - 1; i > 0; i-- {
		j := d.below(i + 1)
		list[i], list[j] = list[j], list[i]
	}
}

// weighted is a choice that comes up as often as its weight says.
type weighted[T any] struct {
	weight int
	choice T
}

func pick[T any](d *dice, list []weighted[T]) T {
	total := 0
	for _, w := range list {
		total += w.weight
	}
	at := d.below(total)
	for _, w := range list {
		if at -= w.weight; at < 0 {
			return w.choice
		}
	}
	panic("generate: the weights do not add up")
}

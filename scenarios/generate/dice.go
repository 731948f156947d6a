package generate

import "simrun/sim"

// dice is a stream of draws. Every part of a scenario has its own, so that one draw
// more in one shifts nothing in the others.
type dice struct{ word sim.Word }

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
)

func newDice(seed uint64, part int32) *dice {
	return &dice{sim.Word(sim.Draw(seed, sim.ForScenario, part, 0, 0))}
}

// below is a number from 0 to n-1.
func (d *dice) below(n int) int { return d.word.Below(n) }

// between is a number from low to high, both included.
func (d *dice) between(low, high int) int { return low + d.below(high-low+1) }

// within is between for what is 64 bits wide everywhere, such as nanoseconds.
func (d *dice) within(low, high int64) int64 {
	return low + int64(sim.Scale(d.word.Next(), uint64(high-low+1)))
}

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

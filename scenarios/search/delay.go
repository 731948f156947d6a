package search

import (
	"slices"

	"simrun/sim"
)

// delay is delay-bounded scheduling: Emmi, Qadeer, Rakamarić, Delay-Bounded Scheduling,
// POPL 2011. A deterministic scheduler runs the enabled steps in a round, ordered by
// what they are, one of each at a time. A delay passes over the one whose turn it is:
// it comes again in the next round. Of all ways to spend so many delays one is drawn,
// each of them at a step uniform over the run.
//
// Guarantee: with no delay there is one run, the round. A mistake that some run with d
// delays meets is met with a probability of at least 1/k^d, for k steps, and all such
// runs are few enough to be listed.
type delay struct {
	points []int64 // step numbers, one for each delay
	last   sim.Step
	began  bool
}

func newDelay(delays int, r Run) *delay {
	d := &delay{}
	points := sim.NewStream(r.Seed, sim.ForChangePoint, 0)
	for i := range delays {
		d.points = append(d.points, int64(sim.Scale(points.Draw(0, uint64(i)), uint64(r.Steps))))
	}
	slices.Sort(d.points)
	return d
}

// Pick implements sim.Scheduler.
func (d *delay) Pick(n int64, enabled sim.Enabled) int {
	at := d.next(enabled)
	for ; len(d.points) > 0 && d.points[0] <= n; d.points = d.points[1:] {
		d.last, d.began = enabled.At(at), true
		at = d.next(enabled)
	}
	d.last, d.began = enabled.At(at), true
	return at
}

// next is the index of the step behind the last one, in the round.
func (d *delay) next(enabled sim.Enabled) int {
	first, behind := -1, -1
	for i := range enabled.Len() {
		s := enabled.At(i)
		if first < 0 || s.Compare(enabled.At(first)) < 0 {
			first = i
		}
		if d.began && s.Compare(d.last) > 0 && (behind < 0 || s.Compare(enabled.At(behind)) < 0) {
			behind = i
		}
	}
	if behind >= 0 {
		return behind
	}
	return first
}

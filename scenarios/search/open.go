package search

import (
	"cmp"
	"slices"

	"simrun/sim"
)

// Choice is something that a run leaves open: the steps of a kind that stand for it may
// come so many times.
type Choice struct {
	Kind  sim.StepKind
	Which int32 // of StepCrash the fault, of StepLose the channel
	Times int
}

// Open lists what a configuration leaves open.
func Open(cfg *sim.Config) (list []Choice) {
	for i := range cfg.Faults {
		if n := cfg.Faults[i].Times; n > 0 {
			list = append(list, Choice{sim.StepCrash, int32(i), n})
		}
	}
	if n := cfg.Snapshots.Open; n > 0 {
		list = append(list, Choice{sim.StepSnapshot, 0, n})
	}
	for c := range cfg.Unreliable {
		if n := cfg.Unreliable[c].MayLose; n > 0 {
			list = append(list, Choice{sim.StepLose, int32(c), n})
		}
	}
	return list
}

// offers says whether a step stands for the choice.
func (c *Choice) offers(s sim.Step) bool {
	return s.Kind == c.Kind && (c.Kind == sim.StepCrash && s.Index == uint32(c.Which) || c.Kind != sim.StepCrash && s.Entity == c.Which)
}

// opener lets what a run leaves open happen, and asks another scheduler for all else.
// Every strategy has it: one that took a crash for a step like others would crash all
// that it may at once, as crashes can always come. Each time that something may happen
// has a moment of its own instead, uniform over a little more than the run, as a change
// point has; then any of the steps that stand for it is taken, or the first that comes.
// In the bounds of the strategies each counts as one more ordered step, and the nodes or
// channels that it can concern as a factor.
type opener struct {
	closed  sim.Scheduler
	stream  sim.Stream
	moments []moment // ascending
	view    necessary
}

// moment is when something that is left open is to happen.
type moment struct {
	at     int64
	key    int32 // which moment, for draws
	choice Choice
}

func newOpener(closed sim.Scheduler, r Run) *opener {
	o := &opener{closed: closed, stream: sim.NewStream(r.Seed, sim.ForOpenChoice, 0)}
	for _, c := range r.Open {
		for range c.Times {
			key := int32(len(o.moments))
			o.moments = append(o.moments, moment{o.moment(c.Kind, key, r.Steps+r.Steps/4+1), key, c})
		}
	}
	slices.SortStableFunc(o.moments, func(a, b moment) int { return cmp.Compare(a.at, b.at) })
	return o
}

// moment is when something is to happen in a run of so many steps: any of them, and in
// half of the runs rather one of the first for a snapshot, one of the last for a crash.
func (o *opener) moment(kind sim.StepKind, key int32, steps int64) int64 {
	at := func(n uint64) int64 { return int64(sim.Scale(o.stream.Draw(key, n), uint64(steps))) }
	switch even := o.stream.Draw(key, 2)&1 == 0; {
	case even && kind == sim.StepSnapshot:
		return min(at(0), at(1))
	case even && kind == sim.StepCrash:
		return max(at(0), at(1))
	}
	return at(0)
}

// Necessary asks a scheduler about the steps that a run must do, and takes none of those
// that are left open.
func Necessary(s sim.Scheduler) sim.Scheduler { return newOpener(s, Run{}) }

// Pick implements sim.Scheduler.
func (o *opener) Pick(n int64, enabled sim.Enabled) int {
	for i := range o.moments {
		m := &o.moments[i]
		if m.at > n {
			break
		}
		if at := o.any(m, enabled); at >= 0 {
			o.moments = slices.Delete(o.moments, i, i+1)
			return at
		}
	}
	o.view.of(enabled)
	return o.view.at[o.closed.Pick(n, &o.view)]
}

// any is the index of any of the steps that a moment can take, -1 if there is none.
func (o *opener) any(m *moment, enabled sim.Enabled) int {
	at := highest(enabled, func(s sim.Step) uint64 {
		if !m.choice.offers(s) {
			return 0
		}
		return sim.Stream(draw(o.stream, s)).Draw(m.key, 3) | 1
	})
	if !m.choice.offers(enabled.At(at)) {
		return -1
	}
	return at
}

// necessary is the enabled steps without those that nothing makes necessary.
type necessary struct {
	steps []sim.Step
	at    []int // where they stand among all
}

func (v *necessary) of(enabled sim.Enabled) {
	v.steps, v.at = v.steps[:0], v.at[:0]
	for i := range enabled.Len() {
		if s := enabled.At(i); !s.Kind.Open() {
			v.steps, v.at = append(v.steps, s), append(v.at, i)
		}
	}
}

// Len implements sim.Enabled.
func (v *necessary) Len() int { return len(v.steps) }

// At implements sim.Enabled.
func (v *necessary) At(i int) sim.Step { return v.steps[i] }

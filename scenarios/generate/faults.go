package generate

import (
	"simrun/scenarios"
	"simrun/scenarios/units"
)

// faults draws up to two crashes. More than half of the runs have one, many of them
// late enough for a snapshot to be complete.
func (x *draft) faults(d *dice) {
	for range x.crashes(d, []weighted[int]{{40, 0}, {40, 1}, {20, 2}}) {
		x.s.Faults = append(x.s.Faults, x.fault(d))
	}
}

// crashes draws how many faults there are.
func (x *draft) crashes(d *dice, usual []weighted[int]) int {
	if r := x.settings.Crashes; r != nil {
		return d.between(r.Min, r.Max)
	}
	return pick(d, usual)
}

func (x *draft) fault(d *dice) scenarios.Fault {
	var f scenarios.Fault
	first := d.below(len(x.g.Nodes))
	f.Crash = scenarios.Names{x.g.Nodes[first]}
	if second := d.below(len(x.g.Nodes)); second != first && d.chance(20) {
		f.Crash = append(f.Crash, x.g.Nodes[second])
	}
	switch {
	case d.chance(40):
		f.When = when(d)
	case d.chance(50) || x.chosen:
		step := d.within(50, 300)
		if x.chosen {
			step = d.within(x.length*2/5, x.length-1)
		}
		f.Step = &step
	default:
		at := units.Duration(d.within(x.length*2/5, x.length-1))
		f.At = &at
	}
	if d.chance(25) {
		outputs := d.between(0, 4)
		f.AfterOutputs = &outputs
	}
	down := units.Duration(d.within(0, 6*millisecond))
	f.Down = &down
	return f
}

// phases are those that most snapshots have at most nodes.
var phases = []string{"before-record", "aligning", "recorded"}

func when(d *dice) *scenarios.When {
	occurrence := d.between(1, 2)
	w := &scenarios.When{Phase: phases[d.below(len(phases))], Occurrence: &occurrence}
	if d.chance(60) {
		w.Snapshot, occurrence = uint32(d.between(1, 3)), 1
	}
	return w
}

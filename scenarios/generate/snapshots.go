package generate

import (
	"slices"

	"simrun/scenarios"
	"simrun/topology"
)

// snapshots draws when snapshots begin, and where.
func (x *draft) snapshots(d *dice) {
	plan := &x.s.Snapshots
	plan.Every = new(scenarios.Moment)
	*plan.Every = x.moment(0)
	few := x.settings.Snapshots
	switch {
	case few == nil && d.chance(35): // often enough to overlap, now and then
		plan.Every.Value = x.length / int64(d.between(2, 8))
	default:
		at := d.within(x.length/20, x.length/2)
		gap := x.length / int64(pick(d, []weighted[int]{{2, 100}, {2, 20}, {2, 4}}))
		if few == nil {
			few = &Range{1, 4}
		}
		for range d.between(few.Min, few.Max) {
			one := scenarios.SnapshotAt{At: x.moment(min(at, x.length))}
			if d.chance(20) {
				one.Initiators = x.initiators(d)
			}
			plan.At = append(plan.At, one)
			at += d.within(1, gap)
		}
	}
	plan.Initiators = x.initiators(d)
}

// initiators draws a set from which every node can be reached, or none, which is the
// default.
func (x *draft) initiators(d *dice) []string {
	n := len(x.g.Nodes)
	var ids []int32
	switch {
	case d.chance(50):
		return nil
	case d.chance(20):
		for v := range int32(n) {
			ids = append(ids, v)
		}
	default:
		for range d.between(1, min(3, n)) {
			ids = append(ids, int32(d.below(n)))
		}
		if len(topology.Unreached(x.g, ids)) > 0 {
			ids = append(ids, topology.DefaultInitiators(x.g)...)
		}
	}
	slices.Sort(ids)
	var names []string
	for _, v := range slices.Compact(ids) {
		names = append(names, x.g.Nodes[v])
	}
	return names
}

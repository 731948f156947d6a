package generate

import "simrun/scenarios/units"

// finish lets tasks finish, and the input of some sources end early. Where every message
// comes, and in its order, a checkpoint needs no timeout to end; then what waits for a task
// that has finished waits for ever.
func (x *draft) finish(d *dice) {
	c := x.s.Coordinator
	c.Finish, x.s.Algorithm = true, "abs" // the usual one could not run it
	x.s.Stop.Sources = map[string]int64{}
	for _, v := range x.sources(x.s.App.Kind) {
		if d.chance(60) {
			x.s.Stop.Sources[x.g.Nodes[v]] = int64(d.between(0, 15))
		}
	}
	if d.chance(70) {
		c.Timeout, c.Control.Lose, c.Control.Reorder = new(units.Duration), nil, false
	}
}

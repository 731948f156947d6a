package mutants

import "simrun/sim"

// unended says that it has finished, and does not end its outputs. Whoever is behind it
// never finishes.
type unended struct{ finishing }

func newUnended(info sim.NodeInfo) sim.Node { return newFinisher(&unended{newFinishing(info)}) }

func (n *unended) Drained(out *sim.Out) {
	n.over, n.info.Outputs = true, 0
	n.tellFinished(out)
}

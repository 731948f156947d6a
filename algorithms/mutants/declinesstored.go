package mutants

import "simrun/sim"

// declinesStored declines every second checkpoint although its part is durable. All of
// them fail, and nothing else is wrong.
type declinesStored struct{ attending }

func newDeclinesStored(info sim.NodeInfo) sim.Node {
	return newTask(&declinesStored{newAttending(info)})
}

func (n *declinesStored) Written(id sim.SnapshotID, handle sim.Handle, out *sim.Out) {
	if id%2 == 0 {
		handle = 0
	}
	n.attending.Written(id, handle, out)
}

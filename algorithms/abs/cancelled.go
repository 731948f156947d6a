package abs

import (
	"slices"

	"simrun/sim"
)

// cancelled is the snapshots, above the last one done here, that there will be no part
// of: a coordinator has given them up, or a barrier of theirs was skipped in front of
// this task. Ascending. What comes of them later is ignored.
type cancelled []sim.SnapshotID

// add notes one, unless it is over anyhow.
func (c *cancelled) add(id, done sim.SnapshotID) {
	if at, found := slices.BinarySearch(*c, id); !found && id > done {
		*c = slices.Insert(*c, at, id)
	}
}

func (c cancelled) has(id sim.SnapshotID) bool {
	_, found := slices.BinarySearch(c, id)
	return found
}

// forget drops those that are below the last one done.
func (c *cancelled) forget(done sim.SnapshotID) {
	*c = slices.DeleteFunc(*c, func(id sim.SnapshotID) bool { return id <= done })
}

// drop takes the barriers of a snapshot out, and says on which inputs they came.
func (w *waiting) drop(id sim.SnapshotID) (inputs []sim.Input) {
	return w.dropFunc(func(b barrier) bool { return b.id == id })
}

// dropOver takes out the barriers of snapshots up to one that is done, and says on which
// inputs they came: an order to initiate has overtaken theirs.
func (w *waiting) dropOver(done sim.SnapshotID) (inputs []sim.Input) {
	return w.dropFunc(func(b barrier) bool { return b.id <= done })
}

func (w *waiting) dropFunc(over func(barrier) bool) (inputs []sim.Input) {
	*w = slices.DeleteFunc(*w, func(b barrier) bool {
		if !over(b) {
			return false
		}
		inputs = append(inputs, b.input)
		return true
	})
	return inputs
}

package cases

import (
	"testing"

	"simrun/algorithms/coordinator"
	"simrun/sim"
)

// commits is a task that holds a transaction for each snapshot and commits it on the
// notice of a checkpoint: with those of all earlier ones.
type commits struct {
	sim.Task
	open    []sim.SnapshotID
	notices []sim.SnapshotID
	times   *map[sim.SnapshotID]int // how often each was committed
}

// Written implements sim.Task: the transaction is in the snapshot.
func (c *commits) Written(id sim.SnapshotID, h sim.Handle, out *sim.Out) {
	c.open = append(c.open, id)
	c.Task.Written(id, h, out)
}

// Told implements sim.Task.
func (c *commits) Told(m sim.Control, out *sim.Out) {
	c.Task.Told(m, out)
	if m.Kind != sim.Notify {
		return
	}
	c.notices = append(c.notices, m.ID)
	var later []sim.SnapshotID
	for _, id := range c.open {
		if id > m.ID {
			later = append(later, id)
		} else {
			(*c.times)[id]++
		}
	}
	c.open = later
}

// TestNoticesOvertakeEachOther: a sink holds the transactions of checkpoints 1 and 2, and
// the notice of 2 comes first. It commits both; that of 1 is then nothing. No
// transaction is committed twice.
func TestNoticesOvertakeEachOther(t *testing.T) {
	overtaken := 0
	for seed := range uint64(20) {
		times := map[sim.SnapshotID]int{}
		var sink *commits
		s := managedStage(t, seed, coordinator.Settings{Interval: 10 * ms, Timeout: 150 * ms, MaxConcurrent: 3, Tolerable: 1000})
		last := int32(s.Graph.Nodes - 1)
		s.NewNode = func(info sim.NodeInfo) sim.Node {
			if info.ID != last {
				return task(info)
			}
			sink = &commits{Task: task(info).(sim.Task), times: &times}
			return sink
		}
		h := s.playRight()
		highest := sim.SnapshotID(0)
		for _, id := range sink.notices {
			if id < highest {
				overtaken++
			}
			highest = max(highest, id)
		}
		for _, snapshot := range h.Snapshots {
			if snapshot.ID <= highest && times[snapshot.ID] != 1 && snapshot.Status == sim.Complete {
				t.Errorf("seed %d: the transaction of %d is committed %d times", seed, snapshot.ID, times[snapshot.ID])
			}
			if times[snapshot.ID] > 1 {
				t.Errorf("seed %d: the transaction of %d is committed %d times", seed, snapshot.ID, times[snapshot.ID])
			}
		}
	}
	if overtaken < 5 {
		t.Errorf("%d notices were overtaken", overtaken)
	}
}

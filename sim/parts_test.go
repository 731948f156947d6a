package sim_test

import (
	"testing"

	"simrun/sim"
)

// hasty is an algorithm that says Done at the wrong time.
type hasty struct {
	passThrough
	initiate func(sim.SnapshotID, *sim.Out)
}

func (h *hasty) Initiate(id sim.SnapshotID, out *sim.Out) { h.initiate(id, out) }

// Done before the state is recorded means nothing, and what is recorded after Done
// is not in the snapshot.
func TestDoneAtTheWrongTime(t *testing.T) {
	for name, c := range map[string]struct {
		initiate func(sim.SnapshotID, *sim.Out)
		want     sim.Status
	}{
		"never recorded":  {func(id sim.SnapshotID, out *sim.Out) { out.Done(id) }, sim.Pending},
		"recorded after":  {func(id sim.SnapshotID, out *sim.Out) { out.Done(id); out.SaveState(id) }, sim.Pending},
		"recorded before": {func(id sim.SnapshotID, out *sim.Out) { out.SaveState(id); out.Done(id) }, sim.Complete},
		"and once more": {func(id sim.SnapshotID, out *sim.Out) {
			out.SaveState(id)
			out.Done(id)
			out.SaveState(id)
			out.Attach(id, []byte("late"))
			out.SaveChannel(id, 0, sim.Message{Key: 1})
			out.Done(id)
		}, sim.Complete},
	} {
		cfg := tokenRun(sim.Graph{Nodes: 1, From: []int32{0}, To: []int32{0}}, units)
		cfg.NewNode = func(sim.NodeInfo) sim.Node { return &hasty{initiate: c.initiate} }
		cfg.Snapshots, cfg.MaxSteps = sim.SnapshotPlan{At: []int64{100}, Initiators: []int32{0}}, 500
		s := runOf(t, cfg).Snapshots[0]
		if s.Status != c.want {
			t.Errorf("%s: status %d, want %d", name, s.Status, c.want)
		}
		if len(s.Channels[0]) > 0 || s.Attached[0] != nil {
			t.Errorf("%s: what came after Done is in the snapshot", name)
		}
	}
}

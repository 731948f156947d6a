package sim_test

import (
	"testing"

	"simrun/sim"
)

// The offset in a cut is what the App has processed, not what the Node has read:
// a record that it holds back then is given again after a restore.
func TestOffsetIsWhatWasProcessed(t *testing.T) {
	for _, order := range []sim.Order{sim.Timed, sim.Chosen} {
		cfg := scene(graph(1))
		cfg.Order = order
		cfg.NewSource = feed(releases{10, 20, 40})
		cfg.Snapshots.At = []int64{25}
		cfg.Faults = []sim.Fault{{Nodes: []int32{0}, At: 50}}
		if order == sim.Chosen { // the order to initiate comes after two records
			cfg.Snapshots.At = []int64{2}
			cfg.Faults = []sim.Fault{{Nodes: []int32{0}, Step: 5}}
			cfg.Scheduler = inTurn{sim.StepInitiate, sim.StepWrite, sim.StepRestore, sim.StepExternal}
		}
		cfg.NewNode = cast(func() *actor {
			var held []sim.Message
			return &actor{initiate: lone, receive: func(in sim.Input, m sim.Message, out *sim.Out) {
				if held = append(held, m); len(held) > 1 { // always one record behind
					out.Process(in, held[0])
					held = held[1:]
				}
			}}
		})
		h := play(t, cfg)
		if len(h.Restores) != 1 || h.Restores[0].Snapshot == nil {
			t.Fatalf("order %d: the restores are %+v", order, h.Restores)
		}
		got := []uint64{h.Snapshots[0].Recordings[0].Offset, h.Restores[0].Offsets[0], h.Final.Offsets[0]}
		same(t, "offsets in the cut, after the restore and at the end", got, []uint64{1, 1, 2})
		same(t, "state at the end", texts(h.Final.States), []string{"e1 e2"})
	}
}

// inTurn is a Scheduler that prefers steps of the first kind, then of the next.
type inTurn []sim.StepKind

func (kinds inTurn) Pick(_ int64, enabled sim.Enabled) int {
	for _, kind := range kinds {
		for i := range enabled.Len() {
			if enabled.At(i).Kind == kind {
				return i
			}
		}
	}
	return 0
}

// What waits at a busy node does not outlive a restore: record 2 waits when node 1
// crashes, and is read once, so that record 3 is not read before its time.
func TestWhatWaitsDoesNotOutliveARestore(t *testing.T) {
	cfg := scene(graph(2))
	cfg.NewSource = feed(releases{0, 5, 1000})
	cfg.Service = sim.Dist{Low: 100}
	cfg.Faults = []sim.Fault{{Nodes: []int32{1}, At: 20, Down: 10}}
	log := watch(cfg, sim.EventExternal, sim.EventRestore)
	play(t, cfg)
	log.wants(t, "0 n0 external 1", "30 restore 0", "30 n0 external 1", "130 n0 external 2", "1000 n0 external 3")
}

// Orders to initiate that are still to be given at the very instant of a restore are
// not given after it.
func TestOrdersOfTheInstantOfARestore(t *testing.T) {
	cfg := scene(graph(2))
	cfg.Snapshots.At = []int64{40}
	cfg.Faults = []sim.Fault{{Nodes: []int32{0}, Phase: sim.PhaseRecorded}} // node 1 comes after node 0
	log := watch(cfg, sim.EventInitiate, sim.EventRestore)
	play(t, cfg)
	log.wants(t, "40 n0 initiate 1", "40 restore 0")
}

// A write of the old incarnation that ends after the restore is no step of the run.
func TestLateWriteIsNoStep(t *testing.T) {
	cfg := scene(graph(2))
	cfg.Write = sim.Dist{Low: 50}
	cfg.Snapshots.At = []int64{10}
	cfg.Faults = []sim.Fault{{Nodes: []int32{0}, At: 20, Down: 5}}
	// Two orders, the fault, the restore, and Recover on either node.
	if h := play(t, cfg); h.Steps != 6 || h.EndedAt != 25 {
		t.Errorf("%d steps until %d, want 6 until 25", h.Steps, h.EndedAt)
	}
}

// A record that waits at a busy node when others have made up the number at which
// the input stops is not read.
func TestRecordWaitingWhenOthersEndTheInput(t *testing.T) {
	cfg := scene(graph(2))
	cfg.NewSource = feed(releases{0, 10}, releases{20})
	cfg.Service = sim.Dist{Low: 100}
	cfg.Stop.Records = 2
	same(t, "records read", play(t, cfg).Final.Offsets, []uint64{1, 1})
}

// What a Node attaches is kept as it was, whatever other nodes attach later.
func TestAttachedIsKept(t *testing.T) {
	cfg := scene(graph(2))
	cfg.Snapshots.At = []int64{10}
	attaches := func(text string) func() *actor {
		return func() *actor {
			return &actor{initiate: func(id sim.SnapshotID, out *sim.Out) {
				out.Attach(id, []byte(text))
				lone(id, out)
			}}
		}
	}
	cfg.NewNode = cast(attaches("first"), attaches("other"))
	same(t, "attached", texts(play(t, cfg).Snapshots[0].Attached), []string{"first", "other"})
}

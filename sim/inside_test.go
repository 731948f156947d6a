package sim_test

import (
	"fmt"
	"testing"

	"simrun/sim"
)

// A crash inside a handler lets the first k things that it asked for happen, for
// every k, and nothing after them. What has left the node arrives.
func TestCrashInsideAHandler(t *testing.T) {
	outputs := []string{
		"n0 external 1", "n0 arms 9 due 510", "c0 sends 1 due 20", "n0 record 1",
		"c1 sends 1 due 20", "c0 sends marker 1 due 20", "n0 emits 1: 1", "n0 done 1", "c2 block 1",
	}
	for k := range len(outputs) + 2 { // the last k is more than there is
		cfg := scene(graph(3, 0, 1, 0, 2, 0, 0), func(in sim.Input, m sim.Message, fx *sim.Effects) {
			if in == sim.External {
				fx.SetTimer(9, 500)
			}
		})
		cfg.NewSource = feed(releases{10})
		cfg.Snapshots = sim.SnapshotPlan{At: []int64{5}, Initiators: []int32{2}}
		cfg.NewNode = cast(func() *actor {
			return &actor{receive: func(in sim.Input, m sim.Message, out *sim.Out) {
				out.Process(in, m)
				out.Send(sim.Send{Message: m, Output: 0})
				out.SaveState(1)
				out.Send(sim.Send{Message: m, Output: 1})
				out.SendMarker(0, 1)
				out.Send(sim.Send{Message: m, Output: sim.Sink})
				out.Done(1)
				out.Block(0, 1)
			}}
		})
		cfg.Faults = []sim.Fault{{Nodes: []int32{0}, At: 8, Down: 100, AfterOutputs: &k}}
		cfg.Stop.At = 50
		log := watch(cfg, sim.EventExternal, sim.EventArm, sim.EventSend, sim.EventRecord, sim.EventMarkerSent, sim.EventEmit,
			sim.EventDone, sim.EventBlock, sim.EventCrash)
		var processed []string
		cfg.Observer = observers{log, observer(func(ev *sim.Event) {
			if ev.At == 20 && (ev.Kind == sim.EventProcess && ev.Number > 0 || ev.Kind == sim.EventMarker) {
				processed = append(processed, fmt.Sprintf("c%d", ev.Channel))
			}
		})}
		play(t, cfg)
		log.wantsAt(t, 10, append(append([]string{}, outputs[:min(k, len(outputs))]...), "n0 crash")...)
		var want []string
		for _, arrival := range []struct {
			after   int // of the outputs
			channel string
		}{{2, "c0"}, {5, "c0"}, {4, "c1"}} {
			if k > arrival.after {
				want = append(want, arrival.channel)
			}
		}
		same(t, fmt.Sprintf("what arrived after %d outputs", k), processed, want)
	}
}

// A fault that is to fall inside a handler waits for the first one of its first
// node at or after its time; the other nodes' handlers do not count.
func TestCrashInsideWaitsForAHandler(t *testing.T) {
	zero := 0
	for name, fault := range map[string]sim.Fault{
		"time": {Nodes: []int32{1, 0}, At: 15, AfterOutputs: &zero},
		"step": {Nodes: []int32{1, 0}, Step: 2, AfterOutputs: &zero},
	} {
		cfg := scene(graph(2))
		cfg.NewSource = feed(releases{10, 20, 30}, releases{5, 40, 50})
		cfg.Faults = []sim.Fault{fault}
		log := watch(cfg, sim.EventExternal, sim.EventCrash)
		h := play(t, cfg)
		log.wants(t,
			"5 n1 external 1", "10 n0 external 1", "20 n0 external 2", "30 n0 external 3", "40 n1 crash", "40 n0 crash",
			"40 n0 external 1", "40 n0 external 2", "40 n0 external 3", "40 n1 external 1", "40 n1 external 2", "50 n1 external 3")
		if len(h.UnfiredFaults) > 0 {
			t.Errorf("%s: unfired faults %v", name, h.UnfiredFaults)
		}
	}
}

// It waits across a restore, too, and may then fall into Recover.
func TestCrashInsideRecover(t *testing.T) {
	one := 1
	cfg := scene(graph(3, 0, 1))
	cfg.NewNode = cast(func() *actor {
		return &actor{recover: func(_ []byte, _ []sim.Logged, out *sim.Out) {
			out.Send(sim.Send{Message: sim.Message{Key: 5}}, sim.Send{Message: sim.Message{Key: 6}})
		}}
	}, func() *actor { // is not asked to recover while it is down
		return &actor{recover: func(_ []byte, _ []sim.Logged, out *sim.Out) {
			out.Send(sim.Send{Message: sim.Message{Key: 7}, Output: sim.Sink})
		}}
	})
	cfg.Faults = []sim.Fault{
		{Nodes: []int32{0, 1}, At: 20, Down: 7, AfterOutputs: &one},
		{Nodes: []int32{2}, At: 30, Down: 10},
	}
	log := watch(cfg, sim.EventCrash, sim.EventRestore, sim.EventSend, sim.EventProcess, sim.EventEmit)
	play(t, cfg)
	log.wants(t, "30 n2 crash", "40 restore 0", "40 c0 sends 1 due 50", "40 n0 crash", "40 n1 crash",
		"47 restore 0", "47 c0 sends 1 due 57", "47 c0 sends 2 due 57", "47 n1 emits 1: 7", "57 c0 process 1", "57 c0 process 2")
}

// With a phase the handler that reaches it is the one that is cut off, be it
// before the very thing that makes the phase.
func TestCrashInsideTheHandlerOfAPhase(t *testing.T) {
	for k, want := range [][]string{
		{"n0 crash"},
		{"n0 record 1", "n0 crash"},
		{"n0 record 1", "n0 done 1", "n0 crash"},
	} {
		cfg := scene(graph(1))
		cfg.NewSource = feed(releases{5}) // an earlier handler, which reaches nothing
		cfg.Snapshots.At = []int64{10}
		cfg.Stop.At = 11
		cfg.Faults = []sim.Fault{{Nodes: []int32{0}, Phase: sim.PhaseRecorded, AfterOutputs: &k}}
		log := watch(cfg, sim.EventRecord, sim.EventDone, sim.EventCrash)
		play(t, cfg)
		log.wantsAt(t, 10, want...)
	}
}

package coordinator_test

import (
	"slices"
	"strings"
	"testing"

	"simrun/algorithms/coordinator"
	"simrun/sim"
)

// completed keeps snapshots as they are when they are complete.
type completed struct{ list []*sim.Snapshot }

// Observe implements sim.Observer.
func (c *completed) Observe(ev *sim.Event) {
	if ev.Kind == sim.EventComplete {
		s := *ev.Complete
		c.list = append(c.list, &s)
	}
}

// noticing is a coordinator that notes what it finds when it starts.
type noticing struct {
	sim.Coordinator
	found *[]sim.Standing
}

// Start implements sim.Coordinator.
func (n noticing) Start(s sim.Standing, out *sim.Decisions) {
	*n.found = append(*n.found, s)
	n.Coordinator.Start(s, out)
}

// noticed has the coordinators of a run note what they find.
func noticed(cfg *sim.Config) *[]sim.Standing {
	found, right := new([]sim.Standing), cfg.Management.New
	cfg.Management.New = func() sim.Coordinator { return noticing{right(), found} }
	return found
}

// TestRestorable: a complete checkpoint is one to begin with unless a part of it, or chunks
// that it shares, were torn or lost, or a newer one was complete. What it shares with a
// part that was torn may be the beginning, which is there.
func TestRestorable(t *testing.T) {
	good, bad, late, sharing := 0, 0, 0, 0
	for seed := range uint64(60) {
		cfg, c := damaged(t, seed), &completed{}
		if seed%3 == 0 { // metadata that is quicker than that of the checkpoint before
			cfg.Write.High = 25 * ms
			cfg.Management.New = coordinator.New(coordinator.Settings{Interval: 4 * ms, MaxConcurrent: 4, Tolerable: 100, Restart: coordinator.Restart{Delay: 3 * ms}})
		}
		cfg.Observer = c
		h := play(t, cfg)
		for i, s := range c.list {
			older := slices.ContainsFunc(c.list[:i], func(o *sim.Snapshot) bool { return o.ID > s.ID })
			own, shared := damagedIn(h, s.ID)
			if s.Restorable() && (older || own) || !s.Restorable() && !older && !own && !shared {
				t.Fatalf("seed %d, checkpoint %d: restorable %v; a newer one was complete: %v, parts are damaged: %v, or share with one that is: %v",
					seed, s.ID, s.Restorable(), older, own, shared)
			}
			switch {
			case older:
				late++
			case own:
				bad++
			case !s.Restorable():
				sharing++
			default:
				good++
			}
		}
	}
	if good < 200 || bad < 40 || late < 1 || sharing < 5 {
		t.Errorf("%d checkpoints to begin with, %d damaged, %d sharing what is, %d late", good, bad, sharing, late)
	}
}

// damagedIn says, from the facts, whether parts of a checkpoint were damaged, or share
// chunks with one that was.
func damagedIn(h *sim.History, id sim.SnapshotID) (own, shared bool) {
	damaged := map[sim.Handle]bool{}
	for i := range h.Facts {
		if f := &h.Facts[i]; f.Kind == sim.FactDamaged {
			damaged[f.Control.Handle] = true
		}
	}
	for _, m := range h.Published {
		for i := range h.Facts {
			f := &h.Facts[i]
			if m.ID != id || !slices.Contains(m.Handles, f.Control.Handle) {
				continue
			}
			own = own || f.Kind == sim.FactDamaged
			shared = shared || f.Kind == sim.FactShared && damaged[sim.Handle(f.Number)]
		}
	}
	return own, shared
}

// TestBegins: a run begins with a checkpoint in attempt 1. Its coordinator finds this one
// stored, under handles of the store's own, and ids that go on above all that were given.
func TestBegins(t *testing.T) {
	higher, retired := 0, 0
	for seed := range uint64(30) {
		cfg, c := damaged(t, seed), &completed{}
		cfg.Observer = c
		play(t, cfg)
		for _, s := range c.list {
			if !s.Restorable() {
				continue
			}
			from := *cfg
			from.From, from.Observer = s, nil
			found := noticed(&from)
			h := play(t, &from)
			first := &(*found)[0]
			if first.Attempt != 1 || first.Again || first.Last != s.Coordinated.Last || len(first.Metadata) != 1 || first.Metadata[0].ID != s.ID ||
				len(first.Metadata[0].Handles) != from.Graph.Nodes || first.Metadata[0].Handles[0] != 1 || h.Restores[0].At != s.CompletedAt {
				t.Fatalf("seed %d, checkpoint %d: the coordinator finds %+v", seed, s.ID, *first)
			}
			for i := range h.Facts {
				f := &h.Facts[i]
				if f.Kind == sim.FactBegan && f.ID <= s.Coordinated.Last {
					t.Fatalf("seed %d, checkpoint %d: the id %d is given again", seed, s.ID, f.ID)
				}
				if f.Kind == sim.FactRetired && f.ID == s.ID {
					retired++
				}
			}
			if s.Coordinated.Last > s.ID {
				higher++
			}
		}
	}
	if higher < 20 || retired < 20 {
		t.Errorf("higher ids had been given in %d runs, the first checkpoint was deleted in %d", higher, retired)
	}
}

// TestCrashesWhileItBegins: a node that replays its log and the coordinator crash in the
// restore with which the run begins. The coordinator starts once, when it is up.
func TestCrashesWhileItBegins(t *testing.T) {
	cfg, c := config(t, 1, loops, settings), &completed{}
	cfg.Observer = c
	play(t, cfg)
	tried := 0
	for _, s := range c.list {
		head := int32(slices.IndexFunc(s.Logs, func(log []sim.LogEntry) bool { return len(log) > 0 }))
		if head < 0 {
			continue
		}
		tried++
		from := *cfg
		from.From, from.Observer = s, nil
		from.Faults = []sim.Fault{{Nodes: []int32{head, int32(from.Graph.Nodes)}, Phase: sim.PhaseReplaying, Down: 5 * ms}}
		found := noticed(&from)
		h := play(t, &from)
		if len(h.Restores) != 2 || len(*found) != 1 || !(*found)[0].Again || h.Restores[1].Snapshot != h.From {
			t.Errorf("checkpoint %d: %d restores, the coordinator finds %+v", s.ID, len(h.Restores), *found)
		}
	}
	if tried < 2 {
		t.Errorf("%d checkpoints have a log", tried)
	}
}

// TestNoBeginning: what no coordinator can have known is refused.
func TestNoBeginning(t *testing.T) {
	cfg, c := config(t, 1, loops, settings), &completed{}
	cfg.Observer = c
	play(t, cfg)
	for want, change := range map[string]func(cfg *sim.Config, s *sim.Snapshot, k *sim.Coordinated){
		"does not say what a coordinator knew": func(_ *sim.Config, s *sim.Snapshot, _ *sim.Coordinated) { s.Coordinated = nil },
		"this one has none":                    func(cfg *sim.Config, _ *sim.Snapshot, _ *sim.Coordinated) { cfg.Management.New = nil },
		"the store had not all of it":          func(_ *sim.Config, _ *sim.Snapshot, k *sim.Coordinated) { k.Restorable = false },
		"ids up to 1 had been given":           func(_ *sim.Config, _ *sim.Snapshot, k *sim.Coordinated) { k.Last = 1 },
		"ids up to 1048577 had been given":     func(_ *sim.Config, _ *sim.Snapshot, k *sim.Coordinated) { k.Last = sim.MaxFromID + 1 },
		"of 2 nodes what they had committed":   func(_ *sim.Config, _ *sim.Snapshot, k *sim.Coordinated) { k.Committed = make([][]sim.SnapshotID, 2) },
		"node 1 cannot have committed the transactions [2 2]": func(cfg *sim.Config, _ *sim.Snapshot, k *sim.Coordinated) {
			k.Committed = make([][]sim.SnapshotID, cfg.Graph.Nodes)
			k.Committed[1] = []sim.SnapshotID{2, 2}
		},
		"node 0 cannot have committed the transactions [9999]": func(cfg *sim.Config, _ *sim.Snapshot, k *sim.Coordinated) {
			k.Committed = make([][]sim.SnapshotID, cfg.Graph.Nodes)
			k.Committed[0] = []sim.SnapshotID{9999}
		},
	} {
		bad, from, k := *cfg, *c.list[1], *c.list[1].Coordinated
		from.Coordinated, bad.From = &k, &from
		change(&bad, &from, &k)
		if _, err := sim.New(&bad); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}

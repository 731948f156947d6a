package coordinator_test

import (
	"slices"
	"testing"

	"simrun/algorithms/coordinator"
	"simrun/invariants"
	"simrun/sim"
	"simrun/topology"
)

var loops = topology.Spec{Kind: "dataflow", Parallelism: 3, Layers: 3, Degree: 2, Loops: 1, Seed: 8}

// broad is an App with a table beside its state: an input changes one entry of it.
type broad struct {
	sim.App
	table [512]byte
}

func (a *broad) Step(in sim.Input, m sim.Message, fx *sim.Effects) {
	a.table[m.Key%uint64(len(a.table))]++
	a.App.Step(in, m, fx)
}

func (a *broad) Save(buf []byte) []byte { return a.App.Save(append(buf, a.table[:]...)) }

func (a *broad) Load(state []byte) error { return a.App.Load(state[copy(a.table[:], state):]) }

// damaged is a run with crashes whose store tears and loses parts.
func damaged(t *testing.T, seed uint64) *sim.Config {
	cfg := config(t, seed, loops, coordinator.Settings{
		Interval: 15 * ms, Timeout: 60 * ms, MaxConcurrent: 2, Tolerable: 3, Retained: 1 + int(seed%3), Restart: coordinator.Restart{Delay: 3 * ms},
	})
	inner := cfg.NewApp
	cfg.NewApp = func(v int32) sim.App { return &broad{App: inner(v)} }
	plan := &cfg.Management
	plan.Torn.PerMillion, plan.Lost.PerMillion, plan.Unwritten.PerMillion = 20_000, 20_000, 5_000
	if seed%2 == 1 {
		plan.Chunk = 64
	}
	if seed%4 < 2 {
		plan.Bandwidth = 100_000
	}
	word := sim.Word(seed)
	for range 1 + word.Below(4) {
		cfg.Faults = append(cfg.Faults, sim.Fault{
			Nodes: []int32{int32(word.Below(cfg.Graph.Nodes + 1))}, At: int64(40*ms + word.Below(150*ms)), Down: int64(word.Below(10 * ms)),
		})
	}
	return cfg
}

func judge(cfg *sim.Config, h *sim.History) *invariants.Report {
	run := invariants.Of(cfg, h)
	run.Aligned = true
	return invariants.Check(run, nil)
}

func count(h *sim.History, kind sim.FactKind) (n int) {
	for i := range h.Facts {
		if h.Facts[i].Kind == kind {
			n++
		}
	}
	return n
}

// TestDamagedParts: from a checkpoint that the store has torn or lost the graph goes back
// to the one before, or to the initial state, and everything holds.
func TestDamagedParts(t *testing.T) {
	unreadable, older, initial, shared := 0, 0, 0, 0
	for seed := range uint64(120) {
		cfg := damaged(t, seed)
		h := play(t, cfg)
		word := sim.Word(seed)
		goOn(t, cfg, h, int64(word.Below(int(h.Steps))))
		for _, v := range judge(cfg, h).Violations {
			t.Errorf("seed %d: %v", seed, v)
		}
		if h.End != sim.Quiescent {
			t.Fatalf("seed %d: ended %d", seed, h.End)
		}
		shared += count(h, sim.FactShared)
		met := sim.SnapshotID(0)
		for i := range h.Facts {
			switch x := &h.Facts[i]; {
			case x.Kind == sim.FactUnreadable:
				met = x.ID
				unreadable++
			case x.Kind == sim.FactRestore && met > 0 && x.ID > 0 && x.ID < met:
				older++
				met = 0
			case x.Kind == sim.FactRestore && met > 0 && x.ID == 0:
				initial++
				met = 0
			}
		}
	}
	if unreadable < 30 || older < 10 || initial < 10 || shared < 1000 {
		t.Errorf("%d checkpoints could not be read; %d times an older one was restored, %d times the initial state; %d parts shared chunks",
			unreadable, older, initial, shared)
	}
}

// TestBandwidth: a part takes the write time and its bytes, a restore the read time and
// the bytes of every part.
func TestBandwidth(t *testing.T) {
	cfg := config(t, 1, loops, coordinator.Settings{Interval: 20 * ms, Restart: coordinator.Restart{Delay: 3 * ms}})
	cfg.Write = sim.Dist{Low: 2 * ms}
	const bandwidth = 30_000
	cfg.Management.Bandwidth = bandwidth
	cfg.Faults = []sim.Fault{{Nodes: []int32{1}, At: 150 * ms}}
	h := play(t, cfg)
	size := func(s *sim.Snapshot, v int32) (bytes int64) {
		for c, to := range cfg.Graph.To {
			if to == v {
				bytes += 32 * int64(len(s.Channels[c]))
			}
		}
		return bytes + 8 + int64(len(s.States[v])+len(s.Attached[v]))
	}
	stored, written := 0, int64(0)
	for _, x := range h.Facts {
		if x.Kind == sim.FactStored {
			s := h.Snapshots[x.ID-1]
			bytes := size(s, x.Task)
			if got, want := x.At-s.DoneAt[x.Task], 2*ms+bytes*1e9/bandwidth; got != want {
				t.Errorf("%d bytes were written in %d ns, want %d", bytes, got, want)
			}
			stored++
			written += bytes
		}
	}
	if stored < 10 || h.Written != written || len(h.Restores) != 1 || h.Restores[0].Snapshot == nil {
		t.Fatalf("%d parts and %d restores; wrote %d bytes, want %d", stored, len(h.Restores), h.Written, written)
	}
	bytes := int64(0)
	for v := range int32(cfg.Graph.Nodes) {
		bytes += size(h.Restores[0].Snapshot, v)
	}
	ordered := h.Facts[slices.IndexFunc(h.Facts, func(x sim.Fact) bool { return x.Kind == sim.FactRestore })].At
	if got, want := h.Restores[0].At-ordered, 3*ms+ms+bytes*1e9/bandwidth; got != want {
		t.Errorf("%d bytes were read in %d ns, want %d", bytes, got, want)
	}
}

// TestIncremental: with chunks the same run writes less, and restores the same.
func TestIncremental(t *testing.T) {
	less := 0
	for seed := range uint64(20) {
		cfg := damaged(t, seed)
		cfg.Management.Torn, cfg.Management.Lost, cfg.Management.Bandwidth = sim.Failure{}, sim.Failure{}, 0
		cfg.Management.Chunk = 0
		whole := play(t, cfg)
		cfg.Management.Chunk = 64
		h := play(t, cfg)
		if count(whole, sim.FactShared) > 0 || count(h, sim.FactShared) == 0 || h.ApplicationDigest != whole.ApplicationDigest || len(h.Restores) != len(whole.Restores) {
			t.Fatalf("seed %d: not the same run, or nothing shared", seed)
		}
		if h.Written > whole.Written {
			t.Errorf("seed %d: %d bytes in chunks, %d as a whole", seed, h.Written, whole.Written)
		}
		if h.Written*10 < whole.Written*7 {
			less++
		}
		if count(h, sim.FactUnreadable) > 0 || !judge(cfg, h).Holds() {
			t.Errorf("seed %d: what was restored from chunks is wrong", seed)
		}
	}
	if less < 15 {
		t.Errorf("three tenths were saved in %d of 20 runs", less)
	}
}

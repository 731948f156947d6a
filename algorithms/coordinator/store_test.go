package coordinator_test

import (
	"slices"
	"strings"
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
	unreadable, older, initial, shared, behind := 0, 0, 0, 0, 0
	for seed := range uint64(120) {
		cfg := damaged(t, seed)
		h := play(t, cfg)
		word := sim.Word(seed)
		goOn(t, cfg, h, int64(word.Below(int(h.Steps))))
		report := judge(cfg, h)
		for _, v := range report.Violations {
			t.Errorf("seed %d: %v", seed, v)
		}
		if report.Unfollowed > 0 || len(h.Restores) > 0 && (report.Ledger == nil || report.Ledger.Effects != invariants.ExactlyOnce) {
			t.Errorf("seed %d: %d restores were not followed, %+v", seed, report.Unfollowed, report.Ledger)
		}
		for k := 1; k < len(h.Restores); k++ {
			if h.Restores[k-1].Snapshot != nil && h.Restores[k].Snapshot == nil {
				behind++
				checkFollowed(t, cfg, h, h.Restores[k].Row)
			}
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
	if behind < 5 || unreadable < 30 || older < 10 || initial < 10 || shared < 1000 {
		t.Errorf("%d checkpoints could not be read; %d times an older one was restored, %d times the initial state, %d times behind an earlier restore; %d parts shared chunks",
			unreadable, older, initial, behind, shared)
	}
}

// checkFollowed checks that the run is followed after a restore that starts over: a record
// that was another one is not believed.
func checkFollowed(t *testing.T, cfg *sim.Config, h *sim.History, row int) {
	t.Helper()
	damaged := *h
	damaged.Rows = slices.Clone(h.Rows)
	for i := row; i < len(h.Rows); i++ {
		if h.Rows[i].Kind() == sim.RowExternal {
			damaged.Rows[i].Hash ^= 1
			if judge(cfg, &damaged).Holds() {
				t.Errorf("after the restore in row %d the run is not followed", row)
			}
			return
		}
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

// forgetful goes back to the initial state when a checkpoint cannot be read.
type forgetful struct{ sim.Coordinator }

func (f forgetful) Restored(attempt uint8, from sim.SnapshotID, ok bool, out *sim.Decisions) {
	if !ok {
		out.Restore(0, ms)
		return
	}
	f.Coordinator.Restored(attempt, from, ok, out)
}

// unreadableRun is a run that went back to an older checkpoint, as the newest was torn.
func unreadableRun(t *testing.T) (*sim.Config, *sim.History) {
	t.Helper()
	cfg := config(t, 1, loops, coordinator.Settings{Interval: 15 * ms, Retained: 2, Restart: coordinator.Restart{Delay: 3 * ms}})
	cfg.Management.Torn.Markers = []sim.SnapshotID{5}
	cfg.Faults = []sim.Fault{{Nodes: []int32{1}, Phase: sim.PhaseComplete, Snapshot: 5}}
	return cfg, play(t, cfg)
}

// TestUnreadable: the checkpoint before the torn one is restored, and whoever passes it
// over is caught; so is a store that says of a sound checkpoint that it cannot be read,
// and a restore of an older one for no reason.
func TestUnreadable(t *testing.T) {
	cfg, h := unreadableRun(t)
	if count(h, sim.FactUnreadable) != 1 || len(h.Restores) != 1 || h.Restores[0].Snapshot != h.Snapshots[3] {
		t.Fatalf("%d checkpoints could not be read, %d restores", count(h, sim.FactUnreadable), len(h.Restores))
	}
	without := func(kind sim.FactKind) *sim.History {
		c := *h
		c.Facts = slices.DeleteFunc(slices.Clone(h.Facts), func(x sim.Fact) bool { return x.Kind == kind })
		return &c
	}
	says(t, judge(cfg, without(sim.FactDamaged)), "coordinator", "checkpoint 5 cannot be read, and nothing of it was damaged or deleted")
	says(t, judge(cfg, without(sim.FactUnreadable)), "recovery", "restore 1 goes back to snapshot 4, but snapshot 5 is newer and was complete")
	says(t, judge(cfg, without(sim.FactUnreadable)), "coordinator", "checkpoint 5 is deleted, and no newer one is stored")

	right := cfg.Management.New
	cfg.Management.New = func() sim.Coordinator { return forgetful{right()} }
	e, err := sim.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	says(t, judge(cfg, e.Run()), "coordinator", "the coordinator restores checkpoint 0; the newest that is stored is 4")
}

// TestSpreadDamage: with shared chunks one lost part makes the checkpoints unreadable
// that share with it, up to the restore that finds out.
func TestSpreadDamage(t *testing.T) {
	cfg := damaged(t, 1)
	cfg.Management.Bandwidth = 0
	cfg.Management.Torn, cfg.Management.Lost, cfg.Management.Unwritten = sim.Failure{}, sim.Failure{Markers: []sim.SnapshotID{1}}, sim.Failure{}
	cfg.Faults = []sim.Fault{{Nodes: []int32{1}, At: 100 * ms}, {Nodes: []int32{2}, At: 190 * ms}}
	for _, chunk := range []int64{0, 64} {
		cfg.Management.Chunk = chunk
		h := play(t, cfg)
		var from []sim.SnapshotID
		for i := range h.Restores {
			from = append(from, 0)
			if s := h.Restores[i].Snapshot; s != nil {
				from[i] = s.ID
			}
		}
		unreadable := count(h, sim.FactUnreadable)
		if len(from) != 2 || from[1] == 0 || (chunk > 0) != (from[0] == 0) || (chunk > 0) != (unreadable > 0) {
			t.Errorf("chunks of %d: restored %d, %d could not be read", chunk, from, unreadable)
		}
	}
}

func says(t *testing.T, report *invariants.Report, invariant, text string) {
	t.Helper()
	for _, v := range report.Violations {
		if v.Invariant == invariant && strings.Contains(v.Detail, text) {
			return
		}
	}
	t.Errorf("%s does not say %q, but %v", invariant, text, report.Violations)
}

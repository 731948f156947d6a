package sim_test

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"simrun/algorithms/chandylamport"
	"simrun/sim"
)

// The same configuration gives the same history, digests included; and the
// digest of application events is a function of the rows.
func TestSameRunTwice(t *testing.T) {
	restores, complete := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		cfg := drawRun(t)
		a, b := runOf(t, cfg), runOf(t, cfg)
		if !reflect.DeepEqual(a, b) {
			t.Fatalf("two runs differ: digests %016x and %016x", a.Digest, b.Digest)
		}
		if got := sim.ApplicationDigest(a.Rows); got != a.ApplicationDigest {
			t.Fatalf("the rows give the application digest %016x, the engine %016x", got, a.ApplicationDigest)
		}
		restores += len(a.Restores)
		for _, s := range a.Snapshots {
			if s.Status == sim.Complete {
				complete++
			}
		}
	})
	if restores == 0 || complete == 0 {
		t.Errorf("%d restores and %d complete snapshots: the runs show nothing", restores, complete)
	}
}

// Saving an engine anywhere in a run, loading it into a fresh one and going on
// gives the same history.
func TestSaveLoadGoOn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := drawRun(t)
		want := runOf(t, cfg)
		first, err := sim.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		first.Step(rapid.Int64Range(0, want.Steps+1).Draw(t, "saved after"))
		second, err := sim.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		if err := second.Load(first.Save(nil)); err != nil {
			t.Fatal(err)
		}
		for name, e := range map[string]*sim.Engine{"saved": first, "loaded": second} {
			if got := e.Run(); !reflect.DeepEqual(got, want) {
				t.Fatalf("the %s engine went another way (-want +got):\n%s", name, cmp.Diff(want, got, cmp.AllowUnexported(sim.Row{}), cmpopts.IgnoreUnexported(sim.Snapshot{})))
			}
		}
	})
}

// A truncated saved engine is an error, never a panic.
func TestLoadTruncated(t *testing.T) {
	cfg := tokenRun(randomTargets(4, 2), units)
	e := engineOf(t, cfg)
	e.Step(50)
	saved := e.Save(nil)
	for n := range saved {
		if err := engineOf(t, cfg).Load(saved[:n]); err == nil {
			t.Fatalf("%d of %d bytes were loaded without an error", n, len(saved))
		}
	}
	if err := engineOf(t, cfg).Load(append(saved, 0)); err == nil {
		t.Error("trailing bytes were loaded without an error")
	}
}

// In timed order Chandy and Lamport's algorithm changes no application event:
// not its order, not its content, not its time.
func TestChandyLamportChangesNoApplicationEvent(t *testing.T) {
	stored := 0
	rapid.Check(t, func(t *rapid.T) {
		cfg := drawRun(t)
		cfg.Order, cfg.Faults, cfg.BackEdge = sim.Timed, nil, nil
		cfg.Stop.At = 100_000
		cfg.NewNode = chandylamport.New
		cfg.Snapshots.Every, cfg.Snapshots.Open = rapid.Int64Range(500, 30_000).Draw(t, "period"), 0
		with, without := new(timeline), new(timeline)
		cfg.Observer = with
		h := runOf(t, cfg)
		for _, s := range h.Snapshots {
			for _, c := range s.Channels {
				stored += len(c)
			}
		}
		cfg.Observer, cfg.Snapshots = without, sim.SnapshotPlan{}
		cfg.NewNode = func(sim.NodeInfo) sim.Node { return &passThrough{} }
		if bare := runOf(t, cfg); bare.ApplicationDigest != h.ApplicationDigest {
			t.Fatalf("application digest %016x with snapshots, %016x without", h.ApplicationDigest, bare.ApplicationDigest)
		}
		if !reflect.DeepEqual(with, without) {
			t.Fatal("the application events have other times with snapshots than without")
		}
	})
	if stored == 0 {
		t.Error("no snapshot stored a message: the runs show nothing")
	}
}

// timeline notes what the application does, and when.
type timeline struct{ events []sim.Event }

func (l *timeline) Observe(ev *sim.Event) {
	switch ev.Kind {
	case sim.EventSend, sim.EventProcess, sim.EventExternal, sim.EventTimer, sim.EventEmit, sim.EventBusy:
		l.events = append(l.events, *ev)
	}
}

// In steady state a delivery allocates nothing, in either order.
func TestNoAllocationPerDelivery(t *testing.T) {
	for _, order := range []sim.Order{sim.Timed, sim.Chosen} {
		cfg := tokenRun(randomTargets(200, degree), units)
		cfg.Order = order
		e := engineOf(t, cfg)
		e.Step(100_000)
		if got := testing.AllocsPerRun(20, func() { e.Step(5_000) }); got > 0 {
			t.Errorf("order %d: %.1f allocations in 5,000 deliveries", order, got)
		}
	}
}

// An engine that is Reset runs as a new one does, whatever it ran before.
func TestResetRunsAsNew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := drawRun(t)
		e, err := sim.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		e.Step(rapid.Int64Range(0, 500).Draw(t, "first run"))
		cfg.Seed++
		if err := e.Reset(cfg); err != nil {
			t.Fatal(err)
		}
		want := runOf(t, cfg)
		if got := e.Run(); !reflect.DeepEqual(got, want) {
			t.Fatalf("after Reset: digest %016x, want %016x", got.Digest, want.Digest)
		}
	})
}

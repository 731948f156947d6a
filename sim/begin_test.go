package sim_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"simrun/algorithms/abs"
	"simrun/sim"
)

// begun is a run with two snapshots and a crash after each, and its first snapshot.
func begun(t *testing.T) (*sim.Config, *sim.History, *sim.Snapshot) {
	t.Helper()
	cfg := phased(abs.New, sim.Fault{Nodes: []int32{2}, Phase: sim.PhaseRecorded, Snapshot: 2, Down: 10})
	h := play(t, cfg)
	if len(h.Snapshots) < 2 || h.Snapshots[0].Status != sim.Complete || len(h.Restores) != 1 {
		t.Fatalf("%d snapshots, %d restores", len(h.Snapshots), len(h.Restores))
	}
	return cfg, h, h.Snapshots[0]
}

// TestBegin: a run begins with a snapshot of another, and ends as that one does. It can
// be saved anywhere.
func TestBegin(t *testing.T) {
	cfg, whole, s := begun(t)
	from := *cfg
	from.From = s
	h := play(t, &from)
	r := &h.Restores[0]
	if h.From != h.Snapshots[0] || r.Snapshot != h.From || r.At != s.CompletedAt || r.Incarnation != 1 || len(r.Crashed) != 0 ||
		r.LostProcessed != 0 || r.LostExternal != 0 {
		t.Fatalf("it begins with %+v", r)
	}
	same(t, "states restored", texts(r.States), texts(s.States))
	same(t, "offsets at the end", h.Final.Offsets, whole.Final.Offsets)
	if h.Snapshots[1].ID != 2 || h.Snapshots[1].TriggeredAt != whole.Snapshots[1].TriggeredAt {
		t.Errorf("the next snapshot is %+v", h.Snapshots[1])
	}
	for n := range h.Steps - s.Steps + 1 {
		first, second := engineOf(t, &from), engineOf(t, &from)
		first.Step(n)
		if err := second.Load(first.Save(nil)); err != nil {
			t.Fatalf("saved after %d steps: %v", n, err)
		}
		if got := second.Run(); !reflect.DeepEqual(got, h) {
			t.Fatalf("saved after %d steps: digest %016x, want %016x", n, got.Digest, h.Digest)
		}
	}
}

// TestFaultsStrikeOnce: a fault that had struck when the snapshot was complete does not
// strike again.
func TestFaultsStrikeOnce(t *testing.T) {
	cfg, whole, _ := begun(t)
	last := whole.Snapshots[len(whole.Snapshots)-1]
	if last.Status != sim.Complete || len(last.Struck) != 1 || last.ID < 3 {
		t.Fatalf("the last snapshot is %+v", last)
	}
	watched := *cfg
	watched.Observer = observer(func(*sim.Event) {})
	if seen := play(t, &watched); !reflect.DeepEqual(seen, whole) {
		t.Errorf("with an observer the last snapshot lists the faults %v as struck, without one %v",
			seen.Snapshots[last.ID-1].Struck, last.Struck)
	}
	from := *cfg
	from.From = last
	h := play(t, &from)
	if len(h.Crashes) > 0 || len(h.UnfiredFaults) > 0 || len(h.Restores) != 1 {
		t.Errorf("%d crashes, %v not fired, %d restores", len(h.Crashes), h.UnfiredFaults, len(h.Restores))
	}
	for id, s := range h.Snapshots[:last.ID-1] {
		if s.Status != sim.Absent || int(s.ID) != id+1 {
			t.Errorf("snapshot %d is %+v", id+1, s)
		}
	}
}

// TestNoBeginning: what a run cannot begin with is refused.
func TestNoBeginning(t *testing.T) {
	cfg, _, s := begun(t)
	for want, change := range map[string]func(cfg *sim.Config, s *sim.Snapshot){
		"not complete":       func(_ *sim.Config, s *sim.Snapshot) { s.Status = sim.Pending },
		"an id beyond":       func(_ *sim.Config, s *sim.Snapshot) { s.ID = sim.MaxFromID + 1 },
		"at an instant":      func(_ *sim.Config, s *sim.Snapshot) { s.CompletedAt = sim.MaxTime + 1 },
		"nodes":              func(_ *sim.Config, s *sim.Snapshot) { s.States = s.States[1:] },
		"channels":           func(_ *sim.Config, s *sim.Snapshot) { s.Sent = s.Sent[1:] },
		"input ends":         func(_ *sim.Config, s *sim.Snapshot) { s.Limits = []uint32{1} },
		"fault 7 has struck": func(_ *sim.Config, s *sim.Snapshot) { s.Struck = []int32{7} },
		"its log names": func(_ *sim.Config, s *sim.Snapshot) {
			s.Logs = make([][]sim.LogEntry, len(s.States))
			s.Logs[1] = []sim.LogEntry{{Channel: 99}}
		},
		"its timers": func(_ *sim.Config, s *sim.Snapshot) {
			s.Recordings = append([]sim.Recording{}, s.Recordings...)
			s.Recordings[0].Timers = []sim.ArmedTimer{{ID: 2}, {ID: 1}}
		},
		"cannot load":                       func(cfg *sim.Config, _ *sim.Snapshot) { cfg.NewApp = func(int32) sim.App { return illiterate{} } },
		"leaves something to its Scheduler": func(cfg *sim.Config, _ *sim.Snapshot) { cfg.Order, cfg.Faults, cfg.Snapshots.Open = sim.Chosen, nil, 1 },
		"unreliable channels": func(cfg *sim.Config, _ *sim.Snapshot) {
			cfg.Unreliable = make([]sim.Unreliable, len(cfg.Graph.From))
			cfg.Unreliable[0].Reorder = true
		},
	} {
		bad, from := *cfg, *s
		bad.From = &from
		change(&bad, &from)
		if _, err := sim.New(&bad); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}

// illiterate is an App that can load nothing.
type illiterate struct{}

func (illiterate) Step(sim.Input, sim.Message, *sim.Effects) {}
func (illiterate) Save(buf []byte) []byte                    { return buf }
func (illiterate) Load([]byte) error                         { return errors.New("no letters") }

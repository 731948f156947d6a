package invariants

import (
	"testing"

	"simrun/algorithms/abs"
	checkpoints "simrun/algorithms/coordinator"
	"simrun/algorithms/partial"
	"simrun/sim"
)

// forwarder is an App that counts what comes, and sends it to each of its outputs, or lets
// it leave.
type forwarder struct {
	outputs int32
	count   uint64
}

func (a *forwarder) Step(_ sim.Input, m sim.Message, fx *sim.Effects) {
	a.count++
	for o := range a.outputs {
		fx.Send(o, m.Key, m.Value, m.Aux)
	}
	if a.outputs == 0 {
		fx.Emit(m.Key, int64(a.count), m.Aux)
	}
}

func (a *forwarder) Save(buf []byte) []byte { return append(buf, byte(a.count), byte(a.count>>8)) }

func (a *forwarder) Load(state []byte) error {
	a.count = uint64(state[0]) | uint64(state[1])<<8
	return nil
}

// sixty is a source of so many records that carry who they are, until it ends.
type sixty struct {
	node int32
	ends *bool
}

func (s sixty) Record(k uint64) (sim.Message, int64, bool) {
	return sim.Message{Key: k, Value: 1, Aux: uint64(s.node)<<32 | k}, int64(k) * 10, k < 60 && !*s.ends
}

// partly is a run on 0->1->3->4 and 2->3 in which a node crashes at 305 and is restored
// with all upstream of it. ends lets the sources end with the restore.
func partly(t *testing.T, crash int32, ends bool) *Run {
	t.Helper()
	run := partlyWith(t, crash, ends, nil)
	if r := run.History.Restores; len(r) != 1 || r[0].Snapshot == nil || r[0].Partial == nil || !ends && r[0].Dropped < 3 {
		t.Fatalf("not the restore that the test is about: %+v", r)
	}
	return run
}

// partlyWith is partly with a change of the configuration.
func partlyWith(t *testing.T, crash int32, ends bool, change func(cfg *sim.Config)) *Run {
	t.Helper()
	over, never := false, false
	cfg := &sim.Config{
		Graph: sim.Graph{Nodes: 5, From: []int32{0, 1, 2, 3}, To: []int32{1, 3, 3, 4}}, Seed: 3, Rows: true,
		NewNode:   checkpoints.Task(partial.Survivor(abs.New)),
		NewApp:    func(v int32) sim.App { return &forwarder{outputs: []int32{1, 1, 1, 1, 0}[v]} },
		NewSource: func(v int32) sim.Source { return []sim.Source{sixty{0, &over}, nil, sixty{2, &over}, nil, nil}[v] },
		Delays:    []sim.Dist{{Kind: sim.Uniform, Low: 5, High: 40}},
		Faults:    []sim.Fault{{Nodes: []int32{crash}, At: 305, Down: 5}},
	}
	cfg.Snapshots.Initiators = []int32{0, 2}
	cfg.Management = sim.ManagementPlan{
		New:     checkpoints.New(checkpoints.Settings{Interval: 160, Tolerable: 10, Partial: true}),
		Sources: []int32{0, 2}, Delay: sim.Dist{Low: 5},
	}
	if change != nil {
		change(cfg)
	}
	cfg.Observer = observer(func(ev *sim.Event) { over = over || ends && ev.Kind == sim.EventRestore })
	e, err := sim.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	run := Of(cfg, e.Run())
	run.Aligned = true
	run.NewSource = func(v int32) sim.Source { return []sim.Source{sixty{0, &never}, nil, sixty{2, &never}, nil, nil}[v] }
	return run
}

type observer func(ev *sim.Event)

// Observe implements sim.Observer.
func (f observer) Observe(ev *sim.Event) { f(ev) }

// TestPartialRestore: each record takes effect once and leaves once, although the sink
// knows of no transactions.
func TestPartialRestore(t *testing.T) {
	report := Check(partly(t, 1, false), nil)
	if l := report.Ledger; !report.Holds() || l == nil || l.EffectsOnce != 120 || l.OutputsOnce != 120 || l.Outputs != ExactlyOnce {
		t.Errorf("%v, %+v", report.Violations, report.Ledger)
	}
}

// TestCutShortBeforeASavepoint: a crash takes a message that was to come once more, before
// it was sent again; a savepoint that nobody goes back to has had it.
func TestCutShortBeforeASavepoint(t *testing.T) {
	cut := 0
	for at := int64(312); at < 420; at += 3 {
		inside := 1
		run := partlyWith(t, 1, false, func(cfg *sim.Config) {
			cfg.Faults = append(cfg.Faults, sim.Fault{Nodes: []int32{1}, At: at, AfterOutputs: &inside, Down: 5})
			cfg.Snapshots.At = []int64{210}
		})
		if report := Check(run, nil); !report.Holds() {
			t.Errorf("crash at %d: %v", at, report.Violations)
		}
		h := run.History
		if len(h.Restores) != 2 || h.Restores[1].Snapshot == nil || h.Snapshots[h.Restores[1].Snapshot.ID].Status != sim.Complete {
			continue
		}
		for i := h.Restores[0].Row; i < h.Restores[1].Row; i++ {
			if h.Rows[i].Kind() == sim.RowProcess && h.Rows[i].Entity() == 0 && h.Rows[i+1].Kind() == sim.RowCrash {
				cut++
			}
		}
	}
	if cut < 3 {
		t.Errorf("%d messages were cut short", cut)
	}
}

// TestReplayHasToBeTheSame: a node that merges sends something else when it is restored,
// and sources that end too early send too little.
func TestReplayHasToBeTheSame(t *testing.T) {
	says(t, Check(partly(t, 3, false), nil), "recovery", "the replay was not deterministic: message")
	report := Check(partly(t, 1, true), nil)
	says(t, report, "recovery", "the replay was not deterministic, or stopped")
	if report.Ledger != nil {
		t.Errorf("there is a ledger: %+v", report.Ledger)
	}
}

// TestDamagedPartialRestores: what contradicts itself is a violation.
func TestDamagedPartialRestores(t *testing.T) {
	row := func(run *Run, kind sim.RowKind, i int, f func(r sim.Row) sim.Row) {
		for k, r := range run.History.Rows {
			if r.Kind() == kind && k > run.History.Restores[0].Row {
				if i--; i < 0 {
					run.History.Rows[k] = f(r)
					return
				}
			}
		}
		t.Fatalf("no such row of kind %d", kind)
	}
	renumber := func(by uint32) func(r sim.Row) sim.Row {
		return func(r sim.Row) sim.Row { return sim.NewRow(r.Kind(), r.Entity(), r.Number+by, r.Hash) }
	}
	for _, d := range []struct {
		invariant, detail string
		do                func(run *Run)
	}{
		{"recovery", "restarts node 1 and not node 0, which is upstream of it", func(run *Run) { run.History.Restores[0].Partial = []int32{1} }},
		{"recovery", "and node 1, which is down, is not among them", func(run *Run) { run.History.Restores[0].Partial = []int32{0} }},
		{"recovery", "the state of node 1 is not the one in snapshot 1", func(run *Run) { run.History.Restores[0].States[1] = []byte{9} }},
		{"recovery", "messages dropped, and it counts", func(run *Run) { run.History.Restores[0].Dropped++ }},
		{"fifo", "where message", func(run *Run) { row(run, sim.RowDrop, 0, renumber(1)) }},
		{"fifo", "it is lost", func(run *Run) { row(run, sim.RowDrop, 1, renumber(1000)) }},
		{"fifo", "again; message", func(run *Run) {
			row(run, sim.RowDrop, 0, func(r sim.Row) sim.Row { return sim.NewRow(sim.RowProcess, r.Entity(), r.Number, r.Hash) })
		}},
		{"recovery", "which had come again before it, was not dropped", func(run *Run) {
			last := int(run.History.Restores[0].Dropped) - 1
			row(run, sim.RowDrop, last, func(r sim.Row) sim.Row { return sim.NewRow(sim.RowTimer, 99, 0, 0) })
			for k, r := range run.History.Rows {
				if r.Kind() == sim.RowTimer {
					run.History.Rows = append(run.History.Rows[:k:k], run.History.Rows[k+1:]...)
					return
				}
			}
		}},
		{"fifo", "dropped message 1 on channel node 0->node 1#0, which it had not processed before", func(run *Run) {
			row(run, sim.RowDrop, 0, func(r sim.Row) sim.Row { return sim.NewRow(sim.RowDrop, 0, 1, 0) })
		}},
		{"fifo", "the history is damaged: row", func(run *Run) {
			row(run, sim.RowDrop, 0, func(r sim.Row) sim.Row { return sim.NewRow(sim.RowDrop, 77, 1, 0) })
		}},
	} {
		run := partly(t, 1, false)
		d.do(run)
		says(t, Check(run, nil), d.invariant, d.detail)
	}
}

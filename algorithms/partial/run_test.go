package partial_test

import (
	"slices"
	"strconv"
	"testing"

	"simrun/algorithms/abs"
	"simrun/algorithms/coordinator"
	"simrun/algorithms/partial"
	"simrun/algorithms/stoptheworld"
	"simrun/algorithms/twophase"
	"simrun/invariants"
	"simrun/scenarios/apps"
	"simrun/sim"
	"simrun/topology"
)

const ms = 1_000_000

// job is a random graph: trees of nodes with one input each, which replay in the same
// order whatever happens, above nodes that merge.
type job struct {
	graph *topology.Graph
	trees int // so many nodes, the first ones, are in trees
	app   *apps.Workload
}

func newJob(t *testing.T, word *sim.Word, loops bool) job {
	t.Helper()
	b := topology.NewBuilder("job")
	name := func(v int) string { return "n" + strconv.Itoa(v) }
	sources := 1 + word.Below(3)
	trees, merges := sources+1+word.Below(4), 1+word.Below(4)
	connect := func(from, to int) {
		if err := b.AddChannel(name(from), name(to)); err != nil {
			t.Fatal(err)
		}
	}
	for v := range trees + merges {
		if err := b.AddNode(name(v)); err != nil {
			t.Fatal(err)
		}
	}
	for v := sources; v < trees; v++ {
		connect(word.Below(v), v)
	}
	for v := trees; v < trees+merges; v++ {
		for range 1 + word.Below(3) {
			connect(word.Below(v), v)
		}
	}
	for v := range trees { // what leads nowhere else leads to a merge
		connect(v, trees+word.Below(merges))
	}
	if loops && merges > 1 {
		connect(trees+merges-2, trees+merges-1)
		connect(trees+merges-1, trees+merges-2)
	}
	g, err := b.Graph()
	if err != nil {
		t.Fatal(err)
	}
	w, err := apps.NewDataflow().Build(&apps.Env{Graph: g})
	if err != nil {
		t.Fatal(err)
	}
	return job{g, trees, w}
}

// config is a run with one to four crashes in the trees, and in some of them of the
// coordinator; over slow control channels, which may keep no order and lose something.
func (j *job) config(seed uint64, word *sim.Word, order sim.Order, node sim.NewNode, settings coordinator.Settings) *sim.Config {
	roots := topology.DefaultInitiators(j.graph)
	cfg := &sim.Config{
		Graph: j.graph.Sim(), Seed: seed, Rows: true, Order: order, NewNode: coordinator.Task(node),
		NewApp:    func(v int32) sim.App { return j.app.NewApp(seed, v) },
		NewSource: func(v int32) sim.Source { return j.app.NewSource(seed, v) },
		BackEdge:  topology.BackEdges(j.graph, roots),
		Delays:    []sim.Dist{{Kind: sim.Uniform, Low: ms, High: 5 * ms}},
		Write:     sim.Dist{Kind: sim.Uniform, Low: ms, High: 10 * ms},
		Stop:      sim.Stop{At: 150 * ms}, MaxSteps: 1_000_000,
	}
	if seed%3 == 0 {
		cfg.Service = sim.Dist{Kind: sim.Uniform, Low: 10_000, High: 100_000}
	}
	cfg.Snapshots.Initiators = roots
	settings.Interval, settings.Timeout, settings.Tolerable, settings.Partial = 15*ms, 40*ms, 1000, true
	settings.MaxConcurrent, settings.Retained, settings.Restart.Delay = 1+word.Below(2), 1+word.Below(2), int64(word.Below(3*ms))
	if order == sim.Chosen {
		cfg.Stop.At, cfg.Service, settings.Timeout = 1500, sim.Dist{}, 0
	}
	cfg.Management = sim.ManagementPlan{
		New: coordinator.New(settings), Sources: roots, Delay: sim.Dist{Kind: sim.Uniform, Low: ms, High: 6 * ms}, Read: sim.Dist{Low: ms},
		Fails: sim.Unreliable{Reorder: seed%4 == 0 && order == sim.Timed}, Bandwidth: 1_000_000,
	}
	if seed%4 == 2 && order == sim.Timed {
		cfg.Management.Fails.Lose.PerMillion = 20_000 // notices, too
	}
	for range 1 + word.Below(4) {
		cfg.Faults = append(cfg.Faults, j.fault(cfg, word))
	}
	return cfg
}

func (j *job) fault(cfg *sim.Config, word *sim.Word) sim.Fault {
	f := sim.Fault{Nodes: []int32{int32(word.Below(j.trees))}, Down: int64(word.Below(8 * ms))}
	if word.Below(8) == 0 {
		f.Nodes = append(f.Nodes, int32(j.graph.Sim().Nodes)) // the coordinator
	}
	if n := len(cfg.Faults); n > 0 && word.Below(2) == 0 && cfg.Order == sim.Timed {
		f.At = cfg.Faults[n-1].At + 1 + int64(word.Below(8*ms)) // before the last restore is over
	} else if f.At = 1 + int64(word.Below(140*ms)); cfg.Order == sim.Chosen {
		f.At, f.Step = 0, 1+int64(word.Below(1400))
	}
	if word.Below(3) == 0 {
		inside := word.Below(3)
		f.AfterOutputs = &inside
	}
	return f
}

// sights is what has to happen in these runs for them to mean something.
type sights struct {
	partial, whole, drops, notReady, again, cut, aligning int
	restored                                              bool // nothing has happened since
}

// Observe implements sim.Observer: what is unblocked in a restore was blocked at a task
// that goes on.
func (s *sights) Observe(ev *sim.Event) {
	if ev.Kind == sim.EventUnblock && s.restored {
		s.aligning++
	}
	s.restored = ev.Kind == sim.EventRestore || s.restored && (ev.Kind == sim.EventUnblock || ev.Kind == sim.EventFact)
}

// add counts what a history has.
func (s *sights) add(h *sim.History) {
	for k := range h.Restores {
		r := &h.Restores[k]
		if r.Partial == nil {
			s.whole++
			continue
		}
		s.partial++
		s.drops += int(r.Dropped)
		if k > 0 && h.Restores[k-1].Partial != nil && !slices.Equal(r.Partial, h.Restores[k-1].Partial) && r.Snapshot == h.Restores[k-1].Snapshot {
			s.again++ // others, from the same checkpoint
		}
		if len(r.Crashed) > 1 {
			s.cut++ // a second crash before the restore
		}
	}
	for i := range h.Facts {
		if h.Facts[i].Kind == sim.FactReceived && h.Facts[i].Control.Kind == sim.NotReady {
			s.notReady++
		}
	}
}

// TestNothingIsLostOrDoubled: whatever crashes of what replays in the same order, with or
// without loops below, the run is one without failures: each record takes effect once.
func TestNothingIsLostOrDoubled(t *testing.T) {
	trials := uint64(600)
	if testing.Short() {
		trials = 150
	}
	var seen sights
	ledgers := 0
	for seed := range trials {
		word, order := sim.Word(seed), sim.Order(seed%2)
		loops := seed%5 == 4
		j := newJob(t, &word, loops)
		algorithm, settings := sim.NewNode(abs.New), coordinator.Settings{}
		transactional := seed%7 >= 5
		switch {
		case transactional:
			algorithm, settings.Final = twophase.Sink(abs.New), true
		case seed%7 == 4 && !loops:
			algorithm = stoptheworld.New
		}
		cfg := j.config(seed, &word, order, partial.Survivor(algorithm), settings)
		if seed%7 == 4 || transactional && cfg.Management.Fails.Lose.Any() {
			cfg.Management.Fails = sim.Unreliable{} // a halted source waits for the notice
		}
		cfg.Observer = &seen
		e, err := sim.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		run := invariants.Of(cfg, e.Run())
		run.Aligned, run.Transactional, run.HoldsOutputs = true, transactional, transactional
		report := invariants.Check(run, nil)
		if !report.Holds() || run.History.End != sim.Quiescent {
			t.Fatalf("seed %d: ended %d, %v", seed, run.History.End, report.Violations)
		}
		if l := report.Ledger; l != nil {
			all := l.Records
			if order == sim.Chosen && slices.ContainsFunc(run.History.Restores, func(r sim.Restore) bool { return r.Partial == nil }) {
				all -= l.EffectsUndone // what a restore of everything takes back is not read again after the stop
			}
			if l.EffectsOnce != all || transactional && l.OutputsDuplicated+l.OutputsLost+l.OutputsUnbacked > 0 {
				t.Fatalf("seed %d: %+v", seed, l)
			}
			ledgers++
		}
		seen.add(run.History)
	}
	t.Logf("%+v, %d ledgers", seen, ledgers)
	for what, n := range map[string]int{
		"ledgers": ledgers, "partial restores": seen.partial, "whole restores": seen.whole, "drops": seen.drops / 50, "tasks that were not ready": seen.notReady,
		"others restarted from the same checkpoint": seen.again, "second crashes before the restore": seen.cut, "tasks that were aligning and go on": seen.aligning,
	} {
		if n < 10 {
			t.Errorf("%s: %d", what, n)
		}
	}
}

// TestSaveLoad: a run can be saved and loaded in the middle, and goes on as if nothing
// had been.
func TestSaveLoad(t *testing.T) {
	dropped := 0
	for seed := range uint64(40) {
		word := sim.Word(seed)
		j := newJob(t, &word, false)
		cfg := j.config(seed, &word, sim.Order(seed%2), partial.Survivor(abs.New), coordinator.Settings{})
		first, _ := sim.New(cfg)
		want := *first.Run()
		var engines [2]*sim.Engine
		for i := range engines {
			engines[i], _ = sim.New(cfg)
		}
		engines[0].Step(int64(word.Below(int(want.Steps))))
		if err := engines[1].Load(engines[0].Save(nil)); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if got := engines[1].Run(); got.Digest != want.Digest || len(got.Restores) != len(want.Restores) {
			t.Errorf("seed %d: runs differently when it is loaded", seed)
		}
		for k := range want.Restores {
			dropped += int(want.Restores[k].Dropped)
		}
	}
	if dropped == 0 {
		t.Error("nothing came once more")
	}
}

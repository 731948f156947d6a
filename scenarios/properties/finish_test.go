package properties_test

import (
	"slices"
	"testing"

	"simrun/algorithms/abs"
	"simrun/algorithms/coordinator"
	"simrun/algorithms/tracking"
	"simrun/invariants"
	"simrun/invariants/twin"
	"simrun/sim"
)

// finishTrials is how many runs TestTasksFinish looks at.
const finishTrials = 3000

// TestTasksFinish: whatever the run, tasks whose input ends one after the other finish,
// and every check holds under a coordinator; the twin finds the same. Where no message is
// lost or overtaken and nobody crashes, every checkpoint is complete that has the time, and
// a task without a loop in front of it has finished at the end.
func TestTasksFinish(t *testing.T) {
	var checker invariants.Checker
	seen := map[string]*sights{}
	for i := 1; i <= finishTrials; i++ {
		r := trials.Example(i)
		if !r.aligned() || len(r.config.Graph.From) == 0 {
			continue
		}
		word := sim.Word(i)
		name, settings := finishing(&word, r)
		watch := newFinishWatch(&r.config)
		cfg := r.config
		cfg.Observer = watch
		h := engineOf(t, &cfg).Run()
		run := invariants.Of(&r.config, h)
		run.Aligned = name != "tracking"
		if name == "tracking" {
			run.Promise = invariants.AtLeastOnce
		}
		report := checker.Check(run, nil)
		for _, v := range report.Violations {
			t.Errorf("example %d, %s: %s\n%s", i, name, v, r)
		}
		if name != "tracking" {
			agrees(t, i, r, run, &checker)
		}
		watch.wantLively(t, i, r, settings, h)
		if i%8 == 0 {
			resumedAt(t, &r.config, h, word.Below(100))
		}
		if t.Failed() {
			return
		}
		if seen[name] == nil {
			seen[name] = newSights()
		}
		watch.look(seen[name], h)
	}
	for _, name := range []string{"abs", "abs in loops", "tracking"} {
		wantAll(t, name, seen[name])
	}
}

// finishing makes a trial a run with a coordinator and tasks that finish. It returns what to
// call it, and what the coordinator is told.
func finishing(word *sim.Word, r *trial) (name string, settings coordinator.Settings) {
	cfg := &r.config
	long := int64(horizon(cfg))
	newNode := sim.NewNode(abs.New)
	name = "abs"
	if slices.Contains(cfg.BackEdge, true) {
		name = "abs in loops"
	}
	if word.Below(3) == 0 {
		name, newNode, cfg.Duplicates = "tracking", tracking.New, true
	}
	cfg.NewNode = coordinator.Task(newNode)
	cfg.Snapshots = sim.SnapshotPlan{Initiators: cfg.Snapshots.Initiators}
	cfg.Replay = sim.FromOffset
	settings = coordinator.Settings{
		Interval: long/40 + int64(word.Below(int(long/10))), MaxConcurrent: 1 + word.Below(3), Retained: 1 + word.Below(2),
		Tolerable: 1000, Final: word.Below(2) == 0,
	}
	cfg.Management = sim.ManagementPlan{
		Sources: cfg.Snapshots.Initiators, Finish: true,
		Delay: sim.Dist{Kind: sim.Uniform, Low: 1, High: 1 + int64(word.Below(1500))}, Read: sim.Dist{Low: 10},
	}
	if word.Below(3) == 0 {
		settings.Timeout, settings.Final = long/5, false
		cfg.Management.Fails = sim.Unreliable{Reorder: word.Below(2) == 0, Lose: sim.Failure{PerMillion: 60_000}, Duplicate: sim.Failure{PerMillion: 60_000}}
	}
	if cfg.Stop.At == 0 {
		cfg.Stop.At = 2 * long // sources that nobody waits for
	}
	cfg.Management.New = coordinator.New(settings)
	source, ends := cfg.NewSource, make([]uint64, cfg.Graph.Nodes)
	for v := range ends {
		ends[v] = uint64(word.Below(40))
	}
	cfg.NewSource = func(v int32) sim.Source {
		if s := source(v); s != nil {
			return first{s, ends[v]}
		}
		return nil
	}
	return name, settings
}

// first is the first records of a source.
type first struct {
	sim.Source
	records uint64
}

func (s first) Record(k uint64) (m sim.Message, at int64, ok bool) {
	if k >= s.records {
		return m, 0, false
	}
	return s.Source.Record(k)
}

// agrees has the twin judge the same run.
func agrees(t *testing.T, i int, r *trial, run *invariants.Run, checker *invariants.Checker) {
	judgement := twin.Judge(&twin.Run{
		Graph: r.config.Graph, NewApp: r.config.NewApp, NewSource: r.config.NewSource, BackEdge: r.config.BackEdge,
		Aligned: true, Replay: r.config.Replay, History: run.History,
	})
	if wrong := disagreement(checker.Check(run, leftOut), judgement); wrong != "" {
		t.Errorf("example %d: %s\n%s", i, wrong, r)
	}
}

// resumedAt saves a run after so many percent of its steps, and another engine goes on with
// it to the same end.
func resumedAt(t *testing.T, cfg *sim.Config, want *sim.History, percent int) {
	first, second := engineOf(t, cfg), engineOf(t, cfg)
	first.Step(want.Steps * int64(percent) / 100)
	if err := second.Load(first.Save(nil)); err != nil {
		t.Fatal(err)
	}
	if got := second.Run(); got.Digest != want.Digest || !slices.Equal(got.Rows, want.Rows) {
		t.Errorf("saved, loaded, and gone on: digest %016x, want %016x", got.Digest, want.Digest)
	}
}

// finishWatch notes what the history does not tell of tasks that finish.
type finishWatch struct {
	cfg       *sim.Config
	inputs    []int              // by node
	aligns    [][]sim.SnapshotID // by node: whose barriers have come on some inputs, and it has not recorded
	ended     []int              // by node: inputs that have
	finished  []bool             // by node, in this incarnation
	aligning  bool               // an input ended while a barrier had come on another one
	lateTimer bool               // a timer went off where every input had ended
	crashed   bool               // a node that had finished
}

func newFinishWatch(cfg *sim.Config) *finishWatch {
	w := &finishWatch{cfg: cfg, inputs: make([]int, cfg.Graph.Nodes)}
	for _, to := range cfg.Graph.To {
		w.inputs[to]++
	}
	w.anew()
	return w
}

// anew begins an incarnation.
func (w *finishWatch) anew() {
	n := w.cfg.Graph.Nodes
	w.aligns, w.ended, w.finished = make([][]sim.SnapshotID, n), make([]int, n), make([]bool, n)
}

// Observe implements sim.Observer.
func (w *finishWatch) Observe(ev *sim.Event) {
	switch ev.Kind {
	case sim.EventMarker:
		if w.cfg.BackEdge == nil || !w.cfg.BackEdge[ev.Channel] {
			w.aligns[ev.Node] = append(w.aligns[ev.Node], ev.Snapshot)
		}
	case sim.EventRecord, sim.EventAbort:
		for v := range w.aligns {
			if ev.Node < 0 || int(ev.Node) == v {
				w.aligns[v] = slices.DeleteFunc(w.aligns[v], func(id sim.SnapshotID) bool { return id == ev.Snapshot })
			}
		}
	case sim.EventEnd:
		w.ended[ev.Node]++
		w.aligning = w.aligning || len(w.aligns[ev.Node]) > 0
	case sim.EventTimer:
		w.lateTimer = w.lateTimer || w.inputs[ev.Node] > 0 && w.ended[ev.Node] == w.inputs[ev.Node]
	case sim.EventCrash:
		w.crashed = w.crashed || w.finished[ev.Node]
	case sim.EventFact:
		if ev.Fact.Kind == sim.FactReplied && ev.Fact.Control.Kind == sim.Finished {
			w.finished[ev.Node] = true
		}
	case sim.EventRestore:
		w.anew()
	}
}

// wantLively demands that tasks finish, and that no checkpoint waits for what never comes.
func (w *finishWatch) wantLively(t *testing.T, i int, r *trial, settings coordinator.Settings, h *sim.History) {
	if h.End != sim.Quiescent {
		return
	}
	stays := make([]bool, w.cfg.Graph.Nodes) // it is in a loop, or behind one
	for _, nodes := range r.graph.Components() {
		for c, from := range w.cfg.Graph.From {
			if to := w.cfg.Graph.To[c]; slices.Contains(nodes, from) && slices.Contains(nodes, to) {
				stays[to] = true
			}
		}
	}
	for range stays {
		for c, from := range w.cfg.Graph.From {
			to := w.cfg.Graph.To[c]
			stays[to] = stays[to] || stays[from]
		}
	}
	for v, finished := range w.finished {
		if finished == stays[v] {
			t.Errorf("example %d: node %d has finished: %t, and a loop is in front of it: %t\n%s", i, v, finished, stays[v], r)
		}
	}
	if len(h.Crashes) > 0 || settings.Timeout > 0 || settings.MaxConcurrent > 1 {
		return
	}
	for _, s := range h.Snapshots {
		if s.Status != sim.Complete {
			t.Errorf("example %d: checkpoint %d is not complete\n%s", i, s.ID, r)
		}
	}
}

// look sees what the run had.
func (w *finishWatch) look(s *sights, h *sim.History) {
	s.runs++
	s.see("an input that ended during an alignment", w.aligning)
	s.see("a timer where every input had ended", w.lateTimer)
	s.see("a crash of a task that had finished", w.crashed)
	var earlier, between, overlapping, all, ordered, restored, before bool
	metadata := make([]*sim.Metadata, len(h.Snapshots)+1) // by id
	for i := range h.Published {
		m := &h.Published[i]
		metadata[m.ID] = m
		n := h.Snapshots[m.ID-1]
		all = all || !slices.Contains(m.Finished, false)
		overlapping = overlapping || slices.Contains(m.Finished, true) && slices.ContainsFunc(h.Snapshots, func(o *sim.Snapshot) bool {
			return o != n && o.TriggeredAt > n.TriggeredAt && o.TriggeredAt < n.CompletedAt && o.Status == sim.Complete
		})
		for v, finished := range m.Finished {
			if at := finishedAt(h, int32(v), m.Attempt); finished {
				earlier, between = earlier || at < n.TriggeredAt, between || at > n.TriggeredAt
			}
		}
		ordered = ordered || w.orderedInLoop(h, m)
	}
	for k := range h.Restores {
		var m *sim.Metadata
		if from := h.Restores[k].Snapshot; from != nil {
			m = metadata[from.ID]
			restored = restored || slices.Contains(m.Finished, true)
		}
		for v := range w.inputs {
			at := finishedAt(h, int32(v), h.Restores[k].Incarnation-1)
			before = before || at >= 0 && (m == nil || !m.Finished[v])
		}
	}
	s.see("a task that had finished before the trigger", earlier)
	s.see("a task that finished between the trigger and its recording", between)
	s.see("overlapping checkpoints with finished tasks", overlapping)
	s.see("a restore from a checkpoint with finished tasks", restored)
	s.see("a restore from before a task finished", before)
	if slices.Contains(w.cfg.BackEdge, true) {
		s.see("a loop that began a checkpoint as its sources had ended", ordered)
	} else {
		s.see("a checkpoint of which every task had finished", all)
	}
}

// finishedAt is when a task first said that it has finished, in an attempt; -1: never.
func finishedAt(h *sim.History, v int32, attempt uint8) int64 {
	for _, f := range h.Facts {
		if f.Kind == sim.FactReplied && f.Control.Kind == sim.Finished && f.Task == v && f.Control.Attempt == attempt {
			return f.At
		}
	}
	return -1
}

// orderedInLoop says whether a task that has a back-edge, and is no source, was triggered
// for a checkpoint that is complete.
func (w *finishWatch) orderedInLoop(h *sim.History, m *sim.Metadata) bool {
	heads := make([]bool, w.cfg.Graph.Nodes)
	for c, back := range w.cfg.BackEdge {
		heads[w.cfg.Graph.To[c]] = heads[w.cfg.Graph.To[c]] || back
	}
	return slices.ContainsFunc(h.Facts, func(f sim.Fact) bool {
		return f.Kind == sim.FactHeard && f.Control.Kind == sim.Trigger && f.ID == m.ID && !m.Finished[f.Task] &&
			heads[f.Task] && !slices.Contains(w.cfg.Management.Sources, f.Task)
	})
}

// wantAll fails the test over what came up in few runs.
func wantAll(t *testing.T, name string, s *sights) {
	if s == nil {
		t.Fatalf("no run is called %s", name)
	}
	for what, n := range s.count {
		t.Logf("%s: %d of %d runs with %s", name, n, s.runs, what)
		if n < 5 {
			t.Errorf("%s: only %d runs with %s", name, n, what)
		}
	}
}

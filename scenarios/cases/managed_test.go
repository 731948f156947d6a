package cases

import (
	"slices"
	"strings"
	"testing"

	"simrun/algorithms/abs"
	"simrun/algorithms/coordinator"
	"simrun/algorithms/mutants"
	"simrun/invariants"
	"simrun/sim"
)

// task is ABS as tasks of a coordinator.
var task = coordinator.Task(abs.New)

// managedBy has a coordinator take the checkpoints of a world, over control channels
// that take 1 ms each way.
func managedBy(settings coordinator.Settings) func(cfg *sim.Config) {
	settings.Tolerable = 1000
	return func(cfg *sim.Config) {
		cfg.Management = sim.ManagementPlan{
			New: coordinator.New(settings), Sources: cfg.Snapshots.Initiators,
			Delay: sim.Dist{Low: ms}, Read: sim.Dist{Low: ms},
		}
	}
}

// deaf is a task that does not hear some of what the coordinator sends.
type deaf struct {
	sim.Task
	to func(c sim.Control) bool
}

// Told implements sim.Task.
func (d deaf) Told(c sim.Control, out *sim.Out) {
	if !d.to(c) {
		d.Task.Told(c, out)
	}
}

// deafAt makes one node deaf to the trigger of a checkpoint.
func deafAt(v int32, id sim.SnapshotID) sim.NewNode {
	return func(info sim.NodeInfo) sim.Node {
		n := task(info)
		if info.ID != v {
			return n
		}
		return deaf{n.(sim.Task), func(c sim.Control) bool { return c.Kind == sim.Trigger && c.ID == id }}
	}
}

// ticking is records that a node sends itself nothing of: one every so many ms.
func ticking(from, to string, every, until int64) (sends []send) {
	for at := every; at < until; at += every {
		sends = append(sends, send{at: at, from: from, to: to, id: uint64(at)})
	}
	return sends
}

// right demands that nothing is wrong.
func (o *outcome) right() *outcome {
	o.t.Helper()
	if !o.report.Holds() {
		o.t.Errorf("the right one is accused: %v", o.report.Violations)
	}
	return o
}

// cancels is how often the coordinator has told a task to cancel a checkpoint.
func cancels(h *sim.History, task int32, id sim.SnapshotID) (n int) {
	for _, f := range h.Facts {
		if f.Kind == sim.FactTold && f.Control.Kind == sim.Cancel && f.Task == task && f.ID == id {
			n++
		}
	}
	return n
}

// status demands what became of a checkpoint.
func (o *outcome) status(id sim.SnapshotID, want sim.Status) *outcome {
	o.t.Helper()
	if len(o.h.Snapshots) < int(id) {
		o.t.Fatalf("there are %d checkpoints", len(o.h.Snapshots))
	}
	if got := o.h.Snapshots[id-1].Status; got != want {
		o.t.Errorf("checkpoint %d has status %d, want %d", id, got, want)
	}
	return o
}

// ends demands which ids a node has processed at the end, in any order.
func (o *outcome) ends(node string, want ...uint64) *outcome {
	o.t.Helper()
	var k keeper
	if err := k.Load(o.h.Final.States[o.w.node(node)]); err != nil {
		o.t.Fatal(err)
	}
	slices.Sort(k.ids)
	if !slices.Equal(k.ids, want) {
		o.t.Errorf("at the end %s has processed %v, want %v", node, k.ids, want)
	}
	return o
}

// markers watches which barriers come where.
type markers struct{ seen []sim.Event }

// Observe implements sim.Observer.
func (m *markers) Observe(e *sim.Event) {
	if e.Kind == sim.EventMarker || e.Kind == sim.EventMarkerSent {
		m.seen = append(m.seen, *e)
	}
}

// wrongTask and wrongCoordinator are mutants by their names.
func wrongTask(name string) sim.NewNode { return managedMutant(name).New }

func wrongCoordinator(name string, t mutants.Timing) func() sim.Coordinator {
	return func() sim.Coordinator { return managedMutant(name).Coordinator(t) }
}

func managedMutant(name string) mutants.Mutant {
	all := mutants.Managed()
	return all[slices.IndexFunc(all, func(m mutants.Mutant) bool { return m.Name == name })]
}

// managedText is a graph with joins whose sources never fall silent.
const managedText = `
graph: {generate: dataflow, parallelism: 2}
app: {kind: dataflow, records: 400}
network: {delay: {uniform: [1ms, 5ms]}}
store: {write: {uniform: [1ms, 10ms]}}
stop: {at: 400ms}
`

// managedStage is that, with a coordinator and slow control channels that keep no order
// and bring messages twice.
func managedStage(t *testing.T, seed uint64, settings coordinator.Settings) *staged {
	t.Helper()
	s := stage(t, managedText, "abs")
	s.Seed, s.NewNode, s.Snapshots.Every = seed, task, 0
	s.Management = sim.ManagementPlan{
		New: coordinator.New(settings), Sources: s.Snapshots.Initiators,
		Delay: sim.Dist{Kind: sim.Uniform, Low: ms, High: 40 * ms}, Read: sim.Dist{Low: ms},
		Fails: sim.Unreliable{Reorder: true, Duplicate: sim.Failure{PerMillion: 200_000}},
	}
	return s
}

// playRight carries it out and demands that nothing is wrong.
func (s *staged) playRight() *sim.History {
	s.t.Helper()
	run := s.play()
	if report := invariants.Check(run, nil); !report.Holds() {
		s.t.Fatalf("seed %d: %v", s.Seed, report.Violations)
	}
	return run.History
}

// accused demands a violation of an invariant that says this.
func (o *outcome) accused(invariant, text string) *outcome {
	o.t.Helper()
	if !slices.ContainsFunc(o.report.Violations, func(v invariants.Violation) bool {
		return v.Invariant == invariant && strings.Contains(v.Detail, text)
	}) {
		o.t.Errorf("%s does not say %q, but %v", invariant, text, o.report.Violations)
	}
	return o
}

package cases

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"simrun/algorithms/abs"
	"simrun/algorithms/chandylamport"
	"simrun/algorithms/mutants"
	"simrun/invariants"
	"simrun/sim"
	"simrun/topology"
)

// link is a channel and how long its messages take, in ms.
type link struct {
	from, to string
	delay    int64
}

// send is a record from outside at an instant, in ms, which the sender puts on the
// channel to a node. There it is kept, or passed on through as many nodes as hops
// says, each over its first output.
type send struct {
	at       int64
	from, to string
	id       uint64
	hops     int64
}

// world is a run in which everything is decided: what is sent when, and how long it
// takes.
type world struct {
	links      []link
	sends      []send
	snapshots  []int64 // when they are triggered, in ms
	initiators []string
	crash      string // this node, at 50 ms; "": none
	tune       func(cfg *sim.Config)
	promise    invariants.Guarantee
}

const ms = 1_000_000

// nodes is the names in the order in which the links have them.
func (w *world) nodes() (names []string) {
	for _, l := range w.links {
		for _, name := range []string{l.from, l.to} {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

func (w *world) node(name string) int32 { return int32(slices.Index(w.nodes(), name)) }

// channel is the id of the channel between two nodes.
func (w *world) channel(from, to string) int32 {
	return int32(slices.IndexFunc(w.links, func(l link) bool { return l.from == from && l.to == to }))
}

// outcome is a run that is over, and the verdict on it.
type outcome struct {
	t      *testing.T
	w      *world
	h      *sim.History
	report *invariants.Report
}

// run carries the world out. aligned says that the algorithm aligns barriers.
func (w *world) run(t *testing.T, algorithm sim.NewNode, aligned bool) *outcome {
	t.Helper()
	names := w.nodes()
	cfg := &sim.Config{
		Graph: sim.Graph{Nodes: len(names)}, NewNode: algorithm, Rows: true, Stop: sim.Stop{At: 100 * ms}, MaxSteps: 10_000,
		NewApp: func(int32) sim.App { return new(keeper) }, Duplicates: w.promise == invariants.AtLeastOnce,
		NewSource: func(v int32) sim.Source { return w.source(names[v]) },
	}
	graph := topology.Graph{Nodes: names}
	for c, l := range w.links {
		from, to := w.node(l.from), w.node(l.to)
		cfg.Graph.From, cfg.Graph.To = append(cfg.Graph.From, from), append(cfg.Graph.To, to)
		cfg.Delays = append(cfg.Delays, sim.Dist{Kind: sim.Constant, Low: l.delay * ms, High: l.delay * ms})
		cfg.DelayOf = append(cfg.DelayOf, uint8(c))
		graph.Channels = append(graph.Channels, topology.Channel{From: from, To: to, Edge: topology.NoEdge})
	}
	outs := make([]int, len(names))
	for _, from := range cfg.Graph.From {
		outs[from]++
	}
	cfg.NewApp = func(v int32) sim.App { return &keeper{outputs: outs[v]} }
	for _, at := range w.snapshots {
		cfg.Snapshots.At = append(cfg.Snapshots.At, at*ms)
	}
	for _, name := range w.initiators {
		cfg.Snapshots.Initiators = append(cfg.Snapshots.Initiators, w.node(name))
	}
	if back := topology.BackEdges(&graph, cfg.Snapshots.Initiators); aligned && slices.Contains(back, true) {
		cfg.BackEdge = back
	}
	if w.crash != "" {
		cfg.Faults = []sim.Fault{{Nodes: []int32{w.node(w.crash)}, At: 50 * ms, Down: ms}}
	}
	if w.tune != nil {
		w.tune(cfg)
	}
	e, err := sim.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	run := invariants.Of(cfg, e.Run())
	run.Aligned, run.Promise = aligned, w.promise
	run.NodeName = func(v int32) string { return names[v] }
	o := &outcome{t, w, run.History, invariants.Check(run, nil)}
	if w.crash != "" && len(o.h.Restores) != 1 {
		t.Fatalf("%d restores", len(o.h.Restores))
	}
	return o
}

// holds demands that nothing is wrong, and every snapshot complete.
func (o *outcome) holds() *outcome {
	o.t.Helper()
	if !o.report.Holds() {
		o.t.Errorf("the right one is accused: %v", o.report.Violations)
	}
	for _, s := range o.h.Snapshots {
		if s.Status != sim.Complete {
			o.t.Errorf("snapshot %d is not complete", s.ID)
		}
	}
	return o
}

// violates demands a violation of an invariant on the channel between two nodes, by
// these messages.
func (o *outcome) violates(invariant, from, to string, numbers ...uint32) *outcome {
	o.t.Helper()
	for _, v := range o.report.Violations {
		if v.Invariant == invariant && v.Channel == o.w.channel(from, to) && slices.Equal(v.Numbers, numbers) {
			return o
		}
	}
	o.t.Errorf("no violation of %s by messages %v on %s->%s, but %v", invariant, numbers, from, to, o.report.Violations)
	return o
}

// pends demands that a snapshot never completes, for this reason.
func (o *outcome) pends(id sim.SnapshotID, reason string) *outcome {
	o.t.Helper()
	for _, v := range o.report.Violations {
		if v.Invariant == "termination" && v.Snapshot == id && strings.Contains(v.Detail, reason) {
			return o
		}
	}
	o.t.Errorf("snapshot %d is not said to be pending because %q, but %v", id, reason, o.report.Violations)
	return o
}

// recorded demands what a snapshot has as the state of a channel: the ids of its
// messages.
func (o *outcome) recorded(id sim.SnapshotID, from, to string, want ...uint64) *outcome {
	o.t.Helper()
	var got []uint64
	for _, m := range o.h.Snapshots[id-1].Channels[o.w.channel(from, to)] {
		got = append(got, m.Message.Key)
	}
	if !slices.Equal(got, want) {
		o.t.Errorf("snapshot %d has %v on %s->%s, want %v", id, got, from, to, want)
	}
	return o
}

// kept demands which ids a node has processed, in their order, in a snapshot.
func (o *outcome) kept(id sim.SnapshotID, node string, want ...uint64) *outcome {
	o.t.Helper()
	var k keeper
	if err := k.Load(o.h.Snapshots[id-1].States[o.w.node(node)]); err != nil {
		o.t.Fatal(err)
	}
	if !slices.Equal(k.ids, want) {
		o.t.Errorf("in snapshot %d %s has processed %v, want %v", id, node, k.ids, want)
	}
	return o
}

// source is what comes from outside at a node.
func (w *world) source(name string) sim.Source {
	var s script
	for _, x := range w.sends {
		if x.from != name {
			continue
		}
		output := int64(0)
		for _, l := range w.links[:w.channel(x.from, x.to)] {
			if l.from == name {
				output++
			}
		}
		s = append(s, line{x.at * ms, sim.Message{Key: x.id, Value: x.hops, Aux: uint64(output)}})
	}
	return s
}

type line struct {
	at      int64
	message sim.Message
}

// script is a source that is written down.
type script []line

// Record implements sim.Source.
func (s script) Record(k uint64) (m sim.Message, at int64, ok bool) {
	if k >= uint64(len(s)) {
		return m, 0, false
	}
	return s[k].message, s[k].at, true
}

// keeper is an App that keeps the ids of what it gets.
type keeper struct {
	ids     []uint64
	outputs int
}

// Step implements sim.App.
func (a *keeper) Step(in sim.Input, m sim.Message, fx *sim.Effects) {
	switch {
	case in == sim.External:
		fx.Send(int32(m.Aux), m.Key, m.Value, 0)
		return
	case m.Value > 0 && a.outputs > 0:
		fx.Send(0, m.Key, m.Value-1, 0)
	}
	a.ids = append(a.ids, m.Key)
}

// Save implements sim.App.
func (a *keeper) Save(buf []byte) []byte {
	for _, id := range a.ids {
		buf = binary.LittleEndian.AppendUint64(buf, id)
	}
	return buf
}

// Load implements sim.App.
func (a *keeper) Load(state []byte) error {
	if len(state)%8 != 0 {
		return errors.New("keeper: not a state")
	}
	a.ids = nil
	for ; len(state) > 0; state = state[8:] {
		a.ids = append(a.ids, binary.LittleEndian.Uint64(state))
	}
	return nil
}

// wrong is a mutant by its name.
func wrong(name string) sim.NewNode {
	for _, m := range mutants.All() {
		if m.Name == name {
			return m.New
		}
	}
	panic(fmt.Sprintf("cases: no mutant is called %s", name))
}

var (
	cl  sim.NewNode = chandylamport.New
	als sim.NewNode = abs.New
)

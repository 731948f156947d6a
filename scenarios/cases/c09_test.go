package cases

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"simrun/invariants"
	"simrun/scenarios/apps"
	"simrun/sim"
)

// counting is S->A->K: A counts what comes. It crashes twice, once together with K.
const counting = `
graph: {nodes: [S, A, K], channels: [[S, A], [A, K]]}
network: {delay: {uniform: [1ms, 4ms]}}
store: {write: {uniform: [100us, 2ms]}}
snapshots: {every: 10ms}
faults:
  - {crash: [A], at: 27ms, down: 3ms}
  - {crash: [K, A], when: {phase: recorded, snapshot: 4}, down: 2ms}
`

// sums sends numbers on as they are, words sends each with its count so far.
const (
	sums  = "app: {kind: sums, records: 60, every: 1ms}\n"
	words = "app: {kind: wordcount, every: 1ms}\n"
)

// owner is the node that a row is of, -1 for a restore.
func owner(g *sim.Graph, row sim.Row) int32 {
	switch row.Kind() {
	case sim.RowSend:
		return g.From[row.Entity()]
	case sim.RowProcess:
		return g.To[row.Entity()]
	case sim.RowRestore:
		return -1
	}
	return row.Entity()
}

// tooEarly is the first row of a node between its crash and the restore, and how many
// rows others have there; -1 if there is none.
func tooEarly(g *sim.Graph, rows []sim.Row) (first, others int) {
	down := make([]bool, g.Nodes)
	some := false
	for i, row := range rows {
		v := owner(g, row)
		switch {
		case v < 0:
			clear(down)
			some = false
		case row.Kind() == sim.RowCrash:
			down[v], some = true, true
		case down[v]:
			return i, others
		case some:
			others++
		}
	}
	return -1, others
}

// punctual looks at every event of a run: those of an incarnation come after the
// restore that begins it.
type punctual struct {
	t           *testing.T
	incarnation uint8
}

// Observe implements sim.Observer.
func (o *punctual) Observe(ev *sim.Event) {
	if ev.Kind == sim.EventRestore {
		o.incarnation++
	}
	if ev.Incarnation != o.incarnation {
		o.t.Errorf("at %d an event of incarnation %d, in incarnation %d", ev.At, ev.Incarnation, o.incarnation)
	}
}

// TestNothingBeforeTheRestore: no node does anything between its crash and the
// restore, in any run; others do. A history in which one does is found out.
func TestNothingBeforeTheRestore(t *testing.T) {
	for _, algorithm := range []string{"chandy-lamport", "abs"} {
		others := 0
		for seed := range uint64(100) {
			s := stage(t, counting+sums, algorithm)
			s.Seed = seed
			s.Observer = &punctual{t: t}
			run := s.play()
			holds(t, algorithm, run)
			if len(run.History.Restores) != 2 || run.History.Restores[0].Snapshot == nil {
				t.Fatalf("%s, seed %d: %d restores", algorithm, seed, len(run.History.Restores))
			}
			first, n := tooEarly(&s.Graph, run.History.Rows)
			if others += n; first >= 0 {
				t.Fatalf("%s, seed %d: row %d is of a node that is down", algorithm, seed, first)
			}
			hasten(t, s.node("A"), run)
			if first, _ := tooEarly(&s.Graph, run.History.Rows); first != run.History.Restores[0].Row-1 {
				t.Fatalf("%s, seed %d: row %d comes too early", algorithm, seed, first)
			}
			violates(t, algorithm+", hastened", run, "recovery", "A is down, but row")
		}
		if others == 0 {
			t.Errorf("%s: no node did anything while another was down", algorithm)
		}
	}
}

// hasten lets a node process its first message after the first restore just before it.
func hasten(t *testing.T, v int32, run *invariants.Run) {
	t.Helper()
	h := run.History
	restore := h.Restores[0].Row
	early := restore + 1
	for ; early < len(h.Rows); early++ {
		if row := h.Rows[early]; row.Kind() == sim.RowProcess && owner(&run.Graph, row) == v {
			break
		}
	}
	if early == len(h.Rows) || len(h.Restores) > 1 && early > h.Restores[1].Row {
		t.Fatal("nothing is processed after the restore")
	}
	row := h.Rows[early]
	copy(h.Rows[restore+1:early+1], h.Rows[restore:early])
	h.Rows[restore] = row
	h.Restores[0].Row++
	for _, s := range h.Snapshots {
		for v := range s.Recordings {
			if r := &s.Recordings[v]; r.Row >= restore && r.Row < early {
				r.Row++
			}
		}
	}
}

// lateLoader is an App that is put to work while its state is still being loaded: its
// first step after a restore is that of a fresh App, and then it has the state.
type lateLoader struct {
	sim.App
	loading []byte
	hides   bool // asked for its state meanwhile, it gives the one that it will have
}

func (a *lateLoader) Load(state []byte) error {
	a.loading = bytes.Clone(state)
	return nil
}

func (a *lateLoader) Step(in sim.Input, m sim.Message, fx *sim.Effects) {
	a.App.Step(in, m, fx)
	if a.loading != nil {
		if err := a.App.Load(a.loading); err != nil {
			panic(err)
		}
		a.loading = nil
	}
}

func (a *lateLoader) Save(buf []byte) []byte {
	if a.hides && a.loading != nil {
		return append(buf, a.loading...)
	}
	return a.App.Save(buf)
}

// TestLoadRacesStart: a node that begins before its state is there is seen by what the
// restore put in place; if that looks right, by the first message that it sends.
func TestLoadRacesStart(t *testing.T) {
	for _, algorithm := range []string{"chandy-lamport", "abs"} {
		for _, hides := range []bool{false, true} {
			s := stage(t, counting+words, algorithm)
			right := s.NewApp
			s.NewApp = func(v int32) sim.App {
				if v == s.node("A") {
					return &lateLoader{App: right(v), hides: hides}
				}
				return right(v)
			}
			run := s.play()
			run.NewApp = right // it is the start that is wrong, not the computation
			text := "the state of A is not the one in snapshot"
			if hides {
				text = "A->K#1 is not the one that the App of A produces when its run is replayed"
			}
			violates(t, algorithm, run, "recovery", text)
		}
	}
}

// pairer hands on what A sends two by two: until there are two it keeps one. That is
// its own counter, which no App knows of, and which it has to attach to a snapshot.
// The graph is a line, so a marker ends every snapshot at once.
type pairer struct {
	outputs  int
	keeps    bool
	attaches bool
	held     []sim.Send
}

func newPairer(attaches bool) sim.NewNode {
	return func(info sim.NodeInfo) sim.Node {
		return &pairer{outputs: info.Outputs, keeps: info.Inputs > 0 && info.Outputs > 0, attaches: attaches}
	}
}

func (n *pairer) Initiate(id sim.SnapshotID, out *sim.Out) {
	out.SaveState(id)
	if n.attaches && len(n.held) > 0 {
		out.Attach(id, n.Save(nil))
	}
	for output := range n.outputs {
		out.SendMarker(output, id)
	}
	out.Done(id)
}

func (n *pairer) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() == sim.Marker {
		n.Initiate(m.Snapshot(), out)
		return
	}
	n.held = append(n.held, out.Process(in, m)...)
	if !n.keeps || len(n.held) == 2 {
		out.Send(n.held...)
		n.held = nil
	}
}

func (n *pairer) Recover(attached []byte, _ []sim.Logged, _ *sim.Out) {
	if err := n.Load(attached); err != nil {
		panic(err)
	}
}

func (n *pairer) Save(buf []byte) []byte {
	for _, s := range n.held {
		for _, word := range []uint64{s.Key, uint64(s.Value), s.Aux} {
			buf = binary.LittleEndian.AppendUint64(buf, word)
		}
	}
	return buf
}

func (n *pairer) Load(state []byte) error {
	if len(state) != 0 && len(state) != 24 {
		return errors.New("pairer: not a state")
	}
	n.held = nil
	if len(state) == 24 {
		word := func(i int) uint64 { return binary.LittleEndian.Uint64(state[8*i:]) }
		n.held = []sim.Send{{Message: sim.Message{Key: word(0), Value: int64(word(1)), Aux: word(2)}}}
	}
	return nil
}

// TestUnattached: an algorithm that keeps something, and does not attach it, loses it
// at the crash; the snapshot is convicted before that, and with it the restore.
func TestUnattached(t *testing.T) {
	restoredHeld := 0
	for seed := range uint64(50) {
		s := stage(t, counting+sums, "chandy-lamport")
		s.Seed, s.NewNode = seed, newPairer(true)
		right := s.play()
		right.HoldsOutputs = true
		holds(t, "attached", right)
		from := right.History.Restores[0].Snapshot
		if from == nil || from.Attached[s.node("A")] == nil {
			continue
		}
		restoredHeld++
		s.NewNode = newPairer(false)
		wrong := s.play()
		violates(t, "not attached", wrong, "channel-state", "is neither sent inside the cut nor attached")
		sum := func(run *invariants.Run) int64 {
			return state[apps.SumState](s, "K", run.History.Final.States[s.node("K")]).Sum
		}
		if sum(right) != 60*61/2 || sum(wrong) >= sum(right) {
			t.Errorf("seed %d: K ends with %d, and with %d if nothing is attached", seed, sum(right), sum(wrong))
		}
	}
	if restoredHeld == 0 {
		t.Error("nothing was kept at a snapshot that was restored")
	}
}

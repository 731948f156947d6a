package partial

import (
	"slices"
	"testing"

	"simrun/algorithms/abs"
	"simrun/sim"
)

// app counts what it is given.
type app struct{ count int64 }

func (a *app) Step(_ sim.Input, m sim.Message, fx *sim.Effects) {
	a.count++
	fx.Emit(m.Key, a.count, m.Aux)
}
func (a *app) Save(buf []byte) []byte { return append(buf, byte(a.count)) }
func (a *app) Load(state []byte) error {
	a.count = int64(state[0])
	return nil
}

// task is a survivor with two inputs, and what it writes.
type task struct {
	t *testing.T
	*survivor
	out *sim.Out
}

func newTask(t *testing.T) task {
	n := Survivor(abs.New)(sim.NodeInfo{ID: 1, Inputs: 2, Outputs: 1})
	return task{t, n.(*survivor), sim.NewOut(new(app))}
}

// wants compares the kinds of the entries that a handler has written.
func (k task) wants(what string, want ...sim.OpKind) {
	k.t.Helper()
	var got []sim.OpKind
	for _, op := range k.out.Ops() {
		got = append(got, op.Kind)
	}
	if !slices.Equal(got, want) {
		k.t.Errorf("%s: %v, want %v", what, got, want)
	}
	k.out.Reset()
}

func (k task) gets(in sim.Input, ids ...uint64) {
	for _, id := range ids {
		k.Receive(in, sim.Message{Key: 1, Aux: id}, k.out)
	}
}

func (k task) marker(in sim.Input, id sim.SnapshotID) { k.Receive(in, sim.NewMarker(id), k.out) }

const (
	process, emitted, drop, block, unblock, tell = sim.OpProcess, sim.OpEmit, sim.OpDrop, sim.OpBlock, sim.OpUnblock, sim.OpTell
	send, save, done                             = sim.OpSend, sim.OpSaveState, sim.OpDone
)

// TestDropsWhatComesAgain: of an input that is restarted what came since the barrier, as
// often as it came, and nothing of the other.
func TestDropsWhatComesAgain(t *testing.T) {
	k := newTask(t)
	k.gets(0, 1, 2)
	k.gets(1, 1)
	k.out.Reset()
	k.marker(0, 1)
	k.marker(1, 1)
	k.wants("a checkpoint", block, block, send, save, unblock, unblock, done)
	k.gets(0, 3, 4, 3)
	k.gets(1, 9)
	k.out.Reset()
	k.Rejoin(sim.Rejoin{Attempt: 1, From: 1, Last: 1, Restarted: []sim.Input{0}}, k.out)
	k.wants("rejoining")
	k.gets(0, 3, 4)
	k.wants("what comes again", drop, drop)
	k.gets(1, 9)
	k.wants("the input that was not restarted", process, emitted)
	k.gets(0, 3, 3, 2)
	k.wants("as often as it came", drop, process, emitted, process, emitted)
	k.Rejoin(sim.Rejoin{Attempt: 2, From: 1, Last: 1, Restarted: []sim.Input{0}}, k.out)
	k.gets(0, 3, 4, 3, 3, 2, 5)
	k.wants("again, and what has come in between", drop, drop, drop, drop, drop, process, emitted)
}

// TestNotReady: a checkpoint whose barrier comes before everything has come again is
// declined, in the new attempt; the next one is not.
func TestNotReady(t *testing.T) {
	k := newTask(t)
	k.gets(0, 1, 2)
	k.marker(1, 1)
	k.wants("a barrier on one input", process, emitted, process, emitted, block)
	k.Rejoin(sim.Rejoin{Attempt: 3, Last: 2, Restarted: []sim.Input{0}}, k.out)
	k.wants("rejoining", unblock)
	k.marker(1, 2)
	k.wants("a barrier of what is given up")
	k.gets(0, 1)
	k.out.Reset()
	k.marker(0, 3)
	if c := k.out.Ops()[0].Told(); c != (sim.Control{Kind: sim.NotReady, Attempt: 3, ID: 3}) {
		t.Errorf("told %+v", c)
	}
	k.wants("too early", tell)
	k.marker(1, 3)
	k.wants("the other barrier of it")
	k.gets(0, 2)
	k.wants("the rest", drop)
	k.marker(0, 4)
	k.marker(1, 4)
	k.wants("in time", block, block, send, save, unblock, unblock, done)
}

// noticed is an algorithm that waits for notices.
type noticed struct {
	sim.Node
	complete *[]sim.SnapshotID
}

func (n noticed) Complete(id sim.SnapshotID, _ *sim.Out) { *n.complete = append(*n.complete, id) }

// TestNoticeOfTheLastAttempt: that the checkpoint is complete which others are restored
// from a task learns at the latest with the restore.
func TestNoticeOfTheLastAttempt(t *testing.T) {
	var complete []sim.SnapshotID
	k := Survivor(func(info sim.NodeInfo) sim.Node { return noticed{abs.New(info), &complete} })(sim.NodeInfo{Inputs: 1}).(*survivor)
	k.Rejoin(sim.Rejoin{Attempt: 1, From: 4, Last: 6}, sim.NewOut(new(app)))
	k.Rejoin(sim.Rejoin{Attempt: 2}, sim.NewOut(new(app)))
	if !slices.Equal(complete, []sim.SnapshotID{4}) {
		t.Errorf("complete: %v", complete)
	}
}

// TestForgets: what is before the newest checkpoint is not kept, whether the notice comes
// or the next restart says so.
func TestForgets(t *testing.T) {
	k := newTask(t)
	for id := sim.SnapshotID(1); id <= 3; id++ {
		k.gets(0, uint64(id))
		k.gets(1, uint64(id))
		k.marker(0, id)
		k.marker(1, id)
	}
	k.Complete(2, k.out)
	k.Complete(1, k.out) // late
	if n := len(k.inputs[0].epochs); n != 2 {
		t.Errorf("%d epochs", n)
	}
	k.Rejoin(sim.Rejoin{Attempt: 1, From: 3, Last: 3}, k.out)
	if n := len(k.inputs[1].epochs); n != 1 {
		t.Errorf("%d epochs", n)
	}
}

// TestStates: what is saved is loaded, and nothing else is.
func TestStates(t *testing.T) {
	k := newTask(t)
	k.gets(0, 1, 2, 1<<40|7)
	k.marker(0, 1)
	k.Rejoin(sim.Rejoin{Attempt: 200, Last: 1, Restarted: []sim.Input{0, 1}}, k.out)
	state := k.Save(nil)
	again := newTask(t)
	if err := again.Load(state); err != nil || string(again.Save(nil)) != string(state) {
		t.Fatalf("%v: %x, want %x", err, again.Save(nil), state)
	}
	for n := range len(state) {
		if err := newTask(t).Load(state[:n]); err == nil {
			t.Errorf("loaded the first %d bytes of %d", n, len(state))
		}
	}
	if one := Survivor(abs.New)(sim.NodeInfo{ID: 1, Inputs: 1}); one.Load(state) == nil {
		t.Error("a task with one input has loaded the state of one with two")
	}
}

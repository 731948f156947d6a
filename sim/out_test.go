package sim_test

import (
	"testing"

	"simrun/sim"
)

// The recorder runs the App at once and notes everything in order, so that a test
// of a Node can compare the list.
func TestOutRecordsInOrder(t *testing.T) {
	app := &scribe{does: func(_ sim.Input, m sim.Message, fx *sim.Effects) {
		fx.Send(1, m.Key, 0, 0)
		fx.Emit(m.Key, 0, 0)
		fx.SetTimer(4, 10)
	}}
	out := sim.NewOut(app)
	in := sim.Message{Key: 7}
	sends := out.Process(2, in)
	same(t, "the App's sends", sends, []sim.Send{{Message: in, Output: 1}, {Message: in, Output: sim.Sink}})
	out.SaveState(1)
	out.Send(sends...)
	out.SendMarker(3, 1)
	out.Attach(1, []byte("held"))
	out.SaveChannel(1, 2, in)
	out.SaveLog(1, 0, in)
	out.Block(0, 1)
	out.Unblock(1)
	out.Done(1)

	var kinds []sim.OpKind
	for _, op := range out.Ops() {
		kinds = append(kinds, op.Kind)
	}
	ofTimer := kinds[1] // no name for it outside
	same(t, "kinds", kinds, []sim.OpKind{sim.OpProcess, ofTimer, sim.OpSaveState, sim.OpSend, sim.OpEmit, sim.OpSend,
		sim.OpAttach, sim.OpSaveChannel, sim.OpSaveLog, sim.OpBlock, sim.OpUnblock, sim.OpDone})
	ops := out.Ops()
	same(t, "the state at its position", string(out.Saved(ops[2])), "c2:7 ")
	same(t, "the attachment", string(out.Saved(ops[6])), "held")
	same(t, "the marker", ops[5], sim.Op{Kind: sim.OpSend, Channel: 3, Message: sim.NewMarker(1)})
	if ops[5].Message.Kind() != sim.Marker || ops[5].Message.Snapshot() != 1 || ops[3].Message.Kind() != sim.Data {
		t.Errorf("the marker is %+v, the message %+v", ops[5].Message, ops[3].Message)
	}
	same(t, "the log entry", ops[8], sim.Op{Kind: sim.OpSaveLog, Channel: 0, Snapshot: 1, Message: in})

	out.Reset()
	if len(out.Ops()) != 0 {
		t.Errorf("after Reset: %v", out.Ops())
	}
	out.Process(0, in)
	out.SaveState(2)
	same(t, "the state after Reset", string(out.Saved(out.Ops()[len(out.Ops())-1])), "c2:7 c0:7 ")
}

// What one step sends cannot be overwritten by appending to what an earlier one
// sent.
func TestSendsOfTwoSteps(t *testing.T) {
	out := sim.NewOut(&scribe{does: pass})
	first := out.Process(0, sim.Message{Key: 1})
	second := out.Process(0, sim.Message{Key: 2})
	_ = append(first, sim.Send{Message: sim.Message{Key: 99}})
	same(t, "sends of the second step", second, []sim.Send{{Message: sim.Message{Key: 2}}})
}

// Effects are what an App's own test looks at.
func TestEffects(t *testing.T) {
	fx := &sim.Effects{}
	fx.Send(1, 2, 3, 4)
	fx.SetTimer(5, 60)
	fx.SetTimer(5, 0)
	same(t, "sends", fx.Sends(), []sim.Send{{Message: sim.Message{Key: 2, Value: 3, Aux: 4}, Output: 1}})
	var timers [][2]int64
	fx.Timers(func(id uint32, after int64) { timers = append(timers, [2]int64{int64(id), after}) })
	same(t, "timers", timers, [][2]int64{{5, 60}, {5, 1}})
	fx.Reset()
	fx.Timers(func(uint32, int64) { t.Error("a timer is left after Reset") })
	if len(fx.Sends()) > 0 {
		t.Errorf("after Reset: %v", fx.Sends())
	}
}

package twin

import (
	"slices"

	"simrun/sim"
)

// actor is the computation of one node, done again on a fresh App.
type actor struct {
	app      sim.App
	outputs  []int32         // its channels, by id
	produced [][]sim.Message // by output, in order
	emitted  []sim.Message   // likewise, what it let leave the system
	armed    []uint32        // timers, ascending
}

func (j *judge) newActor(v int32) *actor {
	a := &actor{app: j.run.NewApp(v)}
	for ch, from := range j.run.Graph.From {
		if from == v {
			a.outputs = append(a.outputs, int32(ch))
		}
	}
	a.produced = make([][]sim.Message, len(a.outputs))
	return a
}

// step gives the App one input; false if it sends where there is no output.
func (a *actor) step(in sim.Input, m sim.Message) bool {
	var fx sim.Effects
	a.app.Step(in, m, &fx)
	for _, s := range fx.Sends() {
		switch {
		case s.Output == sim.Sink:
			a.emitted = append(a.emitted, s.Message)
		case s.Output < 0 || int(s.Output) >= len(a.outputs):
			return false
		default:
			a.produced[s.Output] = append(a.produced[s.Output], s.Message)
		}
	}
	fx.Timers(func(id uint32, _ int64) {
		if !slices.Contains(a.armed, id) {
			a.armed = append(a.armed, id)
			slices.Sort(a.armed)
		}
	})
	return true
}

// fire takes a timer away; false if it is not armed.
func (a *actor) fire(id uint32) bool {
	i := slices.Index(a.armed, id)
	if i < 0 {
		return false
	}
	a.armed = slices.Delete(a.armed, i, i+1)
	return true
}

// alone does a node's events again, without the other nodes, on a fresh App.
func (j *judge) alone(v int32, events []event) *actor {
	a := j.newActor(v)
	for _, e := range events {
		if e.node != v {
			continue
		}
		switch e.kind {
		case sim.RowTimer:
			a.fire(e.number)
			a.step(e.input, e.message)
		case sim.RowProcess, sim.RowExternal:
			a.step(e.input, e.message)
		}
	}
	return a
}

package audit

import (
	"slices"

	"simrun/sim"
)

// app is an App that is watched.
type app struct {
	sim.App
	w     *Watch
	v     int32
	steps *[]step // where it is noted what it did; nil: nowhere
}

// choosy is a watched App that is Guarded.
type choosy struct {
	app
	inner sim.Guarded
}

// step is one call of App.Step, and what came of it.
type step struct {
	in     sim.Input
	m      sim.Message
	sends  []sim.Send
	timers []timer
}

type timer struct {
	id    uint32
	after int64
}

// app makes the App of a node.
func (w *Watch) app(v int32) sim.App {
	w.enter(theApp, call{kind: making, node: v})
	inner := w.newApp(v)
	w.leave()
	a := app{App: inner, w: w, v: v}
	if w.settings.Again > 0 {
		p := &w.parts[v]
		p.app, p.spare, p.after = inner, nil, nil
		a.steps = &p.steps
	}
	if g, ok := inner.(sim.Guarded); ok {
		return &choosy{a, g}
	}
	return &a
}

// Step implements sim.App. It is called inside a handler.
func (a *app) Step(in sim.Input, m sim.Message, fx *sim.Effects) {
	if a.steps != nil {
		a.within(func() { a.note(in, m, fx) })
		return
	}
	a.w.who = theApp
	a.App.Step(in, m, fx)
	a.w.who = theAlgorithm
}

// within is a call of the App inside a handler.
func (a *app) within(do func()) {
	a.w.who = theApp
	a.w.beats.Add(2)
	do()
	a.w.who = theAlgorithm
	a.w.beats.Add(2)
}

// note is Step, and notes what it did.
func (a *app) note(in sim.Input, m sim.Message, fx *sim.Effects) {
	sends, timers := len(fx.Sends()), len(timersOf(fx))
	a.App.Step(in, m, fx)
	*a.steps = append(*a.steps, step{in, m, slices.Clone(fx.Sends()[sends:]), timersOf(fx)[timers:]})
}

func timersOf(fx *sim.Effects) (list []timer) {
	fx.Timers(func(id uint32, after int64) { list = append(list, timer{id, after}) })
	return list
}

// call is a call of the App, by the engine or inside a handler.
func (a *app) call(c call, do func()) {
	w := a.w
	if w.who != nobody {
		a.within(do)
		return
	}
	c.node = a.v
	w.aside(theApp, c, do)
}

// Save implements sim.App.
func (a *app) Save(buf []byte) (state []byte) {
	a.call(call{kind: saving}, func() { state = a.App.Save(buf) })
	return state
}

// Load implements sim.App.
func (a *app) Load(state []byte) (err error) {
	a.call(call{kind: loading}, func() { err = a.App.Load(state) })
	if err != nil {
		a.w.now = call{kind: loading, node: a.v} // the engine will not go on
	}
	if a.steps != nil {
		a.w.parts[a.v].after = nil
	}
	return err
}

// Accepts implements sim.Guarded.
func (a *choosy) Accepts(in sim.Input) (yes bool) {
	a.call(call{kind: accepting, in: in}, func() { yes = a.inner.Accepts(in) })
	return yes
}

// source is a Source that is watched.
type source struct {
	sim.Source
	w *Watch
	v int32
}

// source makes the Source of a node, or nil.
func (w *Watch) source(newSource func(int32) sim.Source, v int32) sim.Source {
	w.enter(theSource, call{kind: making, node: v})
	inner := newSource(v)
	w.leave()
	if inner == nil {
		return nil
	}
	return &source{inner, w, v}
}

// Record implements sim.Source.
func (s *source) Record(k uint64) (m sim.Message, at int64, ok bool) {
	s.w.aside(theSource, call{kind: reading, node: s.v, number: uint32(k + 1)}, func() {
		m, at, ok = s.Source.Record(k)
		if s.w.settings.Again > 0 {
			s.again(k, m, at, ok)
		}
	})
	return m, at, ok
}

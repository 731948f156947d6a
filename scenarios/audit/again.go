package audit

import (
	"bytes"
	"slices"

	"simrun/sim"
)

// part is what an audit knows of a node.
type part struct {
	info  sim.NodeInfo
	node  sim.Node
	app   sim.App
	steps []step // of the App, in the handler that ran last
	after *state // when that had ended; nil: not known
	spare *replica
}

// state is what a node and its App have saved.
type state struct{ node, app []byte }

// replica is a copy of a node, loaded from what that had saved.
type replica struct {
	node  sim.Node
	app   *app
	out   *sim.Out
	steps []step
}

// handler is the call of a handler, on whatever Node.
type handler func(sim.Node, *sim.Out)

// audit carries a handler out, on the node and then again on copies.
func (w *Watch) audit(v int32, out *sim.Out, do handler) {
	p := &w.parts[v]
	before := w.standing(p)
	p.steps = p.steps[:0]
	do(p.node, out)
	after := w.stateOf(p)
	p.after = after
	w.note(p, out, after)
	w.second = true
	for i := range w.settings.Again {
		if i == 0 || p.spare == nil {
			p.spare = w.replica(p)
		}
		w.load(p, before, i == 0)
		do(p.spare.node, p.spare.out)
		if d := w.compare(p, out, after); d != nil {
			w.accuse(p, before, do, d)
		}
		p.spare.out.Reset()
	}
	w.second = false
}

// standing is the state of a node before a handler, which must be that after the last.
func (w *Watch) standing(p *part) *state {
	if p.after == nil {
		return w.stateOf(p)
	}
	const changed = "is in another state than its last handler left it in, though nobody has called it since: it shares memory with others, or has kept what it was lent"
	if !bytes.Equal(p.node.Save(nil), p.after.node) {
		w.steady(theAlgorithm, p.node.Save, alike)
		panic(w.misdeed(Sharing, theAlgorithm, w.now, changed))
	}
	w.who = theApp
	if !bytes.Equal(p.app.Save(nil), p.after.app) {
		w.steady(theApp, p.app.Save, alike)
		panic(w.misdeed(Sharing, theApp, w.now, changed))
	}
	w.who = theAlgorithm
	return p.after
}

// stateOf is the state of a node.
func (w *Watch) stateOf(p *part) *state {
	s := &state{app: w.saved(theApp, p.app.Save)}
	s.node = w.saved(theAlgorithm, p.node.Save)
	return s
}

// prefix is what stands in a buffer to which a state is appended.
var prefix = []byte("before")

// saved is what somebody saves, seen to be an appendix, the same in every call, and
// nobody's memory.
func (w *Watch) saved(who who, save func([]byte) []byte) []byte {
	w.who = who
	lent := save(append(make([]byte, 0, 64), prefix...))
	if !bytes.HasPrefix(lent, prefix) {
		panic(w.misdeed(Sharing, who, w.now, "does not append its state in Save to what it is given"))
	}
	state := bytes.Clone(lent[len(prefix):])
	overwrite(lent)
	again := save(nil)
	if bytes.Equal(again, state) {
		overwrite(again)
		if bytes.Equal(save(nil), state) {
			w.steady(who, save, w.settings.Again)
			return state
		}
	}
	w.steady(who, save, alike)
	panic(w.misdeed(Sharing, who, w.now, "goes on to use the memory that it has returned from Save: when that is overwritten, its state is another one"))
}

// steady sees that somebody saves the same so many times in a row: before it is said of
// a state that it has changed.
func (w *Watch) steady(who who, save func([]byte) []byte, times int) {
	first := bytes.Clone(save(nil))
	for range times {
		if !bytes.Equal(save(nil), first) {
			panic(w.misdeed(Nondeterministic, who, w.now, "does not save the same bytes twice in a row"))
		}
	}
}

// alike is how often something is done again to see whether it depends on chance.
const alike = 40

func overwrite(b []byte) {
	for i := range b {
		b[i] ^= 0xff
	}
}

// replica is a fresh copy of a node.
func (w *Watch) replica(p *part) *replica {
	r := &replica{node: w.newNode(p.info)}
	r.app = &app{App: w.newApp(p.info.ID), w: w, v: p.info.ID, steps: &r.steps}
	r.out = sim.NewOut(r.app)
	return r
}

// load puts a node's copy into a state. Of a fresh one it is seen that it is that state,
// and stays so when the bytes that were loaded are overwritten.
func (w *Watch) load(p *part, s *state, fresh bool) {
	r := p.spare
	r.steps = r.steps[:0]
	for _, half := range []struct {
		who   who
		load  func([]byte) error
		save  func([]byte) []byte
		state []byte
	}{{theApp, r.app.App.Load, r.app.App.Save, s.app}, {theAlgorithm, r.node.Load, r.node.Save, s.node}} {
		w.who = half.who
		lent := bytes.Clone(half.state)
		if err := half.load(lent); err != nil {
			panic(w.misdeed(Forgetful, half.who, w.now, "cannot load what it has saved: %v", err))
		}
		if !fresh {
			continue
		}
		if !bytes.Equal(half.save(nil), half.state) {
			w.steady(half.who, half.save, alike)
			panic(w.misdeed(Forgetful, half.who, w.now, "has saved a state that it loads as another one"))
		}
		overwrite(lent)
		if !bytes.Equal(half.save(nil), half.state) {
			w.steady(half.who, half.save, alike)
			panic(w.misdeed(Sharing, half.who, w.now, "goes on to use the memory that it was given in Load: when that is overwritten, its state is another one"))
		}
	}
}

// again asks a source for the same record once more.
func (s *source) again(k uint64, m sim.Message, at int64, ok bool) {
	if m2, at2, ok2 := s.Source.Record(k); m2 != m || at2 != at || ok2 != ok {
		panic(s.w.misdeed(Impure, theSource, s.w.asked, "gives another record than before"))
	}
}

// difference is how what a copy did differs from what the node did.
type difference struct {
	who  who
	what string // the rest of a sentence: "asks for this, and another time for that"
}

// compare holds a copy to the node.
func (w *Watch) compare(p *part, out *sim.Out, after *state) *difference {
	r := p.spare
	for i := range min(len(p.steps), len(r.steps)) {
		a, b := &p.steps[i], &r.steps[i]
		if a.in != b.in || a.m != b.m {
			break
		}
		if !slices.Equal(a.sends, b.sends) || !slices.Equal(a.timers, b.timers) {
			return &difference{theApp, "answers with " + a.answer() + ", and another time with " + b.answer()}
		}
	}
	if a, b, differ := differing(out, r.out); differ {
		return &difference{theAlgorithm, "asks for " + a + ", and another time for " + b}
	}
	const ends = "comes to one state, and another time to another one"
	switch {
	case !bytes.Equal(r.app.App.Save(nil), after.app):
		return &difference{theApp, ends}
	case !bytes.Equal(r.node.Save(nil), after.node):
		return &difference{theAlgorithm, ends}
	}
	return nil
}

// accuse finds out where a difference comes from, and ends the run.
func (w *Watch) accuse(p *part, before *state, do handler, d *difference) {
	used := p.spare
	var first string
	for i := range alike {
		p.spare = w.replica(p)
		w.load(p, before, false)
		do(p.spare.node, p.spare.out)
		text := p.spare.signature()
		if i == 0 {
			first = text
		} else if text != first {
			panic(w.misdeed(Nondeterministic, d.who, w.now, "is not deterministic: in the same state it %s", d.what))
		}
	}
	if first != used.signature() { // which was loaded when it had been in other states
		panic(w.misdeed(Forgetful, d.who, w.now, "leaves something of an older state in place in Load: it %s", d.what))
	}
	panic(w.misdeed(Forgetful, d.who, w.now, "leaves something out in Save or Load: it %s, when its state was saved and loaded before", d.what))
}

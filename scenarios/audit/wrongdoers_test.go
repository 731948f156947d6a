package audit_test

import (
	"encoding/binary"
	"errors"
	"sync/atomic"

	"simrun/algorithms/chandylamport"
	"simrun/scenarios"
	"simrun/scenarios/apps"
	"simrun/sim"
)

// This file holds Nodes, Apps and sources that misbehave. Each is right but for one thing:
// what they are made of is Chandy and Lamport's algorithm, and the bank.

// bad is a Node that counts the application messages that it is handed, and does
// something at each.
type bad struct {
	sim.Node
	info  sim.NodeInfo
	seen  uint8
	kept  []sim.Send
	state []byte
	does  deed
	own   trait
}

// deed is what a bad Node does; done says that it lets the App process the input itself.
type deed func(n *bad, in sim.Input, m sim.Message, out *sim.Out) (done bool)

// trait is what else a bad Node does in its own way.
type trait uint8

const (
	forgets   trait = 1 << iota // saves no count
	keepsLoad                   // counts in the memory that Load was given
	lends                       // returns its own memory from Save
)

func (n *bad) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() == sim.Data {
		n.seen++
		n.state[0]++
		if n.does(n, in, m, out) {
			return
		}
	}
	n.Node.Receive(in, m, out)
}

func (n *bad) Save(buf []byte) []byte {
	switch {
	case n.own&lends != 0:
		return n.state
	case n.own&forgets == 0:
		buf = append(buf, n.seen)
	}
	buf = append(buf, n.state[0], uint8(len(n.kept)))
	for i := range n.kept {
		buf = binary.BigEndian.AppendUint64(buf, n.kept[i].Key^uint64(n.kept[i].Value))
	}
	return n.Node.Save(buf)
}

func (n *bad) Load(state []byte) error {
	if n.own&forgets == 0 {
		n.seen, state = state[0], state[1:]
	}
	if n.own&keepsLoad != 0 {
		n.state = state
	} else {
		n.state[0] = state[0]
	}
	n.kept = n.kept[:0]
	rest := state[2:]
	for range state[1] {
		n.kept, rest = append(n.kept, sim.Send{Message: sim.Message{Key: binary.BigEndian.Uint64(rest)}}), rest[8:]
	}
	return n.Node.Load(rest)
}

// made is an algorithm of bad Nodes.
func made(own trait, does deed) sim.NewNode {
	return func(info sim.NodeInfo) sim.Node {
		return &bad{Node: chandylamport.New(info), info: info, state: make([]byte, 1), does: does, own: own}
	}
}

// mapOrder lets the order of a map decide in which order markers leave.
type mapOrder struct{ sim.Node }

func (n *mapOrder) shuffle(from int, out *sim.Out) {
	markers := map[int32]sim.Op{}
	out.Rewrite(from, func(op sim.Op) {
		if op.Kind == sim.OpSend && op.Message.Kind() == sim.Marker {
			markers[op.Channel] = op
		} else {
			out.Again(op)
		}
	})
	for _, op := range markers {
		out.Again(op)
	}
}

func (n *mapOrder) Initiate(id sim.SnapshotID, out *sim.Out) {
	from := len(out.Ops())
	n.Node.Initiate(id, out)
	n.shuffle(from, out)
}

func (n *mapOrder) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	from := len(out.Ops())
	n.Node.Receive(in, m, out)
	if m.Kind() == sim.Marker {
		n.shuffle(from, out)
	}
}

var calls uint64 // of Nodes that use a variable of the process

var released atomic.Bool // those who are stuck need not be any longer

func nothing(*bad, sim.Input, sim.Message, *sim.Out) bool { return false }

// badNodes is the algorithms, by what they do wrong.
func badNodes() map[string]sim.NewNode {
	return map[string]sim.NewNode{
		"map-order": func(info sim.NodeInfo) sim.Node { return &mapOrder{chandylamport.New(info)} },
		"forgets-field": made(forgets, func(n *bad, _ sim.Input, _ sim.Message, out *sim.Out) bool {
			if n.seen%4 == 0 {
				out.Tell(sim.Control{})
			}
			return false
		}),
		"keeps-process": made(0, func(n *bad, in sim.Input, m sim.Message, out *sim.Out) bool {
			n.kept = out.Process(in, m)
			out.Send(n.kept...)
			return true
		}),
		"keeps-load": made(keepsLoad, nothing),
		"lends-save": made(lends, nothing),
		"global": made(0, func(_ *bad, _ sim.Input, _ sim.Message, out *sim.Out) bool {
			calls++
			out.Tell(sim.Control{ID: sim.SnapshotID(calls)})
			return false
		}),
		"panics": made(0, func(n *bad, _ sim.Input, _ sim.Message, _ *sim.Out) bool {
			if n.info.ID == 1 && n.seen == 3 {
				n.state = n.state[:n.seen]
			}
			return false
		}),
		"no-output": made(0, func(n *bad, _ sim.Input, m sim.Message, out *sim.Out) bool {
			if n.info.ID == 1 && n.seen == 3 {
				out.Send(sim.Send{Message: m, Output: 99})
			}
			return false
		}),
		"no-snapshot": made(0, func(n *bad, _ sim.Input, _ sim.Message, out *sim.Out) bool {
			if n.info.ID == 1 && n.seen == 3 {
				out.Block(0, 77)
			}
			return false
		}),
		"endless": made(0, func(n *bad, _ sim.Input, m sim.Message, out *sim.Out) bool {
			for n.info.ID == 1 && n.seen == 3 {
				out.Send(sim.Send{Message: m})
			}
			return false
		}),
		"stuck": made(0, func(n *bad, _ sim.Input, _ sim.Message, _ *sim.Out) bool {
			for n.info.ID == 1 && n.seen == 3 && !released.Load() {
			}
			return false
		}),
	}
}

// badApp is the bank with something wrong at each step.
type badApp struct {
	sim.App
	v     int32
	steps uint8
	state []byte
	does  func(a *badApp, in sim.Input, fx *sim.Effects)
	save  func(a *badApp, buf []byte) []byte
	load  func(a *badApp, state []byte) error
}

func (a *badApp) Step(in sim.Input, m sim.Message, fx *sim.Effects) {
	a.steps++
	a.App.Step(in, m, fx)
	if a.does != nil {
		a.does(a, in, fx)
	}
	if a.state != nil {
		a.state = a.App.Save(a.state[:0])
	}
}

func (a *badApp) Save(buf []byte) []byte {
	if a.save != nil {
		return a.save(a, buf)
	}
	return a.App.Save(append(buf, a.steps))
}

func (a *badApp) Load(state []byte) error {
	switch {
	case a.load != nil:
		return a.load(a, state)
	case a.save != nil:
		return a.App.Load(state)
	}
	a.steps = state[0]
	return a.App.Load(state[1:])
}

var shared uint8 // by all Apps that share memory

// badApps is the Apps, by what they do wrong.
func badApps() map[string]badApp {
	inner := func(a *badApp, buf []byte) []byte { return a.App.Save(buf) }
	return map[string]badApp{
		"app-forgets": {save: inner, does: func(a *badApp, _ sim.Input, fx *sim.Effects) {
			if a.steps%4 == 0 {
				fx.Emit(7, 7, 7)
			}
		}},
		"app-lends": {state: []byte{}, save: func(a *badApp, buf []byte) []byte {
			if len(a.state) > 0 && len(buf) == 0 {
				return a.state
			}
			return a.App.Save(buf)
		}},
		"app-shares": {
			does: func(*badApp, sim.Input, *sim.Effects) { shared++ },
			save: func(a *badApp, buf []byte) []byte { return a.App.Save(append(buf, shared)) },
			load: func(a *badApp, state []byte) error {
				shared = state[0]
				return a.App.Load(state[1:])
			},
		},
		"app-map-order": {does: func(_ *badApp, in sim.Input, fx *sim.Effects) {
			for k := range map[uint64]bool{1: true, 2: true, 3: true, 4: true} {
				fx.Emit(k, 0, 0)
			}
		}},
		"app-saves-map-order": {save: func(a *badApp, buf []byte) []byte {
			for k := range map[uint8]bool{1: true, 2: true, 3: true, 4: true} {
				buf = append(buf, k)
			}
			return a.App.Save(buf)
		}, load: func(a *badApp, state []byte) error { return a.App.Load(state[4:]) }},
		"app-panics": {does: func(a *badApp, _ sim.Input, _ *sim.Effects) {
			if a.v == 1 && a.steps == 4 {
				panic("no such account")
			}
		}},
		"app-no-output": {does: func(a *badApp, _ sim.Input, fx *sim.Effects) {
			if a.v == 1 && a.steps == 4 {
				fx.Send(42, 0, 0, 0)
			}
		}},
		"app-endless": {does: func(a *badApp, _ sim.Input, fx *sim.Effects) {
			for a.v == 1 && a.steps == 4 {
				fx.Emit(1, 1, 1)
			}
		}},
		"app-panics-in-save": {save: func(a *badApp, buf []byte) []byte {
			if a.v == 1 && a.steps >= 4 {
				panic("cannot save")
			}
			return a.App.Save(buf)
		}},
		"app-cannot-load": {load: func(a *badApp, state []byte) error {
			if a.v == 1 {
				return errors.New("not now")
			}
			return a.App.Load(state[1:])
		}},
	}
}

// bankOf is the bank with Apps and sources that are wrapped.
type bankOf struct {
	Transfers int64                              `yaml:"transfers"`
	app       func(sim.App, int32) sim.App       `yaml:"-"`
	source    func(sim.Source, int32) sim.Source `yaml:"-"`
}

func (b *bankOf) Build(env *apps.Env) (*apps.Workload, error) {
	bank := apps.NewBank()
	bank.Transfers = b.Transfers
	w, err := bank.Build(env)
	if err != nil {
		return nil, err
	}
	own := *w
	if b.app != nil {
		own.NewApp = func(seed uint64, v int32) sim.App { return b.app(w.NewApp(seed, v), v) }
	}
	if b.source != nil {
		own.NewSource = func(seed uint64, v int32) sim.Source { return b.source(w.NewSource(seed, v), v) }
	}
	return &own, nil
}

// addApp adds a kind of bank to a catalogue.
func addApp(c *scenarios.Catalogue, name string, like bankOf) {
	like.Transfers = 20
	c.Apps = append(c.Apps, apps.Kind{Name: name, Doc: name, New: func() apps.Builder {
		own := like
		return &own
	}})
}

// wrongdoers is the catalogue with everything of this file.
func wrongdoers() scenarios.Catalogue {
	c := scenarios.Default()
	for name, newNode := range badNodes() {
		c.Algorithms = append(c.Algorithms, scenarios.Algorithm{Name: name, Doc: name, New: newNode})
	}
	for name, like := range badApps() {
		addApp(&c, name, bankOf{app: func(inner sim.App, v int32) sim.App {
			a := like
			a.App, a.v = inner, v
			return &a
		}})
	}
	return c
}

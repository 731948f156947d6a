package explore

import (
	"simrun/sim"
)

// node is what is known of one node of the graph: the parts that it was seen in,
// numbered, and what its steps make of them. A handler is a function of the node's part
// and of what it is handed, so each is run once, on the stage, and looked up afterwards.
type node struct {
	id     int32
	x      *explorer
	inputs []int32          // channels
	index  map[string]int32 // parts by their bytes
	parts  []part
	ports  map[sim.Step]uint16 // of steps that are no delivery
}

// A port is where a step of a node comes in: the number of an input channel, or of a
// timer, the source, the order to initiate or the write of a snapshot.

// part is one state of a node.
type part struct {
	bytes    []byte
	steps    []ownStep
	shut     []bool   // by input
	refuses  []bool   // by input
	handed   []uint32 // by input: items so far
	messages []uint32 // by input: messages among them
	durable  uint64   // bit s-1: its share of snapshot s is
	shares   []int32  // by snapshot, numbered over all nodes
	marks    uint8
	moves    []move // known ones
	forgets  int32  // the part without its shares, -1: not known
}

const (
	strayed uint8 = 1 << iota // see sim.Look
	withheld
)

// ownStep is a step that is no delivery.
type ownStep struct {
	port uint16
	step sim.Step
}

// move is what a step makes of a part.
type move struct {
	port uint16
	item int32 // what is delivered, else 0
	to   int32 // the part afterwards
	puts []put

	writes []sim.Step // that follow at once

	conflicts uint64 // see reduction.conflict
	state     uint8  // whether they are known
}

// put is an item that goes on a channel.
type put struct{ channel, item int32 }

func (x *explorer) newNode(v int32) *node {
	n := &node{id: v, x: x, inputs: x.stage.Inputs(v), index: map[string]int32{}, ports: map[sim.Step]uint16{}}
	n.number(x.stage.Initial(v))
	return n
}

// number is the number of a part.
func (n *node) number(bytes []byte) int32 {
	if i, ok := n.index[string(bytes)]; ok {
		return i
	}
	look := n.x.stage.Look(n.id, bytes)
	p := part{
		bytes: bytes, shut: look.Shut, refuses: look.Refuses, handed: look.Handed, messages: look.Messages,
		durable: look.Durable, forgets: -1,
	}
	for _, s := range look.Steps {
		p.steps = append(p.steps, ownStep{n.port(s), s})
	}
	for _, share := range look.Shares {
		p.shares = append(p.shares, n.x.shares.number(share))
	}
	if look.Strayed {
		p.marks |= strayed
	}
	if look.Withheld {
		p.marks |= withheld
	}
	i := int32(len(n.parts))
	n.parts = append(n.parts, p)
	n.index[string(bytes)] = i
	n.x.parts++
	n.x.partBytes += int64(2*len(bytes)) + partOverhead
	return i
}

// partOverhead is about what a part takes beside its bytes.
const partOverhead = 400

// port is the port of a step that is no delivery.
func (n *node) port(s sim.Step) uint16 {
	if s.Kind == sim.StepInitiate {
		s.Index = 0 // one order after the other
	}
	p, ok := n.ports[s]
	if !ok {
		p = uint16(len(n.inputs) + len(n.ports))
		n.ports[s] = p
	}
	return p
}

// takes says whether an item would be handed over on an input.
func (p *part) takes(input int, item *item) bool {
	return !p.shut[input] && !(p.refuses[input] && !item.marker)
}

// deliver is what the delivery of an item on an input makes of a part.
func (n *node) deliver(from int32, input int, item int32) *move {
	port := uint16(input)
	if m := n.parts[from].known(port, item); m != nil {
		return m
	}
	return n.do(from, port, sim.Step{Kind: sim.StepDeliver, Entity: n.inputs[input]}, item)
}

// own is what a step that is no delivery makes of a part.
func (n *node) own(from int32, s ownStep) *move {
	if m := n.parts[from].known(s.port, 0); m != nil {
		return m
	}
	return n.do(from, s.port, s.step, 0)
}

func (p *part) known(port uint16, item int32) *move {
	if i := p.place(port, item); i >= 0 {
		return &p.moves[i]
	}
	return nil
}

// place is where a move stands among those of a part, -1 if it is not known there.
func (p *part) place(port uint16, item int32) int {
	for i := range p.moves {
		if m := &p.moves[i]; m.item == item && m.port == port {
			return i
		}
	}
	return -1
}

// do lets the stage do a step.
func (n *node) do(from int32, port uint16, s sim.Step, item int32) *move {
	r := n.x.stage.Do(n.id, n.parts[from].bytes, s, n.x.items[item].Item)
	m := move{port: port, item: item, to: n.number(r.Part), writes: r.Writes}
	for _, s := range r.Sent {
		m.puts = append(m.puts, put{s.Channel, n.x.numberItem(s.Item)})
	}
	p := &n.parts[from]
	p.moves = append(p.moves, m)
	n.x.partBytes += moveBytes + int64(8*len(m.puts))
	return &p.moves[len(p.moves)-1]
}

// moveBytes is what a move takes.
const moveBytes = 96

// forgotten is a part without its shares of the snapshots.
func (n *node) forgotten(from int32) int32 {
	if to := n.parts[from].forgets; to >= 0 {
		return to
	}
	to := n.number(n.x.stage.Forget(n.id, n.parts[from].bytes))
	n.parts[from].forgets = to
	return to
}

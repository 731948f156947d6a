package mutants

import (
	"slices"

	"simrun/sim"
)

// stateAtSecondMarker has learnt the rule as: on the first marker pass it on, on a
// later one save the state. What it processes in between and was sent behind the
// first marker is an orphan. A node with one input gets no second marker, and its
// snapshot never completes.
type stateAtSecondMarker struct {
	marking
	passed []passedOn
}

// passedOn is a snapshot whose first marker has come, and no other.
type passedOn struct {
	id    sim.SnapshotID
	first sim.Input
}

func newStateAtSecondMarker(info sim.NodeInfo) sim.Node {
	return node{&stateAtSecondMarker{marking: newMarking(info)}}
}

func (n *stateAtSecondMarker) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() != sim.Marker {
		n.onMessage(in, m, out)
		return
	}
	id := m.Snapshot()
	if n.recorded(id) {
		n.close(in, id, out)
		return
	}
	if n.second(id, out) {
		n.close(in, id, out)
		return
	}
	broadcast(id, n.outputs, out)
	n.passed = append(n.passed, passedOn{id, in})
}

// Initiate records at once, unless the marker was passed on already: the order then
// does what a second marker would.
func (n *stateAtSecondMarker) Initiate(id sim.SnapshotID, out *sim.Out) {
	if !n.second(id, out) {
		n.marking.Initiate(id, out)
	}
}

// second saves the state if the first marker has come and was passed on.
func (n *stateAtSecondMarker) second(id sim.SnapshotID, out *sim.Out) bool {
	at := slices.IndexFunc(n.passed, func(p passedOn) bool { return p.id == id })
	if at < 0 {
		return false
	}
	out.SaveState(id)
	n.begin(id)
	n.close(n.passed[at].first, id, out)
	n.passed = slices.Delete(n.passed, at, at+1)
	return true
}

func (n *stateAtSecondMarker) state(c *codec) {
	n.marking.state(c)
	list(c, &n.passed, passedOnState)
}

func passedOnState(c *codec, p *passedOn) {
	number(c, &p.id)
	number(c, &p.first)
}

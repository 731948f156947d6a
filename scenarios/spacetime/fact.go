package spacetime

import (
	"simrun/scenarios"
	"simrun/sim"
)

// fact takes what a coordinator, its store or a sink did. Control messages are arrows
// between the coordinator's lane and those of the nodes; what is about no node is on the
// coordinator's.
func (b *builder) fact(ev *sim.Event) {
	f := ev.Fact
	if b.Coordinator == None {
		b.Coordinator = int32(len(b.Graph.Nodes))
	}
	kind, did := scenarios.FactWords(f)
	e := Event{Kind: Fact, Incarnation: ev.Incarnation, Node: f.Task, Channel: None, At: ev.At, Number: f.Number, Snapshot: f.ID, Word: did}
	if e.Node < 0 {
		e.Node = b.Coordinator
	}
	var a arrow
	if kind == "control" {
		e.Word = scenarios.ControlWord(&f.Control)
		line := 2 * f.Task
		switch f.Kind {
		case sim.FactTold:
			e.Kind, e.Node = ControlSent, b.Coordinator
		case sim.FactHeard:
			e.Kind = ControlReceived
		case sim.FactReplied:
			e.Kind, line = ControlSent, line+1
		case sim.FactReceived:
			e.Kind, e.Node, line = ControlReceived, b.Coordinator, line+1
		default: // it was lost
			e.Word += " lost"
		}
		if e.Kind != Fact {
			a = arrow{kind: controlArrow, entity: line, number: f.Number}
		}
	}
	b.add(e, a)
}

package mutants

import "simrun/sim"

// recordsByOutput keeps its table of channels under recording by outputs: as if a
// node had a link to everybody from whom it gets something, and only to those. With
// an output too many it waits for a marker from somebody who never sends any; with
// an input too many it does not record that. In any graph but those in which every
// node has as many outputs as inputs, some node has an output too many.
type recordsByOutput struct{ marking }

func newRecordsByOutput(info sim.NodeInfo) sim.Node {
	m := newMarking(info)
	m.inputs = info.Outputs // only the table is made by this
	return node{&recordsByOutput{m}}
}

func (n *recordsByOutput) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	switch {
	case int(in) < n.inputs:
		n.marking.Receive(in, m, out)
	case m.Kind() != sim.Marker:
		forward(in, m, out)
	default:
		n.Initiate(m.Snapshot(), out)
	}
}

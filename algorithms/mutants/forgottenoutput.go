package mutants

import "simrun/sim"

// forgottenOutput puts no marker on its last output. Whoever is there waits for
// it for ever.
type forgottenOutput struct{ marking }

func newForgottenOutput(info sim.NodeInfo) sim.Node {
	m := newMarking(info)
	m.outputs = max(0, m.outputs-1) // only markers are counted by this
	return node{&forgottenOutput{m}}
}

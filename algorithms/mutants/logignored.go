package mutants

import "simrun/sim"

// logIgnored recovers from its state alone. What its backup log holds was sent
// before the cut and is never processed.
type logIgnored struct{ barriers }

func newLogIgnored(info sim.NodeInfo) sim.Node {
	return node{&logIgnored{newBarriers(info)}}
}

func (n *logIgnored) Recover([]byte, []sim.Logged, *sim.Out) {}

package mutants

import "simrun/sim"

// logTwice replays its backup log twice: every record in it is processed once too
// often.
type logTwice struct{ barriers }

func newLogTwice(info sim.NodeInfo) sim.Node {
	return node{&logTwice{newBarriers(info)}}
}

func (n *logTwice) Recover(_ []byte, log []sim.Logged, out *sim.Out) {
	for range 2 {
		n.barriers.Recover(nil, log, out)
	}
}

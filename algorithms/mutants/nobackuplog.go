package mutants

import "simrun/sim"

// noBackupLog copies its state without waiting for the back-edges, as it should,
// but does not log what they bring before their barrier: missing.
type noBackupLog struct{ barriers }

func newNoBackupLog(info sim.NodeInfo) sim.Node {
	return node{&noBackupLog{newBarriers(info)}}
}

func (n *noBackupLog) Receive(i sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() == sim.Marker {
		n.onBarrier(i, m.Snapshot(), out)
		return
	}
	forward(i, m, out)
}

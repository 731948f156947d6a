package mutants

import "simrun/sim"

// skippedRecord takes the offset in a snapshot for that of the last record read, where
// it is that of the next: after a restore a source leaves its first record out. Lost.
type skippedRecord struct {
	attending
	skip bool
}

func newSkippedRecord(info sim.NodeInfo) sim.Node {
	return newTask(&skippedRecord{attending: newAttending(info)})
}

func (n *skippedRecord) Recover(_ []byte, log []sim.Logged, out *sim.Out) {
	n.attending.Recover(nil, log, out)
	n.skip = true
}

func (n *skippedRecord) Receive(i sim.Input, m sim.Message, out *sim.Out) {
	if i == sim.External && n.skip {
		n.skip = false
		return
	}
	n.attending.Receive(i, m, out)
}

func (n *skippedRecord) state(c *codec) {
	n.attending.state(c)
	bit(c, &n.skip)
}

package mutants

import "simrun/sim"

// repeatedRecord takes the offset in a snapshot for that of the next record, where it
// keeps that of the last one read: after a restore a source processes that record a
// second time. A duplicate.
type repeatedRecord struct {
	attending
	last []sim.Message // none, or one
}

func newRepeatedRecord(info sim.NodeInfo) sim.Node {
	return newTask(&repeatedRecord{attending: newAttending(info)})
}

func (n *repeatedRecord) Receive(i sim.Input, m sim.Message, out *sim.Out) {
	if i == sim.External {
		n.last = []sim.Message{m}
	}
	n.attending.Receive(i, m, out)
}

func (n *repeatedRecord) Told(c sim.Control, out *sim.Out) {
	if c.Kind == sim.Trigger && c.Attempt == n.attempt {
		x := codec{}
		list(&x, &n.last, message)
		out.Attach(c.ID, x.data)
	}
	n.attending.Told(c, out)
}

func (n *repeatedRecord) Recover(attached []byte, log []sim.Logged, out *sim.Out) {
	n.attending.Recover(nil, log, out)
	if attached == nil {
		return
	}
	list(&codec{data: attached, loading: true}, &n.last, message)
	for _, m := range n.last {
		forward(sim.External, m, out)
	}
}

func (n *repeatedRecord) state(c *codec) {
	n.attending.state(c)
	list(c, &n.last, message)
}

package mutants

import "simrun/sim"

// survivingMessages lets messages that were in flight survive the restart: a source
// keeps what it has sent last, and sends it again after a restore, because it may not
// have arrived. But the receivers have it in their states, all that came in front of
// the barrier. A duplicate.
type survivingMessages struct {
	attending
	last []sim.Send
}

func newSurvivingMessages(info sim.NodeInfo) sim.Node {
	return newTask(&survivingMessages{attending: newAttending(info)})
}

func (n *survivingMessages) Receive(i sim.Input, m sim.Message, out *sim.Out) {
	if i != sim.External {
		n.attending.Receive(i, m, out)
		return
	}
	sends := out.Process(i, m)
	out.Send(sends...)
	n.last = append([]sim.Send(nil), sends...)
}

func (n *survivingMessages) Told(c sim.Control, out *sim.Out) {
	if c.Kind == sim.Trigger && c.Attempt == n.attempt {
		x := codec{}
		list(&x, &n.last, sent)
		out.Attach(c.ID, x.data)
	}
	n.attending.Told(c, out)
}

func (n *survivingMessages) Recover(attached []byte, log []sim.Logged, out *sim.Out) {
	n.attending.Recover(nil, log, out)
	if attached == nil {
		return
	}
	list(&codec{data: attached, loading: true}, &n.last, sent)
	out.Send(n.last...)
}

func (n *survivingMessages) state(c *codec) {
	n.attending.state(c)
	list(c, &n.last, sent)
}

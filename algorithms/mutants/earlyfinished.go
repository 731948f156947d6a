package mutants

import "simrun/sim"

// earlyFinished says that it has finished when it is told of its second checkpoint, and
// goes on: the metadata says that there is nothing left to do where there is.
type earlyFinished struct {
	finishing
	said bool
}

func newEarlyFinished(info sim.NodeInfo) sim.Node {
	return newFinisher(&earlyFinished{finishing: newFinishing(info)})
}

func (n *earlyFinished) Told(c sim.Control, out *sim.Out) {
	if c.Kind == sim.Trigger && c.Attempt == n.attempt && n.done > 0 && !n.over {
		if !n.said {
			n.said = true
			out.Tell(sim.Control{Kind: sim.Finished, Attempt: n.attempt})
		}
		n.last = append(n.last, c.ID)
	}
	n.finishing.Told(c, out)
}

func (n *earlyFinished) state(c *codec) {
	n.finishing.state(c)
	bit(c, &n.said)
}

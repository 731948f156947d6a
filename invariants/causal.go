package invariants

import "simrun/sim"

// Causal puts rows of a stitched run into an order in which every message is sent before
// it is processed, and each node's rows keep theirs. It is the order in which they stand
// unless some nodes were restarted alone: then what the others had processed is sent once
// more, later. left is those that wait for a message that none of the rows sends.
func Causal(run *Run, rows []int) (order, left []int) {
	c := causal{run: run, sent: make([]uint32, len(run.Graph.From)), waiting: make([][]int, run.Graph.Nodes)}
	for _, i := range rows {
		v := run.nodeAt(run.History.Rows[i])
		if v < 0 || len(c.waiting[v]) == 0 && c.ready(i) {
			c.take(i)
			continue
		}
		c.waiting[v] = append(c.waiting[v], i)
	}
	for _, i := range rows {
		if v := run.nodeAt(run.History.Rows[i]); v >= 0 && len(c.waiting[v]) > 0 && c.waiting[v][0] <= i {
			left = append(left, i)
		}
	}
	return c.order, left
}

// causal is the state of Causal.
type causal struct {
	run     *Run
	order   []int
	sent    []uint32 // by channel: the highest number so far
	waiting [][]int  // by node: rows, the first of which waits for a message
}

// ready says whether a row can come next.
func (c *causal) ready(i int) bool {
	row := c.run.History.Rows[i]
	return row.Kind() != sim.RowProcess || row.Number <= at(c.sent, row.Entity())
}

// take lets a row come next, and after it what has waited for it.
func (c *causal) take(i int) {
	row := c.run.History.Rows[i]
	c.order = append(c.order, i)
	if row.Kind() != sim.RowSend || int(row.Entity()) >= len(c.sent) {
		return
	}
	c.sent[row.Entity()] = row.Number
	v := c.run.Graph.To[row.Entity()]
	for len(c.waiting[v]) > 0 && c.ready(c.waiting[v][0]) {
		next := c.waiting[v][0]
		c.waiting[v] = c.waiting[v][1:]
		c.take(next)
	}
}

// nodeAt is the node whose event or recording a row is; -1 if it is neither.
func (r *Run) nodeAt(row sim.Row) int32 {
	if row.Kind() == sim.RowRecord && int(row.Entity()) < r.Graph.Nodes {
		return row.Entity()
	}
	return r.eventAt(row)
}

package export

import (
	"slices"

	"simrun/scenarios/spacetime"
)

// clocks are the vector clocks (Mattern 1989) of the events of a diagram: an event counts
// one more on its lane, and a receipt knows in addition what the event knew that sent what
// it received. They have entries for the lanes that have events, which may be few of many.
type clocks struct {
	diagram *spacetime.Diagram
	lanes   []int32           // those that have events, ascending: the entries of a clock
	place   map[int32]int     // by lane: its entry
	now     [][]int32         // by entry: the newest clock there
	sent    map[int32][]int32 // by event that sent something that has a receipt
}

func newClocks(d *spacetime.Diagram) *clocks {
	c := &clocks{diagram: d, lanes: used(d), place: map[int32]int{}, sent: map[int32][]int32{}}
	c.now = make([][]int32, len(c.lanes))
	for k, v := range c.lanes {
		c.place[v] = k
		c.now[k] = make([]int32, len(c.lanes))
	}
	return c
}

// tick is the clock of an event. It is called with every event in its turn; the clock is
// valid until the next call.
func (c *clocks) tick(i int32) []int32 {
	e := &c.diagram.Events[i]
	own := c.place[e.Node]
	clock := c.now[own]
	clock[own]++
	switch {
	case e.Peer == spacetime.None:
	case e.Kind.Receives():
		for k, time := range c.sent[e.Peer] {
			clock[k] = max(clock[k], time)
		}
	default:
		c.sent[i] = slices.Clone(clock)
	}
	return clock
}

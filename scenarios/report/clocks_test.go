package report

import (
	"slices"

	"simrun/scenarios/spacetime"
)

// clocks are vector clocks, with an entry for each span of a lane between two restores.
type clocks struct {
	span  []int32 // by event
	clock [][]int32
	place []int32
}

func clocksOf(d *spacetime.Diagram) *clocks {
	c := &clocks{}
	current := make([]int32, d.Lanes())
	spans := int32(d.Lanes())
	for v := range current {
		current[v] = int32(v)
	}
	for i := range d.Events {
		if d.Events[i].Kind == spacetime.Restored {
			spans++
		}
	}
	lengths := make([]int32, spans)
	now := make([][]int32, d.Lanes())
	for v := range now {
		now[v] = make([]int32, spans)
	}
	spans = int32(d.Lanes())
	for i := range d.Events {
		e := &d.Events[i]
		if e.Kind == spacetime.Restored {
			current[e.Node] = spans
			spans++
			fresh := make([]int32, len(lengths))
			for k := range d.Snapshots {
				if d.Snapshots[k].ID == e.Snapshot {
					for _, r := range d.Snapshots[k].Cut {
						if r != spacetime.None {
							join(fresh, c.clock[r])
						}
					}
				}
			}
			now[e.Node] = fresh
		}
		if e.Kind.Receives() && e.Peer != spacetime.None {
			join(now[e.Node], c.clock[e.Peer])
		}
		s := current[e.Node]
		lengths[s]++
		now[e.Node][s] = lengths[s]
		c.span, c.place = append(c.span, s), append(c.place, lengths[s])
		c.clock = append(c.clock, slices.Clone(now[e.Node]))
	}
	return c
}

func join(a, b []int32) {
	for i := range a {
		a[i] = max(a[i], b[i])
	}
}

func (c *clocks) before(a, b int32) bool { return a != b && c.clock[b][c.span[a]] >= c.place[a] }

// pair compares the order of two events with their clocks, and looks whether a path leads.
func (a *agreement) pair(c *clocks, x, y int32, order string, path []int32) {
	want := "concurrent"
	switch {
	case x == y:
		want = "same"
	case c.before(x, y):
		want = "before"
	case c.before(y, x):
		want = "after"
	}
	if order != want {
		a.wrong("event %d is %s %d, should be %s", x, order, y, want)
		return
	}
	if want == "concurrent" {
		a.seen.concurrent++
		return
	}
	if want == "same" {
		return
	}
	a.seen.before++
	if path[0] != x || path[len(path)-1] != y {
		a.wrong("path from %d to %d is %v", x, y, path)
	}
	if want == "after" {
		slices.Reverse(path)
	}
	for k := 1; k < len(path); k++ {
		from, to := path[k-1], path[k]
		e := &a.d.Events[to]
		restored := e.Kind == spacetime.Restored && a.d.Events[from].Kind == spacetime.Record && a.d.Events[from].Snapshot == e.Snapshot
		if restored {
			a.seen.acrossRestore++
		}
		if c.span[from] != c.span[to] && e.Peer != from && !restored || !c.before(from, to) {
			a.wrong("path %v: nothing leads from %d to %d: %+v; %+v, %v", path, from, to, a.d.Events[from], e, c.before(from, to))
		}
	}
}

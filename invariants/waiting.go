package invariants

import (
	"fmt"
	"slices"
	"strings"

	"simrun/sim"
)

// waiting is the wait-for graph of one pending snapshot: who waits for whose marker
// on which channel. A node with nothing to wait for, or that waits for what can
// never come, is a cause; where there is none, the nodes wait in a circle.
type waiting struct {
	c     *Checker
	s     *sim.Snapshot
	ins   [][]int32 // by node: the channels on which it waits for a marker
	cause []string  // by node: why it will wait for ever; "" if it waits for others
	next  []int32   // by node: on the shortest way to a cause, the channel waited on; -1

	aligning []bool // by node: it keeps an input blocked until it has recorded
}

// because words why a pending snapshot is pending: the chain of nodes that wait, up
// to the one that is the cause, or the circle. Causes come first: a node of
// Chandy and Lamport's waits for any marker, so that a circle of such nodes may have
// a cause outside.
func (c *Checker) because(s *sim.Snapshot) string {
	w := &waiting{c: c, s: s}
	w.build()
	v := w.seek()
	switch {
	case v >= 0:
		return w.chain(v)
	case slices.ContainsFunc(w.ins, func(ins []int32) bool { return len(ins) > 0 }):
		return w.circle()
	}
	return ""
}

// markerName is what the run's algorithm calls its markers.
func (c *Checker) markerName() string {
	if c.run.Aligned {
		return "barrier"
	}
	return "marker"
}

func (w *waiting) build() {
	g := &w.c.run.Graph
	w.ins, w.cause, w.next = make([][]int32, g.Nodes), make([]string, g.Nodes), make([]int32, g.Nodes)
	heard := make([]int, g.Nodes) // markers received on channels that are waited for first
	lacks := make([]int, g.Nodes) // those that are missing there
	ended := make([]int, g.Nodes) // inputs that bring no marker any more
	w.aligning = make([]bool, g.Nodes)
	for ch, to := range g.To {
		switch ch := int32(ch); {
		case at(w.s.Marked, ch):
			heard[to]++
			w.aligning[to] = w.aligning[to] || at(w.c.h.Final.Blocked, ch) == w.s.ID
		case w.c.hasEnded(ch):
			ended[to]++
		default:
			w.ins[to] = append(w.ins[to], ch)
			if !w.c.run.backEdge(ch) {
				lacks[to]++
			}
		}
	}
	for v := range int32(g.Nodes) {
		w.cause[v] = w.ends(v, heard[v], lacks[v])
		if ended[v] > 0 {
			w.endedAt(v, heard[v])
		}
		if w.done(v) {
			w.ins[v] = nil
		}
	}
}

// endedAt is ends for a node some of whose inputs have ended, if it waits for no other.
func (w *waiting) endedAt(v int32, heard int) {
	switch name := w.c.run.node(v); {
	case len(w.ins[v]) > 0 || at(w.s.Recordings, v).Seq != 0:
	case heard == 0:
		w.cause[v] = "every input of " + name + " has ended, and it never recorded"
	default:
		w.cause[v] = name + " has every " + w.c.markerName() + " that still comes, as other inputs have ended, and never recorded"
	}
}

// ends is why a node waits for ever, if that is not for others. heard is how many
// markers it has received, lacks how many it has not, back-edges left out.
func (w *waiting) ends(v int32, heard, lacks int) string {
	c, marker := w.c, w.c.markerName()
	recorded := at(w.s.Recordings, v).Seq != 0
	done := w.done(v)
	initiator := slices.Contains(w.s.Initiators, v)
	name := c.run.node(v)
	switch {
	case done && at(w.s.Durable, v):
		return ""
	case slices.Contains(c.h.Final.Down, v):
		return name + " is down"
	case done:
		return "the part of " + name + " was never written"
	case recorded && len(w.ins[v]) == 0:
		return name + " has every " + marker + " and never ended its part"
	case recorded:
		return w.lost(v)
	case heard == 0 && initiator && (lacks == 0 || !c.run.Aligned):
		return name + " was ordered to initiate and never recorded"
	case heard == 0 && len(w.ins[v]) == 0:
		return name + " has no input and is no initiator, so nothing ever tells it to record"
	case len(w.ins[v]) == 0:
		return name + " has every " + marker + " and never recorded"
	case heard > 0 && !c.run.Aligned && !w.aligning[v]:
		return name + " has received a " + marker + " and never recorded"
	case heard > 0 && lacks == 0 && !w.aligning[v]:
		return name + " has the " + marker + " on every input that is no back-edge, and never recorded"
	}
	if !w.aligning[v] { // back-edges are not waited for
		w.ins[v] = slices.DeleteFunc(w.ins[v], c.run.backEdge)
	}
	return w.lost(v)
}

// done says whether a node has ended its part.
func (w *waiting) done(v int32) bool { return int(v) < len(w.s.DoneAt) && w.s.DoneAt[v] >= 0 }

// lost finds a marker that v waits for and that will never come: its sender has
// recorded, and it is not in the channel; or the channel is blocked for another
// snapshot.
func (w *waiting) lost(v int32) string {
	c, f := w.c, &w.c.h.Final
	for _, ch := range w.ins[v] {
		from := c.run.Graph.From[ch]
		what := fmt.Sprintf("%s waits for its %s on %s", c.run.node(v), c.markerName(), c.run.channel(ch))
		switch blocker := at(f.Blocked, ch); {
		case blocker != 0 && at(f.Markers, ch) > 0:
			return fmt.Sprintf("%s, which it keeps blocked until snapshot %d is done", what, blocker)
		case slices.Contains(f.Refused, ch) && at(f.Markers, ch) > 0:
			return what + ", where it stands behind a message that its App does not accept"
		case slices.Contains(w.s.LostOn, ch):
			return what + ", and the channel has lost it"
		case at(w.s.Recordings, from).Seq != 0 && at(f.Markers, ch) == 0:
			return fmt.Sprintf("%s; %s has recorded, and has never sent it, or it was lost on the way", what, w.itself(from, v))
		}
	}
	return ""
}

// seek finds, for every node, the shortest way to a cause, and returns the lowest
// node that waits for one, or else the lowest cause; -1 if there is none.
func (w *waiting) seek() int32 {
	const unknown = -2
	waits := make([][]int32, len(w.ins)) // by node: the channels on which others wait for it
	var queue []int32
	for v := range w.ins {
		for _, ch := range w.ins[v] {
			from := w.c.run.Graph.From[ch]
			waits[from] = append(waits[from], ch)
		}
		w.next[v] = unknown
		if w.cause[v] != "" {
			w.next[v] = -1
			queue = append(queue, int32(v))
		}
	}
	for i := 0; i < len(queue); i++ {
		for _, ch := range waits[queue[i]] {
			if v := w.c.run.Graph.To[ch]; w.next[v] == unknown {
				w.next[v] = ch
				queue = append(queue, v)
			}
		}
	}
	if v := slices.IndexFunc(w.next, func(ch int32) bool { return ch >= 0 }); v >= 0 {
		return int32(v)
	}
	return int32(slices.Index(w.next, -1))
}

// chainMax is how many links of a chain or a circle are told.
const chainMax = 8

// chain words the way from v to a cause.
func (w *waiting) chain(v int32) string {
	var links []int32
	for ; w.next[v] >= 0; v = w.c.run.Graph.From[w.next[v]] {
		links = append(links, w.next[v])
	}
	text := "the cause: "
	if len(links) > 0 {
		text += w.links(links) + ", and "
	}
	return text + w.cause[v]
}

// circle words a shortest circle through the lowest node of one. No node is a cause,
// so each that is not done waits for another, and following them leads into one.
func (w *waiting) circle() string {
	g := &w.c.run.Graph
	v := int32(slices.IndexFunc(w.ins, func(ins []int32) bool { return len(ins) > 0 }))
	for seen := make([]bool, g.Nodes); !seen[v]; v = g.From[w.ins[v][0]] {
		seen[v] = true
		if len(w.ins[g.From[w.ins[v][0]]]) == 0 {
			return "" // a node that is done: the history is damaged
		}
	}
	lowest := v
	for u := g.From[w.ins[v][0]]; u != v; u = g.From[w.ins[u][0]] {
		lowest = min(lowest, u)
	}
	links := w.shortest(lowest)
	text := "waiting in a circle: " + w.links(links)
	if len(links) > 1 {
		text += ", and so on round"
	}
	return text
}

// shortest is the channels of a shortest circle from a node to itself.
func (w *waiting) shortest(home int32) (links []int32) {
	g := &w.c.run.Graph
	by := make([]int32, g.Nodes) // the channel on which somebody waits for it
	for v := range by {
		by[v] = -1
	}
	queue := []int32{home}
	for i := 0; by[home] < 0; i++ {
		for _, ch := range w.ins[queue[i]] {
			if u := g.From[ch]; by[u] < 0 {
				by[u] = ch
				queue = append(queue, u)
			}
		}
	}
	for v := home; len(links) == 0 || v != home; v = g.To[by[v]] {
		links = append(links, by[v])
	}
	slices.Reverse(links)
	return links
}

// links words who waits for whom along channels.
func (w *waiting) links(channels []int32) string {
	g := &w.c.run.Graph
	var parts []string
	for _, ch := range channels[:min(len(channels), chainMax)] {
		to, from := g.To[ch], g.From[ch]
		parts = append(parts, fmt.Sprintf("%s waits for the %s of snapshot %d on %s, which %s sends only when it has %s",
			w.c.run.node(to), w.c.markerName(), w.s.ID, w.c.run.channel(ch), w.itself(from, to), w.before(from)))
	}
	if more := len(channels) - chainMax; more > 0 {
		parts = append(parts, counted(more, "more link"))
	}
	return strings.Join(parts, "; ")
}

// before is what a node does before it sends its markers on.
func (w *waiting) before(v int32) string {
	if w.aligning[v] {
		return "it on all other inputs"
	}
	return "recorded"
}

// itself names a node, and says if it is the one that was just spoken of.
func (w *waiting) itself(v, spokenOf int32) string {
	if v == spokenOf {
		return w.c.run.node(v) + " itself"
	}
	return w.c.run.node(v)
}

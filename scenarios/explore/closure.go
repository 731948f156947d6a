package explore

import "context"

// reduction decides which of the steps that are enabled in a state must be taken from it.
//
// It begins with what every node could do if any item that some node ever puts on a
// channel could come at its place there: more than happens, and it is known before the
// search begins, node by node. From this follows, for a part of a node and a step, with
// which later steps of the node it does not commute (conflicts), and on which channels the
// node may still put something (puts).
type reduction struct {
	x    *explorer
	weak bool         // nothing is known beforehand
	at   [][][]int32  // items by channel and position
	puts [][]channels // by node and part

	// Of the state that is being left.
	enabled    []uint64 // by node: ports
	ports      []uint64 // by node: those whose steps are taken
	whole      []bool   // by node: all its steps are
	agenda     []int32  // nodes that became whole
	best, some []int
}

// channels is a set of channels, and whether it is known.
type channels struct {
	set   uint64
	state uint8 // unknown, pending or known
}

const (
	unknown uint8 = iota
	pending
	known
)

// mostParts is how many parts of nodes the preparation may find at most; beyond it the
// reduction is a weak one.
const mostParts = 250_000

// newReduction prepares the reduction; nil if the nodes have too many parts. The weak one
// needs no preparation: any two steps of a node conflict, and any node that can still be
// given something may put something on each of its channels.
func (x *explorer) newReduction(ctx context.Context) *reduction {
	n := len(x.nodes)
	r := &reduction{x: x, weak: x.options.weak, at: make([][][]int32, len(x.cfg.Graph.From)),
		puts: make([][]channels, n), enabled: make([]uint64, n), ports: make([]uint64, n), whole: make([]bool, n)}
	if r.weak {
		return r
	}
	if len(x.cfg.Graph.From) > 64 || !r.close(ctx) {
		return nil
	}
	for v := range x.nodes {
		if len(x.nodes[v].inputs)+len(x.nodes[v].ports) > 64 {
			return nil
		}
		r.puts[v] = make([]channels, len(x.nodes[v].parts))
	}
	return r
}

// close finds the parts of all nodes and the items of all channels, each from the others,
// until there is nothing new.
func (r *reduction) close(ctx context.Context) bool {
	for changed := true; changed; {
		changed = false
		for _, n := range r.x.nodes {
			parts := len(n.parts)
			for i := 0; i < len(n.parts); i++ {
				if r.follow(n, int32(i)) {
					changed = true
				}
				if r.x.parts > r.x.options.mostParts || i&1023 == 0 && (ctx.Err() != nil || r.x.late()) {
					return false
				}
			}
			changed = changed || len(n.parts) > parts
		}
	}
	return true
}

// follow lets a node do, from one of its parts, all that it could, and says whether that
// puts something on a channel that was not seen there.
func (r *reduction) follow(n *node, from int32) (news bool) {
	if r.x.all != 0 && n.parts[from].durable == r.x.all {
		n.forgotten(from)
	}
	for i := range n.parts[from].steps {
		news = r.note(n.own(from, n.parts[from].steps[i])) || news
	}
	for i, c := range n.inputs {
		place := int(n.parts[from].handed[i])
		if place >= len(r.at[c]) {
			continue
		}
		for k := 0; k < len(r.at[c][place]); k++ {
			item := r.at[c][place][k]
			it := &r.x.items[item]
			if it.Messages == n.parts[from].messages[i] && n.parts[from].takes(i, it) {
				news = r.note(n.deliver(from, i, item)) || news
			}
		}
	}
	return news
}

// note keeps what a move puts on channels.
func (r *reduction) note(m *move) (news bool) {
	for _, p := range m.puts {
		place := int(r.x.items[p.item].Position)
		for len(r.at[p.channel]) <= place {
			r.at[p.channel] = append(r.at[p.channel], nil)
		}
		seen := false
		for _, item := range r.at[p.channel][place] {
			seen = seen || item == p.item
		}
		if !seen {
			r.at[p.channel][place] = append(r.at[p.channel][place], p.item)
			news = true
		}
	}
	return news
}

// mayPut is the channels on which a node may put something, now or later.
func (r *reduction) mayPut(v, from int32) uint64 {
	its := &r.puts[v][from]
	switch its.state {
	case known:
		return its.set
	case pending:
		return ^uint64(0) // round a cycle: no better is known
	}
	its.state = pending
	set := uint64(0)
	for i := range r.x.nodes[v].parts[from].moves {
		m := &r.x.nodes[v].parts[from].moves[i]
		for _, p := range m.puts {
			set |= 1 << p.channel
		}
		set |= r.mayPut(v, m.to)
	}
	*its = channels{set, known}
	return set
}

// conflict is the ports of a node at which something may happen, now or later and before
// the move, that does not commute with the move: what both make of the node, or what they
// put on a channel, depends on their order, or one makes the other impossible.
func (r *reduction) conflict(n *node, from int32, k int) uint64 {
	m := &n.parts[from].moves[k]
	switch m.state {
	case known:
		return m.conflicts
	case pending:
		return ^uint64(0)
	}
	m.state = pending
	set := uint64(0)
	for j := range n.parts[from].moves {
		other := &n.parts[from].moves[j]
		if other.port == m.port {
			continue
		}
		later := n.parts[other.to].place(m.port, m.item)
		if later < 0 || !commute(n, m, other, later) {
			set |= 1 << other.port
		}
		if later >= 0 {
			set |= r.conflict(n, other.to, later)
		}
	}
	m.conflicts, m.state = set, known
	return set
}

// commute says whether two moves of a part lead to the same in both orders. Later is where
// the first stands after the second.
func commute(n *node, a, b *move, later int) bool {
	k := n.parts[a.to].place(b.port, b.item)
	if k < 0 {
		return false
	}
	afterB, afterA := &n.parts[b.to].moves[later], &n.parts[a.to].moves[k]
	return afterB.to == afterA.to && sameItems(a.puts, afterA.puts, b.puts, afterB.puts)
}

// sameItems says whether a then b puts the same on every channel as c then d does.
func sameItems(a, b, c, d []put) bool {
	if len(a)+len(b) != len(c)+len(d) {
		return false
	}
	// As many on each channel, in the same order: the k-th on a channel is the same.
	return follows(a, b, c, d) && follows(c, d, a, b)
}

// follows says whether each channel's items in a, b are found in c, d in that order.
func follows(a, b, c, d []put) bool {
	for i := range len(a) + len(b) {
		p, rank := pick(a, b, i), 0
		for j := range i {
			if pick(a, b, j).channel == p.channel {
				rank++
			}
		}
		found := false
		for j := range len(c) + len(d) {
			if q := pick(c, d, j); q.channel == p.channel {
				if rank == 0 {
					found = q.item == p.item
					break
				}
				rank--
			}
		}
		if !found {
			return false
		}
	}
	return true
}

// pick is entry i of a followed by b.
func pick(a, b []put, i int) put {
	if i < len(a) {
		return a[i]
	}
	return b[i-len(a)]
}

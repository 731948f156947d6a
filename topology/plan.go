package topology

import "math"

// plan is a graph of operators: what a job plan says and what the dataflow
// generator draws. expand turns it into a graph of their subtasks.
type plan struct {
	name      string
	operators []operator
	edges     []planEdge
}

type operator struct {
	name        string
	parallelism int
}

// planEdge connects operators, by index.
type planEdge struct {
	from, to int
	strategy Strategy
}

// size is the number of subtasks and of channels.
func (p *plan) size() (nodes, channels int64) {
	for _, op := range p.operators {
		nodes += int64(op.parallelism)
	}
	for _, e := range p.edges {
		channels += channelsOf(e.strategy, p.operators[e.from].parallelism, p.operators[e.to].parallelism)
	}
	return nodes, channels
}

// channelsOf is how many channels an edge between so many subtasks has.
func channelsOf(s Strategy, from, to int) int64 {
	if s == Forward || s == Rescale {
		return int64(max(from, to))
	}
	return product(from, to)
}

// expand makes subtask i of an operator the node "operator-i". Nodes are in the
// order of the operators, channels in the order of the edges, of their senders,
// of their receivers. The caller has checked the size.
func (p *plan) expand() *Graph {
	nodes, channels := p.size()
	g := &Graph{
		Name:     p.name,
		Nodes:    make([]string, 0, nodes),
		Channels: make([]Channel, 0, channels),
		Edges:    make([]Edge, 0, len(p.edges)),
	}
	first := make([]int32, len(p.operators))
	for i, op := range p.operators {
		first[i] = int32(len(g.Nodes))
		g.Nodes = append(g.Nodes, numbered(op.name+"-", op.parallelism)...)
	}
	for i, e := range p.edges {
		from, to := p.operators[e.from], p.operators[e.to]
		g.Edges = append(g.Edges, Edge{from.name, to.name, e.strategy})
		for f := range from.parallelism {
			low, high := receivers(e.strategy, f, from.parallelism, to.parallelism)
			for t := low; t < high; t++ {
				g.Channels = append(g.Channels, Channel{first[e.from] + int32(f), first[e.to] + int32(t), int32(i)})
			}
		}
	}
	return g
}

// receivers is the range of subtasks, of q, that subtask i of p sends to.
// Rescale is blockwise: with fewer senders every receiver t belongs to sender
// t*p/q, with fewer receivers every sender i to receiver t of the block
// [t*p/q, (t+1)*p/q) that it lies in.
func receivers(s Strategy, i, p, q int) (low, high int) {
	switch {
	case s == Forward:
		return i, i + 1
	case s != Rescale:
		return 0, q
	case p < q:
		return ceilDiv(i, q, p), ceilDiv(i+1, q, p)
	default:
		t := int(((int64(i)+1)*int64(q) - 1) / int64(p))
		return t, t + 1
	}
}

// ceilDiv is a*b/c, rounded up.
func ceilDiv(a, b, c int) int {
	return int((int64(a)*int64(b) + int64(c) - 1) / int64(c))
}

// product multiplies sizes, which are not negative; what is too large for an
// int64 becomes its maximum.
func product(factors ...int) int64 {
	p := int64(1)
	for _, f := range factors {
		if f != 0 && p > math.MaxInt64/int64(f) {
			return math.MaxInt64
		}
		p *= int64(f)
	}
	return p
}

package topology

import (
	"strconv"
	"unicode"
)

// Builder makes a Graph node by node and channel by channel, and edge by edge if it has a
// plan. Its errors carry no position: the caller knows where the names come from.
type Builder struct {
	graph Graph
	ids   map[string]int32
}

// NewBuilder begins a graph with this name.
func NewBuilder(name string) *Builder {
	return &Builder{graph: Graph{Name: name}, ids: make(map[string]int32)}
}

// maxNameBytes is how long a node's name may be.
const maxNameBytes = 256

// AddNode adds a node; its name must be new.
func (b *Builder) AddNode(name string) error {
	if err := b.add(name); err != nil {
		return err
	}
	return nil
}

func (b *Builder) add(name string) *Error {
	if _, ok := b.ids[name]; ok {
		return errorf("node %q is declared twice; every node needs a name of its own", short(name))
	}
	_, err := b.node(name)
	return err
}

// AddChannel adds a channel between two nodes that were added before.
func (b *Builder) AddChannel(from, to string) error {
	f, ok := b.ids[from]
	if !ok {
		return b.unknown(from)
	}
	t, ok := b.ids[to]
	if !ok {
		return b.unknown(to)
	}
	if err := b.channel(f, t); err != nil {
		return err
	}
	return nil
}

// AddEdge adds an edge of a plan, to which these channels belong, which were added before
// and belong to no other. to is the operator that they lead to: the edges into one operator
// send equal keys to the same of its subtasks.
func (b *Builder) AddEdge(from, to string, strategy Strategy, channels []int32) error {
	edge := int32(len(b.graph.Edges))
	for _, c := range channels {
		if c < 0 || int(c) >= len(b.graph.Channels) {
			return errorf("an edge of the unknown channel %d; there are %d, from 0 on", c, len(b.graph.Channels))
		}
		if b.graph.Channels[c].Edge != NoEdge {
			return errorf("channel %d belongs to two edges; it can belong to one", c)
		}
		b.graph.Channels[c].Edge = edge
	}
	b.graph.Edges = append(b.graph.Edges, Edge{from, to, strategy})
	return nil
}

// Graph is what was built. The Builder must not be used afterwards.
func (b *Builder) Graph() (*Graph, error) {
	if len(b.graph.Nodes) == 0 {
		return nil, errorf("the graph has no node; it needs at least one")
	}
	return &b.graph, nil
}

// node is the id of a node, which is added if it is new.
func (b *Builder) node(name string) (int32, *Error) {
	if v, ok := b.ids[name]; ok {
		return v, nil
	}
	if err := checkName(name); err != nil {
		return 0, err
	}
	if err := b.room(1); err != nil {
		return 0, err
	}
	v := int32(len(b.graph.Nodes))
	b.graph.Nodes = append(b.graph.Nodes, name)
	b.ids[name] = v
	return v, nil
}

func (b *Builder) channel(from, to int32) *Error {
	if err := b.room(1); err != nil {
		return err
	}
	b.graph.Channels = append(b.graph.Channels, Channel{from, to, NoEdge})
	return nil
}

// room says whether so many more nodes or channels fit.
func (b *Builder) room(more int64) *Error {
	if tooLarge(int64(len(b.graph.Nodes))+more, int64(len(b.graph.Channels))) {
		return errorf("more than %d nodes and channels together", MaxSize)
	}
	return nil
}

func (b *Builder) unknown(name string) *Error {
	if len(b.graph.Nodes) == 0 {
		return errorf("a channel to the unknown node %q; no node is declared", short(name))
	}
	known := b.graph.Nodes[:min(len(b.graph.Nodes), listed)]
	return errorf("a channel to the unknown node %q; the nodes are %s", short(name), enumerate(known, len(b.graph.Nodes)))
}

// checkName refuses names that a report could not print.
func checkName(name string) *Error {
	if name == "" {
		return errorf("a node without a name; a name has at least one character")
	}
	if len(name) > maxNameBytes {
		return errorf("a node's name of %d bytes, beginning %s; a name may have %d", len(name), strconv.Quote(name[:16]), maxNameBytes)
	}
	for _, r := range name {
		if !unicode.IsPrint(r) || r == unicode.ReplacementChar {
			return errorf("node %q has the character %U in its name; a name holds letters, digits, punctuation and plain spaces", short(name), r)
		}
	}
	return nil
}

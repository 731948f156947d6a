package graphview

import (
	"slices"
	"strings"

	"simrun/scenarios"
	"simrun/topology"
)

// Graph is the graph of a scenario. Its JSON is what graph --json prints.
type Graph struct {
	Scenario  string    `json:"scenario"`
	Name      string    `json:"graph"`
	Algorithm string    `json:"algorithm"`
	Nodes     []Node    `json:"nodes"`
	Channels  []Channel `json:"channels"`

	topology  *topology.Graph
	backEdges bool // the algorithm is told the back-edges
}

// Node is a node.
type Node struct {
	Name string `json:"name"`
	// Initiator says that snapshots begin here: the node is a root, at which barriers
	// enter, or it is the first to send markers.
	Initiator bool `json:"initiator"`
	Source    bool `json:"source"` // records come from outside
}

// Channel is a channel.
type Channel struct {
	ID        int32  `json:"id"`
	From      string `json:"from"`
	To        string `json:"to"`
	BackEdge  bool   `json:"back_edge"` // it closes a cycle
	Reorder   bool   `json:"reorder"`
	Lose      bool   `json:"lose"`
	Duplicate bool   `json:"duplicate"`
	Delay     string `json:"delay,omitempty"` // its own, in words; absent: that of the network
}

// Of is the graph of a plan.
func Of(p *scenarios.Plan) *Graph {
	g := &Graph{Scenario: p.Name, Name: p.Graph.Name, Algorithm: p.Algorithm.Name, Nodes: []Node{}, Channels: []Channel{},
		topology: p.Graph, backEdges: p.Algorithm.BackEdges}
	for v, name := range p.Graph.Nodes {
		_, initiator := slices.BinarySearch(p.Initiators, int32(v))
		g.Nodes = append(g.Nodes, Node{name, initiator, p.Fed(int32(v))})
	}
	for c, w := range p.Wires() {
		ends := p.Graph.Channels[c]
		g.Channels = append(g.Channels, Channel{int32(c), p.Graph.Nodes[ends.From], p.Graph.Nodes[ends.To],
			w.BackEdge, w.Reorder, w.Lose, w.Duplicate, w.Delay})
	}
	return g
}

// unreliable says whether the channel fails.
func (c *Channel) unreliable() bool { return c.Reorder || c.Lose || c.Duplicate }

// remarks is what is unusual about the channel, in words; backEdge: that it closes a
// cycle, too.
func (c *Channel) remarks(backEdge bool) string {
	var words []string
	add := func(is bool, word string) {
		if is {
			words = append(words, word)
		}
	}
	add(backEdge && c.BackEdge, "back-edge")
	add(c.Reorder, "reorders")
	add(c.Lose, "loses")
	add(c.Duplicate, "duplicates")
	add(c.Delay != "", "delay "+c.Delay)
	return strings.Join(words, "; ")
}

// remarks is what is unusual about the node, in words.
func (n *Node) remarks() string {
	switch {
	case n.Initiator && n.Source:
		return "initiates snapshots; records from outside"
	case n.Initiator:
		return "initiates snapshots"
	case n.Source:
		return "records from outside"
	}
	return ""
}

package topology

import (
	"fmt"
	"strings"
	"sync"

	"simrun/sim"
)

// MaxSize is how many nodes and channels together a graph may be generated, built
// or read with. Ids could be larger; but a small file can ask for a graph that no
// memory holds, and that must be said before it is built.
const MaxSize = 20_000_000

// tooLarge says that so many nodes and channels are more than a graph may have.
func tooLarge(nodes, channels int64) bool { return nodes > MaxSize || channels > MaxSize-nodes }

// Graph is a directed multigraph. Nodes and channels have dense ids from 0, in
// the order of the slices; a node's inputs and outputs are its channels in the
// order of their ids. A Graph is immutable from its first use on and may be
// shared by goroutines.
type Graph struct {
	Name     string
	Nodes    []string // names, by node; each is unique
	Channels []Channel
	Edges    []Edge // of the plan that the graph was expanded from; empty without one

	indexed sync.Once
	index   incidence
	named   sync.Once
	byName  map[string]int32
}

// Channel is a one-way channel between two nodes.
type Channel struct {
	From, To int32
	Edge     int32 // index into Edges; NoEdge when there is no plan
}

// NoEdge is the Edge of a channel that no plan speaks of.
const NoEdge int32 = -1

// Edge is an edge of a plan: it connects two operators, and its channels
// connect their subtasks.
type Edge struct {
	From, To string // operator names
	Strategy Strategy
}

// Strategy is how an edge ships the records of one subtask to the subtasks of
// the next operator.
type Strategy uint8

const (
	// Any is the strategy of channels without a plan: apps go round robin.
	Any Strategy = iota
	// Forward connects subtask i to subtask i.
	Forward
	// Rescale connects blocks of subtasks, round robin within the block.
	Rescale
	// Hash connects all to all; the key decides.
	Hash
	// Broadcast connects all to all; everybody gets a copy.
	Broadcast
	// RoundRobin connects all to all; one receiver after the other.
	RoundRobin
)

var strategyNames = [...]string{"any", "forward", "rescale", "hash", "broadcast", "round-robin"}

// String is the strategy's name.
func (s Strategy) String() string {
	if int(s) < len(strategyNames) {
		return strategyNames[s]
	}
	return fmt.Sprintf("strategy(%d)", uint8(s))
}

// Strategies is every strategy that an edge of a plan can have.
func Strategies() []Strategy { return []Strategy{Forward, Rescale, Hash, Broadcast, RoundRobin} }

// Sim is the graph as the engine needs it.
func (g *Graph) Sim() sim.Graph {
	ends := make([]int32, 2*len(g.Channels))
	from, to := ends[:len(g.Channels):len(g.Channels)], ends[len(g.Channels):]
	for c, ch := range g.Channels {
		from[c], to[c] = ch.From, ch.To
	}
	return sim.Graph{Nodes: len(g.Nodes), From: from, To: to}
}

// Node is the id of the node with this name.
func (g *Graph) Node(name string) (int32, bool) {
	g.named.Do(func() {
		g.byName = make(map[string]int32, len(g.Nodes))
		for v, n := range g.Nodes {
			g.byName[n] = int32(v)
		}
	})
	v, ok := g.byName[name]
	return v, ok
}

// ChannelName names a channel for people. The id is part of it, because several
// channels may connect the same two nodes.
func (g *Graph) ChannelName(c int32) string {
	ch := g.Channels[c]
	return fmt.Sprintf("%s->%s#%d", g.Nodes[ch.From], g.Nodes[ch.To], c)
}

// listed is how many names a message shows before it counts the rest.
const listed = 8

// List names nodes for a message; of many it names the first few and counts the
// rest.
func (g *Graph) List(nodes []int32) string {
	names := make([]string, 0, listed)
	for _, v := range nodes[:min(len(nodes), listed)] {
		names = append(names, g.Nodes[v])
	}
	return enumerate(names, len(nodes))
}

// enumerate joins names, the first of total things.
func enumerate(names []string, total int) string {
	text := strings.Join(names, ", ")
	if rest := total - len(names); rest > 0 {
		text += fmt.Sprintf(" and %d more", rest)
	}
	return text
}

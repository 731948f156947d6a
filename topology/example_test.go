package topology_test

import (
	"fmt"

	"simrun/topology"
)

// A pipeline whose counting operator sends some records round again.
func Example() {
	g, err := topology.Generate(topology.Spec{Kind: "dataflow", Parallelism: 2, Loops: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	roots := topology.DefaultInitiators(g)
	fmt.Println("barriers start at", g.List(roots))
	for c, back := range topology.BackEdges(g, roots) {
		if back {
			fmt.Println("back-edge", g.ChannelName(int32(c)))
		}
	}
	count, _ := g.Node("count-1")
	for _, group := range g.Outputs(count) {
		edge := g.Edges[group.Edge]
		fmt.Println(edge.From, "to", edge.To, group.Strategy, group.Ports)
	}
	// Output:
	// barriers start at source-0, source-1
	// back-edge count-0->count-0#6
	// back-edge count-1->count-1#7
	// count to sink forward [0]
	// count to count forward [1]
}

// A link in both directions is two channels, and a mistake has a place.
func ExampleRead() {
	g, err := topology.Read("lab.edges", []byte("left -- right\nright -> \"the sink\"\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(g.Nodes, len(g.Channels))

	_, err = topology.Read("lab.edges", []byte("left\nright\nleft rihgt\n"))
	fmt.Println(err)
	// Output:
	// [left right the sink] 3
	// lab.edges:3:6: a channel to the unknown node "rihgt"; the nodes are left, right
}

func ExampleGenerators() {
	for _, g := range topology.Generators() {
		fmt.Print(g.Name)
		for _, p := range g.Parameters {
			fmt.Printf(" %s=%d", p.Name, p.Default)
		}
		fmt.Println()
	}
	// Output:
	// line nodes=5
	// ring nodes=5
	// star nodes=5
	// complete nodes=4
	// grid width=3 height=3
	// random nodes=10 degree=3 parallel=0 self-loops=0
	// layered layers=4 width=3 degree=2 parallel=0
	// diamond width=2
	// dataflow parallelism=2 layers=3 degree=1 loops=0 shuffles=1
}

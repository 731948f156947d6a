package mutants

import "simrun/sim"

// alignedBackEdges does not know a back-edge when it sees one: it waits for the
// barrier on every input before it passes it on. In a loop that barrier is the
// one it waits to pass on.
type alignedBackEdges struct{ barriers }

func newAlignedBackEdges(info sim.NodeInfo) sim.Node {
	info.BackEdge = nil
	return node{&alignedBackEdges{newBarriers(info)}}
}

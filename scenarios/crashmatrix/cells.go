package crashmatrix

import (
	"simrun/scenarios"
	"simrun/sim"
)

// cell is a pair of a phase and a node, before it is run.
type cell struct {
	phase    scenarios.Phase
	node     int32 // the number of nodes: the coordinator
	possible bool  // there is such a phase at this node
}

// job is what the cells of a matrix share.
type job struct {
	plan        *scenarios.Plan
	seed        uint64
	nodes       int32
	coordinator bool
	initiator   []bool // by node
	inputs      []int  // by node, off the back-edges
	backEdges   []int  // by node, that end there
	outputs     []int  // by node
	down        int64  // ns
	cells       []cell // by phase, then node
	names       []string
}

func newJob(plan *scenarios.Plan, seed uint64) *job {
	cfg := plan.Config(seed)
	n := cfg.Graph.Nodes
	j := &job{
		plan: plan, seed: seed, nodes: int32(n), coordinator: cfg.Management.New != nil, down: downtime,
		initiator: make([]bool, n), inputs: make([]int, n), backEdges: make([]int, n), outputs: make([]int, n),
		names: plan.Graph.Nodes,
	}
	if cfg.Order == sim.Chosen {
		j.down = 0 // which knows no time
	}
	if j.coordinator {
		j.names = append(j.names[:n:n], scenarios.CoordinatorName)
	}
	for _, v := range plan.Initiators {
		j.initiator[v] = true
	}
	for c := range cfg.Graph.From {
		j.outputs[cfg.Graph.From[c]]++
		if cfg.BackEdge != nil && cfg.BackEdge[c] {
			j.backEdges[cfg.Graph.To[c]]++
		} else {
			j.inputs[cfg.Graph.To[c]]++
		}
	}
	for _, p := range scenarios.Phases() {
		for v := range int32(len(j.names)) {
			j.cells = append(j.cells, cell{p, v, j.possible(p.Sim, v)})
		}
	}
	return j
}

// possible says whether a node can come to a phase.
func (j *job) possible(p sim.Phase, v int32) bool {
	switch {
	case p.Managed() && !j.coordinator:
		return false
	case v == j.nodes:
		return p.OfCoordinator()
	}
	switch p {
	case sim.PhaseAligning: // Nil, the input that orders to initiate come on, is one of those that it waits for
		inputs := j.inputs[v]
		if j.initiator[v] {
			inputs++
		}
		return j.plan.Algorithm.Aligned && j.inputs[v] > 0 && inputs > 1
	case sim.PhaseRecording:
		return j.outputs[v] > 0
	case sim.PhaseRestoring:
		return j.nodes > 1 || j.coordinator
	case sim.PhaseReplaying:
		return j.backEdges[v] > 0
	}
	return true
}

// fault is a crash in a cell.
func (j *job) fault(c *cell, occurrence int) sim.Fault {
	return sim.Fault{Nodes: []int32{c.node}, Phase: c.phase.Sim, Occurrence: occurrence, Down: j.down}
}

// attempts lists the faults to try one after the other until the cell's own, the last of
// each, is reached.
func (j *job) attempts(c *cell) (list [][]sim.Fault) {
	if !c.afterCrash() {
		return [][]sim.Fault{{j.fault(c, 2)}, {j.fault(c, 1)}}
	}
	for _, checkpoint := range []int{2, 1, 3, 4, 5, 6, 7, 8} {
		list = append(list, []sim.Fault{j.first(c, checkpoint), j.fault(c, 1)})
	}
	// Without any checkpoint there is still something to restore.
	recorded := j.first(c, 1)
	recorded.Phase = sim.PhaseBeforeTrigger
	return append(list, []sim.Fault{recorded, j.fault(c, 1)})
}

// afterCrash says that the phase is one of a recovery.
func (c *cell) afterCrash() bool {
	return c.phase.Sim == sim.PhaseRestoring || c.phase.Sim == sim.PhaseReplaying
}

// first is a crash that makes the graph go back to the checkpoint that completes as the
// n-th: of another node than the cell's, which is not down then.
func (j *job) first(c *cell, n int) sim.Fault {
	other := (c.node + 1) % j.nodes
	if other == c.node && j.coordinator {
		other = j.nodes
	}
	return sim.Fault{Nodes: []int32{other}, Phase: sim.PhaseComplete, Occurrence: n, Down: j.down}
}

// downtime is how long a node is down, in timed order.
const downtime = 5_000_000

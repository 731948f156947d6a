package apps

import (
	"cmp"
	"slices"

	"simrun/sim"
	"simrun/topology"
)

// rule is how a group of outputs shares out the records.
type rule uint8

const (
	inTurn rule = iota // one output after the other
	byKey              // one key, one output
	toAll              // every output gets its copy
)

// ruleOf is what a plan's ship strategy asks for. FORWARD has one output, which
// is always its turn; RESCALE differs from round robin only in the outputs that
// it has. Where there is no plan, the app decides.
func ruleOf(s topology.Strategy, noPlan rule) rule {
	switch s {
	case topology.Any:
		return noPlan
	case topology.Hash:
		return byKey
	case topology.Broadcast:
		return toAll
	}
	return inTurn
}

// port is one output of a node.
type port struct {
	output int32
	back   bool // it stays in the node's strongly connected component
}

// group is the outputs that belong to one edge of the plan; a record goes to
// each group once.
type group struct {
	rule    rule
	salt    uint64 // of the hash of keys
	ports   []port // those that are not back come first
	leaving int    // how many are not back
}

// routes is every node's groups of outputs.
type routes struct {
	first  []int32 // the groups of node v are groups[first[v]:first[v+1]]
	groups []group
}

// newRoutes computes where the records of each node can go.
func newRoutes(g *topology.Graph, rule func(topology.Strategy) rule) *routes {
	component := componentOf(g)
	firstOutput, outputs := outputChannels(g)
	r := &routes{first: make([]int32, 0, len(g.Nodes)+1)}
	salts := make([]uint64, len(g.Edges))
	for i, edge := range g.Edges {
		salts[i] = saltOf(edge.To)
	}
	ports := make([]port, 0, len(g.Channels)) // one array for all; groups are windows of it
	for v := range int32(len(g.Nodes)) {
		r.first = append(r.first, int32(len(r.groups)))
		channels := outputs[firstOutput[v]:firstOutput[v+1]]
		target := func(p port) int32 { return g.Channels[channels[p.output]].To }
		for _, outputs := range g.Outputs(v) {
			start := len(ports)
			for _, output := range outputs.Ports {
				to := g.Channels[channels[output]].To
				ports = append(ports, port{output, component[to] == component[v]})
			}
			add := group{rule: rule(outputs.Strategy), ports: ports[start:len(ports):len(ports)]}
			if outputs.Edge != topology.NoEdge {
				add.salt = salts[outputs.Edge]
			}
			add.arrange(target)
			r.groups = append(r.groups, add)
		}
	}
	r.first = append(r.first, int32(len(r.groups)))
	return r
}

// arrange brings the outputs into the order in which the rule counts them. By
// key that is the order of the nodes that they lead to, so that all nodes with
// the same targets send a key to the same one, whatever the channels' ids.
func (g *group) arrange(target func(port) int32) {
	slices.SortStableFunc(g.ports, func(a, b port) int {
		if a.back != b.back {
			if b.back {
				return -1
			}
			return 1
		}
		if g.rule == byKey {
			return cmp.Compare(target(a), target(b))
		}
		return 0
	})
	for _, p := range g.ports {
		if !p.back {
			g.leaving++
		}
	}
}

// of is the groups of a node.
func (r *routes) of(node int32) []group { return r.groups[r.first[node]:r.first[node+1]] }

// pick is the outputs that a record takes, in one group: turn counts the records
// of this node; a record that must not go round again takes only those that lead
// out of the cycle, and there may be none.
func (g *group) pick(key, turn uint64, outOnly bool) []port {
	ports := g.ports
	if outOnly {
		ports = ports[:g.leaving]
	}
	if len(ports) <= 1 || g.rule == toAll {
		return ports
	}
	i := turn % uint64(len(ports))
	if g.rule == byKey {
		i = sim.Scale(spread(key+g.salt), uint64(len(ports)))
	}
	return ports[i : i+1]
}

// spread is a hash of a key whose upper bits depend on all of its bits; Scale
// looks at those.
func spread(key uint64) uint64 {
	key = (key + 1) * 0x9e3779b97f4a7c15
	key = (key ^ key>>32) * 0xd6e8feb86659fd93
	return key ^ key>>29
}

// saltOf makes the hash of keys differ between the operators of a plan. With one
// hash for all, subtask i of an operator would send every key of its own to
// subtask i of the next, and the other channels would stay empty. Edges into the
// same operator have the same salt, so that equal keys meet there.
func saltOf(operator string) uint64 {
	salt := uint64(len(operator))
	for i := range len(operator) {
		salt = spread(salt ^ uint64(operator[i])<<56)
	}
	return salt
}

// send lets a record take its way in every group, unchanged.
func (r *routes) send(fx *sim.Effects, node int32, turn uint64, m sim.Message) {
	groups := r.of(node)
	for i := range groups {
		for _, p := range groups[i].pick(m.Key, turn, false) {
			fx.Send(p.output, m.Key, m.Value, m.Aux)
		}
	}
}

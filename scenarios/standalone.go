package scenarios

import (
	"fmt"
	"os"
	"strconv"

	"simrun/scenarios/apps"
	"simrun/sim"
	"simrun/topology"
)

// Standalone is the plan of the same run with a seed whose scenario names no file: a graph
// and a text that stood in files of their own stand in it. It expects nothing, because
// what is expected is about the file; but what only an expectation permits is permitted.
func (p *Plan) Standalone(c Catalogue, seed uint64) (*Plan, error) {
	s := *p.printed()
	s.doc, s.Seed, s.Expect = nil, &seed, p.permits()
	if s.Graph.File != "" {
		s.Graph = p.inlined()
	}
	if named, ok := s.App.Params.(apps.Embedder); ok {
		var err error
		if s.App.Params, err = named.Embed(func(name string) ([]byte, error) {
			return os.ReadFile((&resolver{Scenario: &s}).path(name))
		}); err != nil {
			return nil, err
		}
	}
	own, err := s.Resolve(c, Overrides{})
	if err != nil {
		return nil, fmt.Errorf("the scenario cannot stand alone: %w", err)
	}
	own.audit = p.audit
	return own, nil
}

// permits is the expectation without which the scenario would be refused, or nil.
func (p *Plan) permits() *Expect {
	if e := p.Scenario.Expect; e == nil || !e.Incomplete {
		return nil
	}
	return &Expect{Incomplete: true}
}

// inlined is the graph as a list of its nodes and channels, and of the edges of its plan.
func (p *Plan) inlined() Graph {
	g := Graph{Nodes: p.Graph.Nodes}
	for _, e := range p.Graph.Edges {
		g.Edges = append(g.Edges, PlanEdge{From: e.From, To: e.To, Ship: e.Strategy.String()})
	}
	for c, ch := range p.Graph.Channels {
		g.Channels = append(g.Channels, [2]string{p.Graph.Nodes[ch.From], p.Graph.Nodes[ch.To]})
		if ch.Edge != topology.NoEdge {
			g.Edges[ch.Edge].Channels = append(g.Edges[ch.Edge].Channels, int32(c))
		}
	}
	return g
}

// ByID is the plan's scenario with the nodes and channels of its graph in it, and with
// every channel named by its id: the form in which parts of the graph can be taken out.
func (p *Plan) ByID() *Scenario {
	s := *p.Scenario
	s.doc, s.Expect, s.Graph = nil, p.permits(), p.inlined()
	s.BackEdges, s.Network.Channels = nil, nil
	for c, back := range p.BackEdge {
		if back {
			s.BackEdges = append(s.BackEdges, channelByID(int32(c)))
		}
	}
	r := &resolver{Scenario: &s, plan: &Plan{Graph: p.Graph}}
	for _, own := range p.Scenario.Network.Channels {
		ids, err := r.channels(own.Channel)
		if err != nil {
			panic(fmt.Sprintf("scenarios: a resolved scenario has settings of a channel that there is not: %v", err))
		}
		for _, id := range ids {
			own.Channel = channelByID(id)
			s.Network.Channels = append(s.Network.Channels, own)
		}
	}
	return &s
}

func channelByID(id int32) ChannelRef { return ChannelRef(strconv.Itoa(int(id))) }

// Place is the node at which a step happens: that of its handler; that of all nodes and
// of the coordinator is -1.
func (p *Plan) Place(s sim.Step) int32 {
	switch s.Kind {
	case sim.StepDeliver:
		return p.Graph.Channels[s.Entity].To
	case sim.StepExternal, sim.StepTimer, sim.StepInitiate, sim.StepWrite, sim.StepDrained:
		return s.Entity
	case sim.StepCrash:
		if int(s.Entity) < len(p.Graph.Nodes) {
			return s.Entity
		}
	case sim.StepControl:
		if s.Entity%2 == 0 {
			return s.Entity / 2
		}
	}
	return -1
}

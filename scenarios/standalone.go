package scenarios

import (
	"fmt"
	"os"

	"simrun/scenarios/apps"
)

// Standalone is the plan of the same run with a seed whose scenario names no file: a graph
// and a text that stood in files of their own stand in it. It expects nothing, because
// what is expected is about the file.
func (p *Plan) Standalone(c Catalogue, seed uint64) (*Plan, error) {
	s := *p.printed()
	s.doc, s.Seed, s.Expect = nil, &seed, nil
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
	return own, nil
}

// inlined is the graph as a list of its nodes and channels.
func (p *Plan) inlined() Graph {
	g := Graph{Nodes: p.Graph.Nodes}
	for _, ch := range p.Graph.Channels {
		g.Channels = append(g.Channels, [2]string{p.Graph.Nodes[ch.From], p.Graph.Nodes[ch.To]})
	}
	return g
}

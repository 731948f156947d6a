package scenarios

import (
	"io"
	"reflect"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
)

// WriteYAML prints the scenario with every default filled in: a scenario that
// gives the same run. Files that it names are still looked for from the folder of
// the original on.
func (p *Plan) WriteYAML(w io.Writer) error {
	text, err := yaml.MarshalWithOptions(p.printed(), yaml.IndentSequence(true))
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// printed is the scenario with the back-edges that were found.
func (p *Plan) printed() *Scenario {
	s := *p.Scenario
	if p.BackEdge != nil {
		s.BackEdges = p.backEdgeRefs()
	}
	return &s
}

// backEdgeRefs names the back-edges: by their ends where that names one channel,
// else by id.
func (p *Plan) backEdgeRefs() (refs []ChannelRef) {
	parallel := make(map[[2]int32]int)
	for _, ch := range p.Graph.Channels {
		parallel[[2]int32{ch.From, ch.To}]++
	}
	for c, back := range p.BackEdge {
		if !back {
			continue
		}
		ch := p.Graph.Channels[c]
		ref := p.Graph.Nodes[ch.From] + "->" + p.Graph.Nodes[ch.To]
		if parallel[[2]int32{ch.From, ch.To}] > 1 || strings.Count(ref, "->") > 1 {
			ref = strconv.Itoa(c)
		}
		refs = append(refs, ChannelRef(ref))
	}
	return refs
}

// MarshalYAML implements yaml.InterfaceMarshaler.
func (g Graph) MarshalYAML() (any, error) {
	if g.File != "" {
		return yaml.MapSlice{{Key: "file", Value: g.File}, {Key: "format", Value: g.Format}}, nil
	}
	if len(g.Nodes) > 0 {
		return struct {
			Nodes    []string    `yaml:"nodes,flow"`
			Channels [][2]string `yaml:"channels,flow"`
			Edges    []PlanEdge  `yaml:"edges,flow,omitempty"`
		}{g.Nodes, g.Channels, g.Edges}, nil
	}
	m := yaml.MapSlice{{Key: "generate", Value: g.Spec.Kind}}
	generator, _ := generatorNamed(g.Spec.Kind)
	for _, p := range generator.Parameters {
		m = append(m, yaml.MapItem{Key: p.Name, Value: g.Spec.Get(p.Name)})
	}
	if generator.Seeded {
		m = append(m, yaml.MapItem{Key: "seed", Value: g.Spec.Seed})
	}
	return m, nil
}

// MarshalYAML implements yaml.InterfaceMarshaler.
func (a App) MarshalYAML() (any, error) {
	m := yaml.MapSlice{{Key: "kind", Value: a.Kind}}
	params := reflect.ValueOf(a.Params).Elem()
	for i := range params.NumField() {
		field := params.Type().Field(i)
		key := yamlKey(field)
		if key == "" || strings.Contains(field.Tag.Get("yaml"), ",omitempty") && params.Field(i).IsZero() {
			continue
		}
		m = append(m, yaml.MapItem{Key: key, Value: params.Field(i).Interface()})
	}
	return m, nil
}

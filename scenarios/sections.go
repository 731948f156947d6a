package scenarios

import (
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"simrun/scenarios/apps"
	"simrun/topology"
)

// Names is a list of names; in a file a single name may stand without brackets.
type Names []string

func (x *Names) decode(d *decoder, n ast.Node) error {
	if _, ok := n.(*ast.SequenceNode); ok {
		return d.list(n, reflect.ValueOf((*[]string)(x)).Elem(), "a list of names")
	}
	name, err := d.word(n, "a list of names")
	*x = Names{name}
	return err
}

// Graph is where the graph comes from: a generator, the file itself, or another
// file. Spec.Kind, Nodes or File is set, and nothing else of the other two.
type Graph struct {
	Spec     topology.Spec
	Nodes    []string
	Channels [][2]string
	Edges    []PlanEdge
	File     string
	Format   string // auto, edges, dot or flink-plan; "" is auto
}

func (g *Graph) decode(d *decoder, n ast.Node) error {
	const ways = "write {generate: ring, nodes: 5}, {nodes: [a, b], channels: [[a, b]]} or {file: graph.dot}"
	list, err := d.entries(n, "graph", "a mapping: "+ways[len("write "):])
	if err != nil {
		return err
	}
	generate, file := d.doc.entry(list, "generate"), d.doc.entry(list, "file")
	switch {
	case generate != nil && file != nil:
		return d.doc.at(file.at, "a graph is generated or read from a file, not both", ways)
	case generate != nil:
		return g.decodeGenerated(d, generate, list)
	case file != nil:
		var from struct {
			File   string `yaml:"file"`
			Format string `yaml:"format"`
		}
		err := d.fields(n, reflect.ValueOf(&from).Elem(), "a graph from a file")
		g.File, g.Format = from.File, from.Format
		if err == nil && g.File == "" {
			return d.doc.at(file.at, "file is empty", ways)
		}
		return err
	case d.doc.entry(list, "nodes") != nil || d.doc.entry(list, "channels") != nil || d.doc.entry(list, "edges") != nil:
		return g.decodeInline(d, n)
	case len(list) == 0:
		return nil
	}
	return d.unknownKey(list[0], "a graph", []string{"generate", "nodes", "channels", "edges", "file", "format"})
}

func (g *Graph) decodeGenerated(d *decoder, generate *entry, list []entry) error {
	if err := d.decode(generate.value, reflect.ValueOf(&g.Spec.Kind).Elem(), "generate"); err != nil {
		return err
	}
	generator, ok := generatorNamed(g.Spec.Kind)
	if !ok {
		return d.fail(generate.value, "no generator is named "+quote(g.Spec.Kind), choose(g.Spec.Kind, generatorNames()))
	}
	for _, e := range list {
		if e.key == "generate" {
			continue
		}
		if e.key == "seed" && generator.Seeded {
			if err := d.decode(e.value, reflect.ValueOf(&g.Spec.Seed).Elem(), "seed"); err != nil {
				return err
			}
			continue
		}
		known := parameterNames(generator)
		if !slices.Contains(known, e.key) {
			return d.unknownKey(e, "the generator "+generator.Name, append([]string{"generate"}, known...))
		}
		var value *int // nil if it is left empty
		if err := d.decode(e.value, reflect.ValueOf(&value).Elem(), e.key); err != nil {
			return err
		}
		if value == nil {
			continue
		}
		if err := g.Spec.Set(e.key, *value); err != nil {
			return d.fail(e.value, err.Error(), "")
		}
	}
	return nil
}

func generatorNamed(name string) (topology.Generator, bool) {
	for _, k := range topology.Generators() {
		if k.Name == name {
			return k, true
		}
	}
	return topology.Generator{}, false
}

func generatorNames() []string {
	var names []string
	for _, k := range topology.Generators() {
		names = append(names, k.Name)
	}
	return names
}

// parameterNames is the keys that a generator takes beside its name.
func parameterNames(k topology.Generator) []string {
	var names []string
	for _, p := range k.Parameters {
		names = append(names, p.Name)
	}
	if k.Seeded {
		names = append(names, "seed")
	}
	return names
}

func (g *Graph) decodeInline(d *decoder, n ast.Node) error {
	var inline struct {
		Nodes    []string   `yaml:"nodes"`
		Channels []ends     `yaml:"channels"`
		Edges    []PlanEdge `yaml:"edges"`
	}
	if err := d.fields(n, reflect.ValueOf(&inline).Elem(), "a graph of nodes and channels"); err != nil {
		return err
	}
	g.Nodes, g.Edges = inline.Nodes, inline.Edges
	g.Channels = make([][2]string, len(inline.Channels))
	for i, c := range inline.Channels {
		g.Channels[i] = c
	}
	if len(g.Nodes) == 0 {
		return d.fail(n, "the graph has no node", "write nodes: [a, b]")
	}
	return nil
}

// PlanEdge is an edge of the plan of a job, for a graph that stands in the scenario: two
// operators, the channels between their subtasks, by id, and how these share out records.
type PlanEdge struct {
	From     string  `yaml:"from"`
	To       string  `yaml:"to"`
	Ship     string  `yaml:"ship"`
	Channels []int32 `yaml:"channels,flow"`
}

// ends is a channel: [a, b] or {from: a, to: b}.
type ends [2]string

func (c *ends) decode(d *decoder, n ast.Node) error {
	const right = "write [a, b] or {from: a, to: b}"
	if s, ok := n.(*ast.SequenceNode); ok {
		if len(s.Values) != 2 {
			return d.fail(n, "a channel with "+plural(int64(len(s.Values)), "end"), right)
		}
		for i, end := range s.Values {
			if err := c.decodeEnd(d, end, i, "an end of a channel"); err != nil {
				return err
			}
		}
		return nil
	}
	list, err := d.entries(n, "a channel", right[len("write "):])
	if err != nil {
		return err
	}
	if len(list) != 2 || d.doc.entry(list, "from") == nil || d.doc.entry(list, "to") == nil {
		return d.fail(n, "a channel is "+describe(n), right)
	}
	for i, key := range []string{"from", "to"} {
		if err := c.decodeEnd(d, d.doc.entry(list, key).value, i, key); err != nil {
			return err
		}
	}
	return nil
}

func (c *ends) decodeEnd(d *decoder, n ast.Node, i int, what string) error {
	plain, err := d.resolve(n)
	if err == nil {
		c[i], err = d.word(plain, what)
	}
	return err
}

// App is the computation: its kind and the parameters of that kind.
type App struct {
	Kind   string
	Params apps.Builder // nil: the defaults
}

func (a *App) decode(d *decoder, n ast.Node) error {
	list, err := d.entries(n, "app", "a mapping, such as {kind: bank}")
	if err != nil || len(list) == 0 {
		return err
	}
	kind := d.doc.entry(list, "kind")
	if kind == nil {
		return d.doc.at(list[0].at, "app has no kind", "write {kind: bank}; there are "+strings.Join(d.catalogue.appNames(), ", "))
	}
	if err := d.decode(kind.value, reflect.ValueOf(&a.Kind).Elem(), "kind"); err != nil {
		return err
	}
	k := d.catalogue.app(a.Kind)
	if k == nil {
		return d.fail(kind.value, "no app is named "+quote(a.Kind), choose(a.Kind, d.catalogue.appNames()))
	}
	a.Params = k.New()
	params := reflect.ValueOf(a.Params).Elem()
	for _, e := range list {
		if e.key == "kind" {
			continue
		}
		field, ok := fieldNamed(params, e.key)
		if !ok {
			return d.unknownKey(e, "the app "+a.Kind, append([]string{"kind"}, keys(params.Type())...))
		}
		if err := d.decode(e.value, field, e.key); err != nil {
			return err
		}
	}
	return nil
}

// Network says how long messages take, and how channels fail.
type Network struct {
	Delay    *Dist             `yaml:"delay,flow,omitempty"`
	Channels []ChannelSettings `yaml:"-"`
}

func (x *Network) decode(d *decoder, n ast.Node) error {
	list, err := d.entries(n, "network", "a mapping, such as {delay: {uniform: [1ms, 5ms]}}")
	if err != nil {
		return err
	}
	for _, e := range list {
		var err error
		switch e.key {
		case "delay":
			err = d.decode(e.value, reflect.ValueOf(&x.Delay).Elem(), "delay")
		case "channels":
			err = x.decodeChannels(d, e.value)
		default:
			err = d.unknownKey(e, "network", []string{"delay", "channels"})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (x *Network) decodeChannels(d *decoder, n ast.Node) error {
	if plain, err := d.resolve(n); err != nil || plain.Type() == ast.NullType {
		return err
	}
	list, err := d.entries(n, "channels", "a mapping, such as {3: {delay: {constant: 20ms}}}")
	if err != nil {
		return err
	}
	for _, e := range list {
		settings := ChannelSettings{Channel: ChannelRef(e.key)}
		if err := d.decode(e.value, reflect.ValueOf(&settings).Elem(), "a channel"); err != nil {
			return err
		}
		if settings == (ChannelSettings{Channel: settings.Channel}) {
			return d.doc.at(e.at, "channel "+quote(e.key)+" is given nothing", "write {delay: {constant: 20ms}} or {reorder: true}")
		}
		x.Channels = append(x.Channels, settings)
	}
	return nil
}

package scenarios

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"simrun/scenarios/apps"
	"simrun/scenarios/units"
	"simrun/topology"
)

// graph builds the graph.
func (r *resolver) graph() error {
	var err error
	g := &r.Graph
	switch {
	case g.File != "":
		r.plan.Graph, err = r.graphFile()
	case len(g.Nodes) > 0:
		r.plan.Graph, err = r.inlineGraph()
	default:
		if g.Spec.Kind == "" {
			g.Spec.Kind = "ring"
		}
		r.plan.Graph, err = topology.Generate(g.Spec)
		if err != nil {
			return r.fail(fromTopology(err).Message, "", "graph", "generate")
		}
		g.Spec, err = g.Spec.Resolved()
	}
	if err != nil {
		return err
	}
	r.plan.config.Graph = r.plan.Graph.Sim()
	return nil
}

func (r *resolver) inlineGraph() (*topology.Graph, error) {
	b := topology.NewBuilder("inline")
	for i, name := range r.Graph.Nodes {
		if err := b.AddNode(name); err != nil {
			return nil, r.fail(fromTopology(err).Message, "", "graph", "nodes", i)
		}
	}
	for i, ends := range r.Graph.Channels {
		if err := b.AddChannel(ends[0], ends[1]); err != nil {
			return nil, r.fail(fromTopology(err).Message, "", "graph", "channels", i)
		}
	}
	for i := range r.Graph.Edges {
		if err := r.planEdge(b, i); err != nil {
			return nil, err
		}
	}
	return b.Graph()
}

// planEdge adds an edge of a plan.
func (r *resolver) planEdge(b *topology.Builder, i int) error {
	e := &r.Graph.Edges[i]
	var names []string
	for _, s := range topology.Strategies() {
		names = append(names, s.String())
	}
	if e.Ship == "" {
		return r.fail("an edge that does not say how it ships records", choose("", names), "graph", "edges", i)
	}
	if err := r.oneOf(&e.Ship, "ship", names, "graph", "edges", i, "ship"); err != nil {
		return err
	}
	if err := b.AddEdge(e.From, e.To, topology.Strategies()[slices.Index(names, e.Ship)], e.Channels); err != nil {
		return r.fail(fromTopology(err).Message, "", "graph", "edges", i, "channels")
	}
	return nil
}

// The formats of graph files; auto goes by the file's name.
var graphFormats = []string{"auto", "edges", "dot", "flink-plan"}

func (r *resolver) graphFile() (*topology.Graph, error) {
	if err := r.oneOf(&r.Graph.Format, "format", graphFormats, "graph", "format"); err != nil {
		return nil, err
	}
	data, err := r.readFile(r.Graph.File)
	if err != nil {
		return nil, r.fail(err.Error(), "files are looked for from the folder of the scenario on", "graph", "file")
	}
	parse := map[string]func(string, []byte) (*topology.Graph, error){
		"auto": topology.Read, "edges": topology.ParseEdgeList, "dot": topology.ParseDOT, "flink-plan": topology.ParseFlinkPlan,
	}[r.Graph.Format]
	g, err := parse(r.path(r.Graph.File), data)
	if err != nil {
		wrong := fromTopology(err)
		if t := r.doc.find("graph", "file"); t != nil {
			wrong.Right = fmt.Sprintf("the file is named at %s:%d:%d", r.Name, t.Position.Line, t.Position.Column)
		}
		return nil, wrong
	}
	return g, nil
}

// path is where a file that the scenario names is.
func (r *resolver) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(r.Dir, name)
}

// readFile reads a file that the scenario names, if it is not larger than any
// file here may be.
func (r *resolver) readFile(name string) ([]byte, error) {
	path := r.path(name)
	r.plan.Files = append(r.plan.Files, path)
	data, err := ReadFile(path, topology.MaxFileSize)
	if err != nil {
		return nil, err
	}
	if len(data) > topology.MaxFileSize {
		return nil, &Error{File: path, Message: fmt.Sprintf("the file is larger than %d bytes, the most that is read", topology.MaxFileSize)}
	}
	return data, nil
}

// app makes the workload.
func (r *resolver) app() error {
	a := &r.App
	if a.Kind == "" {
		a.Kind = r.catalogue.Apps[0].Name
	}
	kind := r.catalogue.app(a.Kind)
	if kind == nil {
		return r.fail("no app is named "+quote(a.Kind), choose(a.Kind, r.catalogue.appNames()), "app", "kind")
	}
	if a.Params == nil {
		a.Params = kind.New()
	}
	w, err := a.Params.Build(&apps.Env{Graph: r.plan.Graph, ReadFile: r.readFile})
	var wrong *apps.ParameterError
	switch {
	case errors.As(err, &wrong):
		return r.fail(wrong.Parameter+": "+wrong.Problem, wrong.Right, "app", wrong.Parameter)
	case err != nil:
		return r.fail(err.Error(), "", "app")
	}
	r.plan.Workload = w
	return nil
}

// channels is the channels that a reference names, ascending.
func (r *resolver) channels(ref ChannelRef, path ...any) ([]int32, error) {
	g := r.plan.Graph
	text := string(ref)
	if id, err := strconv.ParseUint(text, 10, 32); err == nil {
		if id >= uint64(len(g.Channels)) {
			return nil, r.fail("there is no channel "+units.Short(text), "the graph has "+plural(int64(len(g.Channels)), "channel")+", from 0 on", path...)
		}
		return []int32{int32(id)}, nil
	}
	other := ""                                        // what the id of a name with an id is, if not this
	if i := strings.LastIndexByte(text, '#'); i >= 0 { // as reports name it
		id, err := strconv.ParseUint(text[i+1:], 10, 32)
		switch {
		case err != nil:
		case id >= uint64(len(g.Channels)):
			other = "the graph has " + plural(int64(len(g.Channels)), "channel") + ", from 0 on"
		case g.ChannelName(int32(id)) == text:
			return []int32{int32(id)}, nil
		default:
			other = fmt.Sprintf("channel %d is %s", id, g.ChannelName(int32(id)))
		}
	}
	var found []int32
	known, arrow := false, false
	for i := 0; ; {
		next := strings.Index(text[i:], "->")
		if next < 0 {
			break
		}
		// The name of a node may hold an arrow itself: every one is tried.
		i += next + 2
		arrow = true
		from, ok1 := g.Node(strings.TrimSpace(text[:i-2]))
		to, ok2 := g.Node(strings.TrimSpace(text[i:]))
		if !ok1 || !ok2 {
			continue
		}
		known = true
		for c, ch := range g.Channels {
			if ch.From == from && ch.To == to {
				found = append(found, int32(c))
			}
		}
	}
	switch {
	case !arrow:
		return nil, r.fail(quote(text)+" names no channel", "write the id of a channel or \"a->b\"", path...)
	case !known && other != "":
		return nil, r.fail("there is no channel "+text, other, path...)
	case !known:
		return nil, r.fail(quote(text)+" names no two nodes", "the nodes are "+r.someNodes(), path...)
	case len(found) == 0:
		return nil, r.fail("there is no channel "+text, "the two nodes are not connected in this direction", path...)
	}
	return found, nil
}

// someNodes lists the graph's nodes for a message.
func (r *resolver) someNodes() string {
	all := make([]int32, len(r.plan.Graph.Nodes))
	for v := range all {
		all[v] = int32(v)
	}
	return r.plan.Graph.List(all)
}

// node is the node with a name.
func (r *resolver) node(name string, path ...any) (int32, error) {
	v, ok := r.plan.Graph.Node(name)
	if ok {
		return v, nil
	}
	right := "the nodes are " + r.someNodes()
	if near := Closest(name, r.plan.Graph.Nodes); near != "" {
		right = "did you mean " + near + "? " + right
	}
	return 0, r.fail("no node is named "+quote(name), right, path...)
}

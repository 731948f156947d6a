package topology

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Spec asks for a generated graph. A parameter that is 0 has its default; one
// that the kind does not take must be 0.
type Spec struct {
	Kind string

	Nodes       int // number of nodes
	Parallelism int // subtasks of each operator
	Degree      int // in-degree, of nodes or of operators
	Width       int
	Height      int
	Layers      int
	Loops       int // feedback edges
	Shuffles    int // edges that ship records by their key
	Parallel    int // channels added beside one that is there
	SelfLoops   int // channels added from a node to itself

	Seed uint64 // of the kinds that draw
}

// Generator describes a kind of graph that Generate makes.
type Generator struct {
	Name, Doc  string
	Parameters []Parameter
	Seeded     bool // the seed changes the graph
}

// Parameter is a number that a Generator takes. A Default that would be too
// large beside the other parameters gives way to the largest value that fits.
type Parameter struct {
	Name, Doc         string
	Default, Min, Max int
}

// Generators is every kind, in the order in which people should meet them.
func Generators() []Generator {
	kinds := shapes()
	list := make([]Generator, len(kinds))
	for i := range kinds {
		list[i] = kinds[i].Generator
	}
	return list
}

// Generate makes the graph that spec asks for; the same spec gives the same
// graph everywhere and always.
func Generate(spec Spec) (*Graph, error) {
	spec, shape, err := spec.resolve()
	if err != nil {
		return nil, err
	}
	if nodes, channels := shape.size(&spec); tooLarge(nodes, channels) {
		return nil, errorf("the graph %s would have %d nodes and %d channels; a graph may have %d of both together", spec.text(shape), nodes, channels, MaxSize)
	}
	g := shape.build(&spec)
	g.Name = spec.Kind
	return g, nil
}

// text is the spec as a scenario has it.
func (s *Spec) text(k *shape) string {
	text := "{generate: " + k.Name
	for _, p := range k.Parameters {
		text += fmt.Sprintf(", %s: %d", p.Name, s.Get(p.Name))
	}
	return text + "}"
}

// Resolved is the spec with every default filled in, or what is impossible
// about it.
func (s Spec) Resolved() (Spec, error) {
	r, _, err := s.resolve()
	if err != nil {
		return s, err
	}
	return r, nil
}

// Set gives the parameter with this name a value, if the kind takes it and the
// value can be right.
func (s *Spec) Set(name string, value int) error {
	shape, err := s.shape()
	if err != nil {
		return err
	}
	for _, p := range shape.Parameters {
		if p.Name != name {
			continue
		}
		if err := p.check(value); err != nil {
			return err
		}
		*s.field(name) = value
		return nil
	}
	return shape.refuse(name)
}

// Get is the value of the parameter with this name, one of a Generator's.
func (s *Spec) Get(name string) int { return *s.field(name) }

// parameterNames is every name that field knows.
var parameterNames = []string{"nodes", "parallelism", "degree", "width", "height", "layers", "loops", "shuffles", "parallel", "self-loops"}

func (s *Spec) field(name string) *int {
	switch name {
	case "nodes":
		return &s.Nodes
	case "parallelism":
		return &s.Parallelism
	case "degree":
		return &s.Degree
	case "width":
		return &s.Width
	case "height":
		return &s.Height
	case "layers":
		return &s.Layers
	case "loops":
		return &s.Loops
	case "shuffles":
		return &s.Shuffles
	case "parallel":
		return &s.Parallel
	case "self-loops":
		return &s.SelfLoops
	}
	panic("topology: no parameter of any generator is named " + name)
}

// shape is a Generator with what it takes to carry it out.
type shape struct {
	Generator
	size  func(*Spec) (nodes, channels int64)
	build func(*Spec) *Graph
	// maxDegree is the largest degree that is possible, and why; nil for kinds
	// without a degree.
	maxDegree func(*Spec) (most int, why string)
	// check refuses other impossible combinations; nil if there are none.
	check func(*Spec) *Error
}

func (s *Spec) shape() (*shape, *Error) {
	kinds := shapes()
	names := make([]string, len(kinds))
	for i := range kinds {
		if names[i] = kinds[i].Name; names[i] == s.Kind {
			return &kinds[i], nil
		}
	}
	return nil, errorf("no generator is named %q; there are %s", s.Kind, strings.Join(names, ", "))
}

// refuse says what a kind takes instead of a parameter that it does not.
func (k *shape) refuse(name string) *Error {
	takes := make([]string, len(k.Parameters))
	for i, p := range k.Parameters {
		takes[i] = p.Name
	}
	return errorf("the generator %s has no parameter %s; it takes %s", k.Name, name, strings.Join(takes, ", "))
}

func (p *Parameter) check(value int) *Error {
	if value < p.Min || value > p.Max {
		return errorf("%s is %d; it must be between %d and %d", p.Name, value, p.Min, p.Max)
	}
	return nil
}

// resolve fills in the defaults and refuses what is impossible.
func (s Spec) resolve() (Spec, *shape, *Error) {
	k, err := s.shape()
	if err != nil {
		return s, nil, err
	}
	r := Spec{Kind: s.Kind, Seed: s.Seed}
	for _, name := range parameterNames {
		i := slices.IndexFunc(k.Parameters, func(p Parameter) bool { return p.Name == name })
		if i < 0 {
			if s.Get(name) != 0 {
				return s, nil, k.refuse(name)
			}
			continue
		}
		value := cmp.Or(s.Get(name), k.Parameters[i].Default)
		if err := k.Parameters[i].check(value); err != nil {
			return s, nil, err
		}
		*r.field(name) = value
	}
	if k.maxDegree != nil {
		most, why := k.maxDegree(&r)
		if s.Degree > most {
			return s, nil, errorf("degree is %d; it can be at most %d here, %s", s.Degree, most, why)
		}
		r.Degree = min(r.Degree, most)
	}
	if k.check != nil {
		if err := k.check(&r); err != nil {
			return s, nil, err
		}
	}
	return r, k, nil
}

package scenarios

import (
	"fmt"
	"io"
	"reflect"
	"strings"

	"simrun/invariants"
	"simrun/scenarios/apps"
	"simrun/topology"
)

// Listing is everything that a scenario can name.
type Listing struct {
	Algorithms      []Named  `json:"algorithms"`
	WrongAlgorithms []Named  `json:"wrong_algorithms"`
	Apps            []Taking `json:"apps"`
	Generators      []Taking `json:"generators"`
	Distributions   []Named  `json:"distributions"`
	Faults          []Named  `json:"faults"`
	Phases          []Named  `json:"phases"`
	Invariants      []Named  `json:"invariants"`
}

// Named is a name and what it means.
type Named struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
}

// Taking is something that takes parameters.
type Taking struct {
	Named
	Parameters []Parameter `json:"parameters"`
}

// Parameter is a key that an app or a generator takes, with its default as a file
// would have it.
type Parameter struct {
	Name    string `json:"name"`
	Default string `json:"default"`
	Doc     string `json:"doc"`
}

// parametersOf is the parameters of an app.
func parametersOf(k apps.Kind) []Parameter {
	list := []Parameter{}
	params := reflect.ValueOf(k.New()).Elem()
	for i := range params.NumField() {
		field := params.Type().Field(i)
		key := yamlKey(field)
		if key == "" {
			continue
		}
		value := fmt.Sprint(params.Field(i).Interface())
		switch params.Field(i).Kind() {
		case reflect.String, reflect.Slice, reflect.Map, reflect.Pointer:
			if params.Field(i).IsZero() {
				value = "none"
			}
		}
		list = append(list, Parameter{key, value, field.Tag.Get("doc")})
	}
	return list
}

// generatorParameters is the parameters of a generator, its seed among them.
func generatorParameters(k topology.Generator) []Parameter {
	list := []Parameter{}
	for _, p := range k.Parameters {
		list = append(list, Parameter{p.Name, fmt.Sprint(p.Default), p.Doc})
	}
	if k.Seeded {
		list = append(list, Parameter{"seed", "0", "of its draws"})
	}
	return list
}

func (t *Taking) takes() string {
	var names []string
	for _, p := range t.Parameters {
		names = append(names, p.Name)
	}
	return t.Doc + " (" + strings.Join(names, ", ") + ")"
}

// List is the listing of a catalogue.
func (c Catalogue) List() *Listing {
	l := &Listing{Distributions: Distributions(), Faults: FaultKinds()}
	for _, a := range c.Algorithms {
		if a.Wrong {
			l.WrongAlgorithms = append(l.WrongAlgorithms, Named{a.Name, a.Doc})
		} else {
			l.Algorithms = append(l.Algorithms, Named{a.Name, a.Doc})
		}
	}
	for _, k := range c.Apps {
		l.Apps = append(l.Apps, Taking{Named{k.Name, k.Doc}, parametersOf(k)})
	}
	for _, k := range topology.Generators() {
		l.Generators = append(l.Generators, Taking{Named{k.Name, k.Doc}, generatorParameters(k)})
	}
	for _, p := range Phases() {
		l.Phases = append(l.Phases, Named{p.Name, p.Doc})
	}
	for _, inv := range invariants.All() {
		l.Invariants = append(l.Invariants, Named{Name: inv.Name, Doc: inv.Doc})
	}
	return l
}

// WriteText prints a listing for people.
func (l *Listing) WriteText(w io.Writer) error {
	var b strings.Builder
	list := func(title string, names []Named) {
		table(&b, title, func(w io.Writer) {
			for _, n := range names {
				fmt.Fprintf(w, "  %s\t%s\n", n.Name, n.Doc)
			}
		})
	}
	takers := func(title, of string, takers []Taking) {
		var names []Named
		for i := range takers {
			names = append(names, Named{takers[i].Name, takers[i].takes()})
		}
		list(title, names)
		table(&b, of, func(w io.Writer) {
			for _, t := range takers {
				for _, p := range t.Parameters {
					fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", t.Name, p.Name, p.Default, p.Doc)
				}
			}
		})
	}
	list("algorithms", l.Algorithms)
	list("algorithms that are wrong on purpose", l.WrongAlgorithms)
	takers("apps", "parameters of the apps, with their defaults", l.Apps)
	takers("graph generators", "parameters of the graph generators, with their defaults", l.Generators)
	list("distributions of durations", l.Distributions)
	list("faults", l.Faults)
	list("phases of a snapshot that a fault can wait for", l.Phases)
	list("invariants", l.Invariants)
	_, err := io.WriteString(w, strings.TrimPrefix(b.String(), "\n"))
	return err
}

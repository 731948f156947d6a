package scenarios

import (
	"fmt"
	"io"
	"strings"

	"simrun/invariants"
	"simrun/topology"
)

// Listing is everything that a scenario can name.
type Listing struct {
	Algorithms      []Named `json:"algorithms"`
	WrongAlgorithms []Named `json:"wrong_algorithms"`
	Apps            []Named `json:"apps"`
	Generators      []Named `json:"generators"`
	Distributions   []Named `json:"distributions"`
	Faults          []Named `json:"faults"`
	Phases          []Named `json:"phases"`
	Invariants      []Named `json:"invariants"`
}

// Named is a name and what it means.
type Named struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
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
		l.Apps = append(l.Apps, Named{k.Name, k.Doc})
	}
	for _, k := range topology.Generators() {
		l.Generators = append(l.Generators, Named{k.Name, k.Doc + " (" + strings.Join(parameterNames(k), ", ") + ")"})
	}
	for _, p := range Phases() {
		l.Phases = append(l.Phases, Named{p.Name, p.Doc})
	}
	for _, inv := range invariants.All() {
		doc := inv.Doc
		if !inv.Checked {
			doc += " (not checked yet)"
		}
		l.Invariants = append(l.Invariants, Named{Name: inv.Name, Doc: doc})
	}
	return l
}

// WriteText prints a listing for people.
func (l *Listing) WriteText(w io.Writer) error {
	var b strings.Builder
	for _, section := range []struct {
		title string
		names []Named
	}{
		{"algorithms", l.Algorithms},
		{"algorithms that are wrong on purpose", l.WrongAlgorithms},
		{"apps", l.Apps},
		{"graph generators, and the parameters of each", l.Generators},
		{"distributions of durations", l.Distributions},
		{"faults", l.Faults},
		{"phases of a snapshot that a fault can wait for", l.Phases},
		{"invariants", l.Invariants},
	} {
		table(&b, section.title, func(w io.Writer) {
			for _, n := range section.names {
				fmt.Fprintf(w, "  %s\t%s\n", n.Name, n.Doc)
			}
		})
	}
	_, err := io.WriteString(w, strings.TrimPrefix(b.String(), "\n"))
	return err
}

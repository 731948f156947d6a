package report

import (
	"fmt"

	"simrun/scenarios"
	"simrun/scenarios/spacetime"
)

// Run is one run of a page.
type Run struct {
	Diagram *spacetime.Diagram
	Told    *scenarios.Told
	Notes   []string // what is left out, in sentences
}

// Options say how much of a run a page has. The zero Options are the first Events.
type Options struct {
	Events int // the most; 0: Events
	From   int // the number of the first, from 1; 0: see Of
}

// Bounds that nobody sets.
const (
	// Events is the most events that a page has of a run if nothing else is said.
	Events = 100_000

	stateBytes  = 32 << 20  // of states that are followed; most of it is packed away
	reasonBytes = 256 << 10 // of reasons
)

// Of runs a plan with a seed and is the run with all that a page shows of it. Where a run
// has more events than the page takes, and nobody says which, they are the first ones; but
// if the first violation is not shown by one of them, those around the one that does.
func Of(p *scenarios.Plan, seed uint64, o Options) Run {
	if o.Events == 0 {
		o.Events = Events
	}
	window := spacetime.Options{First: max(0, o.From-1), Most: o.Events, StateBytes: stateBytes, Reasons: reasonBytes}
	d := spacetime.Of(p, seed, window)
	told := d.Told
	window.Reasons = 0 // a second run is of the same reasons
	around := ""
	if o.From == 0 && !d.Whole() && len(d.Violations) > 0 && d.Violations[0].Event == spacetime.None {
		if place, ok := spacetime.Locate(p, seed, d.Violations[0].Result); ok {
			window.First = min(max(0, place-o.Events/2), d.Total-o.Events)
			d = spacetime.Of(p, seed, window)
			around = ", around the first violation"
		}
	}
	r := Run{Diagram: d, Told: told}
	r.window(around)
	r.untold()
	return r
}

// note adds a sentence about what is left out.
func (r *Run) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// window notes which events there are, if they are not all.
func (r *Run) window(around string) {
	d := r.Diagram
	switch n := len(d.Events); {
	case d.Whole():
	case n == 0:
		r.note("Of the %d events of the run none is shown: it has no more than that.", d.Total)
	default:
		r.note("Of the %d events of the run %d are shown, number %d to %d%s; --from and --events choose others.", d.Total, n, d.First+1, d.First+n, around)
	}
	outside := 0
	for i := range d.Violations {
		if !d.Whole() && d.Violations[i].Event == spacetime.None {
			outside++
		}
	}
	if outside > 0 {
		r.note("Of the %d violations that are listed %d are shown by no event that is here.", len(d.Violations), outside)
	}
	if more := d.Result.MoreViolated; more > 0 {
		r.note("%d more violations are not listed.", more)
	}
}

// untold notes which reasons there was no room for.
func (r *Run) untold() {
	missing := func(told [][]string) (n int) {
		for _, lines := range told {
			if lines == nil {
				n++
			}
		}
		return n
	}
	if n := missing(r.Told.Violations); n > 0 {
		r.note("The reasons are left out of %d of %d violations.", n, len(r.Told.Violations))
	}
	if n := missing(r.Told.Snapshots); n > 0 {
		r.note("The reasons are left out of %d of %d snapshots; simrun explain --snapshot K has them.", n, len(r.Told.Snapshots))
	}
}

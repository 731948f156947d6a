package comparison

import (
	"fmt"
	"slices"

	"simrun/scenarios"
)

// add adds the runs with the next seed.
func (c *Comparison) add(p paired) {
	c.Seeds++
	c.DelayOf = p.delayOf
	c.unaccounted += p.accounts
	for i := range c.Algorithms {
		a := &c.Algorithms[i]
		if a.Refused != nil {
			continue
		}
		run := p.runs[i]
		c.Last = run.Seed
		switch run.Verdict {
		case scenarios.Holds:
			a.Holds++
		case scenarios.Violated:
			a.Violated++
		case scenarios.Inconclusive:
			a.Inconclusive++
		}
		if !p.good[i] {
			if a.Failing++; a.FirstFailing == nil {
				a.FirstFailing, a.Reproduce = new(run.Seed), p.reproduces[i]
			}
		}
		a.Runs = append(a.Runs, run)
	}
}

// summarise sums up the runs when all are there.
func (c *Comparison) summarise() {
	var reference *Algorithm
	known := ranks{}
	for i := range c.Algorithms {
		a := &c.Algorithms[i]
		if a.Refused != nil {
			a.Summaries = []Summary{}
			continue
		}
		for _, m := range Measures() {
			a.Summaries = append(a.Summaries, summary(&m, a, reference, known))
		}
		if reference == nil {
			reference = a
		}
	}
	c.Notes = append(c.Notes, c.notes()...)
}

func summary(m *Measure, a, reference *Algorithm, known ranks) Summary {
	s := Summary{Measure: m.Key}
	var values, differences []int64
	for i := range a.Runs {
		value := m.Of(&a.Runs[i].Measures)
		if value == nil {
			continue
		}
		values = append(values, *value)
		if reference == nil {
			continue
		}
		if other := m.Of(&reference.Runs[i].Measures); other != nil {
			differences = append(differences, *value-*other)
		}
	}
	s.Runs, s.Median = int64(len(values)), spreadOf(values).median
	if len(differences) > 0 {
		s.Difference = known.difference(differences)
	}
	return s
}

// ranks remembers what enclosing says of a number of values.
type ranks map[int]enclosed

type enclosed struct {
	rank       int
	confidence int64
}

// difference sums up paired differences, and sorts them.
func (known ranks) difference(sample []int64) *Difference {
	n := len(sample)
	e, ok := known[n]
	if !ok {
		e.rank, e.confidence = enclosing(n)
		known[n] = e
	}
	d := &Difference{Pairs: int64(n), Median: *spreadOf(sample).median, Confidence: e.confidence}
	if e.rank > 0 {
		d.Low, d.High = new(sample[e.rank-1]), new(sample[n-e.rank])
	}
	return d
}

// notes says what is not measured, and why.
func (c *Comparison) notes() (notes []string) {
	if c.Seeds == 0 {
		return nil
	}
	none := func(key string) bool { return !c.Has(key) }
	switch {
	case c.Order == inChosenOrder:
		notes = append(notes, "order: chosen has no time: what is a span elsewhere is a number of steps, of the whole system and of one schedule among many; delay and throughput are not measured")
	case c.DelayOf == "":
		notes = append(notes, "an App misbehaves without snapshots, too: delay and throughput are not measured")
	case none("delay_median_ns"):
		notes = append(notes, fmt.Sprintf("no run has %s before its first crash that the one without snapshots has, too: there is no delay", c.DelayOf))
	}
	if c.unaccounted > 0 {
		notes = append(notes, fmt.Sprintf("of %d of the runs with recoveries nothing is known of records lost and duplicates: channels lose, double or reorder there, or the run is not legal", c.unaccounted))
	}
	return notes
}

const inChosenOrder = "chosen"

// Has says whether any run has a measure.
func (c *Comparison) Has(key string) bool {
	return slices.ContainsFunc(c.Algorithms, func(a Algorithm) bool { return a.Summary(key).Runs > 0 })
}

package series

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"simrun/scenarios"
	"simrun/scenarios/comparison"
)

// Series is a comparison for each of several values of one parameter.
type Series struct {
	Scenario  string   `json:"scenario"`
	Parameter string   `json:"parameter"`
	Measures  []string `json:"measures"` // the keys of those that are told
	Points    []Point  `json:"points"`   // in the order of the values
	// The last of the points has not all seeds, or later values have none.
	Interrupted bool `json:"interrupted"`
}

// Point is the comparison with one value.
type Point struct {
	Value      string                 `json:"value"`
	Comparison *comparison.Comparison `json:"comparison"`
}

// Options is what is varied, and what is told of it.
type Options struct {
	Parameter string
	Values    []string
	Measures  []comparison.Measure
	Compare   comparison.Options
}

// Usual is the measures that are told if none is named.
func Usual() []string {
	return []string{"throughput", "delay_p99", "latency_median", "channel_messages"}
}

// NamedMeasures is the measures with these names: their keys, with or without the unit at
// the end.
func NamedMeasures(names []string) (list []comparison.Measure, err error) {
	all := comparison.Measures()
	for _, name := range names {
		i := slices.IndexFunc(all, func(m comparison.Measure) bool { return name == m.Key || name == shortKey(m.Key) })
		if i < 0 {
			return nil, unknownMeasure(name, all)
		}
		if slices.ContainsFunc(list, func(m comparison.Measure) bool { return m.Key == all[i].Key }) {
			return nil, fmt.Errorf("the measure %s is named twice; name each once", name)
		}
		list = append(list, all[i])
	}
	return list, nil
}

func unknownMeasure(name string, all []comparison.Measure) error {
	var known []string
	for _, m := range all {
		known = append(known, shortKey(m.Key))
	}
	near := ""
	if word := scenarios.Closest(name, known); word != "" {
		near = "did you mean " + word + "? "
	}
	return fmt.Errorf("no measure is named %q; %sthere are %s", name, near, strings.Join(known, ", "))
}

// shortKey is a key without its unit.
func shortKey(key string) string {
	for _, unit := range []string{"_ns", "_per_ks", "_ppm"} {
		if short, ok := strings.CutSuffix(key, unit); ok {
			return short
		}
	}
	return key
}

// Setup is a series that is ready to run.
type Setup struct {
	setups []*comparison.Setup // by value
	values []string
	begun  Series
}

// Of is Prepare and Run.
func Of(ctx context.Context, s *scenarios.Scenario, c scenarios.Catalogue, o Options) (*Series, error) {
	setup, err := Prepare(s, c, o)
	if err != nil {
		return nil, err
	}
	return setup.Run(ctx), nil
}

// Prepare makes the scenario with each of the values. A value that the parameter does not
// take, or with which the scenario is wrong under every algorithm, is an error.
func Prepare(s *scenarios.Scenario, c scenarios.Catalogue, o Options) (*Setup, error) {
	switch o.Parameter {
	case "seed":
		return nil, fmt.Errorf("the seed is no parameter to vary, because every value is compared over the same seeds; write --seeds 1-50")
	case "algorithm":
		return nil, fmt.Errorf("the algorithm is no parameter to vary, because every value is compared under all of them; write --algorithms abs,chandy-lamport")
	}
	if section, _, _ := strings.Cut(o.Parameter, "."); section == "expect" || section == "checks" {
		return nil, fmt.Errorf("%s judges a run and changes nothing of it, so there is nothing to compare; vary a key that decides the run", o.Parameter)
	}
	setup := &Setup{values: o.Values, begun: Series{Scenario: s.Name, Parameter: o.Parameter}}
	for _, m := range o.Measures {
		setup.begun.Measures = append(setup.begun.Measures, m.Key)
	}
	for i, value := range o.Values {
		varied, err := s.With(c, scenarios.Setting{Parameter: o.Parameter, Value: value})
		if err != nil {
			return nil, err
		}
		varied.Expect = expected(varied.Expect)
		compare := o.Compare
		compare.Progress = later(o.Compare.Progress, int64(uint64(i)*o.Compare.Seeds.Count()))
		one, err := comparison.Prepare(varied, c, compare)
		if err != nil {
			return nil, err
		}
		setup.setups = append(setup.setups, one)
	}
	return setup, nil
}

// Files is every file that the series was made from.
func (s *Setup) Files() (files []string) {
	for _, one := range s.setups {
		files = append(files, one.Files()...)
	}
	return files
}

// Run compares with one value after the other. When ctx ends it returns at once, with what
// is known.
func (s *Setup) Run(ctx context.Context) *Series {
	out := s.begun
	for i, one := range s.setups {
		c := one.Run(ctx)
		if c.Seeds > 0 || i == 0 {
			out.Points = append(out.Points, Point{s.values[i], c})
		}
		if out.Interrupted = c.Interrupted; out.Interrupted {
			break
		}
	}
	return &out
}

// expected is what a file expects without the counts, which are those of its own value of
// the parameter.
func expected(x *scenarios.Expect) *scenarios.Expect {
	if x == nil {
		return nil
	}
	return &scenarios.Expect{Verdict: x.Verdict, Violation: x.Violation, Incomplete: x.Incomplete}
}

// later tells of the progress of one comparison as that of all.
func later(progress func(int64), before int64) func(int64) {
	if progress == nil {
		return nil
	}
	return func(seeds int64) { progress(before + seeds) }
}

// ExitCode is the worst of the comparisons' exit codes.
func (s *Series) ExitCode() int {
	code := 0
	for _, p := range s.Points {
		switch next := p.Comparison.ExitCode(); {
		case next == 130, next == 1 && code != 130, code == 0:
			code = next
		}
	}
	return code
}

// first is the first comparison: which algorithms there are, and the order of the run, are
// the same in all.
func (s *Series) first() *comparison.Comparison { return s.Points[0].Comparison }

// told is the measures that any run has, of those that are wanted.
func (s *Series) told() (list []comparison.Measure) {
	for _, key := range s.Measures {
		m := comparison.MeasureOf(key)
		if slices.ContainsFunc(s.Points, func(p Point) bool { return p.Comparison.Has(key) }) {
			list = append(list, *m)
		}
	}
	return list
}

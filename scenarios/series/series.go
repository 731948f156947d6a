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
	// The values from here on were not compared, or not with all seeds.
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

// seeds is why the seed is no parameter of a series.
const seeds = "seed"

// Of compares with one value after the other. A value that the parameter does not take, or
// with which the scenario is wrong under every algorithm, is an error, and nothing is run.
// When ctx ends it returns at once, with what is known.
func Of(ctx context.Context, s *scenarios.Scenario, c scenarios.Catalogue, o Options) (*Series, error) {
	switch o.Parameter {
	case seeds:
		return nil, fmt.Errorf("the seed is no parameter to vary, because every value is compared over the same seeds; write --seeds 1-50")
	case "algorithm":
		return nil, fmt.Errorf("the algorithm is no parameter to vary, because every value is compared under all of them; write --algorithms abs,chandy-lamport")
	}
	out := &Series{Scenario: s.Name, Parameter: o.Parameter}
	for _, m := range o.Measures {
		out.Measures = append(out.Measures, m.Key)
	}
	setups := make([]*comparison.Setup, len(o.Values))
	for i, value := range o.Values {
		varied, err := s.With(c, scenarios.Setting{Parameter: o.Parameter, Value: value})
		if err != nil {
			return nil, err
		}
		varied.Expect = expected(varied.Expect)
		compare := o.Compare
		compare.Progress = later(o.Compare.Progress, int64(uint64(i)*o.Compare.Seeds.Count()))
		if setups[i], err = comparison.Prepare(varied, c, compare); err != nil {
			return nil, err
		}
	}
	for i, setup := range setups {
		point := Point{o.Values[i], setup.Run(ctx)}
		out.Points = append(out.Points, point)
		if out.Interrupted = point.Comparison.Interrupted; out.Interrupted {
			break
		}
	}
	return out, nil
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
		if slices.ContainsFunc(s.Points, func(p Point) bool {
			return slices.ContainsFunc(p.Comparison.Algorithms, func(a comparison.Algorithm) bool { return summaryOf(&a, key).Runs > 0 })
		}) {
			list = append(list, *m)
		}
	}
	return list
}

// summaryOf is the summary of a measure over the runs of an algorithm; without any runs one
// that says so.
func summaryOf(a *comparison.Algorithm, key string) *comparison.Summary {
	i := slices.IndexFunc(a.Summaries, func(s comparison.Summary) bool { return s.Measure == key })
	if i < 0 {
		return &comparison.Summary{Measure: key}
	}
	return &a.Summaries[i]
}

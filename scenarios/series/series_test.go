package series

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"simrun/scenarios"
	"simrun/scenarios/comparison"
	"simrun/scenarios/plot"
)

// of is the series over a scenario.
func of(text, parameter, values string, o comparison.Options, measures ...string) (*Series, error) {
	c := scenarios.Default()
	s, err := scenarios.Parse(c, "x.yaml", []byte(text))
	if err != nil {
		return nil, err
	}
	list, err := Values(values)
	if err != nil {
		return nil, err
	}
	told, err := NamedMeasures(measures)
	if err != nil {
		return nil, err
	}
	return Of(context.Background(), s, c, Options{Parameter: parameter, Values: list, Measures: told, Compare: o})
}

func must(t *testing.T, text, parameter, values string, o comparison.Options, measures ...string) *Series {
	t.Helper()
	s, err := of(text, parameter, values, o, measures...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// both compares the two algorithms with some seeds.
func both(last uint64) comparison.Options {
	return comparison.Options{Algorithms: comparison.Usual(), Seeds: &comparison.Range{First: 1, Last: last}, Workers: 2}
}

const ring = "graph: {generate: ring, nodes: 4}\napp: {kind: bank, every: 2ms, transfers: 60}\n"

// TestPointsAreComparisons: every point is the comparison of a file that has the value, and
// the runs without snapshots have none.
func TestPointsAreComparisons(t *testing.T) {
	s := must(t, ring, "snapshots.every", "none,20ms,60ms", both(6), Usual()...)
	for i, every := range []string{"0ns", "20ms", "60ms"} {
		c := scenarios.Default()
		file, err := scenarios.Parse(c, "x.yaml", []byte(ring+"snapshots: {every: "+every+"}"))
		if err != nil {
			t.Fatal(err)
		}
		want, err := comparison.Of(context.Background(), file, c, both(6))
		if err != nil {
			t.Fatal(err)
		}
		got := s.Points[i].Comparison
		for k := range want.Algorithms {
			if !reflect.DeepEqual(got.Algorithms[k].Runs, want.Algorithms[k].Runs) {
				t.Errorf("%s, %s: other runs", every, want.Algorithms[k].Name)
			}
			if complete := got.Algorithms[k].Summary("snapshots_completed").Median; (*complete == 0) != (i == 0) {
				t.Errorf("%s: %d snapshots", every, *complete)
			}
		}
	}
	if s.ExitCode() != 0 {
		t.Errorf("exit code %d", s.ExitCode())
	}
}

// TestExpectedCounts: what a file expects in numbers is not demanded of other values, and
// what it expects of the verdict is.
func TestExpectedCounts(t *testing.T) {
	if s := must(t, ring+"expect: {verdict: holds, snapshots: 3}", "snapshots.every", "none,100ms", both(1), Usual()...); s.ExitCode() != 0 {
		t.Errorf("exit code %d", s.ExitCode())
	}
	s := must(t, ring+"expect: {verdict: violated}", "snapshots.every", "50ms", both(1), Usual()...)
	if s.ExitCode() != 1 {
		t.Errorf("exit code %d", s.ExitCode())
	}
}

// TestRefusedSeries: what cannot be varied is an error before anything is run.
func TestRefusedSeries(t *testing.T) {
	for _, test := range []struct{ parameter, values, says string }{
		{"seed", "1,2", "every value is compared over the same seeds; write --seeds 1-50"},
		{"algorithm", "abs,tracking", "write --algorithms abs,chandy-lamport"},
		{"snapshots.evry", "1ms", `x.yaml: with snapshots.evry=1ms: snapshots has no key "evry"; did you mean every?`},
		{"snapshots.every", "10ms,20", "x.yaml: with snapshots.every=20: every is 20, without a unit; write a duration, such as 20ms"},
		{"graph.nodes", "4,0", "x.yaml: with graph.nodes=0: nodes is 0; it must be between 1 and"},
		{"snapshots.initiators", "[n0],[n9]", `with snapshots.initiators=[n9]: no node is named "n9"`},
	} {
		s, err := of(ring, test.parameter, test.values, both(1))
		if err == nil || !strings.Contains(err.Error(), test.says) || s != nil {
			t.Errorf("%s=%s: %v", test.parameter, test.values, err)
		}
	}
	for _, test := range []struct{ name, says string }{
		{"throughputs", `no measure is named "throughputs"; did you mean throughput? there are snapshots_triggered, `},
		{"", "no measure is named"},
	} {
		if _, err := NamedMeasures([]string{test.name}); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%v", err)
		}
	}
	if _, err := NamedMeasures([]string{"delay_p99", "delay_p99_ns"}); err == nil || !strings.Contains(err.Error(), "is named twice") {
		t.Errorf("%v", err)
	}
}

// TestCharts: the axes follow the values and the unit of the measure, and what is refused
// or not measured has no point.
func TestCharts(t *testing.T) {
	s := must(t, ring, "snapshots.every", "10ms,20ms,200ms", both(6), "latency_max", "throughput_lost", "markers")
	charts := s.Charts()
	if len(charts) != 3 || charts[0].X.Unit != plot.Nanoseconds || !charts[0].X.Log || charts[0].Y.Unit != plot.Nanoseconds ||
		charts[1].Y.Unit != plot.Percent || charts[2].Y.Unit != plot.Number {
		t.Errorf("%+v", charts)
	}
	for i, run := range s.Points[1].Comparison.Algorithms[1].Runs {
		p := charts[0].Lines[1].Points[1]
		if v := float64(*run.Measures.LatencyMax); v < p.Low || v > p.High || p.X != 20e6 || p.Y < p.Low {
			t.Errorf("seed %d: %v is not in %+v", i+1, v, p)
		}
	}
	// No snapshot is complete after 200ms, so that there is no latency.
	if p := charts[0].Lines[0].Points[2]; p.Y == p.Y {
		t.Errorf("a latency of %v", p.Y)
	}
	for _, values := range []string{"none,20ms", "20ms"} {
		x := must(t, ring, "snapshots.every", values, both(1), "markers").axisX()
		if names := len(x.axis.Names); (names > 0) != (values == "none,20ms") || x.axis.Log {
			t.Errorf("%s: %+v", values, x)
		}
	}
	refused := both(1)
	refused.Algorithms = []string{"chandy-lamport", "stop-the-world"}
	s = must(t, ring, "graph.nodes", "3,4", refused, "markers", "recoveries")
	if l := s.Charts()[0].Lines[1]; l.Absent != "refused" || s.Charts()[0].X.Unit != plot.Number {
		t.Errorf("%+v", l)
	}
}

// TestForms: the same numbers in every form.
func TestForms(t *testing.T) {
	refused := both(2)
	refused.Algorithms = []string{"chandy-lamport", "stop-the-world"}
	s := must(t, ring, "graph.nodes", "3,4", refused, "markers", "caught_up")
	var text, markdown, lines, svg bytes.Buffer
	for _, write := range []func() error{
		func() error { return s.WriteText(&text) }, func() error { return s.WriteMarkdown(&markdown) },
		func() error { return s.WriteCSV(&lines) }, func() error { return s.WriteSVG(&svg) },
	} {
		if err := write(); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{
		"x.yaml: graph.nodes, 2 values, seeds 1-2, order timed\n",
		"\nmarkers sent, median of the seeds\n  graph.nodes  chandy-lamport  stop-the-world\n  3            6               refused\n  4            8               refused\n\n",
		"\n  o chandy-lamport\n    stop-the-world: refused\n",
		"\nnote: no run has the measure sources caught up after\n",
		"\nstop-the-world is refused: x.yaml:1:1: with graph.nodes=3: stop-the-world works only on graphs without cycles",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, &text)
		}
	}
	if want := "| graph.nodes | chandy-lamport | stop-the-world |\n|---|--:|--:|\n| 3 | 6 | refused |\n| 4 | 8 | refused |\n"; !strings.Contains(markdown.String(), want) {
		t.Errorf("no %q in\n%s", want, &markdown)
	}
	rows, err := csv.NewReader(&lines).ReadAll()
	if err != nil || strings.Join(rows[0][:5], ",") != "parameter,value_of_parameter,scenario,algorithm,seed" {
		t.Errorf("%v, %v", err, rows[0])
	}
	found := 0
	for _, row := range rows {
		if row[1] == "4" && row[3] == "chandy-lamport" && row[6] == "markers" && row[8] == "8" {
			found++
		}
	}
	if found != 2 {
		t.Errorf("%d rows of 2 have the markers", found)
	}
	if !strings.Contains(svg.String(), ">refused</text>") {
		t.Error("the plot does not say that an algorithm is refused")
	}
	var back Series
	if data, err := json.Marshal(s); err != nil || json.Unmarshal(data, &back) != nil || back.Parameter != "graph.nodes" || len(back.Points) != 2 {
		t.Errorf("%v, %+v", err, back)
	}
}

// TestFailuresAreTold: which runs are not as they should be, and how to run one again.
func TestFailuresAreTold(t *testing.T) {
	o := both(3)
	o.Algorithms = []string{"chandy-lamport", "no-channel-state"}
	s := must(t, ring, "snapshots.every", "25ms,40ms", o, "markers")
	var text strings.Builder
	if err := s.WriteText(&text); err != nil || s.ExitCode() != 1 {
		t.Errorf("%v, exit code %d", err, s.ExitCode())
	}
	for _, value := range []string{"25ms", "40ms"} {
		if want := "no-channel-state fails with snapshots.every=" + value + " and 3 of 3 seeds, the first is 1:\nsimrun run x.yaml --seed 1 --algorithm no-channel-state --set snapshots.every=" + value + "\n"; !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, &text)
		}
	}
}

// TestInterrupted: what is known so far is told.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	c := scenarios.Default()
	file, err := scenarios.Parse(c, "x.yaml", []byte(ring))
	if err != nil {
		t.Fatal(err)
	}
	o := both(4)
	o.Workers = 1
	o.Progress = func(seeds int64) {
		if seeds == 6 {
			cancel()
		}
	}
	told, err := NamedMeasures(Usual())
	if err != nil {
		t.Fatal(err)
	}
	s, err := Of(ctx, file, c, Options{Parameter: "snapshots.every", Values: []string{"20ms", "50ms", "70ms"}, Measures: told, Compare: o})
	var text strings.Builder
	if err != nil || !s.Interrupted || len(s.Points) != 2 || s.ExitCode() != 130 || s.WriteText(&text) != nil || !strings.Contains(text.String(), "interrupted") {
		t.Errorf("%v, %d points, exit code %d\n%s", err, len(s.Points), s.ExitCode(), &text)
	}
}

package export

import (
	"encoding/xml"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"

	"simrun/scenarios"
	"simrun/scenarios/label"
	"simrun/scenarios/units"
)

// Case is what became of a scenario under one algorithm. One of Result, Sweep and Refused
// is there.
type Case struct {
	Scenario, Algorithm string

	Result  *scenarios.Result // of one run
	Sweep   *scenarios.Sweep  // of many; then Result may be that of the first failing run
	Refused string            // why the algorithm cannot run the scenario
}

// JUnit writes verdicts as test results: a suite for each scenario, a test case for each
// algorithm. No times are given: how long something took on some machine would make other
// bytes of the same verdicts, and how long it took in virtual time is in the text.
func JUnit(w io.Writer, cases []Case) error {
	all := testSuites{Name: "simrun", Time: "0"}
	for i := range cases {
		c := &cases[i]
		if n := len(all.Suites); n == 0 || all.Suites[n-1].Name != label.Plain(c.Scenario) {
			all.Suites = append(all.Suites, testSuite{Name: label.Plain(c.Scenario), Time: "0"})
		}
		suite := &all.Suites[len(all.Suites)-1]
		one := c.test()
		suite.Cases = append(suite.Cases, one)
		for _, n := range []*counts{&suite.counts, &all.counts} {
			n.Tests++
			n.Failures += count(one.Failure)
			n.Errors += count(one.Error)
		}
		suite.Skipped += count(one.Skipped)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

type testSuites struct {
	XMLName xml.Name    `xml:"testsuites"`
	Name    string      `xml:"name,attr"`
	Time    string      `xml:"time,attr"`
	Suites  []testSuite `xml:"testsuite"`
	counts
}

// counts is what suites count; what is skipped they count alone.
type counts struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
}

type testSuite struct {
	Name string `xml:"name,attr"`
	counts
	Skipped int        `xml:"skipped,attr"`
	Time    string     `xml:"time,attr"`
	Cases   []testCase `xml:"testcase"`
}

type testCase struct {
	Name      string   `xml:"name,attr"`
	ClassName string   `xml:"classname,attr"`
	Time      string   `xml:"time,attr"`
	Skipped   *outcome `xml:"skipped"`
	Error     *outcome `xml:"error"`
	Failure   *outcome `xml:"failure"`
	Output    string   `xml:"system-out,omitempty"`
}

// outcome is what a test case has that has not passed.
type outcome struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

func count(o *outcome) int {
	if o == nil {
		return 0
	}
	return 1
}

func (c *Case) test() testCase {
	t := testCase{Name: label.Plain(c.Algorithm), ClassName: className(c.Scenario), Time: "0"}
	switch {
	case c.Refused != "":
		t.Skipped = &outcome{Message: label.Plain(c.Refused)}
	case c.Sweep != nil:
		c.sweep(&t)
	default:
		c.run(&t)
	}
	return t
}

// className is a scenario as a class of the language that the format comes from: what is
// before the last point is its package.
func className(scenario string) string {
	name := path.Clean(filepath.ToSlash(scenario))
	name = strings.TrimSuffix(name, path.Ext(name))
	var parts []string
	for part := range strings.SplitSeq(name, "/") {
		if part = strings.Trim(part, "."); part != "" {
			parts = append(parts, label.Plain(strings.ReplaceAll(part, ".", "_")))
		}
	}
	return strings.Join(parts, ".")
}

// run is the outcome of one run.
func (c *Case) run(t *testCase) {
	res := c.Result
	switch res.ExitCode() {
	case 1:
		t.Failure = failure(res, nil, res.Reproduce)
	case 3:
		t.Error = &outcome{Type: scenarios.Inconclusive, Message: "inconclusive: the run ended by its " + res.End, Text: res.Reproduce}
	}
	took := fmt.Sprintf("%d steps", res.VirtualTime)
	if res.Order != "chosen" {
		took = fmt.Sprintf("%v of virtual time", units.Duration(res.VirtualTime))
	}
	t.Output = fmt.Sprintf("seed %d: %s; %d messages delivered in %s; digest %s", res.Seed, res.Verdict, res.Deliveries, took, res.Digest)
}

// sweep is the outcome of many runs.
func (c *Case) sweep(t *testCase) {
	s := c.Sweep
	t.Output = fmt.Sprintf("seeds %d-%d: %d runs, %d hold, %d violated, %d inconclusive, digest %s", s.First, s.Last, s.Runs, s.Holds, s.Violated, s.Inconclusive, s.Digest)
	switch s.ExitCode() {
	case 1:
		t.Failure = failure(c.Result, s.FailingSeeds, c.Result.Reproduce)
	case 3:
		t.Error = &outcome{Type: scenarios.Inconclusive, Message: fmt.Sprintf("inconclusive: %d of %d runs reached a limit", s.Inconclusive, s.Runs)}
	}
}

// How many failing seeds and violations a text has at the most.
const (
	listedSeeds      = 100
	listedViolations = 20
)

// failure says what is violated or, if nothing is, what is not as it was expected.
func failure(res *scenarios.Result, seeds []uint64, command string) *outcome {
	o := &outcome{Type: "expect", Message: "not as expected"}
	var lines []string
	if len(res.Violations) > 0 {
		o.Type = res.Violations[0].Invariant
		o.Message = label.Short(o.Type+": "+res.Violations[0].Detail, verdictLength)
	} else if len(res.Unmet) > 0 {
		o.Message = label.Short("not as expected: "+res.Unmet[0], verdictLength)
	}
	if seeds != nil {
		lines = append(lines, fmt.Sprintf("%d failing seeds: %s", len(seeds), listed(seeds)))
	}
	lines = append(lines, fmt.Sprintf("failing seed: %d", res.Seed), "replay: "+command)
	for i, v := range res.Violations {
		if i == listedViolations {
			lines = append(lines, fmt.Sprintf("and %d more violations", len(res.Violations)-i+res.MoreViolated))
			break
		}
		lines = append(lines, v.Invariant+": "+v.Detail)
	}
	for _, sentence := range res.Unmet {
		lines = append(lines, "not as expected: "+sentence)
	}
	o.Text = label.Lines(strings.Join(lines, "\n"))
	return o
}

// listed is the first of many seeds.
func listed(seeds []uint64) string {
	var b strings.Builder
	for i, seed := range seeds[:min(len(seeds), listedSeeds)] {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprint(&b, seed)
	}
	if rest := len(seeds) - listedSeeds; rest > 0 {
		fmt.Fprintf(&b, " and %d more", rest)
	}
	return b.String()
}

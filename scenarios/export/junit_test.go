package export

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"simrun/scenarios"
)

// junitElement is what the schema that Jenkins checks test results with, junit-10.xsd, says
// of an element: its attributes, those that must be there, what may stand in it, and
// whether text may.
type junitElement struct {
	attributes, required, children []string
	text                           bool
}

var junitSchema = map[string]junitElement{
	"testsuites": {attributes: []string{"name", "time", "tests", "failures", "errors"}, children: []string{"testsuite"}},
	"testsuite": {
		attributes: []string{"name", "tests", "failures", "errors", "group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"},
		required:   []string{"name", "tests", "failures", "errors"},
		children:   []string{"testsuite", "properties", "testcase", "system-out", "system-err"},
	},
	"testcase": {
		attributes: []string{"name", "time", "classname", "group"}, required: []string{"name"},
		children: []string{"skipped", "error", "failure", "rerunFailure", "rerunError", "flakyFailure", "flakyError", "system-out", "system-err"},
	},
	"failure":    {attributes: []string{"type", "message"}, text: true},
	"error":      {attributes: []string{"type", "message"}, text: true},
	"skipped":    {attributes: []string{"type", "message"}, text: true},
	"system-out": {text: true},
	"system-err": {text: true},
	"properties": {children: []string{"property"}},
	"property":   {attributes: []string{"name", "value"}, required: []string{"name", "value"}},
}

// junitTime is how the schema writes seconds.
var junitTime = regexp.MustCompile(`^(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?$`)

// checkJUnit refuses what the schema does not allow, and counts that are not those of the
// test cases.
func checkJUnit(text string) error {
	d := xml.NewDecoder(strings.NewReader(text))
	var open []xml.StartElement
	found := map[string]int{}
	var suites []map[string]int // what the open suites have
	for {
		token, err := d.Token()
		switch {
		case errors.Is(err, io.EOF) && len(found) == 0:
			return errors.New("nothing is there")
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		switch token := token.(type) {
		case xml.StartElement:
			name := token.Name.Local
			if err := checkJUnitElement(token, open); err != nil {
				return err
			}
			if name == "testsuite" || name == "testsuites" {
				suites = append(suites, map[string]int{})
			}
			for _, suite := range suites {
				suite[name]++
			}
			found[name]++
			open = append(open, token)
		case xml.EndElement:
			if name := token.Name.Local; name == "testsuite" || name == "testsuites" {
				if err := checkCounts(open[len(open)-1], suites[len(suites)-1]); err != nil {
					return err
				}
				suites = suites[:len(suites)-1]
			}
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 && !junitSchema[open[len(open)-1].Name.Local].text && strings.TrimSpace(string(token)) != "" {
				return fmt.Errorf("text in %s", open[len(open)-1].Name.Local)
			}
		}
	}
}

func checkJUnitElement(e xml.StartElement, open []xml.StartElement) error {
	name := e.Name.Local
	rule, known := junitSchema[name]
	switch {
	case !known:
		return fmt.Errorf("the element %s", name)
	case len(open) == 0 && name != "testsuites":
		return fmt.Errorf("the root is %s", name)
	case len(open) > 0 && !slices.Contains(junitSchema[open[len(open)-1].Name.Local].children, name):
		return fmt.Errorf("%s in %s", name, open[len(open)-1].Name.Local)
	}
	have := map[string]string{}
	for _, a := range e.Attr {
		have[a.Name.Local] = a.Value
		if !slices.Contains(rule.attributes, a.Name.Local) {
			return fmt.Errorf("the attribute %s of %s", a.Name.Local, name)
		}
		if a.Name.Local == "time" && !junitTime.MatchString(a.Value) {
			return fmt.Errorf("the time %s", a.Value)
		}
	}
	for _, want := range rule.required {
		if _, is := have[want]; !is {
			return fmt.Errorf("%s without %s", name, want)
		}
	}
	return nil
}

// checkCounts compares what a suite says that it has with what it has.
func checkCounts(suite xml.StartElement, has map[string]int) error {
	for _, a := range suite.Attr {
		element, counts := map[string]string{"tests": "testcase", "failures": "failure", "errors": "error", "skipped": "skipped"}[a.Name.Local]
		if !counts {
			continue
		}
		if n, err := strconv.Atoi(a.Value); err != nil || n != has[element] {
			return fmt.Errorf("%s has %s=%s and %d of %s", suite.Name.Local, a.Name.Local, a.Value, has[element], element)
		}
	}
	return nil
}

func junit(t *testing.T, cases ...Case) string {
	t.Helper()
	text, _ := written(t, func(w io.Writer) ([]string, error) { return nil, JUnit(w, cases) })
	return text
}

// outcomes is a case of every kind.
func outcomes(t *testing.T) []Case {
	run := func(p *scenarios.Plan) Case {
		return Case{Scenario: p.Name, Algorithm: p.Algorithm.Name, Result: p.NewRunner().Run(p.Seed)}
	}
	wrong := load(t, "in-transit.yaml", "no-channel-state")
	sweep := Case{Scenario: wrong.Name, Algorithm: "swept", Sweep: wrong.Sweep(context.Background(), 1, 150, 1, nil), Result: wrong.NewRunner().Run(1)}
	strange := strange(t)
	strange.Name = "dir/\"<&>\x1b\n\u202e.yaml"
	return []Case{
		run(load(t, "in-transit.yaml", "")), run(wrong), sweep,
		run(parse(t, "steps: 100")), {Scenario: "s.yaml", Algorithm: "x", Refused: "s.yaml: \"no\" <way>\x00"},
		run(parse(t, "expect: {snapshots: 999}")), run(strange),
	}
}

// TestJUnit: what is written keeps the schema, and says what has failed and how to see it.
func TestJUnit(t *testing.T) {
	cases := outcomes(t)
	text := junit(t, cases...)
	if err := checkJUnit(text); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	var suites testSuites
	if err := xml.Unmarshal([]byte(text), &suites); err != nil {
		t.Fatal(err)
	}
	if suites.Tests != len(cases) || suites.Failures != 3 || suites.Errors != 1 || len(suites.Suites) != 3 || suites.Suites[1].Skipped != 1 {
		t.Errorf("%+v", suites)
	}
	first := suites.Suites[0].Cases
	if first[0].Failure != nil || first[0].Name != "chandy-lamport" || !strings.HasSuffix(first[0].ClassName, "testdata.scenarios.in-transit") {
		t.Errorf("%+v", first[0])
	}
	one := first[1].Failure
	if one.Type != "channel-state" || !strings.HasPrefix(one.Message, "channel-state: ") ||
		!strings.Contains(one.Text, "failing seed: 1\nreplay: simrun run ") || !strings.Contains(one.Text, "in-transit.yaml --seed 1 --algorithm no-channel-state\n") {
		t.Errorf("%+v", one)
	}
	many := first[2].Failure.Text
	if n := len(cases[2].Sweep.FailingSeeds); n <= listedSeeds || !strings.HasPrefix(many, fmt.Sprintf("%d failing seeds: 1 2 3 ", n)) || !strings.Contains(many, fmt.Sprintf(" and %d more\n", n-listedSeeds)) {
		t.Error(many)
	}
	other := suites.Suites[1].Cases
	if e := other[0].Error; e == nil || e.Type != "inconclusive" || !strings.Contains(e.Message, "step-limit") {
		t.Errorf("%+v", other[0])
	}
	if f := other[2].Failure; f == nil || f.Type != "expect" || !strings.HasPrefix(f.Message, "not as expected: ") {
		t.Errorf("%+v", f)
	}
	if suites.Suites[2].Name != "dir/\"<&>\u241b\u240a\u25a1.yaml" {
		t.Errorf("%q", suites.Suites[2].Name)
	}
}

// TestJUnitCheckerRejects: the checker knows the rules of the schema.
func TestJUnitCheckerRejects(t *testing.T) {
	text := junit(t, outcomes(t)...)
	for _, c := range []struct{ what, old, by string }{
		{"another root", "<testsuites ", "<results "},
		{"an element that there is not", "<system-out>", "<output>"},
		{"an attribute that there is not", ` classname="`, ` class="`},
		{"a name is missing", `<testcase name="chandy-lamport" `, `<testcase `},
		{"tests are missing", ` tests="3" failures="2"`, ` failures="2"`},
		{"errors are missing", ` errors="0" skipped`, ` skipped`},
		{"too many failures", ` tests="3" failures="2"`, ` tests="3" failures="1"`},
		{"a time that is none", `time="0"`, `time="0s"`},
		{"text in a suite", "<testcase ", "text<testcase "},
		{"a failure outside a case", "</testsuite>", `<failure/></testsuite>`},
		{"an element that does not end", "</system-out>", ""},
		{"nothing", text, ""},
	} {
		mustReject(t, c.what, text, c.old, c.by, checkJUnit)
	}
}

package scenarios

import (
	"errors"
	"strings"
	"testing"
)

// TestWrongUnderCoordinator: a wrong coordinator, a wrong task and a wrong sink are run
// in place of the right one, and refused, as not suited, by what they cannot run on.
func TestWrongUnderCoordinator(t *testing.T) {
	const (
		graph       = "graph: {generate: dataflow, parallelism: 2}\napp: {kind: wordcount, every: 1ms}\n"
		coordinated = graph + "coordinator: {interval: 20ms}\nfaults: [{crash: count-0, at: 50ms}]\n"
	)
	for _, test := range []struct{ algorithm, text, violates, refused string }{
		{"one-ack-missing", coordinated, "coordinator", ""},
		{"one-ack-missing", coordinated + "sinks: transactional", "coordinator", ""},
		{"one-ack-missing", graph, "", "one-ack-missing works only under a coordinator; write coordinator: {interval: 20ms}"},
		{"early-ack", coordinated, "coordinator", ""},
		{"early-ack", graph, "", "early-ack works only under a coordinator"},
		{"early-ack", coordinated + "sinks: transactional", "", "transactional sinks with early-ack, which talks to the coordinator itself"},
		{"commit-at-snapshot", coordinated + "sinks: transactional", "coordinator", ""},
		{"commit-at-snapshot", coordinated, "", "commit-at-snapshot is a transactional sink; write sinks: transactional"},
		{"commit-at-snapshot", graph, "", "commit-at-snapshot works only under a coordinator"},
		{"abs", coordinated, "", ""},
		{"abs", coordinated + "sinks: transactional", "", ""},
	} {
		s, err := Parse(Default(), "wrong.yaml", []byte(test.text))
		if err != nil {
			t.Fatal(err)
		}
		plan, err := s.Resolve(Default(), Overrides{Algorithm: test.algorithm})
		if test.refused != "" {
			var e *Error
			if !errors.As(err, &e) || !e.Unsuited || !strings.Contains(err.Error(), test.refused) {
				t.Errorf("%s: %v, want %q", test.algorithm, err, test.refused)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", test.algorithm, err)
			continue
		}
		violated := ""
		for seed := uint64(1); seed <= 20; seed++ {
			violated += " " + strings.Join(plan.NewRunner().Outcome(seed).Broken, " ") + " "
		}
		if strings.TrimSpace(violated) != "" != (test.violates != "") || !strings.Contains(violated, test.violates) {
			t.Errorf("%s on\n%s\nviolates%s, want %q", test.algorithm, test.text, violated, test.violates)
		}
	}
}

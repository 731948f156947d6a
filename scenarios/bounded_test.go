package scenarios

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// TestLongReportsAreBounded: a run of a thousand snapshots, of which all are wrong, is
// told in a text that a person can read, and nothing is left out without being counted.
func TestLongReportsAreBounded(t *testing.T) {
	for _, test := range []struct {
		algorithm          string
		report, explaining string // how they end
	}{
		{"chandy-lamport", "  and 799 more (holds: 799)\n", "and 799 snapshots more\n"},
		{"no-channel-state", "  and 799 more (violated: 799)\n", "and 796 snapshots more\n"},
	} {
		plan := mustResolve(t, "algorithm: "+test.algorithm+"\ngraph: {generate: ring, nodes: 2}\napp: {kind: bank, every: 1ms, transfers: 1000}\n"+
			"snapshots: {every: 1ms}\nstop: {at: 900ms}\n")
		runner := plan.NewRunner()
		res := runner.Run(1)
		if len(res.Snapshots) != 899 {
			t.Fatalf("%s: %d snapshots", test.algorithm, len(res.Snapshots))
		}
		bounded(t, test.algorithm, res, 150, test.report)
		if test.algorithm != "chandy-lamport" {
			bounded(t, test.algorithm, res, 150, " more\n  (S_c")
		}
		out, err := runner.Explain(1, 0)
		if err != nil {
			t.Fatal(err)
		}
		bounded(t, test.algorithm, out, 300, test.explaining)
	}
}

// bounded holds a text to a number of lines, and to what it must contain.
func bounded(t *testing.T, what string, out interface{ WriteText(w io.Writer) error }, lines int, contains string) {
	t.Helper()
	var b bytes.Buffer
	if err := out.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "\n"); n > lines || !strings.Contains(b.String(), contains) {
		t.Errorf("%s: %d lines, at most %d expected, with %q:\n%s", what, n, lines, contains, b.String())
	}
}

// TestBlockedToTheEnd: an input that is blocked for ever counts as blocked up to the end.
func TestBlockedToTheEnd(t *testing.T) {
	res := mustLoad(t, "aligned-back-edge.yaml", "").NewRunner().Run(1)
	s := res.Snapshots[0]
	if s.Verdict != "pending" || s.Blocked < res.VirtualTime/2 || s.Blocked > res.VirtualTime-*s.Started {
		t.Errorf("%s, blocked for %d of %d ns", s.Verdict, s.Blocked, res.VirtualTime)
	}
}

package shrink

import (
	"fmt"
	"io"
	"strings"

	"simrun/scenarios"
	"simrun/scenarios/label"
)

// Report is what there is to say about a Shrunk that was written to files.
type Report struct {
	From       Size                      `json:"from"`
	To         Size                      `json:"to"`
	Runs       int                       `json:"runs"`
	Ended      string                    `json:"ended,omitempty"` // why before nothing could be left out any more
	Violation  scenarios.ViolationResult `json:"violation"`
	Reproducer string                    `json:"reproducer"`         // the file
	Scenario   string                    `json:"scenario,omitempty"` // the file of the scenario alone, if it violates the same by itself
	Picture    string                    `json:"picture"`
	Replay     string                    `json:"replay"` // the command
}

// Report is the report of files that were written; scenario may be "".
func (s *Shrunk) Report(program, file, scenario string) *Report {
	return &Report{
		From: s.From, To: s.To, Runs: s.Runs, Ended: s.Ended, Violation: *s.Reproducer.Violation,
		Reproducer: file, Scenario: scenario, Picture: Picture(s.Reproducer),
		Replay: program + " replay " + scenarios.ShellWord(file),
	}
}

// String is the size in words.
func (s Size) String() string {
	return fmt.Sprintf("%s, %s, %s, %s, %s, %s", count(s.Nodes, "node"), count(s.Channels, "channel"), count(s.Faults, "fault"),
		count(s.Snapshots, "snapshot"), count(s.Deliveries, "delivery"), count(s.Steps, "step"))
}

func count[N int | int64](n N, what string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(what, "y"):
		what = strings.TrimSuffix(what, "y") + "ies"
	default:
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// WriteText prints a report for people.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "before: %v\nafter:  %v (%s)\n", r.From, r.To, count(r.Runs, "run"))
	if r.Ended != "" {
		fmt.Fprintf(&b, "ended early: %s\n", r.Ended)
	}
	fmt.Fprintf(&b, "\n%s\nviolated: %s: %s\n", r.Picture, r.Violation.Invariant, r.Violation.Detail)
	if r.Scenario != "" {
		fmt.Fprintf(&b, "scenario: %s\n", label.Plain(r.Scenario))
	}
	fmt.Fprintf(&b, "replay:   %s\n", r.Replay)
	_, err := io.WriteString(w, b.String())
	return err
}

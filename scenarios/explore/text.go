package explore

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"simrun/scenarios/label"
)

// WriteText prints a result for people.
func (r *Result) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, seed %d, every schedule\n", label.Plain(r.Scenario), r.Algorithm, r.Seed)
	if r.Finished {
		b.WriteString("finished: ")
	} else {
		fmt.Fprintf(&b, "not finished (%s): ", r.StoppedBy)
	}
	fmt.Fprintf(&b, "%s states, %s steps between them, %s in which a run is over, up to %d steps from the beginning\n",
		grouped(r.States), grouped(r.Transitions), grouped(r.Ends), r.Depth)
	switch red := &r.Reduction; {
	case red.On && red.GaveUp:
		fmt.Fprintf(&b, "reduction: a weaker one, as the nodes have too many states of their own; in %s states %s steps were left out that lead to no other outcome\n", grouped(red.States), grouped(red.Skipped))
	case red.GaveUp:
		b.WriteString("reduction: none, it would have taken longer than the search\n")
	case red.On:
		fmt.Fprintf(&b, "reduction: in %s states %s steps were left out that lead to no other outcome\n", grouped(red.States), grouped(red.Skipped))
	default:
		b.WriteString("reduction: off\n")
	}
	fmt.Fprintf(&b, "memory: %.0f bytes a state; time: %.2f s, %s states a second\n", r.Bytes, r.Seconds, grouped(int64(float64(r.States)/max(r.Seconds, 1e-6))))
	fmt.Fprintf(&b, "distinct snapshots: %s\n", grouped(r.Snapshots))
	for _, o := range r.Outcomes {
		said := "hold"
		if len(o.Violates) > 0 {
			said = "violate " + strings.Join(o.Violates, ", ")
		}
		fmt.Fprintf(&b, "%ss: %s %s\n", o.Of, grouped(o.Count), said)
	}
	r.writeSnapshots(&b)
	r.writeViolation(&b)
	fmt.Fprintf(&b, "verdict: %s\n", r.Verdict)
	_, err := io.WriteString(w, b.String())
	return err
}

// writeViolation prints the first violation and its schedule.
func (r *Result) writeViolation(b *strings.Builder) {
	v := r.Violation
	if v == nil {
		return
	}
	what := "the run"
	if v.Snapshot > 0 {
		what = fmt.Sprintf("snapshot %d", v.Snapshot)
	}
	known := "no shorter schedule leads to any"
	if !v.Shortest {
		known = "there may be a shorter schedule"
	}
	fmt.Fprintf(b, "first violation: %s violates %s after %d steps; %s\n", what, strings.Join(v.Violates, ", "), v.Steps, known)
	for _, detail := range v.Details {
		fmt.Fprintf(b, "  %s\n", detail)
	}
	b.WriteString("schedule:\n")
	for i, line := range v.Schedule {
		fmt.Fprintf(b, "  %2d. %s\n", i+1, line)
	}
	if r.Kept != "" {
		fmt.Fprintf(b, "written: %s\n", r.plan.ReplayOf(r.Kept))
	}
}

// writeSnapshots prints the distinct snapshots, if they are asked for.
func (r *Result) writeSnapshots(b *strings.Builder) {
	for i := range r.Recorded {
		s := &r.Recorded[i]
		fmt.Fprintf(b, "\nsnapshot %d:", s.ID)
		for v, state := range s.States {
			fmt.Fprintf(b, "%s %s %s, %d read", separator(v), r.plan.Graph.Nodes[v], state, s.Offsets[v])
			if len(s.Timers[v]) > 0 {
				fmt.Fprintf(b, ", timers %v", s.Timers[v])
			}
		}
		for c, messages := range s.Channels {
			if len(messages) > 0 {
				fmt.Fprintf(b, "\n  %s holds", r.plan.Graph.ChannelName(int32(c)))
			}
			for k, m := range messages {
				fmt.Fprintf(b, "%s {key %d, value %d, aux %d}", separator(k), m.Key, m.Value, m.Aux)
			}
		}
		if len(s.Violates) > 0 {
			fmt.Fprintf(b, "\n  violates %s", strings.Join(s.Violates, ", "))
		}
	}
	if len(r.Recorded) > 0 {
		b.WriteString("\n\n")
	}
}

// separator is what stands before entry k of a list.
func separator(k int) string {
	if k == 0 {
		return ""
	}
	return ";"
}

// grouped is a number with its digits in groups of three.
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

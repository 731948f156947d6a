package scenarios

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"simrun/scenarios/label"
	"simrun/scenarios/units"
	"simrun/sim"
)

// WriteText prints a result for people.
func (res *Result) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, seed %d, order %s%s\n", label.Plain(res.Scenario), res.Algorithm, res.Seed, res.Order, res.Search.by())
	fmt.Fprintf(&b, "%s on %s: %s, %s\n", res.App, res.Graph, plural(int64(res.Nodes), "node"), plural(int64(res.Channels), "channel"))
	if res.Restored != "" {
		fmt.Fprintf(&b, "begins with the checkpoint %s\n", res.Restored)
	}
	res.writeSnapshots(&b)
	res.writeCheckpoints(&b)
	res.writeRecoveries(&b)
	res.writeStates(&b)
	for _, f := range res.UnfiredFaults {
		fmt.Fprintf(&b, "\nnever fired: %s", f)
	}
	if len(res.UnfiredFaults) > 0 {
		b.WriteByte('\n')
	}
	if res.Picture != "" {
		fmt.Fprintf(&b, "\n%s", res.Picture)
	}
	res.writeVerdict(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// plural counts things.
func plural(n int64, thing string) string {
	return pluralOf(n, thing, thing+"s")
}

func pluralOf(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// listedNames is how many names a table cell shows before it counts the rest.
const listedNames = 4

func few(names []string) string {
	if len(names) > listedNames {
		return fmt.Sprintf("%s +%d", strings.Join(names[:listedNames], ", "), len(names)-listedNames)
	}
	return strings.Join(names, ", ")
}

// span is a time for people: in steps as it is, in nanoseconds as units.Duration.Brief.
// JSON has it exactly.
func (res *Result) span(t int64) string {
	if res.Order == chosen {
		return fmt.Sprint(t)
	}
	return units.Duration(t).Brief()
}

func (res *Result) maybe(t *int64) string {
	if t == nil {
		return "-"
	}
	return res.span(*t)
}

// known is a number, or a dash where it is not known.
func known(n *int64) string {
	if n == nil {
		return "-"
	}
	return fmt.Sprint(*n)
}

// table lays out rows of tab-separated cells below a title.
func table(b *strings.Builder, title string, rows func(w io.Writer)) {
	fmt.Fprintf(b, "\n%s\n", title)
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	rows(t)
	t.Flush()
}

func (res *Result) writeSnapshots(b *strings.Builder) {
	if len(res.Snapshots) == 0 {
		b.WriteString("\nno snapshots\n")
		return
	}
	listed := res.Snapshots[:min(len(res.Snapshots), listedSnapshots)]
	table(b, "snapshots", func(w io.Writer) {
		fmt.Fprint(w, "  id\tinitiators\tstarted\tcompleted\tmarkers\tstored\tblocked\tswaps\tverdict\n")
		for _, s := range listed {
			fmt.Fprintf(w, "  %d\t%s\t%s\t%s\t%d\t%d\t%s\t%s\t%s\n",
				s.ID, few(s.Initiators), res.maybe(s.Started), res.maybe(s.Completed), s.Markers, s.ChannelMessages, res.span(s.Blocked), known(s.Swaps), reasoned(s.Verdict, s.Because))
		}
	})
	if rest := res.Snapshots[len(listed):]; len(rest) > 0 {
		fmt.Fprintf(b, "  and %d more (%s)\n", len(rest), verdicts(rest))
	}
}

// listedSnapshots is how many snapshots the text lists before it counts the rest.
const listedSnapshots = 100

// verdicts counts snapshots by their verdicts.
func verdicts(snapshots []SnapshotResult) string {
	counts := map[string]int{}
	for i := range snapshots {
		counts[snapshots[i].Verdict]++
	}
	var parts []string
	for _, v := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s: %d", v, counts[v]))
	}
	return strings.Join(parts, ", ")
}

// reasoned is a verdict with what it follows from, if it says nothing itself.
func reasoned(verdict, because string) string {
	if because == "" {
		return verdict
	}
	return verdict + ": " + because
}

func (res *Result) writeRecoveries(b *strings.Builder) {
	if len(res.Recoveries) == 0 {
		return
	}
	partial := slices.ContainsFunc(res.Recoveries, func(r RecoveryResult) bool { return r.Restarted != nil })
	table(b, "recoveries", func(w io.Writer) {
		fmt.Fprintf(w, "  crashed\tat\trestored\tfrom\tundone\treplayed\t%sverdict\n", onlyIf(partial, "restarted\tdropped\t"))
		for k, r := range res.Recoveries {
			from := "the initial state"
			if r.Snapshot != nil {
				from = fmt.Sprintf("snapshot %d", *r.Snapshot)
			}
			crashed := few(r.Crashed)
			switch {
			case len(r.Crashed) > 0:
			case res.Restored != "" && k == 0: // the restore with which the run begins
				crashed = "the process"
			default:
				crashed = "none" // the coordinator has ordered it
			}
			restarted := "all"
			if r.Restarted != nil {
				restarted = few(r.Restarted)
			}
			fmt.Fprintf(w, "  %s\t%s\t%s\t%s\t%s, %s\t%s\t%s%s\n", crashed, res.span(r.CrashedAt), res.span(r.At), from,
				plural(r.UndoneMessages, "message"), plural(r.UndoneRecords, "record"), plural(r.Replayed, "message"),
				onlyIf(partial, restarted+"\t"+plural(r.Dropped, "message")+"\t"), reasoned(r.Verdict, r.Because))
		}
	})
}

// onlyIf is a text, or nothing.
func onlyIf(yes bool, text string) string {
	if yes {
		return text
	}
	return ""
}

func (res *Result) writeVerdict(b *strings.Builder) {
	if len(res.Violations) > 0 {
		b.WriteString("\nviolations, the first wrong event first\n")
		res.writeViolations(b)
		res.writeStory(b)
	}
	if len(res.Checkpoints) > 0 {
		fmt.Fprintf(b, "\ncheckpoints written: %s\n", few(res.Checkpoints))
	}
	if res.LostRecords > 0 {
		fmt.Fprintf(b, "\nlost, as replay: none says: %s\n", plural(res.LostRecords, "record"))
	}
	if res.Ledger != nil {
		fmt.Fprintf(b, "\n%s", res.Ledger)
	}
	took := res.span(res.VirtualTime) + " of virtual time"
	if res.Order == chosen {
		took = plural(res.VirtualTime, "step")
	}
	fmt.Fprintf(b, "\n%s delivered in %s; the run ended %s\n", plural(res.Deliveries, "message"), took, res.ending())
	fmt.Fprintf(b, "exercised: %s\n", res.Exercised)
	fmt.Fprintf(b, "checked: %s\n", strings.Join(res.Checks, ", "))
	fmt.Fprintf(b, "digest: %s, of the application alone: %s\n", res.Digest, res.ApplicationDigest)
	fmt.Fprintf(b, "verdict: %s%s\n", res.Verdict, res.expectation())
	res.writeUnmet(b)
	if res.Verdict == Violated || res.Unmet != nil {
		fmt.Fprintf(b, "reproduce: %s\n", res.Reproduce)
	}
}

// listedViolations is how many violations of one invariant in one snapshot or
// recovery the text shows, and listedInAll how many in all: others mostly follow
// from the first.
const (
	listedViolations = 3
	listedInAll      = 24
)

// subject is what the text counts violations by.
type subject struct {
	invariant string
	snapshot  uint32
	recovery  int
}

func (v *ViolationResult) subject() subject {
	s := subject{invariant: v.Invariant, recovery: -1}
	if v.Snapshot != nil {
		s.snapshot = *v.Snapshot
	}
	if v.Recovery != nil {
		s.recovery = *v.Recovery
	}
	return s
}

// writeViolations lists the violations, the first wrong event first.
func (res *Result) writeViolations(b *strings.Builder) {
	shown, listed := map[subject]int{}, 0
	more := res.MoreViolated
	explain := false
	for i := range res.Violations {
		v := &res.Violations[i]
		if shown[v.subject()]++; shown[v.subject()] > listedViolations || listed == listedInAll {
			more++
			continue
		}
		listed++
		fmt.Fprintf(b, "  %s: %s\n", v.Invariant, v.Detail)
		explain = explain || strings.Contains(v.Detail, "S_c = ")
	}
	if more > 0 {
		fmt.Fprintf(b, "  and %d more\n", more)
	}
	if explain {
		b.WriteString("  (S_c: how many messages the sender had sent on the channel when it recorded;\n" +
			"  R_c: how many of them the receiver had processed when it recorded)\n")
	}
}

// WriteFindings prints what of a run is not as it should be: what is violated, and what of
// the expectations is not met.
func (res *Result) WriteFindings(b *strings.Builder) {
	res.writeViolations(b)
	res.writeUnmet(b)
}

func (res *Result) writeUnmet(b *strings.Builder) {
	for _, problem := range res.Unmet {
		fmt.Fprintf(b, "  not as expected: %s\n", problem)
	}
}

// writeStory says why the first violation is one.
func (res *Result) writeStory(b *strings.Builder) {
	if res.story == nil {
		return
	}
	b.WriteString("\nthe first of them (an event of a node: a step of its app, a send, an emission or a recording)\n")
	writeLines(b, res.story)
	if res.explain != "" {
		fmt.Fprintf(b, "  more: %s\n", res.explain)
	}
}

func (res *Result) expectation() string {
	switch {
	case res.Expected == nil:
		return ""
	case *res.Expected:
		return ", as expected"
	}
	return ", not as expected"
}

// ending says why the run ended; where it was a limit, which.
func (res *Result) ending() string {
	switch res.End {
	case endNames[sim.Settled]:
		return "after the stop, with no snapshot pending"
	case endNames[sim.StepLimit]:
		return fmt.Sprintf("at its limit of %s (steps: in the file)", plural(res.stepLimit, "step"))
	case endNames[sim.RecoveryLimit]:
		return fmt.Sprintf("at its limit of %d recoveries, the most that a run may have", sim.MaxRecoveries)
	case endNames[sim.TimeLimit]:
		return fmt.Sprintf("at the end of virtual time, which is %s", units.Duration(sim.MaxTime).Brief())
	case endNames[sim.OpenLimit]:
		return fmt.Sprintf("at its limit of %d snapshots under way at once", sim.MaxOpen)
	case endNames[sim.GaveUp]:
		return "when the coordinator gave up: the restart strategy allows no more restarts"
	case endNames[sim.Misbehaved]:
		return "where somebody misbehaved"
	}
	return "because nothing was left to do"
}

package scenarios

import (
	"fmt"
	"strings"

	"simrun/invariants"
)

// LedgerResult is what became of the records of the sources in a run with recoveries.
// Lists hold a hundred records at most, as node:number.
type LedgerResult struct {
	Records int64 `json:"records"`

	Effects         string   `json:"effects"` // an invariants.Guarantee
	EffectsOnce     int64    `json:"effects_once"`
	EffectsRepeated int64    `json:"effects_repeated"`
	EffectsLost     int64    `json:"effects_lost"`
	EffectsUndone   int64    `json:"effects_undone"`
	Repeated        []string `json:"repeated"`
	Lost            []string `json:"lost"`
	Undone          []string `json:"undone"`

	Outputs           string   `json:"outputs"` // an invariants.Guarantee
	OutputsOnce       int64    `json:"outputs_once"`
	OutputsDuplicated int64    `json:"outputs_duplicated"`
	OutputsLost       int64    `json:"outputs_lost"`
	OutputsWaiting    int64    `json:"outputs_waiting"`
	OutputsUnbacked   int64    `json:"outputs_unbacked"`
	Duplicates        int64    `json:"duplicates"`
	Duplicated        []string `json:"duplicated"`
	OutputLost        []string `json:"output_lost"`
	Waiting           []string `json:"waiting"`
	Unbacked          []string `json:"unbacked"`
}

// ledgerResult words a ledger; nil stays nil.
func (p *Plan) ledgerResult(l *invariants.Ledger) *LedgerResult {
	if l == nil {
		return nil
	}
	return &LedgerResult{
		Records: l.Records,
		Effects: string(l.Effects), EffectsOnce: l.EffectsOnce, EffectsRepeated: l.EffectsRepeated, EffectsLost: l.EffectsLost, EffectsUndone: l.EffectsUndone,
		Repeated: p.recordNames(l.Repeated), Lost: p.recordNames(l.Lost), Undone: p.recordNames(l.Undone),
		Outputs:     string(l.Outputs),
		OutputsOnce: l.OutputsOnce, OutputsDuplicated: l.OutputsDuplicated, OutputsLost: l.OutputsLost, OutputsWaiting: l.OutputsWaiting, OutputsUnbacked: l.OutputsUnbacked,
		Duplicates: l.Duplicates,
		Duplicated: p.recordNames(l.Duplicated), OutputLost: p.recordNames(l.OutputLost), Waiting: p.recordNames(l.Waiting), Unbacked: p.recordNames(l.Unbacked),
	}
}

func (p *Plan) recordNames(ids []invariants.RecordID) []string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = fmt.Sprintf("%s:%d", p.Graph.Nodes[id.Node], id.Number)
	}
	return names
}

// String is the ledger in two lines: what became of the effects, and of the outputs.
func (l *LedgerResult) String() string {
	effects := kept(l.Effects) + ": " + plural(l.EffectsOnce, "record") + " exactly once" +
		also(l.EffectsRepeated, plural(l.EffectsRepeated, "record")+" more than once", l.Repeated) +
		also(l.EffectsLost, plural(l.EffectsLost, "record")+" lost", l.Lost) +
		also(l.EffectsUndone, plural(l.EffectsUndone, "record")+" undone and not read again", l.Undone)
	outputs := plural(l.OutputsOnce, "record") + " exactly once" +
		also(l.OutputsDuplicated, fmt.Sprintf("%s of %s left again", plural(l.Duplicates, "output"), plural(l.OutputsDuplicated, "record")), l.Duplicated) +
		also(l.OutputsLost, "output of "+plural(l.OutputsLost, "record")+" never left", l.OutputLost) +
		also(l.OutputsWaiting, "output of "+plural(l.OutputsWaiting, "record")+" not yet committed", l.Waiting) +
		also(l.OutputsUnbacked, "output of "+plural(l.OutputsUnbacked, "record")+" left without its effect", l.Unbacked)
	if l.Outputs == string(invariants.NoOutputs) {
		return fmt.Sprintf("effects: %s\noutputs: none\n", effects)
	}
	return fmt.Sprintf("effects: %s\noutputs: %s: %s\n", effects, guaranteeName(l.Outputs), outputs)
}

// kept is the guarantee that the effects have kept, and what they have not.
func kept(g string) string {
	if name := guaranteeName(g); g == string(invariants.AtLeastOnce) || g == string(invariants.AtMostOnce) {
		return name + ", not exactly once"
	}
	return guaranteeName(g)
}

// unmetGuarantee says if the effects have kept another guarantee, or none is known.
func unmetGuarantee(want string, l *invariants.Ledger) []string {
	switch {
	case l == nil:
		return []string{"there is no account of the records, as nothing was restored or the run is not legal; expected effects " + guaranteeName(want)}
	case string(l.Effects) != want:
		return []string{fmt.Sprintf("the effects of the records are %s, expected %s", guaranteeName(string(l.Effects)), guaranteeName(want))}
	}
	return nil
}

// guaranteeName is a guarantee for people.
func guaranteeName(g string) string {
	if g == string(invariants.Unreliable) {
		return "neither at least nor at most once"
	}
	return strings.ReplaceAll(g, "-", " ")
}

// also is one more thing to say if there is something to say it of, with a few of the
// records.
func also(n int64, what string, records []string) string {
	if n == 0 {
		return ""
	}
	names := strings.Join(records[:min(len(records), listedNames)], ", ")
	if more := n - int64(min(len(records), listedNames)); more > 0 {
		names += fmt.Sprintf(" +%d", more)
	}
	return fmt.Sprintf(", %s (%s)", what, names)
}

// Outputs is how often outputs left, over the runs of a sweep that had recoveries.
type Outputs struct {
	ExactlyOnce int64 `json:"exactly_once"` // runs
	AtLeastOnce int64 `json:"at_least_once"`
	AtMostOnce  int64 `json:"at_most_once"`
	Neither     int64 `json:"neither"`
	Duplicates  int64 `json:"duplicates"` // outputs that left again
	Lost        int64 `json:"lost"`       // records of which output never left
}

// add adds a run; l may be nil.
func (o *Outputs) add(l *invariants.Ledger) {
	if l == nil {
		return
	}
	o.ExactlyOnce += one(l.Outputs == invariants.ExactlyOnce)
	o.AtLeastOnce += one(l.Outputs == invariants.AtLeastOnce)
	o.AtMostOnce += one(l.Outputs == invariants.AtMostOnce)
	o.Neither += one(l.Outputs == invariants.Unreliable)
	o.Duplicates += l.Duplicates
	o.Lost += l.OutputsLost
}

// String is the outputs on one line; empty if no run had any after a recovery.
func (o Outputs) String() string {
	var parts []string
	for _, g := range []struct {
		runs int64
		name string
	}{
		{o.ExactlyOnce, "exactly once"}, {o.AtLeastOnce, "at least once"},
		{o.AtMostOnce, "at most once"}, {o.Neither, "neither"},
	} {
		if g.runs > 0 {
			parts = append(parts, fmt.Sprintf("%s in %s", g.name, plural(g.runs, "run")))
		}
	}
	text := strings.Join(parts, ", ")
	if o.Duplicates > 0 {
		text += fmt.Sprintf("; %s left again", plural(o.Duplicates, "output"))
	}
	if o.Lost > 0 {
		text += fmt.Sprintf("; output of %s never left", plural(o.Lost, "record"))
	}
	return text
}

package scenarios

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"simrun/invariants"
)

// TestLedger: a run with a recovery says what became of its records and outputs, in
// text and in JSON; one without says nothing.
func TestLedger(t *testing.T) {
	res := mustLoad(t, "wordcount-crash.yaml", "").NewRunner().Run(1)
	l := res.Ledger
	if l == nil || l.Outputs != "at-least-once" || l.OutputsDuplicated == 0 || l.Duplicates < l.OutputsDuplicated ||
		l.EffectsOnce != l.Records || l.EffectsLost+l.EffectsUndone+l.OutputsLost != 0 || l.OutputsOnce == 0 ||
		len(l.Duplicated) != int(min(l.OutputsDuplicated, 100)) || !strings.HasPrefix(l.Duplicated[0], "source-0:") {
		t.Errorf("%+v", l)
	}
	var text strings.Builder
	if err := res.WriteText(&text); err != nil || !strings.Contains(text.String(), "\noutputs: at least once: ") {
		t.Errorf("%v\n%s", err, text.String())
	}

	lost := mustResolve(t, "app: {kind: dataflow}\ngraph: {generate: dataflow}\nalgorithm: abs\nreplay: none\nsnapshots: {at: [50ms]}\nfaults: [{crash: source-0, at: 90ms}]").NewRunner().Run(1)
	if l := lost.Ledger; l == nil || l.Outputs != "at-most-once" || l.EffectsLost != lost.LostRecords || l.EffectsLost == 0 || len(l.Lost) != int(l.EffectsLost) || l.OutputsUnbacked == 0 {
		t.Errorf("%+v", l)
	}

	none := mustResolve(t, "version: 1").NewRunner().Run(1)
	text.Reset()
	if err := none.WriteText(&text); err != nil || none.Ledger != nil || strings.Contains(text.String(), "outputs:") {
		t.Errorf("%v, %+v\n%s", err, none.Ledger, text.String())
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(asJSON(none), &fields); err != nil || string(fields["ledger"]) != "null" {
		t.Errorf("%v, ledger is %s", err, fields["ledger"])
	}
}

func TestLedgerText(t *testing.T) {
	for want, l := range map[string]LedgerResult{
		"effects: exactly once: 1 record exactly once\noutputs: none\n": {Effects: "exactly-once", EffectsOnce: 1, Outputs: "no-outputs"},
		"effects: at least once, not exactly once: 1 record exactly once, 6 records more than once (a:1, a:2, a:3, a:4 +2)\noutputs: none\n": {
			Effects: "at-least-once", EffectsOnce: 1, EffectsRepeated: 6, Repeated: []string{"a:1", "a:2", "a:3", "a:4", "a:5", "a:6"}, Outputs: "no-outputs"},
		"effects: at most once, not exactly once: 9 records exactly once, 1 record lost (a:3), 2 records undone and not read again (a:4, a:5)\n" +
			"outputs: neither at least nor at most once: 3 records exactly once, 7 outputs of 5 records left again (b:1, b:2, b:3, b:4 +1)," +
			" output of 1 record never left (b:9), output of 2 records left without its effect (a:4, a:5)\n": {
			Effects: "at-most-once", EffectsOnce: 9, EffectsLost: 1, EffectsUndone: 2, Lost: []string{"a:3"}, Undone: []string{"a:4", "a:5"},
			Outputs: "none", OutputsOnce: 3, OutputsDuplicated: 5, OutputsLost: 1, OutputsUnbacked: 2, Duplicates: 7,
			Duplicated: []string{"b:1", "b:2", "b:3", "b:4", "b:5"}, OutputLost: []string{"b:9"}, Unbacked: []string{"a:4", "a:5"},
		},
		"effects: exactly once: 9 records exactly once\noutputs: exactly once: 9 records exactly once\n": {Effects: "exactly-once", EffectsOnce: 9, Outputs: "exactly-once", OutputsOnce: 9},
	} {
		if got := l.String(); got != want {
			t.Errorf("%s, want\n%s", got, want)
		}
	}
}

// TestSweepOutputs: a sweep adds up what its runs say, and is silent where no run had
// a recovery.
func TestSweepOutputs(t *testing.T) {
	plan := mustLoad(t, "wordcount-crash.yaml", "")
	var want Outputs
	for seed := uint64(1); seed <= 6; seed++ {
		l := plan.NewRunner().Run(seed).Ledger
		want.AtLeastOnce += one(l.Outputs == "at-least-once")
		want.ExactlyOnce += one(l.Outputs == "exactly-once")
		want.Duplicates += l.Duplicates
	}
	sweep := plan.Sweep(context.Background(), 1, 6, 2, nil)
	var text strings.Builder
	if err := sweep.WriteText(&text); err != nil || sweep.Outputs != want || want.AtLeastOnce == 0 ||
		!strings.Contains(text.String(), "\noutputs: "+want.String()+"\n") {
		t.Errorf("%v, %+v, want %+v\n%s", err, sweep.Outputs, want, text.String())
	}
	text.Reset()
	sweep = mustResolve(t, "version: 1").Sweep(context.Background(), 1, 2, 1, nil)
	if err := sweep.WriteText(&text); err != nil || strings.Contains(text.String(), "outputs") {
		t.Errorf("%v\n%s", err, text.String())
	}
	all := Outputs{}
	for _, l := range []*invariants.Ledger{nil, {Outputs: invariants.NoOutputs}, {Outputs: invariants.ExactlyOnce}, {Outputs: invariants.AtMostOnce, OutputsLost: 2},
		{Outputs: invariants.AtLeastOnce, Duplicates: 3}, {Outputs: invariants.Unreliable, Duplicates: 1}} {
		all.add(l)
	}
	if got, want := all.String(), "exactly once in 1 run, at least once in 1 run, at most once in 1 run, neither in 1 run; 4 outputs left again; output of 2 records never left"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

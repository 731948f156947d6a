package browser_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"simrun/cmd/simrun/cli"
	"simrun/scenarios"
)

// said is what a command of simrun prints.
func said(t testing.TB, args ...string) string {
	t.Helper()
	var out, talk bytes.Buffer
	if code := cli.Main(scenarios.Default(), args, &out, &talk); code > 1 {
		t.Fatalf("simrun %v: exit code %d\n%s", args, code, &talk)
	}
	return out.String()
}

// TestState: the panel has the state of the cursor's node, as the run's own account of it
// has, and what the step has changed of it.
func TestState(t *testing.T) {
	r := read(t, scenario("in-transit"))
	r.run(`V.setCursor(%d)`, r.first(`R.kind[i] === K.Record && R.node[i] === 0`))
	// simrun explain says the same of this recording.
	if text := said(t, "explain", scenario("in-transit"), "--snapshot", "1"); !strings.Contains(text, "balance 80, weight cd1ba665532cc9da, random f9859a73842d7341") {
		t.Fatalf("explain has another state:\n%s", text)
	}
	for _, part := range []string{"of P1: this step has not changed it", "80", "cd1ba665532cc9da", "f9859a73842d7341"} {
		r.says("#section-state", part)
	}
	step := r.first(`R.kind[i] === K.Process && R.node[i] === 1`)
	r.run(`V.setCursor(%d)`, step)
	changed := see[[]string](r, `R.change(%d).paths`, step)
	if len(changed) < 2 {
		t.Fatalf("the step has changed %q only", changed)
	}
	for _, name := range changed {
		was, is := see[any](r, `R.change(%d).before[%q]`, step, name), see[any](r, `R.change(%d).after[%q]`, step, name)
		if was == is {
			t.Errorf("%s is %v before and after", name, was)
		}
		r.says("#section-state", fmt.Sprintf("changed, was %v", was))
		r.says("#section-state", fmt.Sprint(is))
	}
	r.says("#section-state", fmt.Sprintf("this step has changed %d fields", len(changed)))
	if n := eval[int](r.tab, `document.querySelectorAll("#section-state .changed").length`); n != len(changed) {
		t.Errorf("%d fields are marked as changed", n)
	}
	r.says("#section-step", see[string](r, `R.describe(%d)`, step))
}

// TestSnapshotAgainstTruth: what a snapshot recorded stands beside what was in flight,
// with the verdict and the reasons that simrun explain gives.
func TestSnapshotAgainstTruth(t *testing.T) {
	r := read(t, scenario("in-transit"))
	r.says("#section-snapshot", "P2->P1#1\t1\t0\t1\t1\t✓ exact")
	r.says("#section-snapshot", "holds")
	explained := see[[]string](r, `R.snapshots[0].explanation`)
	if text := said(t, "explain", scenario("in-transit"), "--snapshot", "1"); len(explained) < 3 || !strings.Contains(text, strings.TrimSpace(explained[len(explained)-1])) {
		t.Errorf("explain does not say %q:\n%s", explained, text)
	}
	r.run(`document.querySelectorAll("#section-snapshot details").forEach(d => { d.open = true; })`)
	r.says("#section-snapshot", strings.TrimSpace(explained[0]))

	r = read(t, scenario("lost-message"))
	r.says("#section-snapshot", "violated")
	r.says("#section-snapshot", "a->b#0")
	missing := see[string](r, `R.violations.find(v => v.invariant === "channel-state").detail`)
	if !strings.Contains(missing, "Missing: message 3") {
		t.Fatalf("the violation is %q", missing)
	}
	row := eval[string](r.tab, `[...document.querySelectorAll("#section-snapshot tr")].map(r => r.innerText).find(t => t.startsWith("a->b#0")) ?? ""`)
	if !strings.Contains(row, "missing") && !strings.Contains(row, "3") {
		t.Errorf("the row of the channel is %q", row)
	}
}

// TestVerdicts: the page has the verdict of the run as simrun run has it, every violation
// with its reasons, and a way to the event that shows it.
func TestVerdicts(t *testing.T) {
	file := scenario("wordcount-crash")
	var result struct {
		Verdict    string
		Digest     string
		Violations []struct{ Invariant, Detail string }
	}
	if err := json.Unmarshal([]byte(said(t, "run", file, "--algorithm", "no-blocking", "--json")), &result); err != nil {
		t.Fatal(err)
	}
	r := read(t, file, "--algorithm", "no-blocking")
	r.says("#top", result.Verdict)
	r.says("#section-run", result.Digest)
	for _, v := range result.Violations[:3] {
		r.says("#section-violations", v.Invariant)
		r.says("#section-violations", v.Detail)
	}
	want := see[int](r, `R.violations[0].event`)
	r.click(`#section-violations button.link`)
	if got := r.cursor(); got != want {
		t.Errorf("the way to the first violation leads to event %d, not to %d", got, want)
	}
	r.click(`#section-violations details summary`)
	if story := see[[]string](r, `R.violations[0].story ?? []`); len(story) == 0 {
		t.Error("the first violation has no story")
	} else {
		r.says("#section-violations", strings.TrimSpace(story[0]))
	}
}

// TestRecoveries: what was restored, from what, and what it cost.
func TestRecoveries(t *testing.T) {
	r := read(t, scenario("wordcount-crash"))
	_, row, _ := strings.Cut(said(t, "run", scenario("wordcount-crash")), "crashed  at ")
	restored := strings.Fields(row)[7] // of the table of recoveries: when count-1 was restored
	r.click(`#section-recoveries summary`)
	r.says("#section-recoveries", "count-1 crashed; at "+restored+" all went back to snapshot 1")
	r.says("#section-recoveries", "130 messages and 84 records undone")
	r.click(`#section-recoveries button.link`)
	if at := see[int](r, `R.restores[0].event`); r.cursor() != at {
		t.Errorf("the way to the recovery leads to event %d, not to %d", r.cursor(), at)
	}
}

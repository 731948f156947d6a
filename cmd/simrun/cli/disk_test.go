package cli

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"simrun/scenarios"
	"simrun/scenarios/checkpoints"
	"simrun/sim"
)

// memory keeps the checkpoints of a run as they are when they are complete.
type memory struct{ kept []*sim.Snapshot }

// Observe implements sim.Observer.
func (m *memory) Observe(ev *sim.Event) {
	if ev.Kind == sim.EventComplete && ev.Complete.Restorable() {
		s := *ev.Complete
		m.kept = append(m.kept, &s)
	}
}

// TestMemoryAndDisk: every scenario file of which checkpoints can be kept gives the same
// result, in every field, whether they are or not; and a run that begins with a
// checkpoint from the disk, in another process, the same as one that begins with it as it
// was in memory.
func TestMemoryAndDisk(t *testing.T) {
	files, err := filepath.Glob("../../../testdata/scenarios/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	kept, refused, coordinators, restored := 0, 0, 0, 0
	for _, file := range files {
		plan := planOf(t, file)
		dir := filepath.Join(t.TempDir(), "chks")
		if _, err := plan.Keep(dir, 0); err != nil {
			if !strings.Contains(err.Error(), "which does not say what the channel") && !strings.Contains(err.Error(), "which does not say how many of them are left") {
				t.Errorf("%s: %v", file, err)
			}
			refused++
			continue
		}
		kept++
		if plan.Scenario.Coordinator != nil {
			coordinators++
		}
		wantCode, want, _ := simrunIn(t, "run", file, "--json")
		gotCode, got, stderr := simrunIn(t, "run", file, "--json", "--checkpoint-dir", dir)
		var written struct{ Checkpoints []string }
		if err := json.Unmarshal([]byte(got), &written); err != nil {
			t.Fatalf("%s: %v: %s", file, err, stderr)
		}
		if gotCode != wantCode || !reflect.DeepEqual(without(t, got, "checkpoints"), without(t, want, "checkpoints")) {
			t.Errorf("%s: with checkpoints on the disk the run has another result, exit codes %d and %d", file, gotCode, wantCode)
		}
		var m memory
		plan.NewRunner().Watch(plan.Seed, &m)
		if len(m.kept) != len(written.Checkpoints) {
			t.Fatalf("%s: %d checkpoints in memory, and on the disk %q", file, len(m.kept), written.Checkpoints)
		}
		for i, path := range written.Checkpoints {
			if i != len(m.kept)/2 && i != len(m.kept)-1 {
				continue
			}
			restored++
			own, err := plan.From(&checkpoints.Checkpoint{Path: path, Snapshot: m.kept[i]})
			if err != nil {
				t.Fatal(err)
			}
			runner := own.NewRunner()
			res := runner.Run(own.Seed)
			runner.Tell(res)
			fromMemory, err := json.Marshal(res)
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("simrun", "run", file, "--json", "--restore", path)
			fromDisk, _ := cmd.Output()
			if cmd.ProcessState.ExitCode() != res.ExitCode() || !reflect.DeepEqual(without(t, string(fromDisk), ""), without(t, string(fromMemory), "")) {
				t.Errorf("%s from %s: exit code %d; from the disk\n%s\nfrom memory\n%s", file, path, cmd.ProcessState.ExitCode(), fromDisk, fromMemory)
			}
		}
	}
	t.Logf("%d files, of which checkpoints cannot be kept of %d; %d have a coordinator; %d checkpoints begun with", kept+refused, refused, coordinators, restored)
	if kept < 20 || coordinators < 7 || restored < 35 || refused > 6 {
		t.Error("too little was compared")
	}
}

// planOf is a scenario file, ready to run.
func planOf(t *testing.T, file string) *scenarios.Plan {
	t.Helper()
	scenario, err := scenarios.Load(scenarios.Default(), file)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := scenario.Resolve(scenarios.Default(), scenarios.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// without is what a JSON object says, but for a key.
func without(t *testing.T, text, key string) map[string]any {
	t.Helper()
	var fields map[string]any
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&fields); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	delete(fields, key)
	return fields
}

//go:build unix

package cli

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"simrun/scenarios"
	"simrun/scenarios/checkpoints"
	"simrun/sim"
)

var kills = flag.Int("kills", 20, "how often TestKill kills the process")

// killed is a run that writes some dozens of checkpoints. Every word leaves at a sink,
// with the number of the record that it is.
const killed = `
algorithm: abs
graph: {generate: dataflow, parallelism: 2}
app: {kind: wordcount, repeat: 4, every: 1ms}
network: {delay: {uniform: [1ms, 5ms]}}
store: {write: {uniform: [1ms, 3ms]}}
snapshots: {every: 6ms}
faults: [{crash: [count-1], at: 70ms, down: 5ms}]
stop: {at: 1s}
`

// outputs counts what leaves a run, by sink, word and record. A simulated crash makes
// some leave twice, perhaps with another count, which depends on the order.
type outputs map[string]int

// Observe implements sim.Observer.
func (o outputs) Observe(ev *sim.Event) {
	if ev.Kind == sim.EventEmit {
		o[fmt.Sprint(ev.Node, ev.Message.Key, ev.Message.Aux)]++
	}
}

// whole is a run to its end, in this process.
type whole struct {
	history *sim.History
	out     outputs
}

func runOf(t *testing.T, plan *scenarios.Plan) whole {
	t.Helper()
	w := whole{out: outputs{}}
	if res := plan.NewRunner().Watch(plan.Seed, w.out); res.Verdict != scenarios.Holds {
		t.Fatalf("%s: %+v", res.Verdict, res.Violations)
	}
	cfg := plan.Config(plan.Seed)
	engine, err := sim.New(&cfg)
	if err != nil {
		t.Fatal(err)
	}
	w.history = engine.Run()
	return w
}

// TestKill kills the real process at random moments of a run that writes checkpoints.
// Each time the folder holds whole checkpoints only, or none yet; and a run that begins
// with the newest ends in the states of an undisturbed run, having let every output go
// that had not left before the checkpoint. Half of the runs that are killed begin with
// a checkpoint themselves, and half retain two only.
func TestKill(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "killed.yaml")
	if err := os.WriteFile(file, []byte(killed), 0o666); err != nil {
		t.Fatal(err)
	}
	scenario, err := scenarios.Load(scenarios.Default(), file)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := scenario.Resolve(scenarios.Default(), scenarios.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	id, err := plan.Identity()
	if err != nil {
		t.Fatal(err)
	}
	undisturbed := runOf(t, plan)
	random := rand.New(rand.NewPCG(1, uint64(*kills)))
	span := fullLength(t, file, filepath.Join(folder, "whole"))
	var none, unfinished, ended, again int
	from := map[sim.SnapshotID]bool{}
	dir := ""
	for killed := 0; killed < *kills; {
		args := []string{"run", file, "--checkpoint-dir"}
		if dir != "" && random.IntN(2) == 0 {
			args = append(args, dir, "--restore", dir)
			again++
		} else {
			os.RemoveAll(dir)
			dir = filepath.Join(folder, "chks")
			args = append(args, dir)
		}
		if random.IntN(2) == 0 {
			args = append(args, "--retain", "2")
		}
		if !kill(t, args, time.Duration(random.Int64N(int64(span)))) {
			// It came too late: this is no kill. How fast the machine is changes.
			ended++
			span -= span / 50
			os.RemoveAll(dir)
			dir = ""
			continue
		}
		killed++
		span += span / 200
		found, damaged, err := checkpoints.Find(dir, id)
		switch {
		case len(damaged) > 0:
			t.Fatalf("a kill has left a damaged checkpoint: %v", damaged)
		case err != nil && (strings.Contains(err.Error(), "no checkpoint in this folder yet") || strings.Contains(err.Error(), "no such file or folder")):
			none++
			os.RemoveAll(dir)
			dir = ""
			continue
		case err != nil:
			t.Fatal(err)
		}
		if list, err := filepath.Glob(filepath.Join(dir, ".chk-*")); err == nil && len(list) > 0 {
			unfinished++
		}
		from[found.Snapshot.ID] = true
		resume(t, plan, found, undisturbed)
	}
	t.Logf("%d kills in runs of %v: %d before the first checkpoint, %d in the middle of one, %d of runs that began with a checkpoint; %d different checkpoints restored; %d more runs ended before",
		*kills, span, none, unfinished, again, len(from), ended)
	if len(from) < 2 || again == 0 || unfinished == 0 && *kills >= 100 {
		t.Error("the kills did not come where they should")
	}
}

// fullLength is how long the process runs if nobody kills it.
func fullLength(t *testing.T, file, dir string) time.Duration {
	t.Helper()
	began := time.Now()
	if out, err := exec.Command(simrun(t), "run", file, "--checkpoint-dir", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return time.Since(began)
}

// simrun is the path of the program, which TestMain has put there.
func simrun(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("simrun")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// kill runs the program and kills it after some time; false if it had ended.
func kill(t *testing.T, args []string, after time.Duration) bool {
	t.Helper()
	var stderr bytes.Buffer
	cmd := exec.Command(simrun(t), args...)
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(after)
	cmd.Process.Kill()
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code > 0 {
		t.Fatalf("%q exits with %d: %s", args, code, stderr.String())
	}
	return cmd.ProcessState.ExitCode() < 0
}

// resume begins with a checkpoint and compares the end with that of an undisturbed run.
func resume(t *testing.T, plan *scenarios.Plan, found *checkpoints.Checkpoint, undisturbed whole) {
	t.Helper()
	next, err := plan.From(found)
	if err != nil {
		t.Fatal(err)
	}
	rest := runOf(t, next)
	if !slices.EqualFunc(rest.history.Final.States, undisturbed.history.Final.States, bytes.Equal) {
		t.Fatalf("from %s: the run ends in other states", found.Path)
	}
	before, after, all := 0, len(rest.out), len(undisturbed.out)
	for c, ch := range plan.Graph.Channels {
		if strings.HasPrefix(plan.Graph.Nodes[ch.To], "sink") {
			before += int(found.Snapshot.Processed[c]) // each of them has left, once
		}
	}
	if before+after != all {
		t.Fatalf("from %s: %d outputs before the checkpoint, %d after it, %d in all", found.Path, before, after, all)
	}
	for what := range rest.out {
		if undisturbed.out[what] == 0 {
			t.Fatalf("from %s: the output %s is none of an undisturbed run", found.Path, what)
		}
	}
}

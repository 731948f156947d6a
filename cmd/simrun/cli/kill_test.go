//go:build unix

package cli

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"simrun/scenarios"
	"simrun/scenarios/checkpoints"
	"simrun/sim"
)

var kills = flag.Int("kills", 12, "how often TestKill kills the process in each of its scenarios")

// deadly is a run that writes some dozens of checkpoints. Every word leaves at a sink, with
// the number of the record that it is.
type deadly struct {
	name, text string
	once       bool // every output leaves once, whatever crashes in the simulation
}

var deadlies = []deadly{
	{"snapshots", `
algorithm: abs
graph: {generate: dataflow, parallelism: 2}
app: {kind: wordcount, repeat: 4, every: 1ms}
network: {delay: {uniform: [1ms, 5ms]}}
store: {write: {uniform: [1ms, 3ms]}}
snapshots: {every: 6ms}
faults: [{crash: [count-1], at: 70ms, down: 5ms}]
stop: {at: 1s}
`, false},
	{"transactions", `
algorithm: abs
graph: {generate: dataflow, parallelism: 2}
app: {kind: wordcount, repeat: 8, every: 1ms}
network: {delay: {uniform: [1ms, 5ms]}}
store: {write: {uniform: [1ms, 3ms]}, fail: 1%, chunk: 8}
coordinator: {interval: 6ms, max_concurrent: 2, retained: 2, tolerable: 100, timeout: 100ms, control: {lose: 1%}}
sinks: transactional
faults:
  - {crash: [count-1], at: 70ms, down: 5ms}
  - {crash: [coordinator], when: {phase: complete, occurrence: 15}, down: 5ms}
  - {crash: [sink-0], when: {phase: complete, occurrence: 25}, down: 5ms}
stop: {at: 1s}
`, true},
}

// outputs counts what leaves a run, by sink, word and record. With plain sinks a simulated
// crash makes some leave twice, perhaps with another count, which depends on the order.
type outputs map[string]int

// whole is a run to its end, in this process: what has left by then, and by the time when
// each checkpoint was complete.
type whole struct {
	history *sim.History
	out     outputs
	by      map[sim.SnapshotID]outputs
}

// Observe implements sim.Observer.
func (w *whole) Observe(ev *sim.Event) {
	switch ev.Kind {
	case sim.EventEmit:
		w.out[fmt.Sprint(ev.Node, ev.Message.Key, ev.Message.Aux)]++
	case sim.EventComplete:
		w.by[ev.Snapshot] = maps.Clone(w.out)
	}
}

// runOf is the run of a plan, before which outputs had left.
func runOf(t *testing.T, plan *scenarios.Plan, before outputs) *whole {
	t.Helper()
	w := &whole{out: maps.Clone(before), by: map[sim.SnapshotID]outputs{}}
	if res := plan.NewRunner().Watch(plan.Seed, w); res.Verdict != scenarios.Holds {
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
	for i := range deadlies {
		t.Run(deadlies[i].name, func(t *testing.T) { newVictim(t, &deadlies[i]).kill(t, *kills) })
	}
}

// victim is what is known of the runs that are killed.
type victim struct {
	*deadly
	folder, file, dir string // dir is that of the checkpoints; "": none
	plan              *scenarios.Plan
	undisturbed       *whole
	last              *whole // what the newest checkpoint there is of

	each                           time.Duration // about how long the process takes from one checkpoint to the next
	none, unfinished, ended, again int
	from                           map[sim.SnapshotID]bool
}

func newVictim(t *testing.T, d *deadly) *victim {
	t.Helper()
	v := &victim{deadly: d, folder: t.TempDir(), from: map[sim.SnapshotID]bool{}}
	v.file = filepath.Join(v.folder, "killed.yaml")
	if err := os.WriteFile(v.file, []byte(d.text), 0o666); err != nil {
		t.Fatal(err)
	}
	scenario, err := scenarios.Load(scenarios.Default(), v.file)
	if err != nil {
		t.Fatal(err)
	}
	if v.plan, err = scenario.Resolve(scenarios.Default(), scenarios.Overrides{}); err != nil {
		t.Fatal(err)
	}
	v.undisturbed = runOf(t, v.plan, outputs{})
	for what, times := range v.undisturbed.out {
		if d.once && times != 1 {
			t.Fatalf("the output %s leaves an undisturbed run %d times", what, times)
		}
	}
	v.each = fullLength(t, v.file, filepath.Join(v.folder, "whole")) / time.Duration(len(v.undisturbed.by))
	return v
}

func (v *victim) kill(t *testing.T, kills int) {
	random := rand.New(rand.NewPCG(1, uint64(kills)))
	for killed := 0; killed < kills; {
		args := []string{"run", v.file, "--checkpoint-dir"}
		if v.dir != "" && random.IntN(2) == 0 {
			args = append(args, v.dir, "--restore", v.dir)
			v.again++
		} else {
			v.startOver()
			v.dir = filepath.Join(v.folder, "chks")
			args = append(args, v.dir)
		}
		if random.IntN(2) == 0 {
			args = append(args, "--retain", "2")
		}
		// How fast the machine is changes, so that the clock has the last word only.
		reached := newestIn(v.dir)
		reached += random.IntN(max(len(v.undisturbed.by)-reached, 1))
		if !v.killAt(t, args, reached, time.Duration(random.Int64N(2*int64(v.each)))) {
			v.ended++ // it came too late: this is no kill
			v.startOver()
			continue
		}
		killed++
		v.look(t)
	}
	t.Logf("%d kills, the checkpoints %v apart: %d before the first checkpoint, %d in the middle of one, %d of runs that began with a checkpoint; %d different checkpoints restored; %d more runs ended before",
		kills, v.each, v.none, v.unfinished, v.again, len(v.from), v.ended)
	if len(v.from) < 4 || v.again == 0 || v.unfinished == 0 && kills >= 100 {
		t.Error("the kills did not come where they should")
	}
}

// startOver removes the checkpoints: the next run begins at the beginning.
func (v *victim) startOver() {
	os.RemoveAll(v.dir)
	v.dir, v.last = "", v.undisturbed
}

// look begins with what a kill has left.
func (v *victim) look(t *testing.T) {
	t.Helper()
	id, err := v.plan.Identity()
	if err != nil {
		t.Fatal(err)
	}
	found, damaged, err := checkpoints.Find(v.dir, id)
	switch {
	case len(damaged) > 0:
		t.Fatalf("a kill has left a damaged checkpoint: %v", damaged)
	case err != nil && (strings.Contains(err.Error(), "no checkpoint in this folder yet") || strings.Contains(err.Error(), "no such file or folder")):
		v.none++
		v.startOver()
		return
	case err != nil:
		t.Fatal(err)
	}
	if list, err := filepath.Glob(filepath.Join(v.dir, ".chk-*")); err == nil && len(list) > 0 {
		v.unfinished++
	}
	v.from[found.Snapshot.ID] = true
	v.resume(t, found)
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

// newestIn is the highest id of a checkpoint in a folder, 0 if there is none.
func newestIn(dir string) (id int) {
	list, err := filepath.Glob(filepath.Join(dir, "chk-*"))
	if err != nil {
		return 0
	}
	for _, path := range list {
		if n, err := strconv.Atoi(strings.TrimPrefix(filepath.Base(path), "chk-")); err == nil {
			id = max(id, n)
		}
	}
	return id
}

// killAt runs the program and kills it some time after it has written a checkpoint; false
// if it had ended.
func (v *victim) killAt(t *testing.T, args []string, reached int, after time.Duration) bool {
	t.Helper()
	var stderr bytes.Buffer
	cmd := exec.Command(simrun(t), args...)
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for going := true; going && newestIn(v.dir) < reached; {
		select {
		case err := <-ended:
			ended <- err
			going = false
		case <-time.After(v.each / 10):
		}
	}
	time.Sleep(after)
	cmd.Process.Kill()
	<-ended
	if code := cmd.ProcessState.ExitCode(); code > 0 {
		t.Fatalf("%q exits with %d: %s", args, code, stderr.String())
	}
	return cmd.ProcessState.ExitCode() < 0
}

// resume begins with a checkpoint and compares the end with that of an undisturbed run.
func (v *victim) resume(t *testing.T, found *checkpoints.Checkpoint) {
	t.Helper()
	next, err := v.plan.From(found)
	if err != nil {
		t.Fatal(err)
	}
	before := v.last.by[found.Snapshot.ID]
	if before == nil {
		t.Fatalf("%s: no such checkpoint in the run that was killed", found.Path)
	}
	rest, wanted := runOf(t, next, before), v.undisturbed
	rest.by[found.Snapshot.ID] = before // if the next one is killed before its first
	v.last = rest
	if !slices.EqualFunc(rest.history.Final.States, wanted.history.Final.States, bytes.Equal) {
		t.Fatalf("from %s: the run ends in other states", found.Path)
	}
	if v.once {
		if !maps.Equal(rest.out, wanted.out) {
			t.Fatalf("from %s: what had left (%d outputs) and what left then makes %d, and not the %d of an undisturbed run", found.Path, len(before), len(rest.out), len(wanted.out))
		}
		return
	}
	v.resumePlain(t, found, runOf(t, next, outputs{}))
}

// resumePlain compares outputs of which none is in the checkpoint: what is inside its cut
// has left, once or more often, and the rest leaves later.
func (v *victim) resumePlain(t *testing.T, found *checkpoints.Checkpoint, rest *whole) {
	t.Helper()
	before, after, all := 0, len(rest.out), len(v.undisturbed.out)
	for c, ch := range v.plan.Graph.Channels {
		if strings.HasPrefix(v.plan.Graph.Nodes[ch.To], "sink") {
			before += int(found.Snapshot.Processed[c]) // each of them has left, once
		}
	}
	if before+after != all {
		t.Fatalf("from %s: %d outputs before the checkpoint, %d after it, %d in all", found.Path, before, after, all)
	}
	for what := range rest.out {
		if v.undisturbed.out[what] == 0 {
			t.Fatalf("from %s: the output %s is none of an undisturbed run", found.Path, what)
		}
	}
}

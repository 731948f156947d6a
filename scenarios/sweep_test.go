package scenarios

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"simrun/sim"
)

// TestSweepIsTheSameOnAnyNumberOfCores: and the same as the runs one by one.
func TestSweepIsTheSameOnAnyNumberOfCores(t *testing.T) {
	plan := mustResolve(t, `
algorithm: no-channel-state
graph: {generate: complete, nodes: 4}
app: {kind: bank, transfers: 40, every: 2ms}
snapshots: {at: [80ms]}
expect: {verdict: holds}
`)
	var failing []uint64
	runner := plan.NewRunner()
	for seed := uint64(5); seed <= 84; seed++ {
		if *runner.Run(seed).Expected == false {
			failing = append(failing, seed)
		}
	}
	if len(failing) == 0 || len(failing) == 80 {
		t.Fatalf("%d of 80 seeds fail: the scenario tests nothing", len(failing))
	}
	var first []byte
	for _, workers := range []int{1, 2, 7} {
		sweep := plan.Sweep(context.Background(), 5, 84, workers, nil)
		if sweep.Runs != 80 || sweep.Holds+sweep.Violated != 80 || !slices.Equal(sweep.FailingSeeds, failing) || sweep.ExitCode() != 1 {
			t.Errorf("%d workers: %+v, want the failing seeds %v", workers, sweep, failing)
		}
		text := asJSON(sweep)
		if first == nil {
			first = text
		}
		if string(text) != string(first) {
			t.Errorf("%d workers: %s instead of %s", workers, text, first)
		}
	}
}

// TestSweepOfTheLastSeeds: seeds are all of 64 bits, and counting does not wrap.
func TestSweepOfTheLastSeeds(t *testing.T) {
	plan := mustLoad(t, "no-snapshot-yet.yaml", "")
	const last = 1<<64 - 1
	sweep := plan.Sweep(context.Background(), last-2, last, 2, nil)
	if sweep.Runs != 3 || sweep.Last != last || sweep.ExitCode() != 0 {
		t.Errorf("%+v", sweep)
	}
	if text := string(asJSON(sweep)); !strings.Contains(text, `"last_seed":18446744073709551615`) {
		t.Error(text)
	}
}

// TestInterruptedSweep: it ends with what is known, without a gap.
func TestInterruptedSweep(t *testing.T) {
	plan := mustLoad(t, "no-snapshot-yet.yaml", "")
	ctx, cancel := context.WithCancel(context.Background())
	sweep := plan.Sweep(ctx, 1, 1<<40, 3, func(done int64) {
		if done >= 20 {
			cancel()
		}
	})
	if !sweep.Interrupted || sweep.ExitCode() != 130 || sweep.Runs < 20 || sweep.Runs > 1000 || sweep.Last != uint64(sweep.Runs) {
		t.Errorf("%+v", sweep)
	}
	if whole := plan.Sweep(context.Background(), 1, sweep.Last, 2, nil); whole.Digest != sweep.Digest {
		t.Errorf("digest %s, but the same seeds without an interruption give %s", sweep.Digest, whole.Digest)
	}
	cancelled := plan.Sweep(ctx, 1, 10, 2, nil)
	var b strings.Builder
	if err := cancelled.WriteText(&b); err != nil || cancelled.Runs != 0 || !strings.Contains(b.String(), "before the first run") {
		t.Errorf("%+v: %s", cancelled, b.String())
	}
}

// explosive is an Observer that panics, as the engine would.
type explosive struct{}

func (explosive) Observe(*sim.Event) { panic("boom") }

// TestPanicNamesTheRun: a panic that is no fault of those who are run goes on, and says
// which run it was.
func TestPanicNamesTheRun(t *testing.T) {
	plan := mustResolve(t, "seed: 1")
	defer func() {
		text := fmt.Sprint(recover())
		if !strings.Contains(text, "boom") || !strings.Contains(text, "--seed 77 --algorithm chandy-lamport --audit") {
			t.Errorf("the panic is %s", text)
		}
	}()
	plan.Audited().NewRunner().Watch(77, explosive{})
}

// TestSweepJSON: the names that the commands promise.
func TestSweepJSON(t *testing.T) {
	var fields map[string]any
	sweep := mustLoad(t, "no-snapshot-yet.yaml", "").Sweep(context.Background(), 1, 3, 1, nil)
	if err := json.Unmarshal(asJSON(sweep), &fields); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"runs", "holds", "violated", "inconclusive", "failing_seeds", "digest"} {
		if _, ok := fields[name]; !ok {
			t.Errorf("no %s in %v", name, fields)
		}
	}
	if text := fields["digest"].(string); len(text) != 16 {
		t.Errorf("digest %q", text)
	}
}

// TestInterruptedSweepDropsRuns: it does not wait for the runs under way.
func TestInterruptedSweepDropsRuns(t *testing.T) {
	plan := mustResolve(t, "steps: 200")
	hold := make(chan struct{})
	defer close(hold)
	workload := *plan.Workload
	made := workload.NewApp
	workload.NewApp = func(seed uint64, node int32) sim.App {
		if seed > 5 {
			<-hold // a run that takes for ever
		}
		return made(seed, node)
	}
	plan.Workload = &workload
	ctx, cancel := context.WithCancel(context.Background())
	sweep := plan.Sweep(ctx, 1, 100, 2, func(done int64) {
		if done == 5 {
			cancel()
		}
	})
	if sweep.Runs != 5 || !sweep.Interrupted || sweep.Last != 5 {
		t.Errorf("%+v", sweep)
	}
}

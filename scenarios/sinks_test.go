package scenarios_test

import (
	"strings"
	"testing"

	"simrun/invariants"
	"simrun/scenarios"
	"simrun/sim"
)

const sinksFile = `
algorithm: abs
graph: {generate: dataflow, parallelism: 2}
app: {kind: wordcount, every: 1ms, repeat: 3}
coordinator: {interval: 20ms, retained: 2, max_concurrent: 2, timeout: 60ms, tolerable: 5}
store: {write: {uniform: [1ms, 20ms]}}
stop: {at: 150ms}
`

const sinksFaults = `
faults:
  - {crash: [count-1], at: 47ms, down: 5ms}
  - {crash: [source-0], at: 104ms, down: 5ms}
  - {crash: [coordinator], at: 140ms, down: 5ms}
`

func planOf(t *testing.T, text string) *scenarios.Plan {
	t.Helper()
	c := scenarios.Default()
	s, err := scenarios.Parse(c, "sinks.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Resolve(c, scenarios.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestSinks: with transactional sinks every output leaves exactly once; with plain ones
// some leave again. Nothing is lost, and nothing is held back at the end.
func TestSinks(t *testing.T) {
	for _, algorithm := range []string{"abs", "chandy-lamport"} {
		guarantees := map[string]int{}
		for _, sinks := range []string{"plain", "transactional"} {
			file := strings.Replace(sinksFile, "abs", algorithm, 1)
			runner := planOf(t, file+sinksFaults+"sinks: "+sinks).NewRunner()
			for seed := range uint64(20) {
				o := runner.Outcome(seed)
				if o.Verdict != scenarios.Holds || o.Ledger.OutputsLost+o.Ledger.OutputsWaiting > 0 {
					t.Fatalf("%s, %s, seed %d: %s, %v, %+v", algorithm, sinks, seed, o.Verdict, o.Broken, o.Ledger)
				}
				guarantees[sinks+" "+string(o.Ledger.Outputs)]++
			}
		}
		if guarantees["transactional "+string(invariants.ExactlyOnce)] != 20 || guarantees["plain "+string(invariants.AtLeastOnce)] < 15 {
			t.Errorf("%s: %v", algorithm, guarantees)
		}
	}
}

// TestSinksWithoutCrash: the ledger of transactional sinks needs no recovery.
func TestSinksWithoutCrash(t *testing.T) {
	result := planOf(t, sinksFile+"sinks: transactional").NewRunner().Run(1)
	var text strings.Builder
	if err := result.WriteText(&text); err != nil || result.Verdict != scenarios.Holds || !strings.Contains(text.String(), "outputs: exactly once") {
		t.Errorf("%v\n%s", err, text.String())
	}
}

// TestLostNotices: where every fifth control message is lost, and the store fails, too,
// everything has left when the run comes to rest. The last notice is repeated until it has
// come.
func TestLostNotices(t *testing.T) {
	file := strings.Replace(sinksFile, "tolerable: 5", "tolerable: 5, control: {lose: 20%}", 1)
	file = strings.Replace(file, "20ms]}}", "20ms]}, fail: 1%}", 1) // the last checkpoint fails, too
	repeated, unheard := 0, 0
	plan := planOf(t, file+"sinks: transactional")
	runner := plan.NewRunner()
	for seed := range uint64(40) {
		o := runner.Outcome(seed)
		if o.Verdict != scenarios.Holds || o.Ledger == nil || o.Ledger.OutputsLost+o.Ledger.OutputsDuplicated+o.Ledger.OutputsWaiting > 0 {
			t.Fatalf("seed %d: %s, %v, %+v", seed, o.Verdict, o.Broken, o.Ledger)
		}
		cfg := plan.Config(seed)
		e, err := sim.New(&cfg)
		if err != nil {
			t.Fatal(err)
		}
		again, missed := reminders(e.Run(), len(plan.Graph.Nodes))
		repeated += again
		unheard += missed
	}
	if repeated < 40 || unheard < 40 {
		t.Errorf("%d reminders were repeated, and %d tasks did not hear the last notice before", repeated, unheard)
	}
}

// reminders is how many reminders of the last checkpoint were sent beyond the first to
// each task, and how many tasks had not heard its notice.
func reminders(h *sim.History, nodes int) (again, unheard int) {
	again, last := -nodes, sim.SnapshotID(0)
	heard := map[int32]sim.SnapshotID{}
	for _, f := range h.Facts {
		switch {
		case f.Kind == sim.FactTold && f.Control.Kind == sim.Remind:
			again, last = again+1, f.ID
		case f.Kind == sim.FactHeard && f.Control.Kind == sim.Notify:
			heard[f.Task] = f.ID
		}
	}
	for v := range int32(nodes) {
		if heard[v] != last {
			unheard++
		}
	}
	return again, unheard
}

// TestNotYetCommitted: when the coordinator gives up, what a sink keeps is neither lost nor
// has it left.
func TestNotYetCommitted(t *testing.T) {
	file := strings.Replace(sinksFile, "tolerable: 5", "restart: {strategy: none}", 1)
	o := planOf(t, file+sinksFaults+"sinks: transactional").NewRunner().Outcome(1)
	if o.Verdict != scenarios.Inconclusive || !o.GaveUp || o.Ledger == nil || o.Ledger.OutputsWaiting == 0 || o.Ledger.OutputsLost+o.Ledger.OutputsDuplicated > 0 {
		t.Errorf("%s, %v, %+v", o.Verdict, o.Broken, o.Ledger)
	}
}

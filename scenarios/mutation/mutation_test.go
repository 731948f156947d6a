package mutation

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"simrun/algorithms/mutants"
	"simrun/invariants"
	"simrun/scenarios"
	"simrun/scenarios/documented"
	"simrun/scenarios/generate"
)

// TestMutantsDieAndRightOnesLive: every wrong algorithm is caught by the invariant
// that must, with few seeds, and no right one is accused with the same seeds.
func TestMutantsDieAndRightOnesLive(t *testing.T) {
	last := uint64(200)
	if testing.Short() {
		last = 60
	}
	c := scenarios.Default()
	r := on(t, generate.Plain, last)
	for _, w := range r.Wrong {
		switch {
		case !w.Killed:
			t.Errorf("%d %s is alive; violated: %v", w.Number, w.Algorithm, w.By)
		case *w.Median > 10:
			t.Errorf("%d %s: %d seeds needed in the middle, %d at most", w.Number, w.Algorithm, *w.Median, *w.Most)
		}
	}
	for _, right := range r.Right {
		if right.Runs != int64(last) || right.Holds != right.Runs {
			t.Errorf("%s holds in %d of %d runs: %v", right.Algorithm, right.Holds, right.Runs, right.Accused)
		}
		x := right.Exercised
		if a := c.Algorithm(right.Algorithm); a.Unsaved {
			if x.InitialRestores == 0 {
				t.Errorf("%s was put to the test by %s", a.Name, x)
			}
			continue
		}
		if right.Algorithm != "chandy-lamport" && right.Algorithm != "tracking" && x.Alignments == 0 || (right.Algorithm == "abs" || right.Algorithm == "tracking") && (x.BackupLogs == 0 || x.Replays == 0) ||
			right.Algorithm == "chandy-lamport" && (x.ChannelStates == 0 || x.Requeues == 0) || x.Overlaps == 0 || x.CrashesWhileOpen == 0 {
			t.Errorf("%s was put to the test by %s", right.Algorithm, x)
		}
	}
}

// on runs all algorithms that suit a family over its scenarios.
func on(t *testing.T, family generate.Family, last uint64) *Result {
	t.Helper()
	c := scenarios.Default()
	suited := slices.DeleteFunc(c.Algorithms, func(a scenarios.Algorithm) bool { return !family.Suits(&a) })
	r := On(context.Background(), family, c, suited, 1, last, runtime.GOMAXPROCS(0), nil)
	if r.Seeds != int64(last) || r.Interrupted || len(r.Wrong)+len(r.Right) != len(suited) {
		t.Fatalf("%d seeds, interrupted %t, %d wrong algorithms and %d right ones of %d", r.Seeds, r.Interrupted, len(r.Wrong), len(r.Right), len(suited))
	}
	return r
}

// TestCoordinatorsDie: so is every wrong coordinator, task of one and transactional sink,
// with few seeds, and no right algorithm is accused under a coordinator. No wrong coordinator
// suits the scenarios in which tasks finish, and so some take longer.
func TestCoordinatorsDie(t *testing.T) {
	last, most := uint64(200), int64(10)
	if testing.Short() {
		last, most = 60, 20
	}
	longer := map[string]int64{"late-ack": 2 * most, "shared-purged": 2 * most, "savepoint-commits": 2 * most, "savepoint-retained": 2 * most}
	r := on(t, generate.Managed, last)
	if len(r.Wrong) != len(mutants.Managed())+len(mutants.Sinks()) {
		t.Errorf("%d wrong ones", len(r.Wrong))
	}
	for _, w := range r.Wrong {
		switch {
		case !w.Killed:
			t.Errorf("%d %s is alive; violated: %v", w.Number, w.Algorithm, w.By)
		case *w.Median > max(longer[w.Algorithm], most):
			t.Errorf("%d %s: %d seeds needed in the middle, %d at most", w.Number, w.Algorithm, *w.Median, *w.Most)
		}
	}
	for _, right := range r.Right {
		if right.Runs < int64(last)/10 || right.Holds+right.GaveUp != right.Runs || right.GaveUp > right.Runs/10 {
			t.Errorf("%s holds in %d of %d runs, gave up in %d: %v", right.Algorithm, right.Holds, right.Runs, right.GaveUp, right.Accused)
		}
		x := right.Exercised
		if scenarios.Default().Algorithm(right.Algorithm).Unsaved {
			if x.InitialRestores == 0 || x.CoordinatorCrashes == 0 {
				t.Errorf("%s was put to the test by %s", right.Algorithm, x)
			}
			continue
		}
		if x.Timeouts == 0 || x.Declines == 0 || x.LateAcknowledgements == 0 || x.SnapshotRestores == 0 || x.CoordinatorCrashes == 0 || x.Overlaps == 0 {
			t.Errorf("%s was put to the test by %s", right.Algorithm, x)
		}
	}
	if r.ExitCode() != 0 {
		t.Errorf("exit code %d", r.ExitCode())
	}
}

// TestEveryWrongAlgorithmSaysWhatCatchesIt: otherwise nothing could kill it.
func TestEveryWrongAlgorithmSaysWhatCatchesIt(t *testing.T) {
	numbers := map[int]string{}
	for _, a := range scenarios.Default().Algorithms {
		if !a.Wrong {
			continue
		}
		if !slices.Contains(invariants.Names(), a.Catches) || a.Number == 0 || numbers[a.Number] != "" {
			t.Errorf("%s: number %d, as %q has, is caught by %q", a.Name, a.Number, numbers[a.Number], a.Catches)
		}
		numbers[a.Number] = a.Name
	}
	for n := 1; n <= 45; n++ {
		if n != 40 && numbers[n] == "" { // nobody has 40
			t.Errorf("no wrong algorithm has the number %d", n)
		}
	}
}

// swapped is a catalogue in which a right algorithm is listed as wrong, and a wrong
// one as right.
func swapped() scenarios.Catalogue {
	c := scenarios.Default()
	good, bad := *c.Algorithm("chandy-lamport"), *c.Algorithm("no-channel-state")
	good.Name, good.Wrong, good.Number, good.Catches = "innocent", true, 99, "fifo"
	bad.Name, bad.Wrong = "impostor", false
	noticed := *c.Algorithm("no-channel-state")
	noticed.Name, noticed.Catches, noticed.Number = "noticed", "consistent-cut", 98
	c.Algorithms = append(c.Algorithms, good, bad, noticed)
	return c
}

// TestFailures: a wrong algorithm that nothing catches, or only another invariant,
// and a right one that is accused.
func TestFailures(t *testing.T) {
	c := swapped()
	for _, test := range []struct {
		name string
		says []string
	}{
		{"innocent", []string{"  99  innocent   alive  fifo", "0 of 1 killed"}},
		{"noticed", []string{"  98  noticed    alive  consistent-cut", "channel-state "}},
		{"impostor", []string{"\naccused: impostor of channel-state", "simrun generate --seed ", " --algorithm impostor\n"}},
	} {
		r := Run(context.Background(), c, []scenarios.Algorithm{*c.Algorithm(test.name)}, 1, 20, 2, nil)
		var b bytes.Buffer
		if err := r.WriteText(&b); err != nil || r.ExitCode() != 1 {
			t.Errorf("%s: exit code %d, %v", test.name, r.ExitCode(), err)
		}
		for _, says := range test.says {
			if !strings.Contains(squeezed(b.String()), squeezed(says)) {
				t.Errorf("%s: no %q in\n%s", test.name, says, b.String())
			}
		}
	}
}

// squeezed is a text without the padding of tables.
func squeezed(text string) string {
	for strings.Contains(text, "  ") {
		text = strings.ReplaceAll(text, "  ", " ")
	}
	return text
}

// TestSameOnAnyNumberOfCores: and the same twice.
func TestSameOnAnyNumberOfCores(t *testing.T) {
	c := scenarios.Default()
	some := []scenarios.Algorithm{*c.Algorithm("no-blocking"), *c.Algorithm("abs"), *c.Algorithm("late-markers")}
	var first []byte
	for _, workers := range []int{1, 3, 1} {
		r := Run(context.Background(), c, some, 5, 24, workers, nil)
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = text
		}
		if string(first) != string(text) {
			t.Errorf("%d workers:\n%s\ninstead of\n%s", workers, text, first)
		}
		if r.Wrong[0].Number != 1 || r.Wrong[1].Number != 15 || r.ExitCode() != 0 {
			t.Errorf("%+v", r)
		}
	}
}

// TestInterrupted: what is known is about the first of the seeds.
func TestInterrupted(t *testing.T) {
	c := scenarios.Default()
	ctx, cancel := context.WithCancel(context.Background())
	r := Run(ctx, c, []scenarios.Algorithm{*c.Algorithm("abs")}, 1, 1<<40, 2, func(done int64) {
		if done >= 5 {
			cancel()
		}
	})
	if !r.Interrupted || r.ExitCode() != 130 || r.Seeds < 5 || r.Last != uint64(r.Seeds) || r.Right[0].Runs != r.Seeds {
		t.Errorf("%+v", r)
	}
	r = Run(ctx, c, []scenarios.Algorithm{*c.Algorithm("abs")}, 1, 10, 2, nil)
	var b bytes.Buffer
	if err := r.WriteText(&b); err != nil || !strings.Contains(b.String(), "before the first") {
		t.Errorf("%v: %s", err, b.String())
	}
}

// TestSeedsNeeded against the definition.
func TestSeedsNeeded(t *testing.T) {
	for _, test := range []struct {
		killers []uint64
		first   uint64
		seeds   int64
	}{
		{[]uint64{7}, 7, 1}, {[]uint64{9}, 7, 5}, {[]uint64{7, 8, 9}, 7, 3}, {[]uint64{3, 4, 9, 17}, 1, 20}, {[]uint64{1<<64 - 1}, 1<<64 - 6, 6},
	} {
		var want []int64
		for start := range test.seeds {
			n := int64(1)
			for !slices.Contains(test.killers, test.first+uint64((start+n-1)%test.seeds)) {
				n++
			}
			want = append(want, n)
		}
		slices.Sort(want)
		if got := seedsNeeded(test.killers, test.first, test.seeds); !slices.Equal(got, want) {
			t.Errorf("%+v: %v, want %v", test, got, want)
		}
	}
}

// TestJSONIsDocumented: docs/json.md has the fields, and no others.
func TestJSONIsDocumented(t *testing.T) {
	for title, value := range map[string]any{
		"## mutants": Result{}, "### An entry of wrong": Wrong{}, "### An entry of violated_by": Killer{}, "### The object smallest": Killed{},
		"### An entry of right": Right{}, "### An entry of accused": Accused{},
		"## mutants --strategies": Table{}, "### An entry of wrong, by strategies": Hunted{}, "### An entry of hunts": Hunt{},
	} {
		got := documented.Names(t, "json.md", title)
		var want []string
		for i := range reflect.TypeOf(value).NumField() {
			if name := reflect.TypeOf(value).Field(i).Tag.Get("json"); name != "" {
				want = append(want, name)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: the fields are\n%v, docs/json.md has\n%v", title, want, got)
		}
	}
}

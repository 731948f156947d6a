package reproducer

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simrun/algorithms/mutants"
	"simrun/scenarios"
	"simrun/scenarios/generate"
	"simrun/sim"
)

var (
	keepIn = flag.String("reproducers", "", "a folder to which TestGenerated writes what it has made")
	runs   = flag.Uint64("reproducers.seeds", 150, "how many generated scenarios TestGenerated runs")
)

var catalogue = scenarios.Default()

func resolved(t *testing.T, text string) *scenarios.Plan {
	t.Helper()
	s, err := scenarios.Parse(catalogue, "test.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Resolve(catalogue, scenarios.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func text(t *testing.T, r *Reproducer) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// again is a reproducer, written and read.
func again(t *testing.T, r *Reproducer) *Reproducer {
	t.Helper()
	got, err := Parse(catalogue, "again.yaml", text(t, r))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestGenerated: generated runs of right and wrong algorithms, in both orders, with and
// without a coordinator, are reproduced from their files, and so is what they are in
// chosen order.
func TestGenerated(t *testing.T) {
	algorithms := []string{"chandy-lamport", "abs", "no-channel-state", "no-blocking", "tracking"}
	violated, turned, refused := 0, 0, 0
	for seed := uint64(1); seed <= *runs; seed++ {
		s := generate.Scenario(seed)
		if seed%5 == 0 {
			s = generate.Coordinated(seed)
		}
		p, err := s.Resolve(catalogue, scenarios.Overrides{Algorithm: algorithms[seed%uint64(len(algorithms))]})
		var unsuited *scenarios.Error
		if errors.As(err, &unsuited) && unsuited.Unsuited {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		r, res, err := Of(catalogue, p, p.Seed, "test")
		if err != nil {
			t.Fatal(err)
		}
		if res.Verdict == scenarios.Violated {
			violated++
		}
		r = again(t, r)
		if o := r.Replay(false); o.Outcome != Reproduced || o.ExitCode() != res.ExitCode() {
			t.Fatalf("seed %d: %s: %s", seed, o.Outcome, o.why())
		}
		if *keepIn != "" {
			if err := os.WriteFile(filepath.Join(*keepIn, fmt.Sprintf("%d.yaml", seed)), text(t, r), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if p.Scenario.Order != "timed" || *keepIn != "" {
			continue
		}
		choices, err := r.Choices(catalogue)
		if err != nil {
			t.Logf("seed %d: %v", seed, err)
			refused++
			continue
		}
		turned++
		if choices.ApplicationDigest != r.ApplicationDigest {
			t.Errorf("seed %d: in chosen order the application does something else", seed)
		}
		if o := again(t, choices).Replay(false); o.Outcome != Reproduced {
			t.Errorf("seed %d: in chosen order: %s: %s", seed, o.Outcome, o.why())
		}
	}
	if *runs == 150 && (violated < 10 || turned < 50 || refused > turned/20) {
		t.Errorf("%d runs were violated; %d were told in chosen order, %d could not be", violated, turned, refused)
	}
}

const wrong = `
algorithm: no-channel-state
order: ORDER
graph: {nodes: [a, b, c], channels: [[a, b], [b, c], [c, a], [b, a]]}
app: {kind: bank}
snapshots: {at: [AT], initiators: [a]}
stop: {at: STOP}
`

func wrongIn(t *testing.T, order string) *Reproducer {
	t.Helper()
	at, stop := "5ms", "20ms"
	if order == "chosen" {
		at, stop = "20", "200"
	}
	p := resolved(t, strings.NewReplacer("ORDER", order, "AT", at, "STOP", stop).Replace(wrong))
	for seed := range uint64(50) {
		r, res, err := Of(catalogue, p, seed, "test")
		if err != nil {
			t.Fatal(err)
		}
		if res.Verdict == scenarios.Violated {
			return r
		}
	}
	t.Fatal("no seed is violated")
	return nil
}

// TestDiverges: a run under a changed algorithm, with another delay or with other
// contents is not reproduced, and the first difference is named.
func TestDiverges(t *testing.T) {
	for _, order := range []string{"timed", "chosen"} {
		r := wrongIn(t, order)
		changes := map[string]func(string) string{
			"right now":    func(s string) string { return strings.Replace(s, "no-channel-state", "chandy-lamport", 1) },
			"other wrong":  func(s string) string { return strings.Replace(s, "no-channel-state", "late-state", 1) },
			"less money":   func(s string) string { return strings.Replace(s, "money: ", "money: 1", 1) },
			"one step off": func(s string) string { return strings.Replace(s, "external 1 ", "external 2 ", 1) },
		}
		for name, change := range changes {
			changed := change(string(text(t, r)))
			if changed == string(text(t, r)) {
				continue
			}
			end := strings.Index(changed, "checksum: ")
			changed = changed[:end] + "checksum: " + checksum([]byte(changed[:end])) + "\n"
			other, err := Parse(catalogue, "changed.yaml", []byte(changed))
			if err != nil {
				t.Logf("%s, %s: refused: %v", order, name, err)
				continue
			}
			o := other.Replay(false)
			if o.Outcome == Reproduced || o.ExitCode() != 4 {
				t.Errorf("%s, %s: %s, exit code %d", order, name, o.Outcome, o.ExitCode())
			}
			if o.Divergence != nil && (o.Divergence.Step < 1 || o.Divergence.Expected == "" || o.Divergence.Instead == "") {
				t.Errorf("%s, %s: %+v", order, name, o.Divergence)
			}
			if on := other.Replay(true); on.Result == nil || on.Outcome != o.Outcome {
				t.Errorf("%s, %s: it does not go on", order, name)
			}
		}
	}
}

// TestChangedCode: the same scenario under an algorithm that was mended diverges in the
// middle, and goes on to hold.
func TestChangedCode(t *testing.T) {
	for _, order := range []string{"timed", "chosen"} {
		r := wrongIn(t, order)
		mended := scenarios.Default()
		right := mended.Algorithm("chandy-lamport").New
		mended.Algorithm("no-channel-state").New = right
		other, err := Parse(mended, "mended.yaml", text(t, r))
		if err != nil {
			t.Fatal(err)
		}
		o := other.Replay(true)
		if o.Outcome == Reproduced || o.Result == nil || o.Result.Verdict != scenarios.Holds {
			t.Errorf("%s: %s, %+v", order, o.Outcome, o.Result)
		}
	}
}

// TestEveryByteCounts: no change of a byte and no cut leads to "reproduced".
func TestEveryByteCounts(t *testing.T) {
	good := text(t, wrongIn(t, "chosen"))
	word := sim.Word(1)
	for range 300 {
		at := word.Below(len(good))
		bad := bytes.Clone(good)
		bad[at] ^= byte(1 + word.Below(255))
		if r, err := Parse(catalogue, "bad.yaml", bad); err == nil {
			t.Errorf("byte %d was changed, and %v", at, r.Replay(false).Outcome)
		}
		if _, err := Parse(catalogue, "bad.yaml", good[:at]); err == nil {
			t.Errorf("cut after %d bytes, and read", at)
		}
	}
}

// TestWrongAlgorithmsAreReproduced: the file of a wrong algorithm names what was violated.
func TestWrongAlgorithmsAreReproduced(t *testing.T) {
	if len(mutants.All()) == 0 {
		t.Fatal("no wrong algorithms")
	}
	r := again(t, wrongIn(t, "timed"))
	o := r.Replay(false)
	if o.ExitCode() != 1 || r.Violation == nil || r.Violation.Invariant != o.Result.Violations[0].Invariant {
		t.Errorf("%+v, exit code %d", r.Violation, o.ExitCode())
	}
}

// TestScenarioFiles: the run of every scenario file has a reproducer, from which this very
// run is carried out again, also where its graph stood in a file of its own, with the plan
// of a job.
func TestScenarioFiles(t *testing.T) {
	files, err := filepath.Glob("../../testdata/*/*.yaml")
	if err != nil || len(files) < 30 {
		t.Fatal(files, err)
	}
	plans := 0
	for _, file := range files {
		s, err := scenarios.Load(catalogue, file)
		if err != nil {
			t.Fatal(err)
		}
		p, err := s.Resolve(catalogue, scenarios.Overrides{})
		if err != nil {
			t.Fatal(err)
		}
		if s.Graph.File != "" && len(p.Graph.Edges) > 0 {
			plans++
		}
		r, res, err := Of(catalogue, p, p.Seed, "test")
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if want := p.NewRunner().Run(p.Seed); r.Digest != want.Digest || r.Verdict != want.Verdict {
			t.Errorf("%s: the run is %s with the digest %s, and its reproducer %s with %s", file, want.Verdict, want.Digest, r.Verdict, r.Digest)
		}
		if o := again(t, r).Replay(false); o.Outcome != Reproduced || (o.ExitCode() == 1) != (res.Verdict == scenarios.Violated) {
			t.Errorf("%s: %s: %s, exit code %d", file, o.Outcome, o.why(), o.ExitCode())
		}
	}
	if plans == 0 {
		t.Error("no file has the plan of a job")
	}
}

// TestTooLarge: a file that could not be read again is not written.
func TestTooLarge(t *testing.T) {
	r := wrongIn(t, "timed")
	size := len(text(t, r))
	if err := r.write(io.Discard, size+tailSize); err != nil {
		t.Error(err)
	}
	var b bytes.Buffer
	if err := r.write(&b, size-tailSize); err == nil || b.Len() > 0 || !strings.Contains(err.Error(), "a shorter run needs less") {
		t.Errorf("%d bytes are written, %v", b.Len(), err)
	}
}

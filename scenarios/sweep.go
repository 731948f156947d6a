package scenarios

import (
	"context"
	"fmt"
	"io"
	"strings"

	"simrun/scenarios/label"
	"simrun/scenarios/parallel"
	"simrun/sim"
)

// Sweep is what is known of a plan after runs with many seeds. It does not depend
// on how many of them ran at the same time.
type Sweep struct {
	Scenario  string `json:"scenario"`
	Algorithm string `json:"algorithm"`
	First     uint64 `json:"first_seed"`
	Last      uint64 `json:"last_seed"` // of those that were run

	Runs         int64     `json:"runs"`
	Holds        int64     `json:"holds"`
	Violated     int64     `json:"violated"`
	Inconclusive int64     `json:"inconclusive"`
	Completed    int64     `json:"completed_snapshots"` // of all runs together, as what is exercised
	Exercised    Exercised `json:"exercised"`
	Outputs      Outputs   `json:"outputs"`
	FailingSeeds []uint64  `json:"failing_seeds"` // not as expected or, if nothing is, violated
	Found        []Found   `json:"found"`         // in chosen order, what found them
	Strategies   []Tried   `json:"strategies"`    // and how often each strategy was tried
	Digest       string    `json:"digest"`        // of the runs' digests, in the order of their seeds
	Interrupted  bool      `json:"interrupted"`
	Reproducer   string    `json:"reproducer,omitempty"` // the file to which the first failing run was written
	Small        string    `json:"small,omitempty"`      // and that of the smallest run that violates the same
	Picture      string    `json:"picture,omitempty"`    // of this, and what it violates

	plan    *Plan
	expects bool
	digest  uint64
}

// sweepSeed begins the digest of a sweep.
const sweepSeed = 0x73696d72756e

// Sweep runs the plan with the seeds from first to last, both included, on so
// many goroutines. When ctx ends it returns at once, and drops the runs that are
// under way: what it returns is then about the first of the seeds, without a gap.
// progress, if not nil, is told after every run how many are done.
func (p *Plan) Sweep(ctx context.Context, first, last uint64, workers int, progress func(done int64)) *Sweep {
	s := &Sweep{Scenario: p.Name, Algorithm: p.Algorithm.Name, First: first, Last: first,
		FailingSeeds: []uint64{}, Found: []Found{}, Strategies: []Tried{}, plan: p, expects: p.Scenario.Expect != nil, digest: sweepSeed}
	worker := func() func(uint64) Outcome { return p.NewRunner().Outcome }
	s.Interrupted = !parallel.Seeds(ctx, first, last, workers, worker, s.add, progress)
	s.Digest = digest(s.digest)
	return s
}

func (s *Sweep) add(o Outcome) {
	s.Runs++
	s.Last = o.Seed
	switch o.Verdict {
	case Holds:
		s.Holds++
	case Violated:
		s.Violated++
	case Inconclusive:
		s.Inconclusive++
	}
	if !o.Good {
		s.FailingSeeds = append(s.FailingSeeds, o.Seed)
	}
	s.try(&o)
	s.Completed += o.Completed
	s.Exercised.Add(&o.Exercised)
	s.Outputs.add(o.Ledger)
	s.digest = sim.Draw(s.digest, sim.ForScenario, 0, 0, o.Digest)
}

// ExitCode is what a command that swept returns.
func (s *Sweep) ExitCode() int {
	switch {
	case s.Interrupted:
		return 130
	case len(s.FailingSeeds) > 0:
		return 1
	case !s.expects && s.Inconclusive > 0:
		return 3
	}
	return 0
}

// listedSeeds is how many failing seeds the text shows; JSON has all.
const listedSeeds = 10

// WriteText prints a sweep for people.
func (s *Sweep) WriteText(w io.Writer) error {
	var b strings.Builder
	if s.Runs == 0 {
		fmt.Fprintf(&b, "%s: %s, interrupted before the first run ended\n", label.Plain(s.Scenario), s.Algorithm)
		_, err := io.WriteString(w, b.String())
		return err
	}
	fmt.Fprintf(&b, "%s: %s, seeds %d-%d", label.Plain(s.Scenario), s.Algorithm, s.First, s.Last)
	if s.Interrupted {
		b.WriteString(", interrupted")
	}
	hold := "hold"
	if s.Holds == 1 {
		hold = "holds"
	}
	fmt.Fprintf(&b, "\n%s: %d %s, %d violated, %d inconclusive", plural(s.Runs, "run"), s.Holds, hold, s.Violated, s.Inconclusive)
	if s.expects {
		fmt.Fprintf(&b, "; %d as expected, %d not", s.Runs-int64(len(s.FailingSeeds)), len(s.FailingSeeds))
	}
	b.WriteByte('\n')
	s.writeExercised(&b)
	if outputs := s.Outputs.String(); outputs != "" {
		fmt.Fprintf(&b, "outputs: %s\n", outputs)
	}
	s.writeTried(&b)
	if n := len(s.FailingSeeds); n > 0 {
		b.WriteString("failing seeds:")
		for i, seed := range s.FailingSeeds[:min(n, listedSeeds)] {
			fmt.Fprintf(&b, " %d", seed)
			if len(s.Strategies) > 1 {
				fmt.Fprintf(&b, " (%s)", s.Found[i].Searched)
			}
		}
		if n > listedSeeds {
			fmt.Fprintf(&b, " and %d more", n-listedSeeds)
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "digest: %s\n", s.Digest)
	if len(s.FailingSeeds) > 0 {
		fmt.Fprintf(&b, "reproduce: %s\n", s.plan.reproduce(s.FailingSeeds[0]))
		if s.Reproducer != "" {
			fmt.Fprintf(&b, "written:   %s\n", s.plan.ReplayOf(s.Reproducer))
		}
		if s.Small != "" {
			fmt.Fprintf(&b, "\nmade small\n%s", s.Picture)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeExercised says what the runs put to the test, and warns if that is nothing:
// then it shows nothing that they hold.
func (s *Sweep) writeExercised(b *strings.Builder) {
	fmt.Fprintf(b, "exercised: %s\n", s.Exercised)
	switch {
	case s.Completed == 0:
		b.WriteString("note: no snapshot completed, so that none was judged\n")
	case s.Exercised == Exercised{}:
		b.WriteString("note: the snapshots had nothing to get wrong: no message in flight, no blocked input, no other snapshot, no crash\n")
	}
}

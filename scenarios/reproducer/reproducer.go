package reproducer

import (
	"cmp"
	"fmt"
	"slices"

	"simrun/scenarios"
	"simrun/scenarios/audit"
)

// Reproducer is a run that can be carried out again.
type Reproducer struct {
	Tool   string // the version of the program that wrote it
	Plan   *scenarios.Plan
	Course *scenarios.Course

	Verdict           string
	Violation         *scenarios.ViolationResult // the first one; nil: nothing is violated
	Digest            string
	ApplicationDigest string

	Path string // the file that it was read from; "": none
}

// Of carries out the run of a plan with a seed, and is its reproducer. tool is the version
// of the program.
func Of(c scenarios.Catalogue, p *scenarios.Plan, seed uint64, tool string) (*Reproducer, *scenarios.Result, error) {
	alone, err := p.Standalone(c, seed)
	if err != nil {
		return nil, nil, err
	}
	res, course := alone.NewRunner().Record(seed)
	switch misdeed := slices.ContainsFunc(res.Violations, func(v scenarios.ViolationResult) bool { return v.Misdeed != "" }); {
	case alone.Audit().Again == 0:
	case misdeed:
		alone = alone.AuditedAs(audit.Thorough)
		res, course = alone.NewRunner().Record(seed)
	default: // the run is the same without, and so is what is violated
		alone = alone.AuditedAs(audit.Settings{})
	}
	return about(alone, res, course, tool), res, nil
}

// Along is the reproducer of a plan's run along a course.
func Along(p *scenarios.Plan, course *scenarios.Course, tool string) (*Reproducer, *scenarios.Result, error) {
	res, divergence := p.NewRunner().Follow(p.Seed, course, false)
	if divergence != nil {
		return nil, nil, divergence
	}
	return about(p.Along(course, ""), res, course, tool), res, nil
}

// about is the reproducer of a run that has been carried out.
func about(p *scenarios.Plan, res *scenarios.Result, course *scenarios.Course, tool string) *Reproducer {
	r := &Reproducer{Tool: tool, Plan: p, Course: course, Verdict: res.Verdict, Digest: res.Digest, ApplicationDigest: res.ApplicationDigest}
	if len(res.Violations) > 0 {
		r.Violation = &res.Violations[0]
	}
	return r
}

// Choices is the reproducer of the same events in chosen order.
func (r *Reproducer) Choices(c scenarios.Catalogue) (*Reproducer, error) {
	p, choices, err := r.Plan.Choices(c, r.Plan.Seed)
	if err != nil {
		return nil, err
	}
	res, _ := p.NewRunner().Follow(p.Seed, choices, false)
	return about(p, res, choices, r.Tool), nil
}

// Outcome is what became of a Replay.
type Outcome struct {
	Reproducer string                `json:"reproducer"`
	Tool       string                `json:"written_by"`
	Steps      int                   `json:"steps"`
	Outcome    string                `json:"outcome"` // reproduced, diverged or judged-otherwise
	Divergence *scenarios.Divergence `json:"divergence"`
	// Difference says, if the run is the same to its last step and yet something differs,
	// what does.
	Difference string            `json:"difference,omitempty"`
	Result     *scenarios.Result `json:"result"` // null: the run was ended where it diverged
}

// The outcomes.
const (
	Reproduced = "reproduced"
	Diverged   = "diverged"
	Otherwise  = "judged-otherwise" // the same run, but not the same verdict on it
)

// Replay carries the run out again. If it diverges it ends there, or goes on as it would
// without the course.
func (r *Reproducer) Replay(goOn bool) *Outcome {
	o := &Outcome{Reproducer: r.Path, Tool: r.Tool, Steps: len(r.Course.Steps), Outcome: Reproduced}
	runner := r.Plan.NewRunner()
	o.Result, o.Divergence = runner.Follow(r.Plan.Seed, r.Course, goOn)
	if o.Result != nil {
		runner.Tell(o.Result)
	}
	switch {
	case o.Divergence != nil:
		o.Outcome = Diverged
	case o.Result.Digest != r.Digest:
		o.Outcome = Diverged
		o.Difference = fmt.Sprintf("every step is the same, but the run ends with the digest %s, and not with %s", o.Result.Digest, r.Digest)
	case !r.sameVerdict(o.Result):
		o.Outcome = Otherwise
		o.Difference = fmt.Sprintf("the run is the same, but it was judged as %s, and now as %s", says(r.Verdict, r.Violation), says(o.Result.Verdict, first(o.Result)))
	}
	return o
}

// ExitCode is what a command that replayed returns: that of the verdict if the run is the
// same, or was let go on, and 4 if not.
func (o *Outcome) ExitCode() int {
	switch {
	case o.Result == nil || o.Outcome == Otherwise || o.Outcome == Diverged && o.Divergence == nil:
		return 4
	case o.Result.Verdict == scenarios.Violated: // whatever the scenario permits
		return 1
	case o.Result.Verdict == scenarios.Inconclusive:
		return 3
	}
	return 0
}

// sameVerdict says whether a result is about the same violation: the same invariant on the
// same object.
func (r *Reproducer) sameVerdict(res *scenarios.Result) bool {
	if res.Verdict != r.Verdict {
		return false
	}
	return r.Violation == nil || slices.ContainsFunc(res.Violations, func(v scenarios.ViolationResult) bool { return Same(r.Violation, &v) })
}

// Same says whether two violations are of the same invariant on the same object.
func Same(a, b *scenarios.ViolationResult) bool {
	return a.Invariant == b.Invariant && same(a.Snapshot, b.Snapshot) && same(a.Recovery, b.Recovery) &&
		same(a.Node, b.Node) && same(a.Channel, b.Channel)
}

func same[T comparable](a, b *T) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

func first(res *scenarios.Result) *scenarios.ViolationResult {
	if len(res.Violations) == 0 {
		return nil
	}
	return &res.Violations[0]
}

func says(verdict string, v *scenarios.ViolationResult) string {
	if v == nil {
		return cmp.Or(verdict, "nothing")
	}
	return fmt.Sprintf("%s (%s: %s)", verdict, v.Invariant, v.Detail)
}

package simtest

import (
	"bytes"
	"fmt"
	"runtime/debug"
	"strings"

	"simrun/scenarios"
	"simrun/scenarios/reproducer"
	"simrun/scenarios/shrink"
)

// failure is a run that is not right, told.
type failure struct {
	text string
	file string // the reproducer; "": there is none
	to   shrink.Size
}

// shrunk makes a violated run small. If that cannot be it says why: then there is a
// failure.
func (x *experiment) shrunk(run *run) (*shrink.Shrunk, *failure) {
	fail := func(format string, args ...any) (*shrink.Shrunk, *failure) {
		return nil, &failure{text: fmt.Sprintf("%s violates %s, %s\nreproduce: %s", run.what, run.wrong(), fmt.Sprintf(format, args...), run.again)}
	}
	r, res, err := reproducer.Of(x.catalogue, run.plan, run.plan.Seed, tool())
	switch {
	case err != nil:
		return fail("and cannot be kept: %v", err)
	case r.Violation == nil:
		return fail("but %s when it is carried out again: what a node does may depend on nothing but its NodeInfo and what it was given", res.Verdict)
	}
	small, err := shrink.Shrink(x.catalogue, r, shrink.Limits{Time: x.patience()})
	if err != nil {
		return fail("and cannot be made smaller: %v\n%s: %s", err, r.Violation.Invariant, r.Violation.Detail)
	}
	return small, nil
}

// clockless says whether a run violates the same when it is told in chosen order. If it
// violates nothing there is no such question.
func (x *experiment) clockless(run *run) bool {
	if run.out.Verdict != scenarios.Violated || run.plan.Scenario.Order == string(Chosen) {
		return true
	}
	r, _, err := reproducer.Of(x.catalogue, run.plan, run.plan.Seed, tool())
	if err != nil || r.Violation == nil {
		return true // which has to be told
	}
	chosen, err := r.Choices(x.catalogue)
	return err == nil && chosen.Violation != nil && chosen.Violation.Invariant == r.Violation.Invariant
}

// told keeps a small run and tells it.
func (x *experiment) told(run *run, small *shrink.Shrunk) *failure {
	var b strings.Builder
	again := run.again
	fmt.Fprintf(&b, "%s violates %s\n\ndrawn: %v\nsmall: %v\n", run.what, small.Reproducer.Violation.Invariant, small.From, small.To)
	if small.Ended != "" {
		fmt.Fprintf(&b, "(it may not be the smallest: %s)\n", small.Ended)
	}
	r := small.Reproducer
	name := fmt.Sprintf("%s-%s.yaml", r.Violation.Invariant, r.Digest[:8])
	var text bytes.Buffer
	written := r.Write(&text)
	if written == nil {
		written = x.home.write(name, text.Bytes())
	}
	r.Path = x.home.shown(x.home.path(name))
	if written == nil {
		again = x.home.again(x.home.path(name))
	}
	x.tell(&b, r, again)
	if written != nil {
		fmt.Fprintf(&b, "\nThe reproducer cannot be kept: %v. It is:\n%s", written, text.String())
		return &failure{b.String(), "", small.To}
	}
	fmt.Fprintf(&b, "\nThe small run is kept in %s: from now on it is carried out first.\n", r.Path)
	return &failure{b.String(), x.home.path(name), small.To}
}

// tell draws the run of a reproducer and says what is wrong with it.
func (x *experiment) tell(b *strings.Builder, r *reproducer.Reproducer, again string) *reproducer.Outcome {
	r.Plan = r.Plan.RepeatedBy(again)
	r.Plan.Name = r.Path
	o := r.Replay(true)
	fmt.Fprintf(b, "\n%s\n", shrink.Picture(r))
	o.Result.WriteText(b)
	return o
}

// tool is the version of simrun, as reproducers name it.
func tool() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, m := range append(info.Deps, &info.Main) {
		if m.Path == "simrun" && m.Version != "" {
			return m.Version
		}
	}
	return "(devel)"
}

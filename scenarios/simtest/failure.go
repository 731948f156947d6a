package simtest

import (
	"bytes"
	"fmt"
	"runtime/debug"
	"strings"

	"simrun/scenarios/reproducer"
	"simrun/scenarios/shrink"
)

// failure is a run that is not right, told.
type failure struct {
	text string
	file string // the reproducer; "": there is none
	to   shrink.Size
}

// shrunk makes a violated run small, keeps it, and tells it.
func (x *experiment) shrunk(run *run) *failure {
	again := run.again
	fail := func(format string, args ...any) *failure {
		return &failure{text: fmt.Sprintf("%s %s\nreproduce: %s", run.what, fmt.Sprintf(format, args...), again)}
	}
	r, res, err := reproducer.Of(x.catalogue, run.plan, run.plan.Seed, tool())
	switch {
	case err != nil:
		return fail("violates %s; it cannot be kept: %v", run.wrong(), err)
	case r.Violation == nil:
		return fail("violates %s, and %s when it is carried out again: what a node does may depend on nothing but its NodeInfo and what it was given", run.wrong(), res.Verdict)
	}
	headline := fmt.Sprintf("%s violates %s", run.what, r.Violation.Invariant)
	small, err := shrink.Shrink(x.catalogue, r, shrink.Limits{Time: x.patience()})
	if err != nil {
		return fail("violates %s; it cannot be made smaller: %v", r.Violation.Invariant, err)
	}
	return x.told(small, headline, again)
}

// told keeps a small run and tells it.
func (x *experiment) told(small *shrink.Shrunk, headline, again string) *failure {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\ndrawn: %v\nsmall: %v\n", headline, small.From, small.To)
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

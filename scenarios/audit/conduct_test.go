package audit_test

import (
	"bytes"
	"strings"
	"testing"

	"simrun/scenarios"
	"simrun/scenarios/audit"
	"simrun/scenarios/reproducer"
	"simrun/scenarios/shrink"
	"simrun/sim"
)

// world is a scenario in which everybody of wrongdoers misbehaves.
const world = `
version: 1
algorithm: chandy-lamport
graph: {generate: complete, nodes: 4}
app: {kind: bank}
snapshots: {every: 15ms}
faults: [{crash: [n1], at: 45ms}]
stop: {at: 60ms}
`

// worldOf is the plan of world with somebody in it who misbehaves.
func worldOf(t *testing.T, c scenarios.Catalogue, name, edit string) *scenarios.Plan {
	t.Helper()
	text := strings.Replace(world, "kind: bank", "kind: "+name, 1)
	if c.Algorithm(name) != nil {
		text = strings.Replace(world, "algorithm: chandy-lamport", "algorithm: "+name, 1)
	}
	s, err := scenarios.Parse(c, "world.yaml", []byte(text+edit))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := s.Resolve(c, scenarios.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// misdeedOf is the first violation of conduct, or nil.
func misdeedOf(res *scenarios.Result) *scenarios.ViolationResult {
	for i := range res.Violations {
		if res.Violations[i].Invariant == "conduct" {
			return &res.Violations[i]
		}
	}
	return nil
}

// offence is what somebody is to be convicted of.
type offence struct {
	kind    string // the beginning of it
	audited bool   // only by an audit
	says    string
}

func offences() map[string]offence {
	return map[string]offence{
		"map-order":     {audit.Nondeterministic, true, "is not deterministic: in the same state it asks for the marker of snapshot"},
		"forgets-field": {audit.Forgetful, true, "leaves something out in Save or Load: it asks for the coordinator to be told"},
		"keeps-process": {audit.Sharing, true, "is in another state than its last handler left it in"},
		"keeps-load":    {audit.Sharing, true, "given in Load"},
		"lends-save":    {audit.Sharing, true, "does not append its state"},
		"global":        {audit.Nondeterministic, true, "is not deterministic: in the same state it asks for the coordinator to be told"},
		"panics":        {audit.Panic + " at wrongdoers_test.go:", false, "is handed to it, panics at wrongdoers_test.go:"},
		"no-output":     {audit.Misuse, false, "sends on output 99, and has 3 outputs"},
		"no-snapshot":   {audit.Misuse, false, "names snapshot 77"},
		"endless":       {audit.Endless, false, "asks for more than 1000000 things in one handler"},

		"app-forgets":         {audit.Forgetful, true, "leaves something out in Save or Load: it answers with"},
		"app-lends":           {audit.Sharing, true, "goes on to use the memory that it has returned from Save"},
		"app-shares":          {audit.Sharing, true, "shares memory with others"},
		"app-map-order":       {audit.Nondeterministic, true, "is not deterministic: in the same state it answers with (key "},
		"app-saves-map-order": {audit.Nondeterministic, true, "does not save the same bytes twice"},
		"app-panics":          {audit.Panic + " at wrongdoers_test.go:", false, "no such account"},
		"app-no-output":       {audit.Misuse, false, "sends on output 42, and has 3 outputs"},
		"app-endless":         {audit.Endless, false, "asks for more than 1000000 things"},
		"app-panics-in-save":  {audit.Panic + " at wrongdoers_test.go:", false, "cannot save"},
		"app-cannot-load":     {audit.Misuse, false, "when its state is loaded, cannot load its state of snapshot"},
	}
}

// TestWrongdoers: everybody who misbehaves is convicted of it, by name and with the event,
// in a run that ends there; and without an audit only where the run cannot go on.
func TestWrongdoers(t *testing.T) {
	c := wrongdoers()
	for name, want := range offences() {
		plan := worldOf(t, c, name, "")
		for _, audited := range []bool{false, true} {
			p := plan
			if audited {
				p = plan.Audited()
			}
			res := p.NewRunner().Run(plan.Seed)
			v := misdeedOf(res)
			if !audited && want.audited {
				if v != nil {
					t.Errorf("%s is convicted without an audit: %s", name, v.Detail)
				}
				continue
			}
			if v == nil {
				t.Errorf("%s, audited %t: %s, not convicted", name, audited, res.Verdict)
				continue
			}
			if audited && name == "app-cannot-load" {
				want = offence{kind: audit.Forgetful, says: "cannot load what it has saved: not now"}
			}
			subject := "node "
			if strings.HasPrefix(name, "app-") {
				subject = "the App of "
			}
			if !strings.HasPrefix(v.Misdeed, want.kind) || !strings.Contains(v.Detail, want.says) || !strings.HasPrefix(v.Detail, subject+*v.Node+", when ") {
				t.Errorf("%s, audited %t: %s: %s", name, audited, v.Misdeed, v.Detail)
			}
			if res.Verdict != scenarios.Violated || res.End != "misbehaved" || res.ExitCode() != 1 {
				t.Errorf("%s: %s, ended: %s", name, res.Verdict, res.End)
			}
		}
	}
}

// TestShrunk: the run of everybody who misbehaves is reproduced from a file, and made small
// enough to be read; who is right is not accused in what is left.
func TestShrunk(t *testing.T) {
	c := wrongdoers()
	for name := range offences() {
		plan := worldOf(t, c, name, "").Audited()
		r, _, err := reproducer.Of(c, plan, plan.Seed, "test")
		if err != nil {
			t.Fatal(err)
		}
		if r.Violation == nil || r.Violation.Invariant != "conduct" {
			t.Errorf("%s: %+v", name, r.Violation)
			continue
		}
		s, err := shrink.Shrink(c, reread(t, c, r), shrink.Limits{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if s.To.Nodes > 3 || s.To.Deliveries > 5 || s.Ended != "" {
			t.Errorf("%s: %v, %s", name, s.To, s.Ended)
		}
		again := reread(t, c, s.Reproducer)
		if o := again.Replay(false); o.Outcome != reproducer.Reproduced || o.ExitCode() != 1 || again.Violation.Misdeed != r.Violation.Misdeed {
			t.Errorf("%s: %s, exit code %d, %s", name, o.Outcome, o.ExitCode(), again.Violation.Misdeed)
		}
	}
}

// reread is a reproducer written and read.
func reread(t *testing.T, c scenarios.Catalogue, r *reproducer.Reproducer) *reproducer.Reproducer {
	t.Helper()
	var file bytes.Buffer
	if err := r.Write(&file); err != nil {
		t.Fatal(err)
	}
	again, err := reproducer.Parse(c, "again.yaml", file.Bytes())
	if err != nil {
		t.Fatalf("%v\n%s", err, file.String())
	}
	return again
}

// TestPanicIsShown: what a panic was given is told on one line that a terminal does not obey,
// and not at any length.
func TestPanicIsShown(t *testing.T) {
	c := scenarios.Default()
	addApp(&c, "shouts", bankOf{app: func(inner sim.App, _ int32) sim.App {
		return &badApp{App: inner, does: func(*badApp, sim.Input, *sim.Effects) {
			panic("no such\naccount\x1b[31m" + strings.Repeat("!", 100_000))
		}}
	}})
	res := worldOf(t, c, "shouts", "").NewRunner().Run(1)
	if len(res.Violations) != 1 {
		t.Fatalf("%d violations", len(res.Violations))
	}
	detail := res.Violations[0].Detail
	if !strings.Contains(detail, "no such\u240aaccount\u241b[31m!!!") || strings.ContainsAny(detail, "\n\x1b") || len(detail) > 2000 {
		t.Errorf("%.300q", detail)
	}
}

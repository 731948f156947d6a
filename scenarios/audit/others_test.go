package audit_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"simrun/algorithms/coordinator"
	"simrun/scenarios"
	"simrun/scenarios/audit"
	"simrun/scenarios/reproducer"
	"simrun/scenarios/shrink"
	"simrun/sim"
)

// records is a source with something wrong at a record.
type records struct {
	sim.Source
	record func(k uint64)
	shift  func() int64 // of a record's value
}

func (s *records) Record(k uint64) (m sim.Message, at int64, ok bool) {
	s.record(k)
	m, at, ok = s.Source.Record(k)
	m.Value += s.shift()
	return m, at, ok
}

// picky is a Guarded App that panics when it is asked.
type picky struct{ sim.App }

func (picky) Accepts(sim.Input) bool { panic("cannot choose") }

// unjust is an App that panics where it is executed again to be judged.
type unjust struct {
	sim.App
	first bool
}

func (a *unjust) Step(in sim.Input, m sim.Message, fx *sim.Effects) {
	if !a.first {
		panic("once is enough")
	}
	a.App.Step(in, m, fx)
}

// shaken is an App that cannot be saved when it has been loaded, the first time.
type shaken struct {
	sim.App
	loaded bool
	over   *bool
}

func (a *shaken) Load(state []byte) error {
	a.loaded = true
	return a.App.Load(state)
}

func (a *shaken) Save(buf []byte) []byte {
	if a.loaded && !*a.over {
		*a.over = true
		panic("not again")
	}
	return a.App.Save(buf)
}

// nervous is a coordinator that panics at the first acknowledgement.
type nervous struct{ sim.Coordinator }

func (nervous) Receive(int32, sim.Control, *sim.Decisions) { panic("too much") }

// TestOthers: sources, Apps outside of handlers, Apps that are judged, what is made, and
// the coordinator are told by name, too.
func TestOthers(t *testing.T) {
	c := scenarios.Default()
	none := func() int64 { return 0 }
	asked := int64(0)
	made, over := 0, false
	source := func(record func(uint64), shift func() int64) bankOf {
		return bankOf{source: func(inner sim.Source, v int32) sim.Source {
			if v != 2 {
				return inner
			}
			return &records{inner, record, shift}
		}}
	}
	addApp(&c, "bad-source", source(func(k uint64) {
		if k == 3 {
			panic("no such record")
		}
	}, none))
	addApp(&c, "impure-source", source(func(uint64) {}, func() int64 { asked++; return asked }))
	addApp(&c, "picky", bankOf{app: func(inner sim.App, _ int32) sim.App { return picky{inner} }})
	addApp(&c, "unjust", bankOf{app: func(inner sim.App, _ int32) sim.App {
		made++
		return &unjust{inner, made <= 8} // four nodes, and once more after the crash
	}})
	addApp(&c, "shaken", bankOf{app: func(inner sim.App, _ int32) sim.App { return &shaken{App: inner, over: &over} }})
	addApp(&c, "unmade", bankOf{app: func(inner sim.App, v int32) sim.App {
		if v == 2 {
			panic("no memory")
		}
		return inner
	}})
	abs := *c.Algorithm("abs")
	abs.Name, abs.Coordinator = "nervous", func(s coordinator.Settings) sim.Coordinator { return nervous{coordinator.New(s)()} }
	c.Algorithms = append(c.Algorithms, abs)
	for _, want := range []struct {
		name, edit, node, says string
		audit                  bool
	}{
		{name: "bad-source", node: "n2", says: "the source of n2, when it is asked for External record 4, panics at others_test.go:"},
		{name: "impure-source", node: "n2", says: "the source of n2, when it is asked for External record 1, gives another record than before", audit: true},
		{name: "picky", says: "when it is asked whether it would take a message of n", node: "*"},
		{name: "shaken", node: "n0", says: "the App of n0, when its state is saved, panics at others_test.go:"},
		{name: "unjust", says: "an App panics at others_test.go:"},
		{name: "unmade", node: "n2", says: "the App of n2, when it is made, panics at others_test.go:"},
		{name: "nervous", edit: "coordinator: {}\n", says: "the coordinator, when it is given a message of n"},
	} {
		plan := worldOf(t, c, want.name, want.edit)
		if want.audit {
			plan = plan.Audited()
		}
		runner := plan.NewRunner()
		res := runner.Run(plan.Seed)
		v := misdeedOf(res)
		if v == nil || !strings.Contains(v.Detail, want.says) {
			t.Errorf("%s: %v", want.name, res.Violations)
			continue
		}
		if len(res.Violations) > 1 {
			t.Errorf("%s is made out to violate more: %v", want.name, res.Violations)
		}
		if got := ""; want.node != "*" {
			if v.Node != nil {
				got = *v.Node
			}
			if got != want.node {
				t.Errorf("%s: the fault of %q", want.name, got)
			}
		}
		var text bytes.Buffer
		if err := res.WriteText(&text); err != nil || !strings.Contains(text.String(), "conduct: "+v.Detail) {
			t.Errorf("%s: %v\n%s", want.name, err, text.String())
		}
	}
}

// TestEverywhere: a run that ends in misconduct can be told, traced and swept, in both
// orders, and the Runner that has seen it runs others.
func TestEverywhere(t *testing.T) {
	c := wrongdoers()
	for _, order := range []string{"", "order: chosen\n"} {
		edit := order
		plan := worldOf(t, c, "panics", "")
		if order != "" {
			s, err := scenarios.Parse(c, "world.yaml", []byte(strings.NewReplacer("15ms", "60", "at: 45ms", "step: 90", "60ms", "300", "chandy-lamport", "panics").Replace(world)+edit))
			if err != nil {
				t.Fatal(err)
			}
			if plan, err = s.Resolve(c, scenarios.Overrides{}); err != nil {
				t.Fatal(err)
			}
		}
		var trace, witness bytes.Buffer
		runner := plan.NewRunner()
		res, err := runner.Write(3, scenarios.Files{Trace: &trace, Witness: &witness})
		if err != nil || !strings.HasSuffix(trace.String(), "}\n") || !strings.Contains(trace.String(), `"how":"misbehaved"`) {
			t.Fatalf("%v: %s", err, trace.String())
		}
		runner.Tell(res)
		if again := runner.Run(3); again.Digest != res.Digest || again.Violations[0].Detail != res.Violations[0].Detail {
			t.Errorf("%s, then %s", res.Digest, again.Digest)
		}
		if o := runner.Outcome(3); o.Good || len(o.Broken) != 1 || o.Broken[0] != "conduct" {
			t.Errorf("%+v", o)
		}
		explained, err := runner.Explain(3, 0)
		if err != nil || explained.First.Invariant != "conduct" || len(explained.First.Why) == 0 {
			t.Errorf("%v: %+v", err, explained.First)
		}
		r, _, err := reproducer.Of(c, plan, 3, "test")
		if err != nil {
			t.Fatal(err)
		}
		if o := reread(t, c, r).Replay(false); o.Outcome != reproducer.Reproduced {
			t.Errorf("%s: %v %s", o.Outcome, o.Divergence, o.Difference)
		}
	}
}

// TestStuck: a handler that does not return is found, and is not made smaller.
func TestStuck(t *testing.T) {
	released.Store(false)
	defer released.Store(true)
	c := wrongdoers()
	plan := worldOf(t, c, "stuck", "").AuditedAs(audit.Settings{Again: 1, Patience: 300 * time.Millisecond})
	res, course := plan.NewRunner().Record(plan.Seed)
	v := misdeedOf(res)
	if v == nil || v.Misdeed != audit.Stuck || *v.Node != "n1" || !strings.Contains(v.Detail, "has not returned after 300ms") || res.End != "misbehaved" {
		t.Fatalf("%s: %+v", res.End, v)
	}
	r := &reproducer.Reproducer{Plan: plan, Course: course, Violation: v}
	if _, err := shrink.Shrink(c, r, shrink.Limits{}); err == nil {
		t.Error("it was made smaller")
	}
}

// TestOff: what is switched off is not reported, and the run ends all the same.
func TestOff(t *testing.T) {
	c := wrongdoers()
	res := worldOf(t, c, "panics", "checks: {off: [conduct]}\n").Audited().NewRunner().Run(1)
	if res.Verdict != scenarios.Inconclusive || res.End != "misbehaved" || res.ExitCode() != 3 {
		t.Errorf("%s, %s, %v", res.Verdict, res.End, res.Violations)
	}
}

// TestExpected: a scenario can expect it.
func TestExpected(t *testing.T) {
	c := wrongdoers()
	res := worldOf(t, c, "no-output", "expect: {violation: conduct}\n").NewRunner().Run(1)
	if res.ExitCode() != 0 || len(res.Unmet) > 0 {
		t.Errorf("%d: %v", res.ExitCode(), res.Unmet)
	}
}

package scenarios

import (
	"fmt"
	"slices"

	"simrun/invariants"
	"simrun/sim"
)

func (r *resolver) checks() error {
	for i := range r.Checks.Off {
		if err := r.oneOf(&r.Checks.Off[i], "an invariant", invariants.Names(), "checks", "off", i); err != nil {
			return err
		}
	}
	return nil
}

// expect checks that the expectation can be met at all.
func (r *resolver) expect() error {
	if r.Expect == nil {
		return nil
	}
	filled := *r.Expect
	r.Expect = &filled
	for _, check := range []func() error{r.expectVerdict, r.expectViolation, r.expectGuarantee, r.expectNumbers, r.expectExercised, r.expectIncomplete} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (r *resolver) expectVerdict() error {
	e := r.Expect
	if e.Verdict == "" {
		return nil
	}
	if err := r.oneOf(&e.Verdict, "verdict", []string{Holds, Violated, Inconclusive}, "expect", "verdict"); err != nil {
		return err
	}
	if e.Verdict != Violated && e.Violation != "" {
		return r.fail("a run that violates "+e.Violation+" is not one whose verdict is "+e.Verdict, "leave one of the two out", "expect", "violation")
	}
	return nil
}

// expectViolation refuses to wait for a violation that nobody would see.
func (r *resolver) expectViolation() error {
	name := r.Expect.Violation
	if name == "" {
		return nil
	}
	if err := r.oneOf(&r.Expect.Violation, "an invariant", invariants.Names(), "expect", "violation"); err != nil {
		return err
	}
	at := []any{"expect", "violation"}
	if slices.Contains(r.Checks.Off, name) {
		return r.fail(name+" is switched off, so that nothing can violate it", "take it out of checks: {off: [...]}", at...)
	}
	switch _, conserving := r.plan.Workload.NewApp(r.plan.Seed, 0).(sim.Conserving); {
	case name == "abs-staged" && !r.plan.Algorithm.Aligned:
		return r.fail("abs-staged is not checked under "+r.plan.Algorithm.Name+", which does not align barriers", "use abs, or expect another violation", at...)
	case name == "conservation" && !conserving:
		return r.fail("conservation is not checked of the app "+r.App.Kind+", in which nothing is conserved", "use bank, or expect another violation", at...)
	}
	return nil
}

// guarantees is what an expectation can demand of the effects.
var guarantees = []string{string(invariants.ExactlyOnce), string(invariants.AtLeastOnce), string(invariants.AtMostOnce)}

// expectGuarantee refuses to demand a guarantee of runs that have no ledger.
func (r *resolver) expectGuarantee() error {
	if r.Expect.Guarantee == "" {
		return nil
	}
	if err := r.oneOf(&r.Expect.Guarantee, "guarantee", guarantees, "expect", "guarantee"); err != nil {
		return err
	}
	switch at := []any{"expect", "guarantee"}; {
	case len(r.Faults) == 0:
		return r.fail("a guarantee is about what a recovery makes of the records, but the scenario has no fault", "leave it out, or add a fault", at...)
	case len(r.plan.config.Unreliable) > 0:
		return r.fail("no account of the records is kept where channels lose, double or reorder", "leave it out", at...)
	}
	return nil
}

func (r *resolver) expectNumbers() error {
	e := r.Expect
	if n := e.Snapshots; n != nil {
		plan := &r.plan.config.Snapshots
		switch {
		case *n < 0:
			return r.fail(fmt.Sprintf("snapshots is %d", *n), "write 0 or more", "expect", "snapshots")
		case r.Coordinator == nil && plan.Every == 0 && *n > len(plan.At)+plan.Open:
			return r.fail(fmt.Sprintf("snapshots is %d, but the scenario triggers %d", *n, len(plan.At)+plan.Open), "write fewer, or more instants in snapshots", "expect", "snapshots")
		}
	}
	if n := e.Recoveries; n != nil {
		switch {
		case *n < 0 || *n > sim.MaxRecoveries:
			return r.fail(fmt.Sprintf("recoveries is %d", *n), fmt.Sprintf("write a number from 0 to %d", sim.MaxRecoveries), "expect", "recoveries")
		case *n > r.crashes() && r.Coordinator == nil:
			return r.fail(fmt.Sprintf("recoveries is %d, but the scenario has %s", *n, plural(int64(r.crashes()), "fault")), "write fewer, or more faults", "expect", "recoveries")
		}
	}
	return nil
}

// expectExercised refuses counts that no run can reach.
func (r *resolver) expectExercised() error {
	if r.Expect.Exercised == nil {
		return nil
	}
	plan := &r.plan.config.Snapshots
	for _, e := range r.Expect.Exercised.exercises() {
		n, at := *e.count, []any{"expect", "exercised", e.name}
		switch {
		case n < 0:
			return r.fail(fmt.Sprintf("%s is %d", e.name, n), "write 0 or more", at...)
		case e.bound == byNothing && n > 0 && r.Coordinator == nil:
			return r.fail(e.name+" without a coordinator", "write coordinator: {}, or leave it out", at...)
		case r.Coordinator != nil:
		case e.bound == bySnapshots && plan.Every == 0 && n > int64(len(plan.At)+plan.Open):
			return r.fail(fmt.Sprintf("%s is %d, but the scenario triggers %s", e.name, n, plural(int64(len(plan.At)+plan.Open), "snapshot")), "write fewer, or more instants in snapshots", at...)
		case e.bound == byFaults && n > int64(r.crashes()):
			return r.fail(fmt.Sprintf("%s is %d, but the scenario has %s", e.name, n, plural(int64(r.crashes()), "fault")), "write fewer, or more faults", at...)
		}
	}
	return nil
}

// expectIncomplete refuses a verdict that a run with an incomplete snapshot cannot
// have.
func (r *resolver) expectIncomplete() error {
	e := r.Expect
	if e.Incomplete && e.Verdict == Holds && !slices.Contains(r.Checks.Off, "termination") {
		return r.fail("a run with an incomplete snapshot does not hold: it violates termination", "leave the verdict out, or switch termination off", "expect", "verdict")
	}
	return nil
}

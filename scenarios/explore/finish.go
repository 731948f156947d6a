package explore

import (
	"slices"
	"strings"
	"time"

	"simrun/scenarios"
)

// finish closes the account.
func (x *explorer) finish() *Result {
	r := x.result
	r.StoppedBy = x.stopped
	r.States = int64(x.states.n)
	r.Snapshots = int64(len(r.distinct))
	r.Seconds = time.Since(r.begun).Seconds()
	r.Bytes = float64(x.states.bytes()+x.partBytes) / float64(max(r.States, 1))
	for kind, n := range r.kinds {
		v := Verdict{Of: "run", Violates: []string{}, Outcomes: n}
		rest, ok := strings.CutPrefix(kind, "snapshot")
		if ok {
			v.Of = "snapshot"
		} else {
			rest = strings.TrimPrefix(kind, "run")
		}
		if rest != "" {
			v.Violates = strings.Split(rest, ",")
		}
		r.Verdicts = append(r.Verdicts, v)
	}
	slices.SortFunc(r.Verdicts, func(a, b Verdict) int {
		return strings.Compare(a.Of+strings.Join(a.Violates, ","), b.Of+strings.Join(b.Violates, ","))
	})
	switch {
	case r.Violation != nil:
		r.Verdict = scenarios.Violated
	case r.Finished:
		r.Verdict = scenarios.Holds
	default:
		r.Verdict = scenarios.Inconclusive
	}
	return r
}

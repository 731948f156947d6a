package shrink

import "simrun/scenarios"

// target is what a smaller run has to violate: an invariant, on a kind of object, and of
// misdeeds one of the same kind.
type target struct {
	invariant, misdeed                string
	snapshot, recovery, node, channel bool
}

func targetOf(v *scenarios.ViolationResult) target {
	return target{v.Invariant, v.Misdeed, v.Snapshot != nil, v.Recovery != nil, v.Node != nil, v.Channel != nil}
}

// metBy says whether a run violates it.
func (t target) metBy(res *scenarios.Result) bool {
	for i := range res.Violations {
		if targetOf(&res.Violations[i]) == t {
			return true
		}
	}
	return false
}

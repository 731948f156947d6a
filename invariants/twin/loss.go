package twin

import (
	"slices"

	"simrun/sim"
)

// loses says whether the last restore has lost something, in a run that has come to
// rest: what was produced before it, and is not taken back by it, was never processed
// or never emitted, and is on its way no more.
func (j *judge) loses(k int, events []event) bool {
	if j.h.End != sim.Quiescent || len(j.run.Unreliable) > 0 && slices.ContainsFunc(j.run.Unreliable, func(u sim.Unreliable) bool { return !u.Reliable() }) {
		return false
	}
	var before []event // that the restore has kept
	for _, e := range events {
		if e.row < j.restores[k] {
			before = append(before, e)
		}
	}
	down := func(v int32) bool { return slices.Contains(j.h.Final.Down, v) }
	count := func(kind sim.RowKind, is func(e event) bool) (n int) {
		for _, e := range events {
			if e.kind == kind && is(e) {
				n++
			}
		}
		return n
	}
	for v := range int32(j.run.Graph.Nodes) {
		a := j.alone(v, before)
		left := count(sim.RowEmit, func(e event) bool { return e.node == v })
		if left < len(a.emitted) && !down(v) {
			return true
		}
		for i, ch := range a.outputs {
			produced := len(a.produced[i])
			sent := count(sim.RowSend, func(e event) bool { return e.channel == ch })
			processed := count(sim.RowProcess, func(e event) bool { return e.channel == ch })
			waiting := 0
			if int(ch) < len(j.h.Final.InFlight) {
				waiting = len(j.h.Final.InFlight[ch])
			}
			if produced > sent && !down(v) || processed < min(produced, sent-waiting) && !down(j.run.Graph.To[ch]) {
				return true
			}
		}
	}
	return false
}

package cases

import (
	"slices"
	"testing"

	"simrun/algorithms/tracking"
	"simrun/invariants"
)

// Switching alignment off is at-least-once, and not for every graph. J has S1's barrier
// and reads on; r comes from behind it before S2's barrier does. After the crash S1 sends
// r again: J counts it twice, which is ok for at-least-once and violates exactly-once. On
// a chain nothing can come between the barriers. Nothing is lost either way.
func TestAlignmentSwitchedOff(t *testing.T) {
	const q, r = 1, 2
	fanIn := world{
		links:     []link{{"S1", "J", 1}, {"S2", "J", 20}},
		sends:     []send{{at: 9, from: "S1", to: "J", id: q}, {at: 11, from: "S1", to: "J", id: r}},
		snapshots: []int64{10, 80}, initiators: []string{"S1", "S2"}, crash: "J", promise: invariants.AtLeastOnce,
	}
	o := fanIn.run(t, tracking.New, false).holds().kept(1, "J", q, r).kept(2, "J", q, r, r)
	o.effects(invariants.AtLeastOnce, invariants.RecordID{Node: fanIn.node("S1"), Number: 2})

	strict := fanIn
	strict.promise = ""
	strict.run(t, tracking.New, false).violates("consistent-cut", "S1", "J", 2)
	strict.run(t, als, true).holds().kept(1, "J", q).kept(2, "J", q, r).effects(invariants.ExactlyOnce)

	chain := world{
		links:     []link{{"S", "A", 1}, {"A", "K", 20}},
		sends:     []send{{at: 9, from: "S", to: "A", id: q, hops: 1}, {at: 11, from: "S", to: "A", id: r, hops: 1}},
		snapshots: []int64{10, 80}, initiators: []string{"S"}, crash: "A", promise: invariants.AtLeastOnce,
	}
	chain.run(t, tracking.New, false).holds().kept(1, "K", q).kept(2, "K", q, r).effects(invariants.ExactlyOnce)
	chain.promise = ""
	chain.run(t, tracking.New, false).holds() // and keeps what it does not promise
}

// effects demands which guarantee the effects of the records have kept, which took effect
// more than once, and that none is lost.
func (o *outcome) effects(want invariants.Guarantee, repeated ...invariants.RecordID) {
	o.t.Helper()
	l := o.report.Ledger
	if l == nil || l.Effects != want || !slices.Equal(l.Repeated, repeated) || l.EffectsRepeated != int64(len(repeated)) || l.EffectsLost+l.EffectsUndone > 0 {
		o.t.Errorf("the ledger is %+v, want effects %s, of %v more than once", l, want, repeated)
	}
}

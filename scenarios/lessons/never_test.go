package lessons

import (
	"slices"

	"simrun/invariants"
	"simrun/scenarios/spacetime"
	"simrun/sim"
)

// neverClaims is what lesson 4 says.
var neverClaims = map[string]func(*claim){
	"run": func(c *claim) {
		r := c.run("never", "")
		for v := range r.Graph.Nodes {
			c.says(field(c.t, r.Initial[v], "balance"))
		}
		c.says(r.takes("P->Q"), r.takes("Q->P"))
	},
	"p-records": func(c *claim) {
		r := c.run("never", "")
		c.says(r.records("P", 1).at(), r.balance("P"))
		c.is(r.sameStep(r.records("P", 1), r.marks("P->Q", 1)), "it sends its marker")
	},
	"p-pays": func(c *claim) {
		r := c.run("never", "")
		c.says(r.sent("P->Q", 1).at(), r.sent("P->Q", 1).amount())
	},
	"q-pays": func(c *claim) {
		r := c.run("never", "")
		c.says(r.sent("Q->P", 1).at(), r.sent("Q->P", 1).amount())
	},
	"q-records": func(c *claim) {
		r := c.run("never", "")
		c.says(r.marked("P->Q", 1).at(), r.balance("Q"))
		c.is(r.sameStep(r.marked("P->Q", 1), r.records("Q", 1)), "it records then")
	},
	"stored": func(c *claim) {
		r := c.run("never", "")
		c.says(r.taken("Q->P", 1).at(), r.taken("Q->P", 1).amount())
		c.is(r.stores("Q->P", 1) && only(r.cut("Q->P").InFlight, 1), "in transit, and stored")
	},
	"recorded": func(c *claim) {
		r := c.run("never", "")
		c.says(r.balance("P"), r.balance("Q"), r.sent("Q->P", 1).amount())
		c.is(r.stores("Q->P", 1) && r.stores("P->Q"), "this is in transit, and nothing else")
	},
	"balances": func(c *claim) {
		r := c.run("never", "")
		p, q := r.sent("P->Q", 1), r.sent("Q->P", 1)
		c.says(field(c.t, r.Initial[r.node("P")], "balance"), p.at(), r.after(q, "balance"), q.at())
		first := r.find("the first step of P", 0, func(e *spacetime.Event) bool { return e.Kind.Steps() && e.Node == r.node("P") })
		c.is(first.At == p.At && r.after(p, "balance") != field(c.t, r.Initial[r.node("P")], "balance"), "so long P has it")
	},
	"never": func(c *claim) {
		r := c.run("never", "")
		c.says(r.balance("P"), r.balance("Q"))
		now := map[int32]number{}
		for v := range r.Graph.Nodes {
			now[int32(v)] = field(c.t, r.Initial[v], "balance")
		}
		again := false
		for _, e := range r.all(func(e *spacetime.Event) bool { return e.Kind.Steps() }) {
			now[e.Node] = r.after(e, "balance")
			again = again || now[r.node("P")] == r.balance("P") && e.At >= r.sent("P->Q", 1).At
			c.is(now[r.node("P")] != r.balance("P") || now[r.node("Q")] != r.balance("Q"), "at %d both are there", e.At)
		}
		c.is(!again, "P has it again")
	},
	"holds": func(c *claim) { c.is(c.run("never", "").holds(), "it holds") },
	"real-order": func(c *claim) {
		r := c.run("never", "")
		w := witness(c, r)
		c.says(count(len(w.Post)), count(len(w.Pre)))
		c.is(slices.Equal(r.kinds(w.Post), []sim.RowKind{sim.RowExternal, sim.RowSend}) && slices.Equal(r.kinds(w.Pre), []sim.RowKind{sim.RowExternal, sim.RowSend}), "each is ordered, and sends")
		c.is(r.rowNode(w.Post[0]) == r.node("P") && r.rowNode(w.Pre[0]) == r.node("Q"), "P's, and Q's")
		c.is(slices.Max(w.Post) < slices.Min(w.Pre), "P's are first")
	},
	"concurrent": func(c *claim) {
		r := c.run("never", "")
		c.says(r.taken("P->Q", 1).at(), r.taken("Q->P", 1).at())
		c.is(r.sent("Q->P", 1).before(r.taken("P->Q", 1)) && r.sent("P->Q", 1).before(r.taken("Q->P", 1)), "each is there when the other one has paid")
		// A marker is the only other way from P to Q, and comes after Q has paid.
		c.is(r.sent("Q->P", 1).before(r.marked("P->Q", 1)), "no marker brought word of it")
	},
	"other-order": func(c *claim) {
		r := c.run("never", "")
		w := witness(c, r)
		c.is(w.Swaps > 0 && r.took(1).Swaps != nil && !r.violates("reachability"), "it was carried out, and leads to the same")
	},
	"witness": func(c *claim) {
		r := c.run("never", "")
		w := witness(c, r)
		c.says(r.sent("Q->P", 1).amount())
		c.is(r.rowNode(w.Pre[1]) == r.node("Q") && r.kinds(w.Pre)[1] == sim.RowSend, "Q has paid")
		c.is(r.rowNode(w.Post[1]) == r.node("P") && r.kinds(w.Post)[1] == sim.RowSend, "P has not")
	},
	"witness-state": func(c *claim) {
		r := c.run("never", "")
		c.says(field(c.t, r.Initial[r.node("P")], "balance"), r.after(r.sent("Q->P", 1), "balance"), r.sent("Q->P", 1).amount())
		c.is(r.balance("P") == field(c.t, r.Initial[r.node("P")], "balance") && r.balance("Q") == r.after(r.sent("Q->P", 1), "balance") && r.stores("Q->P", 1), "it is the recorded one")
	},
	"swaps": func(c *claim) {
		r := c.run("never", "")
		w := witness(c, r)
		c.says(count(len(w.Pre)), count(len(w.Post)), count(int(*r.took(1).Swaps)))
		c.is(*r.took(1).Swaps == w.Swaps && int(w.Swaps) == len(w.Pre)*len(w.Post), "each with each")
	},
	"checked": func(c *claim) {
		r := c.run("never", "")
		c.is(slices.Contains(r.Result.Checks, "reachability") && r.took(1).Swaps != nil, "it is checked")
	},
	"late": func(c *claim) {
		r := c.run("never", "late-markers")
		c.says(r.sent("P->Q", 1).amount())
		c.is(r.sent("P->Q", 1).before(r.marks("P->Q", 1)), "behind it")
	},
	"late-q": func(c *claim) {
		r := c.run("never", "late-markers")
		c.says(r.balance("Q"), r.records("Q", 1).at(), r.sent("Q->P", 1).amount(), r.taken("P->Q", 1).amount())
		c.is(r.sent("Q->P", 1).before(r.records("Q", 1)) && r.taken("P->Q", 1).before(r.records("Q", 1)), "it has paid and been paid")
	},
	"caused": func(c *claim) {
		r := c.run("never", "late-markers")
		c.is(only(r.cut("P->Q").Orphans, 1) && r.Events[r.taken("P->Q", 1).index].Peer == r.sent("P->Q", 1).index, "the one is the cause of the other")
	},
	"unreachable": func(c *claim) {
		c.is(c.run("never", "late-markers").violates("reachability"), "there is none")
	},
}

// witness is the order that passes through snapshot 1.
func witness(c *claim, r *run) *invariants.Witness {
	w, err := invariants.WitnessOf(r.judged, 1)
	if err != nil {
		c.t.Fatal(err)
	}
	return w
}

// kinds is what rows tell, and rowNode at which node one happened.
func (r *run) kinds(rows []int) (kinds []sim.RowKind) {
	for _, i := range rows {
		kinds = append(kinds, r.history.Rows[i].Kind())
	}
	return kinds
}

func (r *run) rowNode(i int) int32 {
	row := r.history.Rows[i]
	switch row.Kind() {
	case sim.RowSend:
		return r.Graph.Channels[row.Entity()].From
	case sim.RowProcess:
		return r.Graph.Channels[row.Entity()].To
	}
	return row.Entity()
}

package lessons

import (
	"slices"

	"simrun/scenarios/apps"
	"simrun/scenarios/spacetime"
)

// bothClaims is what lesson 9 says.
var bothClaims = map[string]func(*claim){
	"run": func(c *claim) {
		for _, r := range c.both() {
			for v := range r.Graph.Nodes {
				c.says(field(c.t, r.Initial[v], "balance"))
			}
			c.says(r.takes("A->B"), r.takes("B->C"), r.takes("A->C"), r.takes("C->A"))
		}
	},
	"order": func(c *claim) {
		for _, r := range c.both() {
			c.says(r.of(spacetime.Initiate, "A", 1).at())
		}
	},
	"graph": func(c *claim) {
		r := c.both()[1]
		inputs := r.Graph.Channels
		from := []int32{}
		for _, ch := range inputs {
			if ch.To == r.node("C") {
				from = append(from, ch.From)
			}
		}
		slices.Sort(from)
		c.says(count(len(from)))
		c.is(slices.Equal(from, []int32{r.node("A"), r.node("B")}) && r.BackEdge[r.channel("C->A")], "so the graph is")
	},
	"cl-records": func(c *claim) {
		r := c.both()[0]
		c.says(r.records("B", 1).at(), r.records("C", 1).at())
		c.is(r.sameStep(r.marked("A->B", 1), r.records("B", 1)) && r.sameStep(r.marked("A->C", 1), r.records("C", 1)), "when the marker comes")
	},
	"cl-second": func(c *claim) { c.says(c.both()[0].marked("B->C", 1).at()) },
	"cl-stores": func(c *claim) {
		r := c.both()[0]
		for n := 1; n <= 2; n++ {
			came := r.taken("B->C", n)
			c.says(came.amount())
			c.is(r.records("C", 1).before(came) && came.before(r.marked("B->C", 1)) && r.sent("B->C", n).before(r.records("B", 1)), "in between")
		}
		c.is(r.stores("B->C", 1, 2) && len(r.Blocked) == 0, "both are stored, and nobody waits")
	},
	"cl-at-once": func(c *claim) {
		r := c.both()[0]
		came := r.taken("A->C", 1)
		c.says(came.amount(), came.at())
		c.is(r.sent("A->C", 1).delayed() == r.takes("A->C"), "at once")
	},
	"cl-forty": func(c *claim) {
		r := c.both()[0]
		c.says(r.sent("C->A", 1).amount())
		c.is(only(r.cut("C->A").InFlight, 1) && r.stores("C->A", 1), "in flight, and stored")
	},
	"abs-same": func(c *claim) {
		cl, abs := c.both()[0], c.both()[1]
		for _, channel := range []string{"A->B", "A->C", "B->C"} {
			c.is(cl.marks(channel, 1).At == abs.marks(channel, 1).At && cl.marked(channel, 1).At == abs.marked(channel, 1).At, channel)
		}
		c.is(cl.marks("C->A", 1).At != abs.marks("C->A", 1).At, "not from C on")
	},
	"abs-blocks": func(c *claim) {
		r := c.both()[1]
		c.says(r.blocks("A->C", 1).at())
		c.is(r.sameStep(r.marked("A->C", 1), r.blocks("A->C", 1)) && r.sameStep(r.marked("B->C", 1), r.frees("A->C", 1)), "until B's is there")
	},
	"abs-adds": func(c *claim) {
		r := c.both()[1]
		for n := 1; n <= 2; n++ {
			c.says(r.taken("B->C", n).amount())
			c.is(r.taken("B->C", n).before(r.records("C", 1)), "before it records")
		}
		c.is(only(r.cut("B->C").Inside, 1, 2), "inside the cut")
	},
	"abs-waits": func(c *claim) {
		r := c.both()[1]
		sent, came := r.sent("A->C", 1), r.taken("A->C", 1)
		c.says(sent.amount(), plus(sent.at(), r.takes("A->C")), came.at())
		c.is(came.At == r.records("C", 1).At && r.records("C", 1).before(came), "when C has recorded")
	},
	"abs-nothing": func(c *claim) {
		r := c.both()[1]
		for _, channel := range []string{"A->B", "A->C", "B->C"} {
			c.is(only(r.cut(channel).InFlight) && r.stores(channel), channel)
		}
	},
	"abs-logs": func(c *claim) {
		r := c.both()[1]
		c.is(r.BackEdge[r.channel("C->A")] && r.stores("C->A", 1, 2) && r.Snapshots[0].Channels[0].Logged, "it is a log")
		c.is(!slices.ContainsFunc(r.Blocked, func(b spacetime.Blocked) bool { return b.Channel == r.channel("C->A") }), "nobody waits there")
	},
	"abs-twenty": func(c *claim) {
		cl, abs := c.both()[0], c.both()[1]
		c.says(abs.sent("C->A", 1).amount(), abs.sent("C->A", 2).amount(), abs.sent("C->A", 2).at())
		c.is(cl.records("C", 1).before(cl.sent("C->A", 2)) && abs.sent("C->A", 2).before(abs.records("C", 1)), "here before, there after")
	},
	"traded": func(c *claim) {
		cl, abs := c.both()[0], c.both()[1]
		c.says(count(int(cl.took(1).ChannelMessages)), count(int(abs.took(1).ChannelMessages)), at(abs.took(1).Blocked))
		c.is(cl.took(1).Blocked == 0 && at(abs.took(1).Blocked) == minus(abs.frees("A->C", 1).at(), abs.blocks("A->C", 1).at()), "one channel is blocked, and only under ABS")
	},
	"delayed": func(c *claim) {
		cl, abs := c.both()[0], c.both()[1]
		late := abs.sent("A->C", 1)
		c.says(late.amount(), minus(late.delayed(), abs.takes("A->C")))
		for _, r := range []*run{cl, abs} {
			for _, e := range r.all(func(e *spacetime.Event) bool { return e.Kind == spacetime.Send }) {
				waited := e.delayed() != r.takes("A->C")
				c.is(waited == (r == abs && e.index == late.index), "%v waits: %t", e.Event, waited)
			}
		}
	},
	"neither": func(c *claim) {
		cl, r := c.both()[0], c.run("both", "first-barrier")
		c.is(r.records("C", 1).At == cl.records("C", 1).At && r.sameStep(r.marked("A->C", 1), r.records("C", 1)), "it records as Chandy-Lamport does")
		c.is(r.took(1).ChannelMessages == 0 && len(r.Blocked) == 0, "it stores nothing, and waits for nobody")
	},
	"neither-sum": func(c *claim) {
		r := c.run("both", "first-barrier")
		c.says(r.sent("B->C", 1).amount(), r.sent("B->C", 2).amount(), r.sent("C->A", 1).amount(), minus(r.beginning("balance"), r.money()), r.beginning("balance"))
		c.is(only(r.cut("B->C").InFlight, 1, 2) && only(r.cut("C->A").InFlight, 1) && r.violates("channel-state"), "in flight, and not stored")
	},
	"markers": func(c *claim) {
		for _, r := range c.both() {
			c.says(count(int(r.took(1).Markers)))
			for ch := range r.Graph.Channels {
				sent := r.all(func(e *spacetime.Event) bool { return e.Kind == spacetime.MarkerSent && e.Channel == int32(ch) })
				c.is(len(sent) == 1, "channel %d has one", ch)
			}
		}
	},
	"later": func(c *claim) {
		cl, abs := c.both()[0], c.both()[1]
		c.says(at(*abs.took(1).Completed), at(*cl.took(1).Completed))
		c.is(abs.marks("C->A", 1).At-cl.marks("C->A", 1).At == *abs.took(1).Completed-*cl.took(1).Completed, "by what C's marker is later")
	},
	"different": func(c *claim) {
		cl, abs := c.both()[0], c.both()[1]
		c.says(cl.balance("C"), abs.balance("C"))
		c.is(cl.balance("C") != abs.balance("C"), "they are different")
	},
	"both-right": func(c *claim) {
		for _, r := range c.both() {
			c.says(r.money())
			c.is(r.money() == r.beginning("balance") && r.holds() && r.took(1).Swaps != nil, "reachable, and all of it")
		}
	},
	"same-application": func(c *claim) {
		cl, abs := c.both()[0], c.both()[1]
		c.is(cl.Result.ApplicationDigest == abs.Result.ApplicationDigest, "the digest is the same")
		for _, r := range c.both() {
			c.is(len(r.all(func(e *spacetime.Event) bool { return e.Kind == spacetime.Process })) == len(r.Plan.Scenario.App.Params.(*apps.Bank).Payments), "every payment was made")
		}
	},
}

// both is the run under Chandy-Lamport and under ABS.
func (c *claim) both() []*run {
	return []*run{c.run("both", "chandy-lamport"), c.run("both", "abs")}
}

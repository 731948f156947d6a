package lessons

import (
	"slices"

	"simrun/scenarios"
	"simrun/scenarios/spacetime"
	"simrun/sim"
)

// delayed is how long what an event has sent is under way.
func (e event) delayed() number { return at(e.r.Events[e.Peer].At - e.At) }

// fifoClaims is what lesson 2 says.
var fifoClaims = map[string]func(*claim){
	"accounts": func(c *claim) {
		for _, name := range []string{"marker-overtakes", "message-overtakes", "in-order"} {
			r := c.run(name, "")
			for v := range r.Graph.Nodes {
				c.says(field(c.t, r.Initial[v], "balance"))
			}
		}
	},
	"channel": func(c *claim) {
		for _, name := range []string{"marker-overtakes", "message-overtakes"} {
			r := c.run(name, "")
			cfg := r.Plan.Config(r.Plan.Seed)
			dist := cfg.Delays[cfg.DelayOf[r.channel("P->Q")]]
			c.is(dist.Kind == sim.Bimodal && dist.Low == dist.High && dist.SlowLow == dist.SlowHigh, "there are two delays")
			c.says(at(dist.Low), at(dist.SlowLow))
			c.is(cfg.Unreliable[r.channel("P->Q")].Reorder, "messages may overtake each other")
		}
		c.is(!slices.ContainsFunc(c.run("in-order", "").Plan.Scenario.Network.Channels, func(s scenarios.ChannelSettings) bool { return s.Reorder }), "in the third they may not")
	},
	"marker-delay": func(c *claim) {
		a, b := c.run("marker-overtakes", ""), c.run("message-overtakes", "")
		c.is(a.marks("P->Q", 1).delayed() != a.sent("P->Q", 1).delayed(), "it is not that of the message in front")
		c.is(b.marks("P->Q", 1).delayed() != b.sent("P->Q", 2).delayed(), "nor that of one behind it")
	},
	"slow-payment": func(c *claim) {
		r := c.run("marker-overtakes", "")
		paid := r.sent("P->Q", 1)
		c.says(paid.at(), paid.amount())
		c.is(slow(paid), "it is slow")
	},
	"fast-marker": func(c *claim) {
		r := c.run("marker-overtakes", "")
		c.says(r.records("P", 1).at(), r.balance("P"))
		c.is(r.sameStep(r.records("P", 1), r.marks("P->Q", 1)) && !slow(r.marks("P->Q", 1)), "its marker is fast")
	},
	"q-records-100": func(c *claim) {
		r := c.run("marker-overtakes", "")
		c.says(r.marked("P->Q", 1).at(), r.balance("Q"))
		c.is(r.sameStep(r.marked("P->Q", 1), r.records("Q", 1)) && r.stores("P->Q"), "it records, and the channel as empty")
	},
	"late-payment": func(c *claim) {
		r := c.run("marker-overtakes", "")
		came := r.taken("P->Q", 1)
		c.says(came.at(), came.amount())
		c.is(r.of(spacetime.Done, "Q", 1).before(came), "Q has ended its part")
	},
	"missing": func(c *claim) {
		r := c.run("marker-overtakes", "")
		c.says(r.sent("P->Q", 1).amount(), r.balance("P"), r.balance("Q"), r.money())
		c.is(minus(r.beginning("balance"), r.money()) == r.sent("P->Q", 1).amount(), "just this is missing")
		c.is(only(r.cut("P->Q").InFlight, 1) && r.stores("P->Q") && r.violates("channel-state"), "it is in flight and not stored")
	},
	"q-kept-the-rule": func(c *claim) {
		r := c.run("marker-overtakes", "")
		c.is(r.sameStep(r.marked("P->Q", 1), r.records("Q", 1)), "Q recorded at the marker")
		c.is(r.marked("P->Q", 1).before(r.taken("P->Q", 1)) && !r.violates("state-truth"), "and the message came later")
	},
	"slow-marker": func(c *claim) {
		r := c.run("message-overtakes", "")
		c.says(r.records("P", 1).at(), r.balance("P"))
		c.is(slow(r.marks("P->Q", 1)), "its marker is slow")
	},
	"payments-behind": func(c *claim) {
		r := c.run("message-overtakes", "")
		first, second := r.sent("P->Q", 1), r.sent("P->Q", 2)
		c.says(first.at(), first.amount(), second.at(), second.amount())
		c.is(slow(first) && !slow(second) && r.marks("P->Q", 1).before(first), "the first is slow, the second is not")
	},
	"overtaken": func(c *claim) {
		r := c.run("message-overtakes", "")
		came := r.taken("P->Q", 2)
		c.says(came.at(), came.amount(), r.taken("P->Q", 1).amount())
		c.is(came.before(r.marked("P->Q", 1)) && came.before(r.taken("P->Q", 1)), "it comes before both")
	},
	"q-records-140": func(c *claim) {
		r := c.run("message-overtakes", "")
		c.says(r.marked("P->Q", 1).at(), r.balance("Q"))
		c.is(r.sameStep(r.marked("P->Q", 1), r.records("Q", 1)), "it records then")
	},
	"orphan": func(c *claim) {
		r := c.run("message-overtakes", "")
		c.says(r.sent("P->Q", 2).amount(), r.money())
		c.is(only(r.cut("P->Q").Orphans, 2) && r.violates("consistent-cut"), "it is an orphan")
		c.is(minus(r.money(), r.beginning("balance")) == r.sent("P->Q", 2).amount(), "and counted twice")
	},
	"no-repair": func(c *claim) {
		r := c.run("message-overtakes", "")
		c.says(r.sent("P->Q", 2).amount())
		c.is(minus(r.balance("Q"), field(c.t, r.Initial[r.node("Q")], "balance")) == r.sent("P->Q", 2).amount(), "it is in Q's balance")
	},
	"same-draws": func(c *claim) {
		a, b := c.run("message-overtakes", ""), c.run("in-order", "")
		c.is(a.Plan.Seed == b.Plan.Seed && !b.Plan.Scenario.Network.Channels[0].Reorder, "the seed is the same, and the order is kept")
		c.is(a.marks("P->Q", 1).delayed() == b.marks("P->Q", 1).delayed() && a.sent("P->Q", 1).delayed() == b.sent("P->Q", 1).delayed(), "so are the delays")
	},
	"waits": func(c *claim) {
		a, r := c.run("message-overtakes", ""), c.run("in-order", "")
		first, second := r.taken("P->Q", 1), r.taken("P->Q", 2)
		c.says(second.amount(), a.taken("P->Q", 2).at(), first.amount(), first.at(), second.at())
		c.is(first.before(second) && first.at() == second.at(), "they come together, in order")
		c.is(r.sent("P->Q", 1).delayed() == a.sent("P->Q", 1).delayed(), "the first waits for nobody")
	},
	"in-order": func(c *claim) {
		r := c.run("in-order", "")
		c.says(r.marked("P->Q", 1).at(), r.balance("Q"))
		c.is(r.marked("P->Q", 1).before(r.taken("P->Q", 1)) && r.marked("P->Q", 1).before(r.taken("P->Q", 2)), "in front of both")
	},
	"in-order-sum": func(c *claim) {
		r := c.run("in-order", "")
		c.says(r.balance("P"), r.balance("Q"), r.money())
		c.is(r.holds() && r.money() == r.beginning("balance"), "nothing is wrong")
	},
}

// slow says whether what was sent takes the longer of the channel's delays.
func slow(e event) bool {
	cfg := e.r.Plan.Config(e.r.Plan.Seed)
	return e.delayed() == at(cfg.Delays[cfg.DelayOf[e.Channel]].SlowLow)
}

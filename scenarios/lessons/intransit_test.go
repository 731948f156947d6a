package lessons

import "simrun/scenarios/spacetime"

// inTransitClaims is what lesson 3 says.
var inTransitClaims = map[string]func(*claim){
	"run": func(c *claim) {
		r := c.run("in-transit", "")
		for v := range r.Graph.Nodes {
			c.says(field(c.t, r.Initial[v], "balance"))
		}
		c.says(r.takes("P->Q"), r.takes("Q->P"))
	},
	"order": func(c *claim) {
		c.says(c.run("in-transit", "").of(spacetime.Initiate, "P", 1).at())
	},
	"recordings": func(c *claim) {
		r := c.run("in-transit", "")
		c.says(r.records("P", 1).at(), r.records("Q", 1).at())
		c.is(r.sameStep(r.marked("P->Q", 1), r.records("Q", 1)), "Q records when the marker comes")
	},
	"cut": func(c *claim) {
		c.says(count(len(c.run("in-transit", "").Snapshots[0].Cut)))
	},
	"before-before": func(c *claim) {
		r := c.run("in-transit", "")
		sent, came := r.sent("P->Q", 1), r.taken("P->Q", 1)
		c.says(sent.amount(), sent.at(), came.at())
		c.is(sent.before(r.records("P", 1)) && came.before(r.records("Q", 1)), "before and before")
	},
	"ten-in-q": func(c *claim) {
		r := c.run("in-transit", "")
		c.is(r.stores("P->Q") && only(r.cut("P->Q").Inside, 1), "it is inside the cut, and not stored")
		got := plus(field(c.t, r.Initial[r.node("Q")], "balance"), r.taken("P->Q", 1).amount())
		c.is(r.balance("Q") == minus(minus(got, r.sent("Q->P", 1).amount()), r.sent("Q->P", 2).amount()), "it is in Q's balance")
	},
	"before-after": func(c *claim) {
		r := c.run("in-transit", "")
		sent, came := r.sent("Q->P", 1), r.taken("Q->P", 1)
		c.says(sent.amount(), sent.at(), came.at())
		c.is(sent.before(r.records("Q", 1)) && r.records("P", 1).before(came), "before and after")
	},
	"twenty-stored": func(c *claim) {
		r := c.run("in-transit", "")
		c.is(only(r.cut("Q->P").InFlight, 1, 2) && r.stores("Q->P", 1, 2), "both in flight, and stored")
	},
	"thirty": func(c *claim) {
		r := c.run("in-transit", "")
		sent := r.sent("Q->P", 2)
		c.says(sent.amount(), sent.at())
		c.is(r.records("P", 1).before(sent), "P has recorded")
		c.is(*r.took(1).Started < sent.At && sent.At < *r.took(1).Completed, "the snapshot is under way")
	},
	"thirty-stored": func(c *claim) {
		r := c.run("in-transit", "")
		c.says(r.sent("Q->P", 2).amount(), r.sent("Q->P", 1).amount())
		c.is(r.sent("Q->P", 2).before(r.records("Q", 1)) && r.stores("Q->P", 1, 2), "Q has not, and it is stored")
	},
	"after-after-p": func(c *claim) {
		r := c.run("in-transit", "")
		sent, came := r.sent("P->Q", 2), r.taken("P->Q", 2)
		c.says(sent.amount(), sent.at(), came.at())
		c.is(r.records("P", 1).before(sent) && r.records("Q", 1).before(came), "after and after")
	},
	"after-after-q": func(c *claim) {
		r := c.run("in-transit", "")
		sent, came := r.sent("Q->P", 3), r.taken("Q->P", 3)
		c.says(sent.amount(), sent.at(), came.at())
		c.is(r.records("Q", 1).before(sent) && r.records("P", 1).before(came), "after and after")
	},
	"outside": func(c *claim) {
		r := c.run("in-transit", "")
		c.is(only(r.cut("P->Q").Later, 2) && only(r.cut("Q->P").Later, 3), "both are outside")
		c.is(r.stores("P->Q") && r.stores("Q->P", 1, 2), "and not stored")
		c.is(r.records("P", 1).before(r.sent("P->Q", 2)) && r.records("Q", 1).before(r.taken("P->Q", 2)), "nor in a balance")
	},
	"no-orphan": func(c *claim) {
		r := c.run("in-transit", "")
		c.is(only(r.cut("P->Q").Orphans) && only(r.cut("Q->P").Orphans) && r.holds(), "no orphans")
	},
	"p-stores": func(c *claim) {
		r := c.run("in-transit", "")
		marker := r.marked("Q->P", 1)
		c.says(r.records("P", 1).at(), marker.at())
		for n := 1; n <= 3; n++ {
			came := r.taken("Q->P", n)
			stored := n <= len(r.history.Snapshots[0].Channels[r.channel("Q->P")])
			c.is(stored == (r.records("P", 1).before(came) && came.before(marker)), "message %d", n)
		}
	},
	"in-front": func(c *claim) {
		r := c.run("in-transit", "")
		one, two, three := r.taken("Q->P", 1), r.taken("Q->P", 2), r.taken("Q->P", 3)
		c.says(one.amount(), two.amount(), one.at(), two.at(), three.amount())
		c.is(one.before(two) && two.before(r.marked("Q->P", 1)) && r.marked("Q->P", 1).before(three), "two in front, one behind")
	},
	"sum": func(c *claim) {
		r := c.run("in-transit", "")
		c.says(r.balance("P"), r.balance("Q"), minus(r.money(), r.balances()), r.money())
		c.is(r.money() == r.beginning("balance"), "it is all there is")
	},
	"nothing-stored": func(c *claim) {
		r := c.run("in-transit", "no-channel-state")
		c.is(r.stores("Q->P") && r.stores("P->Q"), "nothing is")
	},
	"fifty-missing": func(c *claim) {
		a, r := c.run("in-transit", ""), c.run("in-transit", "no-channel-state")
		c.is(a.balance("P") == r.balance("P") && a.balance("Q") == r.balance("Q"), "the balances are the same")
		c.says(minus(r.beginning("balance"), r.money()))
	},
	"cut-is-consistent": func(c *claim) {
		r := c.run("in-transit", "no-channel-state")
		c.is(!r.violates("consistent-cut") && only(r.cut("P->Q").Orphans) && only(r.cut("Q->P").Orphans), "no orphan")
		c.is(r.violates("channel-state") && !r.holds(), "and still wrong")
	},
	"marker-behind": func(c *claim) {
		r := c.run("in-transit", "late-markers")
		c.says(r.sent("P->Q", 2).amount())
		c.is(r.sent("P->Q", 2).before(r.marks("P->Q", 1)), "it leaves behind it")
	},
	"five-orphan": func(c *claim) {
		r := c.run("in-transit", "late-markers")
		came := r.taken("P->Q", 2)
		c.says(came.amount(), came.at())
		c.is(came.before(r.marked("P->Q", 1)) && came.before(r.records("Q", 1)) && r.records("P", 1).before(r.sent("P->Q", 2)), "after and before")
		c.is(only(r.cut("P->Q").Orphans, 2) && r.violates("consistent-cut"), "it is an orphan")
	},
	"forty-extra": func(c *claim) {
		r := c.run("in-transit", "late-markers")
		c.says(r.sent("Q->P", 3).amount())
		c.is(r.sent("Q->P", 3).before(r.marks("Q->P", 1)) && r.records("Q", 1).before(r.sent("Q->P", 3)), "Q's marker is late")
		c.is(r.stores("Q->P", 1, 2, 3) && only(r.cut("Q->P").InFlight, 1, 2), "it is stored, and was not in transit")
	},
	"twice": func(c *claim) {
		r := c.run("in-transit", "late-markers")
		c.says(r.sent("P->Q", 2).amount(), r.sent("Q->P", 3).amount(), count(2), r.money())
		c.is(minus(r.money(), r.beginning("balance")) == plus(r.sent("P->Q", 2).amount(), r.sent("Q->P", 3).amount()), "both once too often")
	},
}

package lessons

import (
	"simrun/scenarios/spacetime"
)

// alignmentClaims is what lesson 5 says.
var alignmentClaims = map[string]func(*claim){
	"run": func(c *claim) {
		r := c.run("alignment", "")
		for _, node := range []string{"S", "T"} {
			first, second, last := r.reads(node, 1), r.reads(node, 2), r.reads(node, 5)
			c.says(first.amount(), last.amount(), minus(second.at(), first.at()))
			c.is(r.history.Final.Offsets[r.node(node)] == 5, "there are no more")
		}
		c.is(r.after(r.taken("S->J", 1), "sum") == r.taken("S->J", 1).amount(), "J adds up")
	},
	"delays": func(c *claim) {
		r := c.run("alignment", "")
		c.says(r.takes("S->J"), r.takes("T->J"))
	},
	"barriers": func(c *claim) {
		r := c.run("alignment", "")
		for _, node := range []string{"S", "T"} {
			sent, marker := r.sent(node+"->J", 2), r.marks(node+"->J", 1)
			c.says(r.records(node, 1).at(), r.sent(node+"->J", 1).amount(), sent.amount())
			c.is(sent.before(marker) && marker.before(r.sent(node+"->J", 3)) && r.sameStep(marker, r.records(node, 1)), "the barrier is behind them")
		}
	},
	"first-barrier": func(c *claim) {
		r := c.run("alignment", "")
		came := r.marked("S->J", 1)
		c.says(came.at(), r.taken("S->J", 1).amount(), r.taken("S->J", 2).amount())
		c.is(r.taken("S->J", 2).before(came) && came.before(r.taken("T->J", 1)), "S's numbers are there, T's are not")
	},
	"blocks": func(c *claim) {
		r := c.run("alignment", "")
		c.is(r.sameStep(r.marked("S->J", 1), r.blocks("S->J", 1)), "it blocks S")
	},
	"t-goes-on": func(c *claim) {
		r := c.run("alignment", "")
		one, two := r.taken("T->J", 1), r.taken("T->J", 2)
		c.says(one.at(), one.amount(), two.at(), two.amount())
		c.is(r.blocks("S->J", 1).before(one) && two.before(r.records("J", 1)), "while S is blocked")
		c.is(minus(r.after(two, "sum"), two.amount()) == r.after(one, "sum"), "J adds them up")
	},
	"waiting": func(c *claim) {
		r := c.run("alignment", "")
		for n := 3; n <= 4; n++ {
			sent := r.sent("S->J", n)
			c.says(plus(sent.at(), r.takes("S->J")), sent.amount())
			c.is(r.frees("S->J", 1).before(r.taken("S->J", n)), "%d waits", n)
		}
	},
	"records": func(c *claim) {
		r := c.run("alignment", "")
		c.says(r.marked("T->J", 1).at(), r.recorded("J", 1, "sum"), r.taken("S->J", 1).amount(), r.taken("S->J", 2).amount(), count(2))
		c.is(r.sameStep(r.marked("T->J", 1), r.records("J", 1)) && r.sameStep(r.records("J", 1), r.frees("S->J", 1)), "it records, and unblocks")
		one := plus(r.taken("S->J", 1).amount(), r.taken("S->J", 2).amount())
		c.is(r.recorded("J", 1, "sum") == plus(one, one), "it is these, twice")
	},
	"catches-up": func(c *claim) {
		r := c.run("alignment", "")
		for n := 3; n <= 4; n++ {
			c.says(r.taken("S->J", n).amount())
			c.is(r.taken("S->J", n).At == r.records("J", 1).At, "in the same instant")
		}
	},
	"same-prefix": func(c *claim) {
		r := c.run("alignment", "")
		c.says(r.reads("S", 1).amount(), r.reads("S", 2).amount())
		c.is(r.recorded("S", 1, "last") == r.reads("S", 2).amount() && r.recorded("T", 1, "last") == r.reads("T", 2).amount(), "so far the sources are")
		c.is(r.recorded("J", 1, "sum") == plus(r.recorded("S", 1, "sum"), r.recorded("T", 1, "sum")), "and so far J is")
		c.is(r.recorded("J", 1, "count") == plus(r.recorded("S", 1, "count"), r.recorded("T", 1, "count")) && !r.violates("abs-staged"), "with as many")
	},
	"nothing-stored": func(c *claim) {
		r := c.run("alignment", "")
		c.is(only(r.cut("S->J").InFlight) && only(r.cut("T->J").InFlight), "nothing was in flight")
		c.is(r.took(1).ChannelMessages == 0 && r.took(1).Verdict == "holds", "nothing was stored")
	},
	"price": func(c *claim) {
		r := c.run("alignment", "")
		c.says(at(r.took(1).Blocked))
		c.is(at(r.took(1).Blocked) == minus(r.frees("S->J", 1).at(), r.blocks("S->J", 1).at()), "it is this channel's time")
	},
	"crash": func(c *claim) {
		r := c.run("alignment", "")
		all := r.all(func(e *spacetime.Event) bool { return e.Kind == spacetime.Restored && e.Snapshot == 1 })
		c.says(r.crash("J").at(), r.restored("J").at(), count(len(all)))
	},
	"recovered": func(c *claim) {
		r := c.run("alignment", "")
		again := r.find("the first record after it", 0, func(e *spacetime.Event) bool { return e.Kind == spacetime.External && e.Incarnation == 1 })
		c.says(again.amount(), r.final("J", "sum"), count(2), r.reads("S", 1).amount(), r.reads("S", 5).amount())
		one := number{}
		for n := 1; n <= 5; n++ {
			one = plus(one, r.reads("S", n).amount())
		}
		c.is(r.final("J", "sum") == plus(one, one) && r.holds(), "each is counted once")
	},
	"second-snapshot": func(c *claim) {
		r := c.run("alignment", "")
		c.says(at(r.took(2).Triggered))
		c.is(len(r.all(func(e *spacetime.Event) bool { return e.Kind.Steps() && e.At >= r.took(2).Triggered })) == 0, "all has come to rest")
		c.is(r.recorded("J", 2, "sum") == r.final("J", "sum"), "it has how it ended")
	},
	"no-blocking": func(c *claim) {
		r := c.run("alignment", "no-blocking")
		c.is(len(r.Blocked) == 0 && r.marked("S->J", 1).before(r.taken("S->J", 3)) && r.taken("S->J", 3).before(r.marked("T->J", 1)), "it reads on")
		c.is(r.sameStep(r.marked("T->J", 1), r.records("J", 1)), "and records at the last barrier")
	},
	"too-much": func(c *claim) {
		r := c.run("alignment", "no-blocking")
		c.says(r.taken("S->J", 3).amount(), r.taken("S->J", 4).amount(), r.recorded("J", 1, "sum"))
		c.is(r.taken("S->J", 3).before(r.marked("T->J", 1)) && r.taken("S->J", 4).before(r.marked("T->J", 1)), "it has them by then")
	},
	"orphans": func(c *claim) {
		r := c.run("alignment", "no-blocking")
		c.is(r.records("S", 1).before(r.sent("S->J", 3)) && only(r.cut("S->J").Orphans, 3, 4) && r.violates("consistent-cut"), "they are orphans")
	},
	"twice": func(c *claim) {
		right, r := c.run("alignment", ""), c.run("alignment", "no-blocking")
		more := minus(r.final("J", "sum"), right.final("J", "sum"))
		c.says(r.final("J", "sum"), more)
		c.is(more == plus(r.taken("S->J", 3).amount(), r.taken("S->J", 4).amount()), "these two, once more")
		sent := r.all(func(e *spacetime.Event) bool {
			return e.Kind == spacetime.External && e.Node == r.node("S") && (e.Number == 3 || e.Number == 4) && e.Incarnation == 1
		})
		c.is(len(sent) == 2, "S sends them again")
	},
	"at-once": func(c *claim) {
		r := c.run("alignment", "first-barrier")
		c.is(r.sameStep(r.marked("S->J", 1), r.records("J", 1)) && r.records("J", 1).before(r.marked("T->J", 1)), "it records at the first")
	},
	"too-little": func(c *claim) {
		r := c.run("alignment", "first-barrier")
		c.says(r.recorded("J", 1, "sum"), r.taken("T->J", 1).amount(), r.taken("T->J", 2).amount())
		c.is(r.records("J", 1).before(r.taken("T->J", 1)) && r.sent("T->J", 2).before(r.records("T", 1)), "before the cut, and after it")
		c.is(only(r.cut("T->J").InFlight, 1, 2) && r.stores("T->J") && r.violates("channel-state"), "and not stored")
	},
	"lost": func(c *claim) {
		right, r := c.run("alignment", ""), c.run("alignment", "first-barrier")
		fewer := minus(right.final("J", "sum"), r.final("J", "sum"))
		c.says(r.final("J", "sum"), fewer)
		c.is(fewer == plus(r.taken("T->J", 1).amount(), r.taken("T->J", 2).amount()), "these two")
		again := r.all(func(e *spacetime.Event) bool {
			return e.Kind == spacetime.External && e.Node == r.node("T") && e.Number <= 2 && e.Incarnation == 1
		})
		c.is(len(again) == 0, "T does not send them again")
	},
	"chandy-lamport": func(c *claim) {
		wrong, r := c.run("alignment", "first-barrier"), c.run("alignment", "chandy-lamport")
		c.says(count(len(r.history.Snapshots[0].Channels[r.channel("T->J")])))
		c.is(r.records("J", 1).At == wrong.records("J", 1).At && r.stores("T->J", 1, 2) && r.stores("S->J") && r.holds(), "it does")
	},
}

package lessons

import "simrun/scenarios/spacetime"

// markerClaims is what lesson 1 says.
var markerClaims = map[string]func(*claim){
	"accounts": func(c *claim) {
		r := c.run("marker", "")
		c.is(r.Plan.Scenario.App.Kind == "bank", "they are accounts")
		for v := range r.Graph.Nodes {
			c.says(field(c.t, r.Initial[v], "balance"))
		}
	},
	"delay": func(c *claim) {
		r := c.run("marker", "")
		c.says(r.takes("P->Q"), r.takes("Q->P"))
	},
	"order": func(c *claim) {
		r := c.run("marker", "")
		c.says(r.of(spacetime.Initiate, "P", 1).at())
		c.is(len(r.all(func(e *spacetime.Event) bool { return e.Kind == spacetime.Initiate })) == 1, "only P is told")
	},
	"first-payment": func(c *claim) {
		r := c.run("marker", "")
		paid := r.sent("P->Q", 1)
		c.says(paid.at(), paid.amount(), r.after(paid, "balance"))
	},
	"p-records": func(c *claim) {
		r := c.run("marker", "")
		c.says(r.records("P", 1).at(), r.balance("P"))
		c.is(r.sameStep(r.records("P", 1), r.marks("P->Q", 1)), "the marker is sent in the same step")
	},
	"second-payment": func(c *claim) {
		r := c.run("marker", "")
		paid := r.sent("P->Q", 2)
		c.says(paid.at(), paid.amount())
		c.is(r.marks("P->Q", 1).before(paid), "it is behind the marker")
	},
	"first-arrives": func(c *claim) {
		r := c.run("marker", "")
		came := r.taken("P->Q", 1)
		c.says(came.at(), came.amount(), r.after(came, "balance"))
	},
	"q-records": func(c *claim) {
		r := c.run("marker", "")
		c.says(r.marked("P->Q", 1).at(), r.balance("Q"))
		c.is(r.sameStep(r.marked("P->Q", 1), r.records("Q", 1)), "Q records when the marker comes")
		c.is(r.sameStep(r.records("Q", 1), r.marks("Q->P", 1)), "and sends its own")
	},
	"q-pays": func(c *claim) {
		r := c.run("marker", "")
		c.says(r.sent("Q->P", 1).at(), r.sent("Q->P", 1).amount())
		c.is(r.marks("Q->P", 1).before(r.sent("Q->P", 1)), "it is behind the marker")
	},
	"second-arrives": func(c *claim) {
		r := c.run("marker", "")
		came := r.taken("P->Q", 2)
		c.says(came.at(), came.amount())
		c.is(r.records("Q", 1).before(came), "Q has recorded")
	},
	"p-done": func(c *claim) {
		r := c.run("marker", "")
		c.says(r.marked("Q->P", 1).at())
		c.is(r.sameStep(r.marked("Q->P", 1), r.of(spacetime.Done, "P", 1)), "P is done then")
	},
	"apart": func(c *claim) {
		r := c.run("marker", "")
		c.says(r.records("P", 1).at(), r.records("Q", 1).at())
	},
	"sum": func(c *claim) {
		r := c.run("marker", "")
		c.says(r.balance("P"), r.balance("Q"), plus(r.balance("P"), r.balance("Q")))
		c.is(r.money() == r.beginning("balance") && r.money() == r.balances() && r.holds(), "it is all there is")
	},
	"told": func(c *claim) {
		r := c.run("marker", "")
		c.is(r.sameStep(r.marked("P->Q", 1), r.records("Q", 1)), "Q records when the marker comes")
	},
	"divided": func(c *claim) {
		r := c.run("marker", "")
		marker := r.marks("P->Q", 1)
		first, second, third := r.sent("P->Q", 1), r.sent("P->Q", 2), r.sent("P->Q", 3)
		c.says(first.number(), second.number(), third.number())
		c.is(first.before(r.records("P", 1)) && first.before(marker), "1 is in front of it")
		c.is(r.records("P", 1).before(second) && marker.before(second) && marker.before(third), "2 and 3 are behind it")
		c.is(r.taken("P->Q", 1).before(r.marked("P->Q", 1)) && r.marked("P->Q", 1).before(r.taken("P->Q", 2)), "so they come")
	},
	"late-markers": func(c *claim) {
		r := c.run("marker", "late-markers")
		for _, node := range r.Graph.Nodes {
			recorded, own := r.records(node, 1), r.node(node)
			marker := r.find("its marker", 0, func(e *spacetime.Event) bool { return e.Kind == spacetime.MarkerSent && e.Node == own })
			steps := r.all(func(e *spacetime.Event) bool {
				return e.Node == own && (e.Kind == spacetime.External || e.Kind == spacetime.Process || e.Kind == spacetime.Marker)
			})
			next := 0
			for steps[next].before(recorded) {
				next++
			}
			c.is(r.sameStep(steps[next], marker) && recorded.before(steps[next]), "%s sends it in the next step", node)
		}
	},
	"late-leaves": func(c *claim) {
		r := c.run("marker", "late-markers")
		c.says(r.balance("P"), r.records("P", 1).at(), r.marks("P->Q", 1).at(), r.sent("P->Q", 2).amount())
		c.is(r.sent("P->Q", 2).before(r.marks("P->Q", 1)), "the marker is behind it")
	},
	"late-q-records": func(c *claim) {
		r := c.run("marker", "late-markers")
		came := r.taken("P->Q", 2)
		c.says(came.amount(), came.at(), r.balance("Q"))
		c.is(came.before(r.marked("P->Q", 1)) && r.sameStep(r.marked("P->Q", 1), r.records("Q", 1)), "first the payment, then the marker")
	},
	"late-both": func(c *claim) {
		r := c.run("marker", "late-markers")
		c.is(only(r.cut("P->Q").Orphans, 2) && r.violates("consistent-cut"), "message 2 is an orphan")
		c.is(minus(r.balance("P"), r.sent("P->Q", 2).amount()) == r.after(r.sent("P->Q", 2), "balance"), "P has them in what it recorded")
	},
	"late-sum": func(c *claim) {
		r := c.run("marker", "late-markers")
		c.is(r.stores("Q->P", 1), "one message is recorded as in flight")
		c.says(r.sent("Q->P", 1).amount(), r.money(), minus(r.money(), r.beginning("balance")))
		c.is(minus(r.money(), r.beginning("balance")) == r.sent("P->Q", 2).amount(), "it is the orphan's amount")
	},
	"late-state": func(c *claim) {
		r := c.run("marker", "late-state")
		c.is(r.sameStep(r.of(spacetime.Initiate, "P", 1), r.marks("P->Q", 1)) && r.sameStep(r.marked("P->Q", 1), r.marks("Q->P", 1)), "markers leave at once")
		c.is(r.sameStep(r.reads("P", 2), r.records("P", 1)) && r.sameStep(r.reads("Q", 1), r.records("Q", 1)), "states are saved in the next step")
	},
	"early-p": func(c *claim) {
		r := c.run("marker", "late-state")
		c.says(r.marks("P->Q", 1).at(), r.records("P", 1).at(), r.sent("P->Q", 2).amount(), r.balance("P"))
		c.is(r.sent("P->Q", 2).before(r.records("P", 1)), "it has paid")
	},
	"early-q": func(c *claim) {
		r := c.run("marker", "late-state")
		c.says(r.marked("P->Q", 1).at(), r.records("Q", 1).at(), r.sent("Q->P", 1).amount(), r.balance("Q"))
		c.is(r.sent("Q->P", 1).before(r.records("Q", 1)), "it has paid")
	},
	"early-missing": func(c *claim) {
		r := c.run("marker", "late-state")
		came := r.taken("P->Q", 2)
		c.says(came.amount(), came.at())
		c.is(r.records("Q", 1).before(came) && r.marked("P->Q", 1).before(came), "after that, and behind the marker")
		c.is(only(r.cut("P->Q").InFlight, 2) && r.stores("P->Q") && r.violates("channel-state"), "it is in flight and not stored")
	},
	"early-sum": func(c *claim) {
		r := c.run("marker", "late-state")
		c.is(only(r.cut("Q->P").InFlight, 1) && r.stores("Q->P"), "Q's is in flight and not stored")
		missing := minus(r.beginning("balance"), r.money())
		c.says(r.sent("Q->P", 1).amount(), r.money(), missing)
		c.is(missing == plus(r.sent("P->Q", 2).amount(), r.sent("Q->P", 1).amount()), "both are missing")
	},
}

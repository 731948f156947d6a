package lessons

import "simrun/scenarios/spacetime"

// noLogClaims is what lesson 7 says.
var noLogClaims = map[string]func(*claim){
	"wrong-on-purpose": func(c *claim) {
		r := c.run("no-log", "")
		c.is(r.Plan.Algorithm.Name == "loop-no-log" && r.Plan.Algorithm.Wrong, "it is")
	},
	"run": func(c *claim) {
		r := c.run("no-log", "abs")
		c.says(count(int(r.history.Final.Offsets[r.node("S")])))
		sent := r.all(func(e *spacetime.Event) bool {
			return e.Kind == spacetime.Send && e.Channel == r.channel("H->H") && e.Undone == spacetime.None
		})
		c.says(count(len(sent)))
		last := r.taken("H->H", len(sent))
		out := r.find("what leaves", 0, func(e *spacetime.Event) bool { return e.Kind == spacetime.Emit })
		c.is(r.sameStep(last, out), "then it leaves")
	},
	"delays": func(c *claim) {
		r := c.run("no-log", "")
		c.says(r.takes("S->H"), r.takes("H->H"))
	},
	"first-round": func(c *claim) {
		r := c.run("no-log", "")
		c.says(r.taken("S->H", 1).at())
		c.is(r.sameStep(r.taken("S->H", 1), r.sent("H->H", 1)), "and sends it")
	},
	"barrier": func(c *claim) {
		r := c.run("no-log", "")
		c.says(r.marked("S->H", 1).at())
		c.is(r.sameStep(r.marked("S->H", 1), r.marks("H->H", 1)) && r.sameStep(r.marked("S->H", 1), r.blocks("S->H", 1)), "all in one step")
	},
	"second-round": func(c *claim) {
		r := c.run("no-log", "")
		c.says(r.taken("H->H", 1).at())
		c.is(r.sameStep(r.taken("H->H", 1), r.sent("H->H", 2)) && r.marks("H->H", 1).before(r.sent("H->H", 2)), "behind the barrier")
	},
	"records": func(c *claim) {
		r := c.run("no-log", "")
		c.says(r.marked("H->H", 1).at(), r.recorded("H", 1, "handled"))
		c.is(r.sameStep(r.marked("H->H", 1), r.records("H", 1)), "it records then")
	},
	"sent": func(c *claim) {
		r := c.run("no-log", "")
		c.is(r.sent("H->H", 2).before(r.records("H", 1)) && r.recorded("H", 1, "again") == r.recorded("H", 1, "handled"), "all that it has handled it has sent")
	},
	"on-its-way": func(c *claim) {
		r := c.run("no-log", "")
		due := plus(r.sent("H->H", 2).at(), r.takes("H->H"))
		c.says(due)
		c.is(due.n > r.records("H", 1).At && due.n > r.crash("H").At, "it is on its way")
	},
	"not-stored": func(c *claim) { c.is(c.run("no-log", "").stores("H->H"), "nothing is") },
	"between": func(c *claim) {
		r := c.run("no-log", "")
		c.is(r.marks("H->H", 1).before(r.sent("H->H", 2)) && r.sent("H->H", 2).before(r.records("H", 1)), "marker, message, recording")
	},
	"too-early": func(c *claim) {
		r := c.run("no-log", "")
		c.says(count(All()[0].Number))
		c.is(only(r.cut("H->H").InFlight, 2), "the message is in flight")
		of := c.lesson
		c.lesson = All()[0]
		other := c.run("marker", "late-state")
		c.lesson = of
		c.is(other.marks("P->Q", 1).before(other.sent("P->Q", 2)) && other.sent("P->Q", 2).before(other.records("P", 1)), "marker, message, recording: the same order there")
	},
	"consistent": func(c *claim) {
		r := c.run("no-log", "")
		c.is(only(r.cut("H->H").Orphans) && only(r.cut("S->H").Orphans) && !r.violates("consistent-cut"), "it is")
	},
	"only-exact": func(c *claim) {
		r := c.run("no-log", "")
		c.is(r.Result.Violations[0].Invariant == "channel-state" && !r.violates("consistent-cut") && !r.violates("state-truth"), "the cut and the states are right, the channel is not")
	},
	"crash": func(c *claim) {
		r := c.run("no-log", "")
		c.says(r.crash("H").at())
		c.is(*r.recovery(1).Snapshot == 1, "to the snapshot")
	},
	"lost": func(c *claim) {
		r := c.run("no-log", "")
		c.says(r.recorded("H", 1, "handled"))
		c.is(r.final("H", "handled") == r.recorded("H", 1, "handled"), "H handles no other")
		c.is(len(r.Result.Ledger.Lost) == 1 && len(r.all(func(e *spacetime.Event) bool { return e.Kind == spacetime.Emit })) == 0, "it is lost")
	},
	"hold-outputs": func(c *claim) {
		r := c.run("no-log", "loop-hold-outputs")
		c.is(r.taken("H->H", 1).before(r.records("H", 1)) && r.records("H", 1).before(r.sent("H->H", 2)) && r.sameStep(r.records("H", 1), r.sent("H->H", 2)), "processed before, sent after")
		c.is(len(r.history.Snapshots[0].Attached[r.node("H")]) > 0 && r.took(1).ChannelMessages == 0, "and a part of the snapshot")
	},
	"hold-inputs": func(c *claim) {
		r := c.run("no-log", "loop-hold-inputs")
		c.is(r.records("H", 1).before(r.taken("H->H", 1)) && r.stores("H->H", 1) && r.Snapshots[0].Channels[0].Logged, "the record is the channel's state")
	},
	"repaired": func(c *claim) {
		for _, algorithm := range []string{"loop-hold-outputs", "loop-hold-inputs"} {
			r := c.run("no-log", algorithm)
			l := r.Result.Ledger
			c.is(r.holds() && l.EffectsOnce == l.Records && l.OutputsOnce == l.Records && l.Records == 1, algorithm)
		}
	},
	"price": func(c *claim) {
		for _, algorithm := range []string{"loop-hold-outputs", "loop-hold-inputs"} {
			r := c.run("no-log", algorithm)
			c.says(at(r.took(1).Blocked))
			c.is(at(r.took(1).Blocked) == minus(r.marked("H->H", 1).at(), r.marked("S->H", 1).at()), "from the first barrier to the second")
		}
	},
	"abs-is-cheaper": func(c *claim) {
		r, repair := c.run("no-log", "abs"), c.run("no-log", "loop-hold-inputs")
		c.is(r.took(1).Blocked == 0 && r.holds(), "nobody is blocked")
		c.is(r.took(1).ChannelMessages == repair.took(1).ChannelMessages, "as much is stored")
	},
}

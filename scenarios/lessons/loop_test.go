package lessons

import "simrun/scenarios/spacetime"

// loopClaims is what lesson 6 says.
var loopClaims = map[string]func(*claim){
	"run": func(c *claim) {
		for _, name := range []string{"waiting", "loop"} {
			r := c.run(name, "")
			c.says(minus(r.reads("S", 2).at(), r.reads("S", 1).at()), count(int(r.history.Final.Offsets[r.node("S")])))
			c.is(minus(r.reads("S", 3).at(), r.reads("S", 2).at()) == minus(r.reads("S", 2).at(), r.reads("S", 1).at()), "so with the last")
		}
		r := c.run("loop", "")
		c.is(r.sameStep(r.taken("S->H", 1), r.sent("H->H", 1)) && r.sameStep(r.taken("H->H", 1), r.emits("H", 1)), "once round, and out")
	},
	"delays": func(c *claim) {
		r := c.run("loop", "")
		c.says(r.takes("S->H"), r.takes("H->H"))
	},
	"waits": func(c *claim) {
		r := c.run("waiting", "")
		c.is(r.Plan.Algorithm.Name == "aligned-back-edges" && r.BackEdge[r.channel("H->H")], "the loop is a back-edge")
		c.is(len(r.all(func(e *spacetime.Event) bool { return e.Kind == spacetime.Record && e.Node == r.node("H") })) == 0, "H does not record without its barrier")
	},
	"blocked-at": func(c *claim) {
		r := c.run("waiting", "")
		c.says(r.blocks("S->H", 1).at())
		c.is(r.sameStep(r.marked("S->H", 1), r.blocks("S->H", 1)), "when the barrier is there")
		c.is(len(r.all(func(e *spacetime.Event) bool { return e.Kind == spacetime.Unblock })) == 0, "and for ever")
	},
	"never-sent": func(c *claim) {
		r := c.run("waiting", "")
		loop := r.Graph.Channels[r.channel("H->H")]
		c.is(loop.From == r.node("H"), "H would have to send it")
		c.is(len(r.all(func(e *spacetime.Event) bool { return e.Kind == spacetime.MarkerSent && e.Node == r.node("H") })) == 0, "H sends none")
	},
	"deadlock": func(c *claim) {
		r := c.run("waiting", "")
		c.says(count(len(r.history.Final.InFlight[r.channel("S->H")])))
		c.is(r.took(1).Completed == nil && r.violates("termination") && r.Result.End == "quiescent", "nothing happens any more")
	},
	"abs": func(c *claim) {
		r := c.run("loop", "")
		c.is(r.Plan.Algorithm.Name == "abs" && r.records("H", 1).before(r.marked("H->H", 1)), "H records before that barrier comes")
	},
	"first-round": func(c *claim) {
		r := c.run("loop", "")
		c.says(r.taken("S->H", 1).at(), r.reads("S", 1).number())
		c.is(r.sameStep(r.taken("S->H", 1), r.sent("H->H", 1)), "and sends it round")
	},
	"copies": func(c *claim) {
		r := c.run("loop", "")
		c.says(r.marked("S->H", 1).at(), r.recorded("H", 1, "handled"))
		c.is(r.sameStep(r.marked("S->H", 1), r.records("H", 1)) && r.sameStep(r.records("H", 1), r.marks("H->H", 1)), "all in one step")
	},
	"second-round": func(c *claim) {
		r := c.run("loop", "")
		c.says(r.taken("S->H", 2).at(), r.reads("S", 2).number())
		c.is(r.sameStep(r.taken("S->H", 2), r.sent("H->H", 2)) && r.marks("H->H", 1).before(r.sent("H->H", 2)), "behind the barrier")
	},
	"logged": func(c *claim) {
		r := c.run("loop", "")
		came := r.taken("H->H", 1)
		c.says(came.at(), count(int(came.Message.Key)+1))
		c.is(r.records("H", 1).before(came) && r.stores("H->H", 1) && r.Snapshots[0].Channels[0].Logged, "it is in the log")
	},
	"part": func(c *claim) {
		r := c.run("loop", "")
		c.says(r.marked("H->H", 1).at(), r.records("H", 1).at())
		c.is(r.sameStep(r.marked("H->H", 1), r.of(spacetime.Done, "H", 1)), "H's part is finished")
		c.is(r.recorded("H", 1, "handled") == r.after(r.sent("H->H", 1), "handled"), "the state is the copy")
	},
	"not-logged": func(c *claim) {
		r := c.run("loop", "")
		came := r.taken("H->H", 2)
		c.says(came.at(), count(int(came.Message.Key)+1))
		c.is(r.marked("H->H", 1).before(came) && r.stores("H->H", 1), "it is not in the log")
	},
	"in-transit": func(c *claim) {
		r := c.run("loop", "")
		c.says(count(int(r.sent("H->H", 1).Message.Key) + 1))
		c.is(r.sent("H->H", 1).before(r.records("H", 1)) && r.records("H", 1).before(r.taken("H->H", 1)), "before and after")
	},
	"log-is-state": func(c *claim) {
		r := c.run("loop", "")
		c.is(only(r.cut("H->H").InFlight, 1) && r.stores("H->H", 1) && r.took(1).Verdict == "holds", "what is logged is what was in transit")
	},
	"crash": func(c *claim) {
		r := c.run("loop", "")
		c.says(r.crash("H").at(), r.restored("H").at())
		c.is(*r.recovery(1).Snapshot == 1 && r.recovery(1).Restarted == nil, "all, to the snapshot")
	},
	"replayed": func(c *claim) {
		r := c.run("loop", "")
		first := r.find("the first step of H after it", 0, func(e *spacetime.Event) bool { return e.Kind.Steps() && e.Node == r.node("H") && e.Incarnation == 1 })
		c.says(count(int(first.Message.Key) + 1))
		emitted := r.find("what leaves", 0, func(e *spacetime.Event) bool { return e.Kind == spacetime.Emit && e.Incarnation == 1 })
		c.is(first.Channel == r.channel("H->H") && first.At == r.restored("H").At && r.sameStep(first, emitted), "the log is first, and leaves")
	},
	"left-again": func(c *claim) {
		r := c.run("loop", "")
		out := r.all(func(e *spacetime.Event) bool { return e.Kind == spacetime.Emit && e.Message.Key == 0 })
		c.is(len(out) == 2 && out[0].before(r.crash("H")) && r.restored("H").before(out[1]), "it leaves before the crash and after")
		c.says(out[0].at())
		c.is(r.Result.Ledger.EffectsOnce == r.Result.Ledger.Records && r.Result.Ledger.OutputsDuplicated > 0, "effects are once, outputs are not")
	},
	"recovered": func(c *claim) {
		r := c.run("loop", "")
		again := r.all(func(e *spacetime.Event) bool { return e.Kind == spacetime.External && e.Incarnation == 1 })
		c.is(len(again) == 2, "two are sent again")
		c.says(again[0].number(), again[1].number(), r.final("H", "handled"), count(int(r.final("H", "handled").n)/int(r.history.Final.Offsets[r.node("S")])))
		c.is(r.holds() && r.Result.Ledger.EffectsOnce == r.Result.Ledger.Records, "each has its effects once")
	},
	"second-snapshot": func(c *claim) {
		r := c.run("loop", "")
		c.says(count(int(r.took(2).ID)), at(r.took(2).Triggered))
		c.is(len(r.all(func(e *spacetime.Event) bool { return e.Kind.Steps() && e.At >= r.took(2).Triggered })) == 0, "all is over")
		c.is(r.recorded("H", 2, "handled") == r.final("H", "handled"), "it has how it ended")
	},
	"nowhere": func(c *claim) {
		right, r := c.run("loop", ""), c.run("loop", "no-backup-log")
		c.says(r.reads("S", 1).number())
		c.is(r.recorded("H", 1, "handled") == right.recorded("H", 1, "handled") && r.taken("S->H", 1).before(r.records("H", 1)), "the copy is the same")
		again := r.all(func(e *spacetime.Event) bool {
			return e.Kind == spacetime.External && e.Incarnation == 1 && e.Number == 1
		})
		c.is(len(again) == 0 && r.recovery(1).Replayed == 0 && r.stores("H->H"), "it does not come again")
	},
	"lost": func(c *claim) {
		r := c.run("loop", "no-backup-log")
		c.says(r.final("H", "handled"), r.reads("S", 1).number())
		left := r.all(func(e *spacetime.Event) bool {
			return e.Kind == spacetime.Process && e.Node == r.node("H") && e.Message.Key == 0 && e.Undone == spacetime.None
		})
		c.is(len(left) == 1 && left[0].Channel == r.channel("S->H"), "H has handled it once, and not when it came round")
		c.is(r.final("H", "handled") == r.recorded("H", 2, "handled"), "snapshot 2 has it so")
	},
}

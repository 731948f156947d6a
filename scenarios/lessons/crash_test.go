package lessons

import (
	"context"
	"slices"

	"simrun/scenarios/crashmatrix"
	"simrun/scenarios/spacetime"
	"simrun/sim"
)

// crashClaims is what lesson 8 says.
var crashClaims = map[string]func(*claim){
	"run": func(c *claim) {
		r := c.run("crash-complete", "")
		c.says(minus(r.reads("S", 2).at(), r.reads("S", 1).at()), count(int(r.history.Final.Offsets[r.node("S")])))
		c.is(r.history.Final.Offsets[r.node("S")] == r.history.Final.Offsets[r.node("T")], "as many from T")
	},
	"interval": func(c *claim) {
		r := c.run("crash-complete", "")
		for id := 2; id <= 3; id++ {
			c.says(at(r.took(id).Triggered - r.took(id-1).Triggered))
		}
	},
	"control": func(c *claim) {
		r := c.run("crash-complete", "")
		for _, e := range r.all(func(e *spacetime.Event) bool { return e.Kind == spacetime.ControlSent && e.Peer != spacetime.None }) {
			c.says(e.delayed())
		}
		durable := r.find("J's part", 0, func(e *spacetime.Event) bool {
			return e.Kind == spacetime.ControlSent && e.Node == r.node("J") && e.Word == "acknowledge"
		})
		c.says(minus(durable.at(), r.records("J", 1).at()))
	},
	"complete": func(c *claim) {
		r := c.run("crash-complete", "")
		checkpoint := r.Result.Coordinator.Checkpoints[0]
		c.says(count(int(checkpoint.Acknowledged)))
		c.is(int(checkpoint.Acknowledged) == len(r.Graph.Nodes), "all of them")
		control := func(kind spacetime.Kind, word string) []event {
			return r.all(func(e *spacetime.Event) bool {
				return e.Kind == kind && e.Word == word && e.Snapshot == 1 && e.Node == r.Coordinator
			})
		}
		acknowledged, told := control(spacetime.ControlReceived, "acknowledge"), control(spacetime.ControlSent, "notify")
		c.is(len(acknowledged) == len(r.Graph.Nodes) && len(told) == len(r.Graph.Nodes), "all acknowledge, and all are told")
		for i := range told {
			c.is(acknowledged[i].At < *r.took(1).Completed && *r.took(1).Completed <= told[i].At, "acknowledged, complete, told")
		}
	},
	"first": func(c *claim) {
		for _, name := range crashes {
			r := c.run(name, "")
			c.says(count(1), at(r.took(1).Triggered), at(*r.took(1).Completed))
		}
	},
	"second": func(c *claim) {
		for _, name := range crashes {
			r := c.run(name, "")
			crashed := r.recovery(1).CrashedAt
			c.says(count(int(r.took(2).ID)), at(r.took(2).Triggered))
			c.is(r.took(2).Triggered < crashed && (r.took(2).Completed == nil || *r.took(2).Completed >= crashed), "it is under way")
		}
	},
	"phases": func(c *claim) {
		var phases []string
		for _, name := range crashes {
			phases = append(phases, c.run(name, "").Plan.Scenario.Faults[0].When.Phase)
		}
		slices.Sort(phases)
		c.says(count(len(slices.Compact(phases))), count(len(c.lesson.Files)))
	},
	"aligning": func(c *claim) {
		r := c.run("crash-aligning", "")
		c.says(r.crash("J").at())
		c.is(r.blocks("S->J", 2).before(r.crash("J")) && !r.has(spacetime.Record, "J", 2), "S is blocked, and J has not recorded")
		c.is(r.sameStep(r.marked("S->J", 2), r.blocks("S->J", 2)), "it has S's barrier")
	},
	"back-to-first": func(c *claim) {
		r := c.run("crash-aligning", "")
		c.says(count(int(r.took(2).ID)), count(int(*r.recovery(1).Snapshot)), r.reads("S", 2).amount())
		c.is(r.took(2).Verdict == "aborted" && r.recovery(1).Restarted == nil, "all go back")
		c.is(r.recorded("S", 1, "last") == r.reads("S", 2).amount() && r.recorded("T", 1, "last") == r.reads("T", 2).amount(), "so many of each")
	},
	"all-go-back": func(c *claim) {
		r := c.run("crash-aligning", "")
		for _, node := range []string{"S", "T"} {
			undone := r.all(func(e *spacetime.Event) bool {
				return e.Kind == spacetime.Send && e.Node == r.node(node) && e.Undone != spacetime.None && e.Peer != spacetime.None && r.Events[e.Peer].Kind == spacetime.Process
			})
			c.is(len(undone) > 0, "J has forgotten some of %s", node)
			c.is(r.has(spacetime.Restored, node, 1), "%s goes back", node)
		}
	},
	"read-again": func(c *claim) {
		r := c.run("crash-aligning", "")
		again := r.undone()
		c.says(count(int(r.recovery(1).UndoneRecords)), count(again["S"]), count(again["T"]))
		c.is(int(r.recovery(1).UndoneRecords) == again["S"]+again["T"], "that is all")
	},
	"acknowledged": func(c *claim) {
		r := c.run("crash-acknowledged", "")
		c.says(r.crash("T").at(), count(int(r.took(2).ID)))
		came := r.find("T's acknowledgement", 0, func(e *spacetime.Event) bool {
			return e.Kind == spacetime.ControlReceived && e.Node == r.Coordinator && e.Snapshot == 2 && r.Events[e.Peer].Node == r.node("T")
		})
		c.is(came.before(r.crash("T")), "the coordinator has it")
	},
	"parts": func(c *claim) {
		r := c.run("crash-acknowledged", "")
		c.says(count(int(r.took(2).ID)))
		c.is(r.Result.Coordinator.Checkpoints[1].Acknowledged == 2 && !r.has(spacetime.Record, "J", 2), "two have, J has not")
	},
	"not-to-second": func(c *claim) {
		r := c.run("crash-acknowledged", "")
		c.says(count(int(r.took(2).ID)), count(int(*r.recovery(1).Snapshot)))
		c.is(r.took(2).Completed == nil && r.recovery(1).Restarted == nil, "it is not complete, and all go back")
	},
	"mixed": func(c *claim) {
		r := c.run("crash-acknowledged", "")
		c.says(count(int(*r.recovery(1).Snapshot)))
		first, second := r.history.Snapshots[0], r.history.Snapshots[1]
		ch := r.channel("T->J")
		c.is(second.Sent[ch] > first.Processed[ch], "T's part of 2 has sent what J's part of 1 has not")
	},
	"completed": func(c *claim) {
		r := c.run("crash-complete", "")
		c.says(r.crash("J").at(), count(int(r.took(2).ID)))
		c.is(*r.took(2).Completed == r.crash("J").At, "in that instant")
	},
	"untold": func(c *claim) {
		r := c.run("crash-complete", "")
		told := r.all(func(e *spacetime.Event) bool {
			return e.Kind == spacetime.ControlReceived && e.Node != r.Coordinator && e.Snapshot == 2 && e.Word == "notify" && e.At <= r.crash("J").At
		})
		c.is(len(told) == 0, "nobody has been told")
	},
	"to-second": func(c *claim) {
		r := c.run("crash-complete", "")
		c.says(count(int(*r.recovery(1).Snapshot)))
		c.is(r.recovery(1).Restarted == nil && r.holds(), "all go back")
	},
	"less-again": func(c *claim) {
		r := c.run("crash-complete", "")
		again := r.undone()
		c.says(count(int(r.recovery(1).UndoneRecords)), count(again["S"]), count(again["T"]))
	},
	"exactly-once": func(c *claim) {
		c.says(count(len(crashes)))
		for _, name := range crashes {
			r := c.run(name, "")
			c.says(r.final("J", "sum"))
			c.is(r.holds() && r.Result.Ledger.EffectsOnce == r.Result.Ledger.Records, name)
			c.is(r.final("J", "sum") == plus(r.final("S", "sum"), r.final("T", "sum")), "J has all")
		}
	},
	"matrix": func(c *claim) {
		m := c.matrix("")
		n := m.Count()
		c.says(count(int(n.Reached)))
		c.is(n.Reached == n.Possible && n.Holds == n.Reached, "all of them are right")
		c.is(slices.Contains(m.Nodes, "coordinator"), "the coordinator is among them")
	},
	"matrix-numbers": func(c *claim) {
		for _, cell := range c.matrix("").Cells {
			if cell.Reached {
				c.is(len(cell.Restored) == 1, "%s, %s", cell.Phase, cell.Node)
				c.says(count(int(cell.Restored[0])))
			}
		}
	},
	"border": func(c *claim) {
		phases := c.matrix("").Phases
		for _, cell := range c.matrix("").Cells {
			early := slices.Index(phases, cell.Phase) <= slices.Index(phases, "saving")
			late := slices.Index(phases, cell.Phase) >= slices.Index(phases, "complete")
			switch {
			case !cell.Reached:
			case early:
				c.is(cell.Restored[0] == 1, "%s, %s", cell.Phase, cell.Node)
				c.says(count(int(cell.Restored[0])))
			case late:
				c.is(cell.Restored[0] == 2, "%s, %s", cell.Phase, cell.Node)
				c.says(count(int(cell.Restored[0])))
			}
		}
	},
	"in-between": func(c *claim) {
		m := c.matrix("")
		to := func(phase, node string) sim.SnapshotID {
			i := slices.IndexFunc(m.Cells, func(x crashmatrix.Cell) bool { return x.Phase == phase && x.Node == node })
			return m.Cells[i].Restored[0]
		}
		for _, phase := range []string{"saved", "acknowledged", "publishing"} {
			c.is(to(phase, "J") == 2, "J, %s", phase)
		}
		for _, phase := range []string{"acknowledged", "publishing"} {
			c.is(to(phase, "coordinator") == 1, "coordinator, %s", phase)
		}
		r := c.run("crash-complete", "")
		c.says(count(int(r.took(2).ID)))
		c.is(r.records("S", 2).before(r.records("J", 2)) && r.records("T", 2).before(r.records("J", 2)), "J's part is the last")
	},
	"one-missing": func(c *claim) {
		r := c.run("crash-acknowledged", "one-ack-missing")
		c.is(r.Plan.Algorithm.Wrong, "it is wrong on purpose")
		for _, one := range r.Result.Coordinator.Checkpoints {
			c.says(count(int(one.Acknowledged)), count(len(r.Graph.Nodes)))
		}
	},
	"counts-as-complete": func(c *claim) {
		r := c.run("crash-acknowledged", "one-ack-missing")
		first, second := r.Result.Coordinator.Checkpoints[0], r.Result.Coordinator.Checkpoints[1]
		c.says(count(int(first.ID)), count(int(second.ID)), at(*second.Ended))
		c.is(first.Outcome == "retired" && second.Outcome == "stored", "the one is deleted, the other one kept")
		c.is(!r.has(spacetime.Record, "J", 2) && r.violates("coordinator"), "J has not recorded")
	},
	"not-readable": func(c *claim) {
		r := c.run("crash-acknowledged", "one-ack-missing")
		c.says(r.crash("T").at(), count(int(r.took(2).ID)))
		c.is(r.Result.Coordinator.Unreadable > 0 && r.history.Snapshots[1].States[r.node("J")] == nil, "it cannot be read")
	},
	"beginning": func(c *claim) {
		right, r := c.run("crash-acknowledged", ""), c.run("crash-acknowledged", "one-ack-missing")
		c.says(count(int(r.recovery(1).UndoneRecords)), count(int(right.recovery(1).UndoneRecords)))
		c.is(r.recovery(1).Snapshot == nil, "to the initial state")
	},
	"none-right": func(c *claim) {
		n := c.matrix("one-ack-missing").Count()
		c.is(n.Violated == n.Possible && n.Reached > n.Possible*9/10, "%+v", n)
	},
}

// crashes is the scenarios of the lesson.
var crashes = []string{"crash-aligning", "crash-acknowledged", "crash-complete"}

// has says whether there is such an event.
func (r *run) has(kind spacetime.Kind, node string, id int) bool {
	return len(r.all(func(e *spacetime.Event) bool {
		return e.Kind == kind && e.Node == r.node(node) && int(e.Snapshot) == id
	})) > 0
}

// undone is how many records each source had read that a restore took back.
func (r *run) undone() map[string]int {
	by := map[string]int{}
	for _, e := range r.all(func(e *spacetime.Event) bool { return e.Kind == spacetime.External && e.Undone != spacetime.None }) {
		by[r.Graph.Nodes[e.Node]]++
	}
	return by
}

// matrix is a crash of every node in every phase.
func (c *claim) matrix(algorithm string) *crashmatrix.Matrix {
	plan := planOf(c.t, Folder+"/08-crash-aligning.yaml", algorithm)
	return crashmatrix.Of(context.Background(), plan, plan.Seed, crashmatrix.Options{Workers: 1})
}

package invariants

import (
	"slices"

	"simrun/sim"
)

// Check decides about a run; off names the invariants to leave out.
func Check(run *Run, off []string) *Report { return new(Checker).Check(run, off) }

// Checker is Check for many runs, one after the other: it keeps its memory from
// one to the next. The zero Checker is ready.
type Checker struct {
	run   *Run
	h     *sim.History
	out   *Report
	off   [invariants]bool
	count map[subject]int // violations found

	position  int64   // where the violations that are found now came about
	positions []int64 // of the listed violations

	complete []*sim.Snapshot // and whole: those that checks look at, by id
	apps     []sim.App       // fresh, until the replay runs on them
	spare    []sim.App       // for states that have to be loaded; nil until needed
	replay   replay
	buf      []byte
}

// Check decides about a run; off names the invariants to leave out.
func (c *Checker) Check(run *Run, off []string) *Report {
	c.run, c.h, c.out = run, run.History, new(Report)
	c.position, c.positions = -1, c.positions[:0]
	if c.count == nil {
		c.count = make(map[subject]int)
	}
	clear(c.count)
	for i := range all {
		c.off[i] = slices.Contains(off, all[i].Name)
	}
	c.verdicts()
	c.sift()
	c.freshApps()

	c.checkItself()
	c.cuts()
	c.checkMonotone()
	c.checkFIFO()
	start, conserving := c.atStart()
	c.checkRestores()
	c.checkCoordinator()
	c.checkTermination()
	rows := c.h.Rows != nil
	if rows && !c.replayIsOff() {
		c.replay.play(c)
	}
	c.checkInterference()
	if conserving {
		c.checkConservation(start)
	}
	c.inherit()
	c.inOrder()
	c.list(rows, conserving)
	out := c.out
	c.forget()
	return out
}

// replayIsOff says whether every check that needs the replay is switched off.
func (c *Checker) replayIsOff() bool {
	for _, inv := range [...]invariant{channelState, stateTruth, fifo, reachability, recovery, nonInterference} {
		if !c.off[inv] {
			return false
		}
	}
	return c.off[absStaged] || !c.run.Aligned
}

// list notes which checks ran.
func (c *Checker) list(rows, conserving bool) {
	ran := [invariants]bool{
		consistentCut: true,
		channelState:  true,
		stateTruth:    rows,
		absStaged:     c.run.Aligned,
		fifo:          true,
		monotoneCuts:  true,
		reachability:  rows,
		conservation:  conserving,
		recovery:      true,
		termination:   c.ended(),
		coordinator:   true,

		nonInterference: rows || c.run.Bare != nil,
	}
	for i := range all {
		inv, name := invariant(i), all[i].Name
		switch {
		case !ran[i] || c.off[i]:
		case !rows && (inv == channelState || inv == absStaged || inv == recovery || inv == nonInterference):
			c.out.Partial = append(c.out.Partial, name)
		default:
			c.out.Checks = append(c.out.Checks, name)
		}
	}
}

// sift finds the complete snapshots that the checks can look at, and reports those
// that are not what a Snapshot must be.
func (c *Checker) sift() {
	c.complete = c.complete[:0]
	nodes, channels := c.run.Graph.Nodes, len(c.run.Graph.From)
	for i, s := range c.h.Snapshots {
		id := sim.SnapshotID(i + 1)
		where := nowhere
		where.Snapshot = id
		switch {
		case s == nil:
			c.damage(consistentCut, where, "the history is damaged: it says nothing of snapshot %d", id)
		case s.ID != id:
			c.damage(consistentCut, where, "the history is damaged: in the place of snapshot %d stands one with the id %d", id, s.ID)
		case s.Status != sim.Complete:
		case len(s.States) != nodes || len(s.Recordings) != nodes:
			c.damage(consistentCut, where, "the history is damaged: snapshot %d has %d states and %d recordings, the graph has %d nodes",
				id, len(s.States), len(s.Recordings), nodes)
		case len(s.Channels) != channels || len(s.Sent) != channels || len(s.Processed) != channels:
			c.damage(consistentCut, where, "the history is damaged: snapshot %d has the states of %d channels and counters of %d and %d, the graph has %d channels",
				id, len(s.Channels), len(s.Sent), len(s.Processed), channels)
		default:
			c.complete = append(c.complete, s)
		}
	}
}

// freshApps makes the Apps on which the run is executed again.
func (c *Checker) freshApps() {
	c.apps = slices.Grow(c.apps[:0], c.run.Graph.Nodes)
	for v := range int32(c.run.Graph.Nodes) {
		c.apps = append(c.apps, c.run.NewApp(v))
	}
	c.spare = c.spare[:0]
	if s := c.from(); s != nil {
		c.loadApps(s)
	}
}

// spareApp is an App of node v whose state may be replaced.
func (c *Checker) spareApp(v int32) sim.App {
	if len(c.spare) == 0 {
		c.spare = slices.Grow(c.spare, c.run.Graph.Nodes)[:c.run.Graph.Nodes]
		clear(c.spare)
	}
	if c.spare[v] == nil {
		c.spare[v] = c.run.NewApp(v)
	}
	return c.spare[v]
}

// forget drops what belongs to the run and keeps the memory.
func (c *Checker) forget() {
	c.run, c.h, c.out = nil, nil, nil
	clear(c.complete)
	clear(c.apps)
	clear(c.spare)
	c.replay.forget()
}

// cuts checks what the counters say of each snapshot.
func (c *Checker) cuts() {
	for _, s := range c.h.Snapshots {
		if s != nil {
			c.standsAtCut(s)
			c.checkTwice(s)
		}
	}
	for _, s := range c.complete {
		c.standsAtCut(s)
		if !c.off[consistentCut] {
			c.checkCut(s)
		}
		if !c.off[channelState] {
			c.checkChannels(s)
		}
		if c.run.Aligned && !c.off[absStaged] {
			c.checkStaged(s)
		}
	}
}

package explore

import (
	"encoding/binary"
	"fmt"

	"simrun/invariants"
	"simrun/scenarios"
	"simrun/sim"
)

// judge has one run of every kind of outcome carried out by the engine and judged by
// package invariants, on the whole history. Two outcomes are of one kind if nothing that
// a verdict depends on tells them apart.
type judge struct {
	x       *explorer
	engine  *sim.Engine
	checker invariants.Checker
	seen    map[string]bool
	key     []byte
}

func newJudge(x *explorer) judge { return judge{x: x, seen: map[string]bool{}} }

// What an outcome is about, the first byte of its key.
const (
	ofSnapshot = iota
	ofMarks
	ofEnd
)

// completed judges snapshots that the step by, from the state that is being left, makes
// complete. Next is the state afterwards.
func (j *judge) completed(next []uint32, by, depth int, complete, newly uint64) {
	x := j.x
	key := append(j.key[:0], ofSnapshot)
	key = binary.AppendUvarint(key, newly)
	key = binary.AppendUvarint(key, uint64(x.marksOf(next)))
	for k := range x.stage.Snapshots() {
		if complete>>k&1 == 0 {
			continue
		}
		for v, n := range x.nodes {
			key = binary.AppendUvarint(key, uint64(n.parts[next[v]].shares[k]))
		}
		for c := range x.cfg.Graph.From {
			// What is still on a channel and was sent before the cut belongs to it, too.
			for at := next[len(x.nodes)+c]; at != 0; at = uint32(x.contents[at].rest) {
				if i := x.contents[at].head; !x.items[i].marker && x.items[i].After>>k&1 == 0 {
					key = binary.AppendUvarint(key, uint64(i))
				}
			}
			key = append(key, 0)
		}
	}
	if j.key = key; j.isNew() {
		run := j.run(append(x.schedule(x.now), x.stepsIn(x.now, by)...), depth, true)
		for k := range x.stage.Snapshots() {
			if newly>>k&1 != 0 {
				x.result.addSnapshot(run, sim.SnapshotID(k+1))
			}
		}
	}
}

// marked judges a step after which some node is marked.
func (j *judge) marked(next []uint32, by, depth int) {
	x := j.x
	j.key = append(j.key[:0], ofMarks)
	j.key = append(j.key, byte(x.marksOf(next)))
	for v, n := range x.nodes {
		j.key = append(j.key, n.parts[next[v]].marks)
	}
	if j.isNew() {
		x.result.addRun(j.run(append(x.schedule(x.now), x.stepsIn(x.now, by)...), depth, true))
	}
}

// end judges a run that is over in a state.
func (j *judge) end(i uint32, depth int) {
	j.x.result.Ends++
	j.x.result.addRun(j.run(j.x.schedule(i), depth, false))
}

// isNew says whether an outcome with the key is the first.
func (j *judge) isNew() bool {
	if j.seen[string(j.key)] {
		return false
	}
	j.seen[string(j.key)] = true
	return true
}

// marksOf is the marks of all nodes together.
func (x *explorer) marksOf(row []uint32) (marks uint8) {
	for v, n := range x.nodes {
		marks |= n.parts[row[v]].marks
	}
	return marks
}

// judgedRun is a run and what is said of it.
type judgedRun struct {
	steps   []sim.Step
	depth   int // steps without the writes that follow at once
	history *sim.History
	report  *invariants.Report
}

// run carries out a schedule, which is cut short or leads to the end.
func (j *judge) run(steps []sim.Step, depth int, cut bool) *judgedRun {
	cfg := j.x.cfg
	s := &script{steps: steps}
	cfg.Scheduler = s
	if cut {
		cfg.MaxSteps = int64(len(steps))
	}
	scenarios.Prepare(&j.engine, &cfg)
	h := j.engine.Run()
	if s.next != len(steps) || s.lost || !cut && h.End != sim.Quiescent || cut && h.End != sim.StepLimit && h.End != sim.Quiescent {
		panic(fmt.Sprintf("explore: the engine and the search do not agree about a schedule of %d steps: the run ended as %d after %d: %v", len(steps), h.End, s.next, steps))
	}
	return &judgedRun{steps, depth, h, j.x.plan.Judge(&j.checker, &cfg, h)}
}

// script is the Scheduler of a schedule.
type script struct {
	steps []sim.Step
	next  int
	lost  bool // a step was not enabled
}

// Pick implements sim.Scheduler.
func (s *script) Pick(_ int64, enabled sim.Enabled) int {
	if s.next >= len(s.steps) {
		s.lost = true
		return 0
	}
	i := sim.IndexOf(enabled, s.steps[s.next])
	s.next++
	if i < 0 {
		s.lost = true
		return 0
	}
	return i
}

package scenarios

import (
	"math"
	"strings"

	"simrun/sim"
)

// Exercised counts what a run, or all runs of a sweep, put to the test. A verdict
// says nothing about what never came up: a snapshot with empty channels and no crash
// holds under many a wrong algorithm. In an expectation the counts are the least that
// there must be.
type Exercised struct {
	// Complete snapshots; nobody judges the others.
	ChannelStates int64 `json:"channel_states" yaml:"channel_states,omitempty"` // messages in flight were stored
	Alignments    int64 `json:"alignments" yaml:"alignments,omitempty"`         // inputs were blocked for some time
	BackupLogs    int64 `json:"backup_logs" yaml:"backup_logs,omitempty"`       // a backup log was not empty
	Overlaps      int64 `json:"overlaps" yaml:"overlaps,omitempty"`             // another was under way too; complete or not

	// Crashes. Nodes that one fault takes down are one crash.
	CrashesWhileOpen       int64 `json:"crashes_while_open" yaml:"crashes_while_open,omitempty"`             // a snapshot was begun and not complete
	CrashesWhileRecovering int64 `json:"crashes_while_recovering" yaml:"crashes_while_recovering,omitempty"` // after a crash, before its restore was over

	// Restores.
	SnapshotRestores int64 `json:"snapshot_restores" yaml:"snapshot_restores,omitempty"` // from a snapshot
	InitialRestores  int64 `json:"initial_restores" yaml:"initial_restores,omitempty"`   // from the initial state
	Requeues         int64 `json:"requeues" yaml:"requeues,omitempty"`                   // messages were put back into channels
	Replays          int64 `json:"replays" yaml:"replays,omitempty"`                     // Recover was given a log
	PartialRestores  int64 `json:"partial_restores" yaml:"partial_restores,omitempty"`   // some nodes went on
	Drops            int64 `json:"drops" yaml:"drops,omitempty"`                         // messages that came once more to those

	// Of runs with a coordinator.
	Timeouts             int64 `json:"timeouts" yaml:"timeouts,omitempty"`                           // checkpoints aborted because they took too long
	Declines             int64 `json:"declines" yaml:"declines,omitempty"`                           // checkpoints aborted because a task declined
	NotReady             int64 `json:"not_ready" yaml:"not_ready,omitempty"`                         // checkpoints aborted because a task had not caught up
	LateAcknowledgements int64 `json:"late_acknowledgements" yaml:"late_acknowledgements,omitempty"` // of checkpoints that were over
	Subsumed             int64 `json:"subsumed" yaml:"subsumed,omitempty"`                           // checkpoints aborted because a later one was complete
	Savepoints           int64 `json:"savepoints" yaml:"savepoints,omitempty"`                       // complete
	CoordinatorCrashes   int64 `json:"coordinator_crashes" yaml:"coordinator_crashes,omitempty"`
	RestoresOrdered      int64 `json:"restores_ordered" yaml:"restores_ordered,omitempty"`
	Finished             int64 `json:"finished" yaml:"finished,omitempty"` // complete checkpoints for which some task had finished
}

// addCoordinated counts what a coordinator did.
func (x *Exercised) addCoordinated(c *CoordinatorResult) {
	if c == nil {
		return
	}
	for i := range c.Checkpoints {
		k := &c.Checkpoints[i]
		x.Timeouts += one(k.Outcome == outcomeTimeout)
		x.Declines += one(k.Outcome == outcomeDeclined)
		x.NotReady += one(k.Outcome == outcomeNotReady)
		x.Subsumed += one(k.Outcome == outcomeSubsumed)
		x.Savepoints += one(k.Savepoint && k.Outcome == outcomeStored)
		x.LateAcknowledgements += int64(k.Late)
		x.Finished += one(len(k.Finished) > 0)
	}
	x.CoordinatorCrashes += c.Crashes
	x.RestoresOrdered += c.RestoresOrdered
}

// exercised counts what happened in a run.
func exercised(h *sim.History, c *CoordinatorResult) (x Exercised) {
	ended := endings(h.Snapshots, c)
	for _, s := range h.Snapshots {
		if s.Status == sim.Complete && s != h.From {
			x.addComplete(s)
		}
	}
	x.addOverlaps(h.Snapshots, ended)
	x.addCrashes(h, ended)
	for i := range h.Restores {
		x.addRestore(&h.Restores[i])
	}
	x.addCoordinated(c)
	return x
}

// endings is when each snapshot was complete or, where a coordinator says so, aborted. What
// a restore aborts has no end: nothing of its incarnation comes after that.
func endings(snapshots []*sim.Snapshot, c *CoordinatorResult) []int64 {
	ended := make([]int64, len(snapshots))
	for i, s := range snapshots {
		ended[i] = math.MaxInt64
		if s.Status == sim.Complete {
			ended[i] = s.CompletedAt
		}
	}
	if c == nil {
		return ended
	}
	for i := range c.Checkpoints {
		if k := &c.Checkpoints[i]; k.Ended != nil && k.ID > 0 && int(k.ID) <= len(ended) {
			ended[k.ID-1] = *k.Ended
		}
	}
	return ended
}

func (x *Exercised) addComplete(s *sim.Snapshot) {
	messages, logged := total(s.Channels), total(s.Logs)
	x.ChannelStates += one(messages > logged)
	x.Alignments += one(s.BlockedFor > 0)
	x.BackupLogs += one(logged > 0)
}

// addOverlaps counts the snapshots that were under way together with another. A
// restore ends all that are under way, so that only those of one incarnation can be;
// and snapshots stand in the order of their triggers, so that the next one is the
// first that can overlap with a snapshot, and the latest end before it the last.
func (x *Exercised) addOverlaps(snapshots []*sim.Snapshot, ended []int64) {
	var incarnation uint8
	var last, latest int64 // when the previous one ended, and the last of all before
	counted := false       // the previous one was
	for i, s := range snapshots {
		if s.StartedAt < 0 {
			continue // its order came to no node that was up
		}
		if s.Incarnation != incarnation {
			incarnation, last, latest = s.Incarnation, 0, 0
		}
		x.Overlaps += one(last > s.TriggeredAt && !counted)
		counted = latest > s.TriggeredAt
		x.Overlaps += one(counted)
		last = ended[i]
		latest = max(latest, last)
	}
}

// addCrashes looks at each crash in its incarnation, whose number is that of the
// restores before it. Times do not tell it: a node can crash in the restore itself.
func (x *Exercised) addCrashes(h *sim.History, ended []int64) {
	restores, fallen := 0, 0 // fallen: nodes that wait for the next restore
	began := int64(-1)       // the first crash that leads to it
	for k, c := range h.Crashes {
		for restores < len(h.Restores) && fallen >= len(h.Restores[restores].Crashed) && c.At >= h.Restores[restores].At {
			restores, fallen, began = restores+1, 0, -1
		}
		if restores < len(h.Restores) {
			// A node that is down already can be crashed again.
			if down := h.Restores[restores].Crashed; fallen < len(down) && down[fallen] == c.Node {
				fallen++
			}
		}
		if began < 0 {
			began = c.At
		}
		if k > 0 && h.Crashes[k-1].Fault == c.Fault && h.Crashes[k-1].At == c.At {
			continue
		}
		x.CrashesWhileOpen += one(openAt(h.Snapshots, ended, c, restores))
		x.CrashesWhileRecovering += one(c.At > began || restores > 0 && h.Restores[restores-1].At == c.At)
	}
}

// openAt says whether some node had recorded a snapshot, and it was not complete,
// when a node crashed in this incarnation. What is recorded at the instant of the
// crash was recorded before it only by the node itself.
func openAt(snapshots []*sim.Snapshot, ended []int64, c sim.Crash, incarnation int) bool {
	for i, s := range snapshots {
		if int(s.Incarnation) != incarnation || s.StartedAt < 0 || ended[i] <= c.At {
			continue
		}
		if s.StartedAt < c.At || s.Recordings[c.Node].Seq != 0 && s.Recordings[c.Node].At == c.At {
			return true
		}
	}
	return false
}

func (x *Exercised) addRestore(r *sim.Restore) {
	x.SnapshotRestores += one(r.Snapshot != nil)
	x.InitialRestores += one(r.Snapshot == nil)
	x.Requeues += one(total(r.Requeued) > 0)
	x.Replays += one(total(r.Logged) > 0)
	x.PartialRestores += one(r.Partial != nil)
	x.Drops += r.Dropped
}

func one(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}

// total is how many things there are in all lists together.
func total[T any](lists [][]T) (n int) {
	for _, list := range lists {
		n += len(list)
	}
	return n
}

// bound is what a count cannot be more than, where there is no coordinator.
type bound uint8

const (
	bySnapshots bound = iota
	byFaults
	byNothing // without a coordinator it is 0
)

// exercise is one of the counts.
type exercise struct {
	name      string // in JSON and in a scenario
	one, many string // what it counts, for people
	bound     bound
	count     *int64
}

// exercises is all counts, in the order of the struct.
func (x *Exercised) exercises() [21]exercise {
	return [...]exercise{
		{"channel_states", "snapshot with messages in flight", "snapshots with messages in flight", bySnapshots, &x.ChannelStates},
		{"alignments", "alignment that blocked", "alignments that blocked", bySnapshots, &x.Alignments},
		{"backup_logs", "snapshot with a backup log", "snapshots with a backup log", bySnapshots, &x.BackupLogs},
		{"overlaps", "overlapping snapshot", "overlapping snapshots", bySnapshots, &x.Overlaps},
		{"crashes_while_open", "crash in the middle of a snapshot", "crashes in the middle of a snapshot", byFaults, &x.CrashesWhileOpen},
		{"crashes_while_recovering", "crash during a recovery", "crashes during a recovery", byFaults, &x.CrashesWhileRecovering},
		{"snapshot_restores", "restore from a snapshot", "restores from a snapshot", byFaults, &x.SnapshotRestores},
		{"initial_restores", "restore from the initial state", "restores from the initial state", byFaults, &x.InitialRestores},
		{"requeues", "restore with messages requeued", "restores with messages requeued", byFaults, &x.Requeues},
		{"replays", "restore with a log to replay", "restores with a log to replay", byFaults, &x.Replays},
		{"partial_restores", "restore of some nodes", "restores of some nodes", byNothing, &x.PartialRestores},
		{"drops", "message dropped that came again", "messages dropped that came again", byNothing, &x.Drops},
		{"timeouts", "checkpoint timed out", "checkpoints timed out", byNothing, &x.Timeouts},
		{"declines", "checkpoint declined", "checkpoints declined", byNothing, &x.Declines},
		{"not_ready", "checkpoint for which a task was not ready", "checkpoints for which a task was not ready", byNothing, &x.NotReady},
		{"late_acknowledgements", "late acknowledgement", "late acknowledgements", byNothing, &x.LateAcknowledgements},
		{"subsumed", "checkpoint subsumed", "checkpoints subsumed", byNothing, &x.Subsumed},
		{"savepoints", "savepoint", "savepoints", byNothing, &x.Savepoints},
		{"coordinator_crashes", "crash of the coordinator", "crashes of the coordinator", byNothing, &x.CoordinatorCrashes},
		{"restores_ordered", "restore ordered", "restores ordered", byNothing, &x.RestoresOrdered},
		{"finished", "checkpoint with finished tasks", "checkpoints with finished tasks", byNothing, &x.Finished},
	}
}

// Add adds the counts of another run.
func (x *Exercised) Add(other *Exercised) {
	from := other.exercises()
	for i, e := range x.exercises() {
		*e.count += *from[i].count
	}
}

// String is what is not zero, on one line.
func (x Exercised) String() string {
	var parts []string
	for _, e := range x.exercises() {
		if *e.count > 0 {
			parts = append(parts, pluralOf(*e.count, e.one, e.many))
		}
	}
	if parts == nil {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}

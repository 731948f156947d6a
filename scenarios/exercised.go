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
}

// exercised counts what happened in a run.
func exercised(h *sim.History) (x Exercised) {
	for _, s := range h.Snapshots {
		if s.Status == sim.Complete && s != h.From {
			x.addComplete(s)
		}
	}
	x.addOverlaps(h.Snapshots)
	x.addCrashes(h)
	for i := range h.Restores {
		x.addRestore(&h.Restores[i])
	}
	return x
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
func (x *Exercised) addOverlaps(snapshots []*sim.Snapshot) {
	var incarnation uint8
	var last, latest int64 // when the previous one ended, and the last of all before
	counted := false       // the previous one was
	for _, s := range snapshots {
		if s.StartedAt < 0 {
			continue // its order came to no node that was up
		}
		if s.Incarnation != incarnation {
			incarnation, last, latest = s.Incarnation, 0, 0
		}
		x.Overlaps += one(last > s.TriggeredAt && !counted)
		counted = latest > s.TriggeredAt
		x.Overlaps += one(counted)
		last = int64(math.MaxInt64)
		if s.Status == sim.Complete {
			last = s.CompletedAt
		}
		latest = max(latest, last)
	}
}

// addCrashes looks at each crash in its incarnation, whose number is that of the
// restores before it. Times do not tell it: a node can crash in the restore itself.
func (x *Exercised) addCrashes(h *sim.History) {
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
		if k > 0 && h.Crashes[k-1].Fault == c.Fault {
			continue
		}
		x.CrashesWhileOpen += one(openAt(h.Snapshots, c, restores))
		x.CrashesWhileRecovering += one(c.At > began || restores > 0 && h.Restores[restores-1].At == c.At)
	}
}

// openAt says whether some node had recorded a snapshot, and it was not complete,
// when a node crashed in this incarnation. What is recorded at the instant of the
// crash was recorded before it only by the node itself.
func openAt(snapshots []*sim.Snapshot, c sim.Crash, incarnation int) bool {
	for _, s := range snapshots {
		if int(s.Incarnation) != incarnation || s.StartedAt < 0 || s.Status == sim.Complete && s.CompletedAt <= c.At {
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

// exercise is one of the counts.
type exercise struct {
	name      string // in JSON and in a scenario
	one, many string // what it counts, for people
	faults    bool   // a fault adds at most one; else a snapshot does
	count     *int64
}

// exercises is all counts, in the order of the struct.
func (x *Exercised) exercises() [10]exercise {
	return [...]exercise{
		{"channel_states", "snapshot with messages in flight", "snapshots with messages in flight", false, &x.ChannelStates},
		{"alignments", "alignment that blocked", "alignments that blocked", false, &x.Alignments},
		{"backup_logs", "snapshot with a backup log", "snapshots with a backup log", false, &x.BackupLogs},
		{"overlaps", "overlapping snapshot", "overlapping snapshots", false, &x.Overlaps},
		{"crashes_while_open", "crash in the middle of a snapshot", "crashes in the middle of a snapshot", true, &x.CrashesWhileOpen},
		{"crashes_while_recovering", "crash during a recovery", "crashes during a recovery", true, &x.CrashesWhileRecovering},
		{"snapshot_restores", "restore from a snapshot", "restores from a snapshot", true, &x.SnapshotRestores},
		{"initial_restores", "restore from the initial state", "restores from the initial state", true, &x.InitialRestores},
		{"requeues", "restore with messages requeued", "restores with messages requeued", true, &x.Requeues},
		{"replays", "restore with a log to replay", "restores with a log to replay", true, &x.Replays},
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

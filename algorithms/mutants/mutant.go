package mutants

import (
	"cmp"
	"slices"

	"simrun/sim"
)

// Mutant is one wrong algorithm, or a wrong coordinator of a right one.
type Mutant struct {
	Name    string
	Number  int         // its place in the list, which stays what it is as others come
	Doc     string      // what is wrong
	Needs   string      // what a run must have for the mistake to show
	Catches string      // the invariant that must be violated then
	Base    string      // the algorithm that it is a variant of: chandy-lamport or abs
	New     sim.NewNode // nil: the right one
	// Coordinator is a wrong coordinator; nil: a right one, if there is any.
	Coordinator func(Timing) sim.Coordinator
}

const (
	chandyLamport = "chandy-lamport"
	abs           = "abs"
)

// All is every mutant that shows without a coordinator, sorted by number.
func All() []Mutant {
	all := append(markingMutants(), barrierMutants()...)
	slices.SortFunc(all, func(a, b Mutant) int { return cmp.Compare(a.Number, b.Number) })
	return all
}

func markingMutants() []Mutant {
	return []Mutant{
		{"late-markers", 1, "markers leave a step after the state was saved",
			"a node that sends again before its markers leave", "consistent-cut", chandyLamport, newLateMarkers, nil},
		{"late-state", 2, "the state is saved a step after the markers left",
			"a node that gets a message between the two", "channel-state", chandyLamport, newLateState, nil},
		{"first-channel-open", 3, "the channel of the first marker is never closed",
			"a node that does not initiate", "termination", chandyLamport, newFirstChannelOpen, nil},
		{"no-channel-state", 4, "messages in flight are not saved",
			"a message in flight towards a node that has recorded", "channel-state", chandyLamport, newNoChannelState, nil},
		{"every-open-channel", 5, "a message is saved as the state of every open channel",
			"a node with two inputs", "channel-state", chandyLamport, newEveryOpenChannel, nil},
		{"one-marker-closes-all", 6, "one marker ends the recording of every channel",
			"an initiator with two inputs, or a node with three", "channel-state", chandyLamport, newOneMarkerClosesAll, nil},
		{"second-recording", 7, "every marker of a snapshot under way lets the node record again",
			"a node with two inputs, or an initiator with one", "consistent-cut", chandyLamport, newSecondRecording, nil},
		{"open-until-last-marker", 8, "a channel is recorded until the last marker, not until its own",
			"a node with two inputs", "channel-state", chandyLamport, newOpenUntilLastMarker, nil},
		{"forgotten-output", 9, "the last output gets no marker",
			"any channel", "termination", chandyLamport, newForgottenOutput, nil},
		{"overtaking-markers", 10, "markers overtake the messages that the node has sent and not yet put on the channel",
			"a node that has just sent", "channel-state", chandyLamport, newOvertakingMarkers, nil},
		{"no-ids", 11, "a marker counts for the snapshot that is under way, whichever it belongs to",
			"two snapshots at once, begun at different nodes", "termination", chandyLamport, newNoIDs, nil},
		{"first-node-alone", 12, "only node 0 initiates, whoever is ordered to",
			"a node that cannot be reached from node 0", "termination", chandyLamport, newFirstNodeAlone, nil},
		{"saves-idle", 13, "a message in flight is saved only if the node's last step sent nothing",
			"a message in flight towards a node that has just sent", "channel-state", chandyLamport, newSavesIdle, nil},
		{"held-back", 14, "what comes on a channel that is recorded is processed only after its marker",
			"a message in flight towards a node that has recorded", "non-interference", chandyLamport, newHeldBack, nil},
		{"records-between", 52, "the state is saved between a step and what the step sends",
			"an initiator that sends", "channel-state", chandyLamport, newRecordsBetween, nil},
		{"early-done", 53, "a node is done as soon as its state is saved, while channels are still being recorded",
			"a message in flight towards a node that has recorded", "channel-state", chandyLamport, newEarlyDone, nil},
		{"foreign-marker-dropped", 54, "while a snapshot is under way, what concerns another one is dropped",
			"overlapping snapshots", "termination", chandyLamport, newForeignMarkerDropped, nil},
		{"records-by-output", 55, "the table of channels to record is made by outputs, not by inputs",
			"a node with more outputs than inputs", "termination", chandyLamport, newRecordsByOutput, nil},
		{"broadcast-per-output", 56, "the marker is broadcast once for every output, and markers are counted, not channels",
			"a node with two inputs, one of them from a node with two outputs", "channel-state", chandyLamport, newBroadcastPerOutput, nil},
		{"state-at-second-marker", 57, "the first marker is passed on, and the state is saved at the second",
			"every node with two inputs, or an initiator", "consistent-cut", chandyLamport, newStateAtSecondMarker, nil},
		{"records-first-channel", 58, "the channel of the first marker is recorded until the snapshot is done",
			"a node with two inputs", "channel-state", chandyLamport, newRecordsFirstChannel, nil},
		{"held-after-restore", 60, "after a restore, what comes from outside is processed only when something else comes",
			"a crash, and records from outside after it", "non-interference", chandyLamport, newHeldAfterRestore, nil},
		{"saved-backwards", 62, "messages in flight are saved in the wrong order",
			"two messages in flight on one channel", "channel-state", chandyLamport, newSavedBackwards, nil},
	}
}

func barrierMutants() []Mutant {
	return []Mutant{
		{"no-blocking", 15, "inputs run on behind their barrier until the last barrier comes",
			"no loop; a node with two inputs; sources that keep emitting", "consistent-cut", abs, newNoBlocking, nil},
		{"first-barrier", 16, "the snapshot is taken at the first barrier, and nothing is logged",
			"a node with two inputs", "channel-state", abs, newFirstBarrier, nil},
		{"early-broadcast", 17, "the barrier is passed on when it first comes, before the state is saved",
			"no loop; a node below one with two inputs", "channel-state", abs, newEarlyBroadcast, nil},
		{"early-unblock", 18, "inputs are unblocked when one barrier is still missing",
			"no loop; a node with two inputs; sources that keep emitting", "consistent-cut", abs, newEarlyUnblock, nil},
		{"late-snapshot", 19, "the state is saved a step after the barrier was passed on",
			"no loop; a node that gets a record between the two", "consistent-cut", abs, newLateSnapshot, nil},
		{"skipped-output", 20, "the last output gets no barrier",
			"any channel", "termination", abs, newSkippedOutput, nil},
		{"aligned-back-edges", 22, "back-edges are waited for like other inputs",
			"a loop", "termination", abs, newAlignedBackEdges, nil},
		{"no-backup-log", 23, "what is in a loop is not logged",
			"a record on a back-edge at the barrier", "channel-state", abs, newNoBackupLog, nil},
		{"log-until-last-barrier", 24, "a back-edge is logged until the last barrier, not until its own",
			"a node with two back-edges", "channel-state", abs, newLogUntilLastBarrier, nil},
		{"no-epochs", 25, "the next snapshot's barrier counts for the one that is under way",
			"a loop; overlapping snapshots", "termination", abs, newNoEpochs, nil},
		{"state-by-reference", 27, "the store is given a reference to the state and reads it when it writes",
			"no loop; a node that gets a record before its part is written", "state-truth", abs, newStateByReference, nil},
		{"reordered-buffer", 28, "what waited behind a barrier is processed in the wrong order",
			"no loop; a node with two inputs; sources that keep emitting", "fifo", abs, newReorderedBuffer, nil},
		{"first-regular-barrier", 29, "in a graph with loops the state is copied at the first regular barrier",
			"a loop; a node with two regular inputs", "channel-state", abs, newFirstRegularBarrier, nil},
		{"log-after-input", 31, "the backup log is processed after new input",
			"a record on a back-edge at the barrier; a crash", "fifo", abs, newLogAfterInput, nil},
		{"log-twice", 32, "the backup log is processed twice",
			"a record on a back-edge at the barrier; a crash", "fifo", abs, newLogTwice, nil},
		{"log-ignored", 51, "the backup log is not processed",
			"a record on a back-edge at the barrier; a crash", "fifo", abs, newLogIgnored, nil},
		{"late-replay", 61, "what comes of the backup log is sent a step after it was processed",
			"a record on a back-edge at the barrier, of which something comes; a crash", "non-interference", abs, newLateReplay, nil},
	}
}

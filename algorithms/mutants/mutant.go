package mutants

import (
	"cmp"
	"slices"

	"simrun/sim"
)

// Mutant is one wrong algorithm.
type Mutant struct {
	Name    string
	Number  int    // its place in the list, which stays what it is as others come
	Doc     string // what is wrong
	Needs   string // what a run must have for the mistake to show
	Catches string // the invariant that must be violated then
	Base    string // the algorithm that it is a variant of: chandy-lamport or abs
	New     sim.NewNode
}

const (
	chandyLamport = "chandy-lamport"
	abs           = "abs"
)

// All is every mutant, sorted by number.
func All() []Mutant {
	all := append(markingMutants(), barrierMutants()...)
	slices.SortFunc(all, func(a, b Mutant) int { return cmp.Compare(a.Number, b.Number) })
	return all
}

func markingMutants() []Mutant {
	return []Mutant{
		{"late-markers", 1, "markers leave a step after the state was saved",
			"a node that sends again before its markers leave", "consistent-cut", chandyLamport, newLateMarkers},
		{"late-state", 2, "the state is saved a step after the markers left",
			"a node that gets a message between the two", "channel-state", chandyLamport, newLateState},
		{"first-channel-open", 3, "the channel of the first marker is never closed",
			"a node that does not initiate", "termination", chandyLamport, newFirstChannelOpen},
		{"no-channel-state", 4, "messages in flight are not saved",
			"a message in flight towards a node that has recorded", "channel-state", chandyLamport, newNoChannelState},
		{"every-open-channel", 5, "a message is saved as the state of every open channel",
			"a node with two inputs", "channel-state", chandyLamport, newEveryOpenChannel},
		{"one-marker-closes-all", 6, "one marker ends the recording of every channel",
			"an initiator with two inputs, or a node with three", "channel-state", chandyLamport, newOneMarkerClosesAll},
		{"open-until-last-marker", 8, "a channel is recorded until the last marker, not until its own",
			"a node with two inputs", "channel-state", chandyLamport, newOpenUntilLastMarker},
		{"forgotten-output", 9, "the last output gets no marker",
			"any channel", "termination", chandyLamport, newForgottenOutput},
		{"overtaking-markers", 10, "markers overtake the messages that the node has sent and not yet put on the channel",
			"a node that has just sent", "channel-state", chandyLamport, newOvertakingMarkers},
		{"no-ids", 11, "a marker counts for the snapshot that is under way, whichever it belongs to",
			"two snapshots at once, begun at different nodes", "termination", chandyLamport, newNoIDs},
		{"records-between", 52, "the state is saved between a step and what the step sends",
			"an initiator that sends", "channel-state", chandyLamport, newRecordsBetween},
		{"early-done", 53, "a node is done as soon as its state is saved, while channels are still being recorded",
			"a message in flight towards a node that has recorded", "channel-state", chandyLamport, newEarlyDone},
	}
}

func barrierMutants() []Mutant {
	return []Mutant{
		{"no-blocking", 15, "inputs run on behind their barrier until the last barrier comes",
			"no loop; a node with two inputs; sources that keep emitting", "consistent-cut", abs, newNoBlocking},
		{"first-barrier", 16, "the snapshot is taken at the first barrier, and nothing is logged",
			"a node with two inputs", "channel-state", abs, newFirstBarrier},
		{"early-broadcast", 17, "the barrier is passed on when it first comes, before the state is saved",
			"no loop; a node below one with two inputs", "channel-state", abs, newEarlyBroadcast},
		{"early-unblock", 18, "inputs are unblocked when one barrier is still missing",
			"no loop; a node with two inputs; sources that keep emitting", "consistent-cut", abs, newEarlyUnblock},
		{"late-snapshot", 19, "the state is saved a step after the barrier was passed on",
			"no loop; a node that gets a record between the two", "consistent-cut", abs, newLateSnapshot},
		{"skipped-output", 20, "the last output gets no barrier",
			"any channel", "termination", abs, newSkippedOutput},
		{"aligned-back-edges", 22, "back-edges are waited for like other inputs",
			"a loop", "termination", abs, newAlignedBackEdges},
		{"no-backup-log", 23, "what is in a loop is not logged",
			"a record on a back-edge at the barrier", "channel-state", abs, newNoBackupLog},
		{"log-until-last-barrier", 24, "a back-edge is logged until the last barrier, not until its own",
			"a node with two back-edges", "channel-state", abs, newLogUntilLastBarrier},
		{"no-epochs", 25, "the next snapshot's barrier counts for the one that is under way",
			"a loop; overlapping snapshots", "termination", abs, newNoEpochs},
		{"reordered-buffer", 28, "what waited behind a barrier is processed in the wrong order",
			"no loop; a node with two inputs; sources that keep emitting", "fifo", abs, newReorderedBuffer},
		{"log-after-input", 31, "the backup log is processed after new input",
			"a record on a back-edge at the barrier; a crash", "fifo", abs, newLogAfterInput},
		{"log-twice", 32, "the backup log is processed twice",
			"a record on a back-edge at the barrier; a crash", "fifo", abs, newLogTwice},
		{"log-ignored", 51, "the backup log is not processed",
			"a record on a back-edge at the barrier; a crash", "fifo", abs, newLogIgnored},
	}
}

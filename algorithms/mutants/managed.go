package mutants

// Managed is every mutant that shows only where a coordinator takes checkpoints, sorted
// by number: wrong coordinators, for right tasks, and wrong tasks, for a right
// coordinator.
func Managed() []Mutant {
	return []Mutant{
		{Name: "barriers-counted", Number: 21, Doc: "barriers are counted, and their ids ignored",
			Needs: "a checkpoint that is aborted when its barrier has come on some inputs only", Catches: "channel-state", Base: abs, New: newBarriersCounted},
		{Name: "skipped-record", Number: 30, Doc: "after a restore a source leaves its first record out",
			Needs: "a crash; records from outside after it", Catches: "recovery", Base: abs, New: newSkippedRecord},
		{Name: "surviving-messages", Number: 33, Doc: "what a source had in flight at the barrier is sent again after a restore",
			Needs: "a crash", Catches: "recovery", Base: abs, New: newSurvivingMessages},
		{Name: "sinks-alone", Number: 34, Doc: "a checkpoint is complete when the last task has acknowledged",
			Needs: "parts that are written slowly", Catches: "coordinator", Base: abs, Coordinator: newSinksAlone},
		{Name: "early-ack", Number: 35, Doc: "a task acknowledges before its part is durable",
			Needs: "any checkpoint", Catches: "coordinator", Base: abs, New: newEarlyAck},
		{Name: "late-ack", Number: 36, Doc: "an acknowledgement that comes late counts for the checkpoint that is pending",
			Needs: "a checkpoint that is aborted, and acknowledgements on the way", Catches: "coordinator", Base: abs, Coordinator: newLateAck},
		{Name: "old-attempt", Number: 37, Doc: "what is pending goes on over a restore, and acknowledgements of the old attempt count",
			Needs: "a crash, and acknowledgements on the way", Catches: "coordinator", Base: abs, Coordinator: newOldAttempt},
		{Name: "newest-triggered", Number: 38, Doc: "the newest checkpoint that has begun is restored",
			Needs: "a crash while a checkpoint is pending", Catches: "coordinator", Base: abs, Coordinator: newNewestTriggered},
		{Name: "retires-early", Number: 39, Doc: "what is stored is deleted when the next checkpoint begins",
			Needs: "two checkpoints", Catches: "coordinator", Base: abs, Coordinator: newRetiresEarly},
		{Name: "shared-purged", Number: 40, Doc: "what was written with the oldest checkpoint is deleted, and later ones share some of it",
			Needs: "incremental checkpoints, and states that stay in part as they were", Catches: "coordinator", Base: abs, Coordinator: newSharedPurged},
		{Name: "blocked-after-abort", Number: 44, Doc: "inputs that are blocked for a checkpoint stay so when it is aborted",
			Needs: "a checkpoint that is aborted, and a barrier of it that never comes", Catches: "termination", Base: abs, New: newBlockedAfterAbort},
		{Name: "ended-awaited", Number: 45, Doc: "barriers are awaited on inputs that have ended",
			Needs: "sources of which one ends earlier; no timeout", Catches: "termination", Base: abs, New: newEndedAwaited},
		{Name: "one-ack-missing", Number: 47, Doc: "the metadata is published when one handle is missing",
			Needs: "any checkpoint", Catches: "coordinator", Base: abs, Coordinator: newOneAckMissing},
		{Name: "late-timeout", Number: 48, Doc: "a timeout aborts a checkpoint that is complete",
			Needs: "a run that goes on for longer than the timeout", Catches: "coordinator", Base: abs, Coordinator: newLateTimeout},
		{Name: "reused-id", Number: 49, Doc: "after a restore the ids of what was given up are used again",
			Needs: "a crash while a checkpoint is pending", Catches: "coordinator", Base: abs, Coordinator: newReusedID},
		{Name: "seen-tasks", Number: 50, Doc: "only tasks that have written a part before are waited for",
			Needs: "any checkpoint", Catches: "coordinator", Base: abs, Coordinator: newSeenTasks},
		{Name: "newest-parts", Number: 70, Doc: "every task is restored from the newest part that it has written",
			Needs: "a crash while a checkpoint is pending, of which some parts are written", Catches: "coordinator", Base: abs, Coordinator: newNewestParts},
		{Name: "repeated-record", Number: 71, Doc: "after a restore a source processes the last record before the barrier again",
			Needs: "a crash; records from outside before the barrier", Catches: "recovery", Base: abs, New: newRepeatedRecord},
		{Name: "acks-counted", Number: 72, Doc: "acknowledgements are counted, and not whose they are",
			Needs: "control messages that come twice", Catches: "coordinator", Base: abs, Coordinator: newAcksCounted},
		{Name: "early-end", Number: 75, Doc: "a task ends its outputs when the first of its inputs has ended",
			Needs: "a task with two inputs, of which one ends earlier", Catches: "fifo", Base: abs, New: newEarlyEnd},
	}
}

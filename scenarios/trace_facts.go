package scenarios

import "simrun/sim"

// What a coordinator, the store, transactional sinks and the control channels do, as
// lines of a trace have it.
var (
	coordinatorDid = map[sim.FactKind]string{
		sim.FactStarted: "started", sim.FactFailed: "crashed", sim.FactAlarm: "alarm", sim.FactNoticed: "noticed", sim.FactUnreadable: "unreadable",
		sim.FactBegan: "began", sim.FactAborted: "aborted", sim.FactPublished: "published", sim.FactRetired: "retired",
		sim.FactRestore: "ordered-restore", sim.FactGaveUp: "gave-up",
	}
	storeDid = map[sim.FactKind]string{
		sim.FactStored: "stored", sim.FactLost: "lost", sim.FactDiscarded: "discarded",
		sim.FactShared: "shared", sim.FactDamaged: "damaged", sim.FactPurged: "purged",
	}
	sinkDid    = map[sim.FactKind]string{sim.FactCommitted: "committed", sim.FactRepeated: "repeated"}
	controlDid = map[sim.FactKind]string{
		sim.FactTold: "told", sim.FactHeard: "heard", sim.FactReplied: "replied", sim.FactReceived: "received", sim.FactDropped: "lost",
	}
	controlNames = [...]string{sim.Trigger: "trigger", sim.Cancel: "cancel", sim.Notify: "notify", sim.Acknowledge: "acknowledge", sim.Decline: "decline", sim.Finished: "finished", sim.NotReady: "not-ready", sim.Remind: "remind", sim.Confirm: "confirm"}
)

// FactWords are the words that a trace has for a fact: the kind of the line, and what was
// done.
func FactWords(f *sim.Fact) (kind, did string) {
	if did := storeDid[f.Kind]; did != "" {
		return "store", did
	}
	if did := sinkDid[f.Kind]; did != "" {
		return "sink", did
	}
	if did := controlDid[f.Kind]; did != "" {
		return "control", did
	}
	if f.Kind == sim.FactBegan && f.Number == 1 {
		return "coordinator", "began-savepoint"
	}
	return "coordinator", coordinatorDid[f.Kind]
}

// ControlWord is the word that a trace has for a control message.
func ControlWord(c *sim.Control) string { return controlNames[c.Kind] }

// fact begins a line about a coordinator, its store, its channels, or a transaction.
func (t *tracer) fact(ev *sim.Event) {
	f := ev.Fact
	kind, did := FactWords(f)
	t.begin(kind, ev)
	t.raw("did", asJSON(did))
	t.field("snapshot", int64(f.ID))
	switch kind {
	case "store":
		t.field("handle", int64(f.Control.Handle))
	case "sink":
		t.field("records", int64(f.Number))
	case "control":
		t.field("number", int64(f.Number))
		t.raw("message", asJSON(ControlWord(&f.Control)))
		t.field("attempt", int64(f.Control.Attempt))
		t.field("handle", int64(f.Control.Handle))
	case "coordinator":
		alarm := int64(f.Number)
		if f.Kind == sim.FactBegan { // where it says whether it is a savepoint
			alarm = 0
		}
		t.field("alarm", alarm)
	}
}

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

// fact begins a line about a coordinator, its store, its channels, or a transaction.
func (t *tracer) fact(ev *sim.Event) {
	f := ev.Fact
	begin := func(kind, did string) {
		t.begin(kind, ev)
		t.raw("did", asJSON(did))
		t.field("snapshot", int64(f.ID))
	}
	if did := storeDid[f.Kind]; did != "" {
		begin("store", did)
		t.field("handle", int64(f.Control.Handle))
		return
	}
	if did := sinkDid[f.Kind]; did != "" {
		begin("sink", did)
		t.field("records", int64(f.Number))
		return
	}
	if did := controlDid[f.Kind]; did != "" {
		begin("control", did)
		t.field("number", int64(f.Number))
		t.raw("message", asJSON(controlNames[f.Control.Kind]))
		t.field("attempt", int64(f.Control.Attempt))
		t.field("handle", int64(f.Control.Handle))
		return
	}
	did, alarm := coordinatorDid[f.Kind], int64(f.Number)
	if f.Kind == sim.FactBegan && f.Number == 1 {
		did, alarm = "began-savepoint", 0
	}
	begin("coordinator", did)
	t.field("alarm", alarm)
}

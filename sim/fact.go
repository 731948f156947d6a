package sim

// Fact is something that the coordinator, the control channels or the store did. Facts
// stand in the order in which they happened.
type Fact struct {
	At      int64
	Row     int // History.Rows had so many rows, if rows are on
	Kind    FactKind
	Task    int32  // -1: none in particular
	Number  uint32 // of a message on its control channel, from 1
	ID      SnapshotID
	Control Control
}

// FactKind is what a Fact tells.
type FactKind uint8

const (
	FactStarted    FactKind = iota // the coordinator
	FactFailed                     // the coordinator has crashed
	FactBegan                      // ID; Number is 1 of a savepoint
	FactAborted                    // ID
	FactPublished                  // ID: its metadata is durable
	FactRetired                    // ID: its metadata is deleted
	FactDiscarded                  // Task, ID, Control.Handle: a part is deleted
	FactStored                     // Task, ID, Control.Handle: a part is durable
	FactLost                       // Task, ID: the store has failed to write a part
	FactTold                       // Task, Number, Control: the coordinator sent it
	FactHeard                      // likewise: the task was given it
	FactReplied                    // likewise: the task sent it
	FactReceived                   // likewise: the coordinator was given it
	FactDropped                    // likewise: it was lost, or came to somebody who was down
	FactNoticed                    // Task: the coordinator was told that it has crashed
	FactRestore                    // ID: the coordinator has ordered it
	FactUnreadable                 // ID: it cannot be restored from
	FactAlarm                      // Number: the alarm of the coordinator's that goes off
	FactGaveUp                     // the coordinator restores the graph no more
	FactCommitted                  // Task, ID: its transaction; Number of records have left
	FactRepeated                   // Task, ID: its transaction is committed again; nothing has left
	FactShared                     // Task, ID, Control.Handle: a part that is stored refers to chunks that were written with part Number
	FactDamaged                    // Task, ID, Control.Handle: of a part that counts as durable only the first Number bytes are there
	FactPurged                     // Task, ID, Control.Handle: every chunk that was written with a part is deleted
	FactAdopted                    // Task, ID, Control.Handle: the store has this part as the run begins with it; without a task ID: and its metadata
)

// fact notes a Fact.
func (e *Engine) fact(f Fact) {
	f.At, f.Row = e.now, len(e.history.Rows)
	e.history.Facts = append(e.history.Facts, f)
	if e.observer != nil {
		e.observe(Event{Kind: EventFact, Node: f.Task, Snapshot: f.ID, Fact: &f})
	}
	e.digest = fold(e.digest, 0xe<<60|uint64(f.Kind)<<32|uint64(uint32(f.Task)),
		(uint64(f.ID)<<32|uint64(f.Number))^uint64(f.Control.Kind)<<8^uint64(f.Control.Attempt)^uint64(f.Control.ID)<<40^uint64(f.Control.Handle)<<16^bit(f.Control.Finished)<<15^uint64(e.now)*mixEntity)
}

package sim

// codeHistory codes what has happened so far.
func (e *Engine) codeHistory(x *codec) {
	h := &e.history
	list(x, &h.Rows, func(x *codec, r *Row) {
		word(x, &r.head)
		word(x, &r.Number)
		word(x, &r.Hash)
	})
	list(x, &h.Snapshots, func(x *codec, s **Snapshot) {
		if x.loading {
			*s = new(Snapshot)
		}
		(*s).code(x)
	})
	h.From = e.codeSnapshotRef(x, h.From)
	list(x, &h.Restores, e.codeRestore)
	list(x, &h.Breaches, func(x *codec, b *Breach) {
		word(x, &b.At)
		word(x, &b.Row)
		word(x, &b.Channel)
		word(x, &b.Incarnation)
		word(x, &b.Number)
		word(x, &b.Next)
		word(x, &b.SentIncarnation)
		x.flag(&b.Dropped)
	})
	list(x, &h.Behind, func(x *codec, b *Behind) {
		word(x, &b.At)
		word(x, &b.Row)
		word(x, &b.Channel)
		word(x, &b.Incarnation)
		word(x, &b.Number)
		word(x, &b.Marker)
	})
	list(x, &h.Crashes, func(x *codec, c *Crash) {
		word(x, &c.At)
		word(x, &c.Node)
		word(x, &c.Fault)
	})
	list(x, &h.Facts, func(x *codec, f *Fact) {
		word(x, &f.At)
		word(x, &f.Row)
		word(x, &f.Kind)
		word(x, &f.Task)
		word(x, &f.Number)
		word(x, &f.ID)
		codeControl(x, &f.Control)
	})
	list(x, &h.Published, codeMetadata)
	word(x, &h.Written)
	x.flag(&h.HeldBack)
	word(x, &h.End)
	word(x, &h.Deliveries)
}

func (s *Snapshot) code(x *codec) {
	word(x, &s.ID)
	word(x, &s.Status)
	x.flag(&s.Savepoint)
	word(x, &s.Incarnation)
	for _, p := range []*int64{&s.TriggeredAt, &s.StartedAt, &s.CompletedAt, &s.Markers, &s.BlockedFor} {
		word(x, p)
	}
	list(x, &s.Initiators, word)
	list(x, &s.States, (*codec).bytes)
	list(x, &s.Attached, (*codec).bytes)
	list(x, &s.Channels, codeContents)
	list(x, &s.Logs, func(x *codec, log *[]LogEntry) { list(x, log, codeLogEntry) })
	list(x, &s.DoneAt, word)
	list(x, &s.Durable, (*codec).flag)
	list(x, &s.Recordings, codeRecording)
	list(x, &s.Sent, word)
	list(x, &s.Processed, word)
	list(x, &s.Marked, (*codec).flag)
	list(x, &s.Gaps, codeNumbers)
	list(x, &s.LostOn, word)
	list(x, &s.Twice, word)
	word(x, &s.Steps)
	list(x, &s.Struck, word)
	list(x, &s.Limits, word)
	s.codeCoordinated(x)
	word(x, &s.parts)
	list(x, &s.reached, word)
	list(x, &s.unread, (*codec).flag)
}

func (e *Engine) codeRestore(x *codec, r *Restore) {
	for _, p := range []*int64{&r.At, &r.CrashedAt, &r.LostProcessed, &r.LostExternal, &r.Replayed, &r.Dropped} {
		word(x, p)
	}
	x.flag(&r.HeldBack)
	word(x, &r.Row)
	word(x, &r.Incarnation)
	r.Snapshot = e.codeSnapshotRef(x, r.Snapshot)
	list(x, &r.Crashed, word)
	list(x, &r.Aborted, word)
	list(x, &r.Partial, word)
	list(x, &r.States, (*codec).bytes)
	list(x, &r.Offsets, word)
	list(x, &r.Timers, codeTimers)
	list(x, &r.Requeued, codeContents)
	list(x, &r.Logged, codeContents)
}

func codeLogEntry(x *codec, l *LogEntry) {
	word(x, &l.Channel)
	word(x, &l.Index)
}

func codeRecording(x *codec, r *Recording) {
	word(x, &r.Seq)
	word(x, &r.Row)
	word(x, &r.At)
	word(x, &r.Offset)
	codeTimers(x, &r.Timers)
}

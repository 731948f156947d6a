package sim

func codeControl(x *codec, c *Control) {
	word(x, &c.Kind)
	word(x, &c.Attempt)
	word(x, &c.ID)
	word(x, &c.Handle)
	x.flag(&c.Finished)
}

func codeMetadata(x *codec, m *Metadata) {
	word(x, &m.ID)
	word(x, &m.Attempt)
	x.flag(&m.Savepoint)
	list(x, &m.Handles, word)
	list(x, &m.Finished, (*codec).flag)
}

// codeManagement codes the coordinator, its channels and the store.
func (e *Engine) codeManagement(x *codec) {
	m := e.management
	if m == nil {
		return
	}
	list(x, &m.lines, func(x *codec, l *line) {
		word(x, &l.sent)
		word(x, &l.keys)
		word(x, &l.last)
		list(x, &l.letters, func(x *codec, a *letter) {
			word(x, &a.key)
			word(x, &a.number)
			word(x, &a.due)
			codeControl(x, &a.control)
		})
	})
	list(x, &m.alarms, codeTimer)
	list(x, &m.parts, codePart)
	list(x, &m.chunks, codePiece)
	list(x, &m.newest, word)
	list(x, &m.metadata, codeMetadata)
	list(x, &m.publishing, codeMetadata)
	word(x, &m.last)
	word(x, &m.restoring)
	word(x, &m.upAgain)
	word(x, &m.restedAt)
	for _, p := range []*bool{&m.down, &m.again, &m.ordered, &m.partial} {
		x.flag(p)
	}
	if m.down {
		m.coordinator = nil
		return
	}
	if m.coordinator == nil {
		m.coordinator = e.cfg.Management.New()
	}
	x.part(m.coordinator.Save, m.coordinator.Load)
}

func (s *Snapshot) codeCoordinated(x *codec) {
	there := s.Coordinated != nil
	x.flag(&there)
	if !there {
		s.Coordinated = nil
		return
	}
	if x.loading {
		s.Coordinated = new(Coordinated)
	}
	k := s.Coordinated
	word(x, &k.Last)
	x.flag(&k.Savepoint)
	x.flag(&k.Restorable)
	list(x, &k.Committed, func(x *codec, ids *[]SnapshotID) { list(x, ids, word) })
}

func codePart(x *codec, p *part) {
	word(x, &p.node)
	word(x, &p.id)
	x.flag(&p.deleted)
	x.flag(&p.cut)
	word(x, &p.before)
	word(x, &p.rest)
	codeNumbers(x, &p.chunks)
	x.bytes(&p.attached)
	list(x, &p.channels, codeContents)
	list(x, &p.log, codeLogEntry)
	codeRecording(x, &p.recording)
	codeNumbers(x, &p.sent)
	codeNumbers(x, &p.processed)
	list(x, &p.gaps, codeNumbers)
}

func codePiece(x *codec, c *piece) {
	x.bytes(&c.data)
	word(x, &c.left)
	word(x, &c.parts)
	word(x, &c.owner)
	x.flag(&c.gone)
}

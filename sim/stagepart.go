package sim

import "fmt"

// Look is what can be read off a part.
type Look struct {
	Steps    []Step   // what the node can do that is no delivery, in a fixed order
	Shut     []bool   // by input: nothing is handed over, as it is blocked or an empty self-loop
	Refuses  []bool   // by input: no message is, only a marker
	Handed   []uint32 // by input: how many items were handed over so far
	Messages []uint32 // by input: how many of them are messages
	Durable  uint64   // bit s-1: the node's share of snapshot s is durable, or the snapshot forgotten
	Shares   [][]byte // of each snapshot, with what a verdict on it depends on
	Strayed  bool     // a delivery was not the next of its channel
	Withheld bool     // what the App produced did not leave in the handler that let it step
}

// Look reads a part of node v.
func (g *Stage) Look(v int32, part []byte) Look {
	g.load(v, part)
	e, n := g.e, &g.nodes[v]
	look := Look{Strayed: n.strayed, Withheld: n.withheld}
	if e.sources != nil {
		if _, ok := e.nextRelease(&e.sources[v]); ok {
			look.Steps = append(look.Steps, Step{Kind: StepExternal, Entity: v})
		}
	}
	for _, t := range e.timers[v] {
		look.Steps = append(look.Steps, Step{Kind: StepTimer, Entity: v, Index: t.ID})
	}
	if len(n.orders) > 0 {
		look.Steps = append(look.Steps, Step{Kind: StepInitiate, Entity: v, Index: uint32(n.orders[0])})
	}
	for k, s := range e.history.Snapshots {
		switch {
		case s.Status != Pending || s.Durable[v]:
			look.Durable |= 1 << k
		case s.DoneAt[v] >= 0:
			look.Steps = append(look.Steps, Step{Kind: StepWrite, Entity: v, Index: uint32(s.ID)})
		}
	}
	for i := range e.nodes[v].inputs {
		c := e.input(v, i)
		empty := g.from[c] == v && g.channels[c].put == g.channels[c].handed
		look.Shut = append(look.Shut, empty || e.channels[c].flags&blocked != 0)
		look.Refuses = append(look.Refuses, e.channels[c].flags&guarded != 0 && !e.guards[v].Accepts(Input(i)))
		look.Handed = append(look.Handed, g.channels[c].handed)
		look.Messages = append(look.Messages, g.channels[c].messages)
	}
	for k, s := range e.history.Snapshots {
		x := codec{}
		if s.Status == Pending {
			g.codeShare(&x, v, k, s)
		}
		look.Shares = append(look.Shares, x.buf)
	}
	return look
}

// Forget is a part of node v without its share of the snapshots, all of which must be
// complete: no step depends on it any more.
func (g *Stage) Forget(v int32, part []byte) []byte {
	g.load(v, part)
	for _, s := range g.e.history.Snapshots {
		s.Status = Complete
	}
	return g.part(v)
}

// part is the part of node v.
func (g *Stage) part(v int32) []byte {
	x := codec{}
	g.codePart(&x, v)
	g.codeShares(&x, v)
	return x.buf
}

// load puts a part of node v on the stage, and nothing else there.
func (g *Stage) load(v int32, part []byte) {
	e := g.e
	e.pool.reset(0)
	e.ready = ready{entities: e.ready.entities[:0], others: e.ready.others[:0], engine: e}
	e.now, e.steps, e.dataInFlight, e.history.Breaches = 0, 0, 0, nil
	for c := range e.channels {
		ch := &e.channels[c]
		ch.head, ch.tail, ch.flags = 0, 0, ch.flags&guarded
	}
	x := codec{buf: part, loading: true}
	g.codePart(&x, v)
	g.codeShares(&x, v)
	if x.err != nil || len(x.buf) > 0 {
		panic(fmt.Sprintf("sim: node %d cannot load its own state: %v", v, x.err))
	}
}

// codePart codes what node v works with.
func (g *Stage) codePart(x *codec, v int32) {
	e, n := g.e, &g.nodes[v]
	x.part(e.nodes[v].app.Save, e.nodes[v].app.Load)
	x.part(e.nodes[v].algorithm.Save, e.nodes[v].algorithm.Load)
	if e.sources != nil {
		word(x, &e.sources[v].read)
		word(x, &e.sources[v].offset)
	}
	entries(x, &n.orders, word)
	x.flag(&n.strayed)
	x.flag(&n.withheld)
	entries(x, &e.timers[v], codeTimerID)
	entries(x, &e.gone[v], word)
	for i := range e.nodes[v].outs {
		c := e.output(v, i)
		word(x, &e.channels[c].sent)
		word(x, &g.channels[c].put)
	}
	for i := range e.nodes[v].inputs {
		c := e.input(v, i)
		ch := &e.channels[c]
		word(x, &ch.processed)
		word(x, &g.channels[c].handed)
		word(x, &g.channels[c].messages)
		entries(x, &g.channels[c].held, codeItem)
		by := SnapshotID(0)
		if ch.flags&blocked != 0 {
			by = e.blockedBy[c]
		}
		if word(x, &by); by != 0 {
			ch.flags |= blocked
			e.blockedBy[c] = by
		}
	}
}

// codeShares codes node v's share of every snapshot. Of one that is complete there is
// none: what was recorded has been judged and is not looked at again.
func (g *Stage) codeShares(x *codec, v int32) {
	g.e.recordings = 0
	for k, s := range g.e.history.Snapshots {
		if word(x, &s.Status); s.Status == Pending {
			g.codeShare(x, v, k, s)
		}
	}
}

func (g *Stage) codeShare(x *codec, v int32, k int, s *Snapshot) {
	e, r := g.e, &s.Recordings[v]
	rank := g.rank(v, r.Seq)
	if word(x, &rank); x.loading {
		r.Seq, s.StartedAt = rank, int64(rank)-1
		e.recordings = max(e.recordings, rank)
		s.parts = len(e.nodes) + 1 // whether all are durable is for others to say
	}
	done, twice := s.DoneAt[v] >= 0, len(s.Twice) > 0
	x.flag(&done)
	x.flag(&twice)
	if s.DoneAt[v] = -1; done {
		s.DoneAt[v] = 0
	}
	if s.Twice = nil; twice {
		s.Twice = []int32{v}
	}
	x.flag(&s.Durable[v])
	x.flag(&s.unread[v])
	x.bytes(&s.States[v])
	x.bytes(&g.nodes[v].states[k])
	x.bytes(&s.Attached[v])
	word(x, &r.Offset)
	entries(x, &r.Timers, codeTimerID)
	for i := range e.nodes[v].outs {
		word(x, &s.Sent[e.output(v, i)])
	}
	for i := range e.nodes[v].inputs {
		c := e.input(v, i)
		word(x, &s.Processed[c])
		entries(x, &s.Channels[c], codeRecorded)
		entries(x, &g.channels[c].crossing[k], codeItem)
	}
	entries(x, &s.Logs[v], codeLogEntry)
}

// rank is the place of a recording among those of node v, from 1; 0 for none.
func (g *Stage) rank(v int32, seq uint32) (rank uint32) {
	for _, s := range g.e.history.Snapshots {
		if other := s.Recordings[v].Seq; s.Status == Pending && other != 0 && other <= seq {
			rank++
		}
	}
	return rank
}

// codeTimerID codes an armed timer by its id alone: in chosen order when it is due means
// nothing.
func codeTimerID(x *codec, t *ArmedTimer) {
	if word(x, &t.ID); x.loading {
		t.Due = 0
	}
}

func codeItem(x *codec, i *Item) {
	codeMessage(x, &i.Message)
	word(x, &i.Position)
	word(x, &i.Messages)
	word(x, &i.After)
}

// entries codes a slice whose being nil says nothing but that it is empty.
func entries[T any](x *codec, p *[]T, entry func(*codec, *T)) {
	if len(*p) == 0 {
		*p = nil
	}
	list(x, p, entry)
}

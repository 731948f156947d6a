package invariants

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"simrun/sim"
)

// trader is the App of these tests: it holds money, pays some when it is told to
// by an External record, sometimes arms a timer to pay more, passes part of what
// it receives on, and emits a record for every payment received. What it does
// depends on its random word, so a state that is wrong shows soon.
type trader struct {
	outputs int
	balance int64
	weight  uint64
	word    sim.Word
}

func (a *trader) pay(fx *sim.Effects, key uint64, amount int64) {
	if amount = min(amount, a.balance); a.outputs == 0 || amount == 0 {
		return
	}
	share := a.word.Next()
	a.balance -= amount
	a.weight -= share
	fx.Send(int32(a.word.Below(a.outputs)), key, amount, share)
}

func (a *trader) Step(in sim.Input, m sim.Message, fx *sim.Effects) {
	switch in {
	case sim.External:
		a.pay(fx, m.Key, m.Value)
		if m.Key%2 == 1 {
			fx.SetTimer(uint32(m.Key%3), 5)
		}
	case sim.Timer:
		a.pay(fx, 1, 1+int64(m.Key))
	default:
		a.balance += m.Value
		a.weight += m.Aux
		fx.Emit(m.Key, m.Value, uint64(a.balance))
		if m.Key > 0 {
			a.pay(fx, m.Key-1, 1+m.Value/2)
		}
	}
}

func (a *trader) Save(buf []byte) []byte {
	buf = binary.LittleEndian.AppendUint64(buf, uint64(a.balance))
	buf = binary.LittleEndian.AppendUint64(buf, a.weight)
	return binary.LittleEndian.AppendUint64(buf, uint64(a.word))
}

func (a *trader) Load(state []byte) error {
	if len(state) != 24 {
		return errors.New("a trader's state has 24 bytes")
	}
	a.balance = int64(binary.LittleEndian.Uint64(state))
	a.weight = binary.LittleEndian.Uint64(state[8:])
	a.word = sim.Word(binary.LittleEndian.Uint64(state[16:]))
	return nil
}

func (a *trader) Holding() (int64, uint64)              { return a.balance, a.weight }
func (a *trader) Carried(m sim.Message) (int64, uint64) { return m.Value, m.Aux }

// tips is the Source of these tests.
type tips struct{ node int32 }

func (s tips) Record(k uint64) (sim.Message, int64, bool) {
	u := sim.Draw(7, sim.ForSource, s.node, 0, k)
	return sim.Message{Key: u % 5, Value: 1 + int64(u>>8%20), Aux: k}, int64(k), true
}

// graphOf makes a graph of (from, to) pairs.
func graphOf(nodes int, pairs ...[2]int32) sim.Graph {
	g := sim.Graph{Nodes: nodes}
	for _, p := range pairs {
		g.From, g.To = append(g.From, p[0]), append(g.To, p[1])
	}
	return g
}

// play is a toy engine without algorithms: a test tells it what happens next, and
// it writes the History of that.
type play struct {
	g         sim.Graph
	h         *sim.History
	run       *Run
	apps      []sim.App
	log       [][]sim.Recorded // by channel: all that was sent in the stitched run
	processed []uint32
	offsets   []uint64
	timers    [][]sim.ArmedTimer
	emitted   []uint32
	down      []int32
	inc       uint8
	seq       uint32
	now       int64
	fx        sim.Effects
	held      [][]sim.Send // by node: produced while holding
	holding   bool         // outputs stay in their node until release
}

func newPlay(g sim.Graph) *play {
	p := &play{g: g, h: &sim.History{Rows: []sim.Row{}}}
	p.run = &Run{
		Graph: g, History: p.h,
		NewApp: func(v int32) sim.App {
			a := &trader{balance: 200, weight: sim.Draw(1, sim.ForApp, v, 0, 0), word: sim.Word(v)}
			for _, from := range g.From {
				if from == v {
					a.outputs++
				}
			}
			return a
		},
		NewSource: func(v int32) sim.Source { return tips{v} },
		NodeName:  func(v int32) string { return string(rune('A' + v)) },
	}
	p.run.ChannelName = func(ch int32) string {
		return fmt.Sprintf("%s->%s", p.run.NodeName(g.From[ch]), p.run.NodeName(g.To[ch]))
	}
	p.emitted = make([]uint32, g.Nodes)
	p.held = make([][]sim.Send, g.Nodes)
	p.reset()
	return p
}

func (p *play) reset() {
	p.apps = nil
	for v := range int32(p.g.Nodes) {
		p.apps = append(p.apps, p.run.NewApp(v))
	}
	p.log, p.processed = make([][]sim.Recorded, len(p.g.From)), make([]uint32, len(p.g.From))
	p.offsets, p.timers = make([]uint64, p.g.Nodes), make([][]sim.ArmedTimer, p.g.Nodes)
}

func (p *play) row(kind sim.RowKind, entity int32, number uint32, hash uint64) {
	p.h.Rows = append(p.h.Rows, sim.NewRow(kind, entity, number, hash))
	p.now++
}

func (p *play) step(v int32, in sim.Input, m sim.Message) {
	p.fx.Reset()
	p.apps[v].Step(in, m, &p.fx)
	p.fx.Timers(func(id uint32, after int64) {
		p.timers[v] = slices.DeleteFunc(p.timers[v], func(t sim.ArmedTimer) bool { return t.ID == id })
		p.timers[v] = append(p.timers[v], sim.ArmedTimer{ID: id, Due: p.now + after})
		slices.SortFunc(p.timers[v], func(a, b sim.ArmedTimer) int { return int(a.ID) - int(b.ID) })
	})
	p.held[v] = append(p.held[v], p.fx.Sends()...)
	if p.holding {
		p.run.HoldsOutputs = true
	} else {
		p.release(v)
	}
}

// release lets go what a node's App has produced.
func (p *play) release(v int32) {
	for _, s := range p.held[v] {
		if s.Output == sim.Sink {
			p.emitted[v]++
			p.row(sim.RowEmit, v, p.emitted[v], s.Hash())
			continue
		}
		ch := p.channelsOf(p.g.From, v)[s.Output]
		n := uint32(len(p.log[ch]) + 1)
		p.log[ch] = append(p.log[ch], sim.Recorded{Message: s.Message, Number: n, Incarnation: p.inc})
		p.row(sim.RowSend, ch, n, s.Hash())
	}
	p.held[v] = nil
}

func (p *play) channelsOf(ends []int32, v int32) (ids []int32) {
	for ch, end := range ends {
		if end == v {
			ids = append(ids, int32(ch))
		}
	}
	return ids
}

func (p *play) external(v int32) {
	m, _, _ := p.run.NewSource(v).Record(p.offsets[v])
	p.offsets[v]++
	p.row(sim.RowExternal, v, uint32(p.offsets[v]), m.Hash())
	p.step(v, sim.External, m)
}

func (p *play) timer(v int32, id uint32) {
	p.timers[v] = slices.DeleteFunc(p.timers[v], func(t sim.ArmedTimer) bool { return t.ID == id })
	p.row(sim.RowTimer, v, id, 0)
	p.step(v, sim.Timer, sim.Message{Key: uint64(id)})
}

// process delivers the next message of a channel, if there is one.
func (p *play) process(ch int32) {
	if int(p.processed[ch]) >= len(p.log[ch]) {
		return
	}
	m := p.log[ch][p.processed[ch]].Message
	p.processed[ch]++
	p.row(sim.RowProcess, ch, p.processed[ch], m.Hash())
	in := slices.Index(p.channelsOf(p.g.To, p.g.To[ch]), ch)
	p.step(p.g.To[ch], sim.Input(in), m)
}

// trigger begins a snapshot.
func (p *play) trigger(initiators ...int32) *sim.Snapshot {
	n, c := p.g.Nodes, len(p.g.From)
	s := &sim.Snapshot{
		ID: sim.SnapshotID(len(p.h.Snapshots) + 1), Incarnation: p.inc, Initiators: initiators, TriggeredAt: p.now,
		StartedAt: -1, CompletedAt: -1,
		States: make([][]byte, n), Attached: make([][]byte, n), Logs: make([][]sim.LogEntry, n), DoneAt: make([]int64, n),
		Durable: make([]bool, n), Recordings: make([]sim.Recording, n), Channels: make([][]sim.Recorded, c),
		Sent: make([]uint32, c), Processed: make([]uint32, c), Marked: make([]bool, c),
	}
	for v := range s.DoneAt {
		s.DoneAt[v] = -1
	}
	p.h.Snapshots = append(p.h.Snapshots, s)
	return s
}

// record lets nodes record their state, and completes the snapshot when all have.
func (p *play) record(s *sim.Snapshot, nodes ...int32) {
	for _, v := range nodes {
		p.seq++
		if s.StartedAt < 0 {
			s.StartedAt = p.now
		}
		s.States[v] = p.apps[v].Save(nil)
		s.Recordings[v] = sim.Recording{Seq: p.seq, Row: len(p.h.Rows), At: p.now, Offset: p.offsets[v], Timers: slices.Clone(p.timers[v])}
		for _, ch := range p.channelsOf(p.g.From, v) {
			s.Sent[ch] = uint32(len(p.log[ch]))
		}
		for _, ch := range p.channelsOf(p.g.To, v) {
			s.Processed[ch] = p.processed[ch]
		}
		p.row(sim.RowRecord, v, uint32(s.ID), 0)
	}
	for v := range s.Recordings {
		if s.Recordings[v].Seq == 0 {
			return
		}
	}
	for ch := range s.Channels {
		if s.Processed[ch] < s.Sent[ch] {
			s.Channels[ch] = slices.Clone(p.log[ch][s.Processed[ch]:s.Sent[ch]])
		}
		s.Marked[ch] = true
	}
	for v := range s.DoneAt {
		s.DoneAt[v], s.Durable[v] = p.now, true
	}
	s.Status, s.CompletedAt = sim.Complete, p.now
	p.now++
}

func (p *play) crash(v int32) {
	p.h.Crashes = append(p.h.Crashes, sim.Crash{At: p.now, Node: v})
	p.row(sim.RowCrash, v, 0, 0)
	p.down = append(p.down, v)
}

// restore goes back to the newest complete snapshot.
func (p *play) restore() {
	var from *sim.Snapshot
	for _, s := range p.h.Snapshots {
		if s.Status == sim.Complete {
			from = s
		}
	}
	p.restoreTo(from)
}

func (p *play) restoreTo(s *sim.Snapshot) {
	r := sim.Restore{At: p.now, Row: len(p.h.Rows), Snapshot: s, Crashed: p.down}
	p.inc++
	r.Incarnation = p.inc
	for _, open := range p.h.Snapshots {
		if open.Status == sim.Pending {
			open.Status = sim.Aborted
			r.Aborted = append(r.Aborted, open.ID)
		}
	}
	p.measure(&r)
	reached, log := p.offsets, p.log
	p.reset()
	p.down, p.held = nil, make([][]sim.Send, p.g.Nodes)
	for v := range p.apps {
		if s != nil {
			p.apps[v].Load(s.States[v])
			p.offsets[v] = s.Recordings[v].Offset
			for _, t := range s.Recordings[v].Timers {
				p.timers[v] = append(p.timers[v], sim.ArmedTimer{ID: t.ID, Due: max(t.Due, p.now)})
			}
		}
		if p.run.Replay == sim.NoReplay {
			p.offsets[v] = reached[v]
		}
		r.States = append(r.States, p.apps[v].Save(nil))
		r.Timers = append(r.Timers, slices.Clone(p.timers[v]))
	}
	r.Offsets = slices.Clone(p.offsets)
	r.Requeued, r.Logged = make([][]sim.Recorded, len(p.g.From)), make([][]sim.Recorded, len(p.g.From))
	if s != nil {
		for ch := range p.log {
			p.log[ch] = slices.Clone(log[ch][:s.Sent[ch]])
			p.processed[ch] = s.Processed[ch]
			r.Requeued[ch] = s.Channels[ch]
		}
	}
	p.h.Restores = append(p.h.Restores, r)
	p.row(sim.RowRestore, 0, uint32(idOf(s)), 0)
}

// measure notes when the first crash was, and what a restore throws away and puts back.
func (p *play) measure(r *sim.Restore) {
	since := int64(0)
	if n := len(p.h.Restores); n > 0 {
		since = p.h.Restores[n-1].At
	}
	for _, crash := range slices.Backward(p.h.Crashes) {
		if crash.At >= since {
			r.CrashedAt = crash.At
		}
	}
	for ch := range p.processed {
		r.LostProcessed += int64(p.processed[ch])
		if r.Snapshot != nil {
			r.LostProcessed -= int64(r.Snapshot.Processed[ch])
			r.Replayed += int64(len(r.Snapshot.Channels[ch]))
		}
	}
	for v := range p.offsets {
		r.LostExternal += int64(p.offsets[v])
		if r.Snapshot != nil {
			r.LostExternal -= int64(r.Snapshot.Recordings[v].Offset)
		}
	}
}

// drain delivers everything that is in flight and fires every timer.
func (p *play) drain() {
	for moved := true; moved; {
		moved = false
		for ch := range p.log {
			for int(p.processed[ch]) < len(p.log[ch]) {
				p.process(int32(ch))
				moved = true
			}
		}
		for v := range p.timers {
			for len(p.timers[v]) > 0 {
				p.timer(int32(v), p.timers[v][0].ID)
				moved = true
			}
		}
	}
}

// end closes the History and returns the Run.
func (p *play) end() *Run {
	p.h.ApplicationDigest = sim.ApplicationDigest(p.h.Rows)
	p.h.EndedAt, p.h.Deliveries = p.now, 0
	for _, row := range p.h.Rows {
		if row.Kind() == sim.RowProcess {
			p.h.Deliveries++
		}
	}
	f := &p.h.Final
	f.Down, f.Offsets, f.Timers, f.Processed = p.down, p.offsets, p.timers, p.processed
	f.Read = slices.Clone(p.offsets)
	f.Markers, f.Blocked = make([]uint32, len(p.g.From)), make([]sim.SnapshotID, len(p.g.From))
	for v := range p.apps {
		f.States = append(f.States, p.apps[v].Save(nil))
	}
	for ch := range p.log {
		f.Sent = append(f.Sent, uint32(len(p.log[ch])))
		f.InFlight = append(f.InFlight, slices.Clone(p.log[ch][min(int(p.processed[ch]), len(p.log[ch])):]))
	}
	return p.run
}

package sim

import (
	"errors"
	"slices"
)

// Save appends the whole engine, history included, as it is between two steps.
// Load on an engine that New made from an equal Config goes on from there, to
// the same digests.
func (e *Engine) Save(buf []byte) []byte {
	x := &codec{buf: buf}
	e.code(x)
	return x.buf
}

// Load puts the engine where Save left another one. After an error the engine is
// of no further use.
func (e *Engine) Load(state []byte) error {
	x := &codec{buf: state, loading: true}
	e.restart()
	e.wheel.reset(0) // restart filed the first External records
	e.code(x)
	if x.err == nil && len(x.buf) > 0 {
		x.err = errors.New("sim: a saved engine is followed by something else")
	}
	return x.err
}

// Step carries out at least n more steps, or the run's last ones; it reports
// whether the run goes on. Run after it carries the run to its end.
func (e *Engine) Step(n int64) bool {
	e.takeUp()
	for target := e.steps + n; !e.ended && e.steps < target; {
		e.attend()
		e.alarm = min(e.alarm, target)
		if e.chosen {
			e.runChosen()
		} else {
			e.runTimed()
		}
	}
	return !e.ended
}

func (e *Engine) code(x *codec) {
	e.codeHistory(x)
	e.codeProgress(x)
	for v := range e.nodes {
		n := &e.nodes[v]
		x.part(n.app.Save, n.app.Load)
		x.part(n.algorithm.Save, n.algorithm.Load)
		word(x, &n.busyUntil)
		word(x, &n.served)
		word(x, &n.flags)
	}
	for v := range e.sources {
		s := &e.sources[v]
		word(x, &s.read)
		word(x, &s.offset)
		word(x, &s.limit)
		word(x, &s.reached)
		word(x, &s.at)
		word(x, &s.position)
	}
	for c := range e.channels {
		ch := &e.channels[c]
		word(x, &ch.head)
		word(x, &ch.tail)
		word(x, &ch.position)
		word(x, &ch.sent)
		word(x, &ch.processed)
		word(x, &ch.flags)
	}
	for _, l := range e.loose {
		if l != nil {
			l.code(x)
		}
	}
	list(x, &e.pool.slots, codeEnvelope)
	word(x, &e.pool.free)
	list(x, &e.timers, codeTimers)
	list(x, &e.gone, codeNumbers)
	list(x, &e.emitted, word)
	list(x, &e.committed, func(x *codec, ids *[]SnapshotID) { list(x, ids, word) })
	list(x, &e.blockedSince, word)
	list(x, &e.blockedBy, word)
	list(x, &e.again, word)
	e.codeManagement(x)
	e.codeAgenda(x)
}

// codeProgress codes the single values.
func (e *Engine) codeProgress(x *codec) {
	for _, p := range []*int64{
		&e.now, &e.steps, &e.nextEvery, &e.dataInFlight, &e.restoredAt, &e.restoreAt, &e.firstCrash, &e.records,
	} {
		word(x, p)
	}
	word(x, &e.incarnation)
	word(x, &e.digest)
	word(x, &e.appDigest)
	word(x, &e.digestAtTrigger)
	word(x, &e.recordings)
	word(x, &e.triggered)
	word(x, &e.triggers)
	word(x, &e.blockedChannels)
	word(x, &e.phaseFaults)
	for _, p := range []*bool{&e.recovering, &e.phaseWatch, &e.stopped, &e.ended} {
		x.flag(p)
	}
	list(x, &e.down, word)
	list(x, &e.faults, func(x *codec, f *faultState) {
		x.flag(&f.fired)
		x.flag(&f.armed)
		word(x, &f.seen)
		word(x, &f.left)
	})
	list(x, &e.doomed, func(x *codec, d *doom) {
		word(x, &d.node)
		word(x, &d.fault)
	})
	e.newest = e.codeSnapshotRef(x, e.newest)
	list(x, &e.open, func(x *codec, s **Snapshot) { *s = e.codeSnapshotRef(x, *s) })
	e.streams()
}

func codeEnvelope(x *codec, m *envelope) {
	word(x, &m.when)
	word(x, &m.key)
	word(x, &m.value)
	word(x, &m.aux)
	word(x, &m.number)
	word(x, &m.tail)
}

// codeAgenda codes what is due: of the wheel, which entities are filed in it.
func (e *Engine) codeAgenda(x *codec) {
	w := &e.wheel
	word(x, &w.horizon)
	word(x, &w.base)
	x.flag(&w.folded)
	var filed []int32
	batch := slices.Clone(w.batch[w.next:])
	if !x.loading {
		filed = w.filed()
	}
	list(x, &batch, word)
	list(x, &filed, word)
	word(x, &e.diary.seq)
	list(x, &e.diary.heap, func(x *codec, a *appointment) {
		word(x, &a.at)
		word(x, &a.class)
		word(x, &a.entity)
		word(x, &a.seq)
		word(x, &a.index)
	})
	list(x, &e.waiting, func(x *codec, queue *[]waiter) {
		list(x, queue, func(x *codec, w *waiter) {
			word(x, &w.due)
			word(x, &w.class)
			word(x, &w.entity)
			word(x, &w.index)
		})
	})
	list(x, &e.ready.entities, word)
	list(x, &e.ready.others, codeStep)
	list(x, &e.ready.orders, codeStep)
	e.offer()
	if x.loading && x.err == nil {
		w.batch, w.next = batch, 0
		for _, entity := range filed {
			w.insert(e, entity, e.dueOf(entity))
		}
	}
}

func codeStep(x *codec, s *Step) {
	word(x, &s.Kind)
	word(x, &s.Entity)
	word(x, &s.Index)
}

// filed lists the entities that wait in the slots.
func (w *wheel) filed() (entities []int32) {
	for level := range w.slots {
		for _, i := range w.slots[level] {
			for ; i != 0; i = w.chunks[i].older {
				entities = append(entities, w.chunks[i].entities[:w.chunks[i].n]...)
			}
		}
	}
	return entities
}

func (e *Engine) codeSnapshotRef(x *codec, s *Snapshot) *Snapshot {
	id := idOf(s)
	word(x, &id)
	if !x.loading {
		return s
	}
	if id == 0 || uint64(id) > uint64(len(e.history.Snapshots)) {
		return nil
	}
	return e.history.Snapshots[id-1]
}

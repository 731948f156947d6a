package twin

import (
	"slices"

	"simrun/sim"
)

// event is one row of a stitched run, executed.
type event struct {
	row     int
	kind    sim.RowKind
	node    int32
	channel int32 // of what is sent or processed
	number  uint32

	input       sim.Input   // what the App was given: from where
	message     sim.Message // and what; or what was sent
	incarnation int         // in which it happened
	clock       []int       // by node: its events among the causes, this event included
}

// world is the state of an execution.
type world struct {
	actors    []*actor
	down      []bool
	sent      [][]event // by channel, in order
	processed []tally   // by channel
	lost      []tally   // by channel, what will never come
	doubled   []tally   // by channel, what will come twice
	read      []int     // by node: External records
	emissions []int     // by node
	clocks    [][]int
}

// execute executes rows, on fresh Apps. The events are those before the first row that
// is not legal.
func (j *judge) execute(rows []int) (events []event, legal bool) {
	nodes, channels := j.run.Graph.Nodes, len(j.run.Graph.From)
	w := &world{
		down: make([]bool, nodes), sent: make([][]event, channels), processed: make([]tally, channels),
		lost: make([]tally, channels), doubled: make([]tally, channels),
		read: make([]int, nodes), emissions: make([]int, nodes),
	}
	for v := range nodes {
		w.actors = append(w.actors, j.newActor(int32(v)))
		w.clocks = append(w.clocks, make([]int, nodes))
	}
	for _, i := range rows {
		row := j.h.Rows[i]
		e := event{row: i, kind: row.Kind(), node: j.owner(row), channel: -1, number: row.Number, incarnation: j.incarnation(i)}
		if e.node < 0 || w.down[e.node] && e.kind != sim.RowCrash {
			return events, false
		}
		clock := w.clocks[e.node]
		clock[e.node]++
		if !j.happen(w, &e, row) {
			return events, false
		}
		e.clock = slices.Clone(clock)
		if e.kind == sim.RowSend {
			w.sent[e.channel] = append(w.sent[e.channel], e)
		}
		events = append(events, e)
	}
	return events, true
}

// happen lets one event happen; false if it cannot.
func (j *judge) happen(w *world, e *event, row sim.Row) bool {
	a := w.actors[e.node]
	switch e.kind {
	case sim.RowSend:
		return j.send(w, e, row)
	case sim.RowProcess:
		return j.process(w, e, row)
	case sim.RowLose, sim.RowDuplicate:
		return j.mishap(w, e, row.Entity())
	case sim.RowExternal:
		m, ok := j.record(e.node, e.number)
		if !ok || m.Hash() != row.Hash || uint64(e.number) != j.offset(e.node, w.read[e.node], e.row)+1 {
			return false
		}
		w.read[e.node]++
		e.input, e.message = sim.External, m
		return a.step(e.input, e.message)
	case sim.RowTimer:
		e.input, e.message = sim.Timer, sim.Message{Key: uint64(e.number)}
		return row.Hash == 0 && a.fire(e.number) && a.step(e.input, e.message)
	case sim.RowEmit:
		n := w.emissions[e.node]
		w.emissions[e.node]++
		return n < len(a.emitted) && a.emitted[n].Hash() == row.Hash && int(e.number) == j.inLog(sim.RowEmit, e.node, e.row)+1
	case sim.RowRecord:
		return e.number > 0 && uint64(e.number) <= uint64(len(j.h.Snapshots))
	case sim.RowCrash:
		w.down[e.node] = true
	}
	return true
}

// send puts the next message that the sender's App has produced on a channel.
func (j *judge) send(w *world, e *event, row sim.Row) bool {
	e.channel = row.Entity()
	a := w.actors[e.node]
	produced := a.produced[slices.Index(a.outputs, e.channel)]
	n := len(w.sent[e.channel])
	if int64(e.number) != int64(n)+1 || n >= len(produced) || produced[n].Hash() != row.Hash {
		return false
	}
	e.message = produced[n]
	return true
}

// process gives the receiver's App a message that was sent and has its turn.
func (j *judge) process(w *world, e *event, row sim.Row) bool {
	e.channel = row.Entity()
	sent, processed := w.sent[e.channel], &w.processed[e.channel]
	if e.number == 0 || int64(e.number) > int64(len(sent)) || !j.inTurn(w, e.channel, e.number) {
		return false
	}
	cause := &sent[e.number-1]
	if cause.message.Hash() != row.Hash {
		return false
	}
	processed.add(e.number)
	clock := w.clocks[e.node]
	for v := range clock {
		clock[v] = max(clock[v], cause.clock[v])
	}
	e.message = cause.message
	var inputs []int32
	for ch, to := range j.run.Graph.To {
		if to == e.node {
			inputs = append(inputs, int32(ch))
		}
	}
	e.input = sim.Input(slices.Index(inputs, e.channel))
	return w.actors[e.node].step(e.input, e.message)
}

// mishap lets an unreliable channel lose or double the message that was sent on it
// last.
func (j *judge) mishap(w *world, e *event, ch int32) bool {
	if j.reliable(ch) || e.number == 0 || int64(e.number) != int64(len(w.sent[ch])) {
		return false
	}
	e.channel = ch
	u := &j.run.Unreliable[ch]
	if e.kind == sim.RowLose {
		w.lost[ch].add(e.number)
		return u.Lose.Any()
	}
	w.doubled[ch].add(e.number)
	return u.Duplicate.Any()
}

// inTurn says whether a message that was sent may be processed now: it is still to
// come, and, where there is an order, all that was sent before it has come or is
// lost, and nothing that was sent after it has come.
func (j *judge) inTurn(w *world, ch int32, number uint32) bool {
	comes := 1
	if w.lost[ch].of(number) > 0 {
		comes = 0
	} else if w.doubled[ch].of(number) > 0 {
		comes = 2
	}
	if w.processed[ch].of(number) >= comes {
		return false
	}
	if !j.reliable(ch) && j.run.Unreliable[ch].Reorder {
		return true
	}
	for _, other := range w.sent[ch] {
		came := w.processed[ch].of(other.number) > 0
		if other.number < number && !came && w.lost[ch].of(other.number) == 0 || other.number > number && came {
			return false
		}
	}
	return true
}

// tally is a multiset of message numbers: how often each is in it, by number.
type tally []int

func (t *tally) add(number uint32) {
	for int(number) >= len(*t) {
		*t = append(*t, 0)
	}
	(*t)[number]++
}

func (t tally) of(number uint32) int {
	if int(number) >= len(t) {
		return 0
	}
	return t[number]
}

// record is an External record, numbered from 1; false if there is none.
func (j *judge) record(v int32, number uint32) (sim.Message, bool) {
	if j.run.NewSource == nil || number == 0 {
		return sim.Message{}, false
	}
	source := j.run.NewSource(v)
	if source == nil {
		return sim.Message{}, false
	}
	m, _, ok := source.Record(uint64(number) - 1)
	return sim.Message{Key: m.Key, Value: m.Value, Aux: m.Aux}, ok
}

// offset is how many External records a node has behind it before a row: those of the
// stitched run, or, if nothing is read twice, those of the whole log.
func (j *judge) offset(v int32, stitched int, row int) uint64 {
	if j.run.Replay == sim.NoReplay {
		return uint64(j.inLog(sim.RowExternal, v, row))
	}
	return uint64(stitched)
}

// inLog counts the rows of one kind at a node before a row, taken back or not.
func (j *judge) inLog(kind sim.RowKind, v int32, row int) (n int) {
	for _, r := range j.h.Rows[:min(max(row, 0), len(j.h.Rows))] {
		if r.Kind() == kind && r.Entity() == v {
			n++
		}
	}
	return n
}

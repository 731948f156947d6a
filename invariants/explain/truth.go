package explain

import (
	"simrun/invariants"
	"simrun/sim"
)

// truth is a world executed on fresh Apps: what every message said. It goes as far
// as the rows are legal.
type truth struct {
	x        *index
	apps     []sim.App
	outs     [][]int32 // by node: its output channels
	input    []sim.Input
	messages [][]sim.Message // by channel: message n is [n-1]
	fx       sim.Effects
}

// execute runs a world. visit is called after every row of node watched (-1: of
// none), and may be nil.
func (x *index) execute(w world, watched int32, visit func(row int, app sim.App)) *truth {
	g := &x.run.Graph
	t := &truth{x: x, outs: make([][]int32, g.Nodes), input: make([]sim.Input, len(g.From)), messages: make([][]sim.Message, len(g.From))}
	inputs := make([]sim.Input, g.Nodes)
	for ch := range g.From {
		t.outs[g.From[ch]] = append(t.outs[g.From[ch]], int32(ch))
		t.input[ch] = inputs[g.To[ch]]
		inputs[g.To[ch]]++
	}
	for v := range int32(g.Nodes) {
		t.apps = append(t.apps, x.run.NewApp(v))
	}
	var rows []int
	for row := range x.h.Rows {
		if x.node[row] >= 0 && x.has(w, row) {
			rows = append(rows, row)
		}
	}
	order, left := invariants.Causal(x.run, rows)
	for _, row := range append(order, left...) {
		if !t.row(row) {
			return t
		}
		if visit != nil && x.node[row] == watched {
			visit(row, t.apps[watched])
		}
	}
	return t
}

// row executes one row, and says whether that was possible.
func (t *truth) row(i int) bool {
	row, v := t.x.h.Rows[i], t.x.node[i]
	switch row.Kind() {
	case sim.RowProcess:
		m, ok := t.message(row.Entity(), row.Number)
		if ok {
			t.step(v, t.input[row.Entity()], m)
		}
		return ok
	case sim.RowExternal:
		if t.x.run.NewSource == nil || row.Number == 0 {
			return false
		}
		source := t.x.run.NewSource(v)
		if source == nil {
			return false
		}
		m, _, ok := source.Record(uint64(row.Number) - 1)
		if ok {
			t.step(v, sim.External, sim.Message{Key: m.Key, Value: m.Value, Aux: m.Aux})
		}
		return ok
	case sim.RowTimer:
		t.step(v, sim.Timer, sim.Message{Key: uint64(row.Number)})
	}
	return true
}

func (t *truth) step(v int32, in sim.Input, m sim.Message) {
	t.fx.Reset()
	t.apps[v].Step(in, m, &t.fx)
	for _, s := range t.fx.Sends() {
		if s.Output >= 0 && int(s.Output) < len(t.outs[v]) {
			ch := t.outs[v][s.Output]
			t.messages[ch] = append(t.messages[ch], s.Message)
		}
	}
}

// message is what message n of a channel says; false if it was never produced.
func (t *truth) message(ch int32, n uint32) (sim.Message, bool) {
	if n == 0 || uint64(n) > uint64(len(t.messages[ch])) {
		return sim.Message{}, false
	}
	return t.messages[ch][n-1], true
}

// origin finds, among the other channels into the same node, the one whose message n
// is what was recorded as message n of ch; -1 if there is none.
func (t *truth) origin(ch int32, m *sim.Recorded) int32 {
	g := &t.x.run.Graph
	for other := range t.messages {
		if int32(other) == ch || g.To[other] != g.To[ch] {
			continue
		}
		if really, ok := t.message(int32(other), m.Number); ok && really.Equal(m.Message) {
			return int32(other)
		}
	}
	return -1
}

package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"testing"

	"simrun/scenarios"
	"simrun/scenarios/spacetime"
)

// TestModel: model.js reads from a page what the Diagram has.
func TestModel(t *testing.T) {
	needsNode(t)
	args, runs, steps := []string{}, []Run{madeUp(t, 7), madeUp(t, 8)}, []int{}
	plans := []*scenarios.Plan{hostilePlan(t, "chandy-lamport")}
	for _, file := range files(t) {
		plans = append(plans, load(t, file, ""))
	}
	for k, p := range plans {
		options := Options{Events: 1500}
		if k%3 == 1 {
			options.From = 100
		}
		runs = append(runs, Of(p, p.Seed, options))
	}
	for k, run := range runs {
		most := math.MaxInt
		if k%4 == 2 { // states are left out
			most = 100
		}
		args, steps = append(args, dataFile(t, run, &keep{aux: true, steps: []int{most}})), append(steps, most)
	}
	out := inNode(t, "dump.js", args...)
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, len(out)+1)
	for k, run := range runs {
		for i, want := range expected(run.Diagram, steps[k]) {
			if !lines.Scan() {
				t.Fatalf("%s: there is no line %d", run.Diagram.Plan.Name, i)
			}
			if got := plain(lines.Bytes()); !reflect.DeepEqual(got, plain(marshal(want))) {
				t.Fatalf("%s: line %d is\n%v, should be\n%v", run.Diagram.Plan.Name, i, got, plain(marshal(want)))
			}
		}
	}
}

// plain is a JSON text as a value, with all digits of its numbers.
func plain(text []byte) (value any) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		return err
	}
	return value
}

// expected is what dump.js should print of a run that has so many states after steps.
func expected(d *spacetime.Diagram, steps int) (lines []any) {
	receives := make([][]int, len(d.Events))
	next, last := make([]int32, len(d.Events)), map[int32]int32{}
	for i := range d.Events {
		if e := &d.Events[i]; e.Kind.Receives() && e.Peer != spacetime.None {
			receives[e.Peer] = append(receives[e.Peer], i)
		}
		next[i] = spacetime.None
		if k, ok := last[d.Events[i].Node]; ok {
			next[k] = int32(i)
		}
		last[d.Events[i].Node] = int32(i)
	}
	f := newFollower(d, steps)
	clear(last)
	for i := range d.Events {
		e := &d.Events[i]
		previous, ok := last[e.Node]
		if !ok {
			previous = spacetime.None
		}
		last[e.Node] = int32(i)
		receipts := receives[i]
		if receipts == nil {
			receipts = []int{}
		}
		state, event, exact, changed := f.step(int32(i))
		m := e.Message
		lines = append(lines, []any{e.Kind, e.Incarnation, e.Node, e.Channel, e.Number, e.Snapshot, e.Peer, e.Undone, e.At,
			decimal(m.Key), fmt.Sprint(m.Value), decimal(m.Aux), e.Word, previous, next[i], receipts, event, exact, state, changed, changed})
	}
	return append(lines, expectedRun(d, last))
}

// follower follows the states of a run.
type follower struct {
	d     *spacetime.Diagram
	now   []any   // by node
	shown []any   // the last one that the data have
	event []int32 // by node: the event that its state is of
	exact []bool
	place int
	steps int // so many states after steps are still to come
}

func newFollower(d *spacetime.Diagram, steps int) *follower {
	f := &follower{d: d, steps: steps}
	for _, text := range d.Initial {
		f.now, f.shown, f.event, f.exact = append(f.now, parse(text)), append(f.shown, parse(text)), append(f.event, spacetime.None), append(f.exact, d.First == 0)
	}
	return f
}

// step is the state of an event's node after it, the event that this is the state of,
// whether it is exact, and whether the event changes it.
func (f *follower) step(i int32) (state any, event int32, exact, changed bool) {
	v := f.d.Events[i].Node
	if v == f.d.Coordinator {
		return nil, spacetime.None, true, false
	}
	if f.d.Events[i].Kind.Steps() {
		f.exact[v] = false
	}
	if f.place == len(f.d.States) || f.d.States[f.place].Event != i {
		return f.shown[v], f.event[v], f.exact[v], false
	}
	f.now[v] = merged(f.now[v], parse(f.d.States[f.place].Patch))
	f.place++
	if f.d.Events[i].Kind.Steps() {
		if f.steps == 0 {
			return f.shown[v], f.event[v], false, false
		}
		f.steps--
	}
	changed = !reflect.DeepEqual(f.shown[v], f.now[v])
	f.shown[v], f.event[v], f.exact[v] = f.now[v], i, true
	return f.shown[v], f.event[v], true, changed
}

// expectedRun is the line about the run itself.
func expectedRun(d *spacetime.Diagram, last map[int32]int32) any {
	channels, cuts, blocked, down := []string{}, [][]int32{}, [][4]int32{}, [][3]int32{}
	for c := range d.Graph.Channels {
		channels = append(channels, d.Graph.ChannelName(int32(c)))
	}
	for i := range d.Snapshots {
		cuts = append(cuts, d.Snapshots[i].Cut)
	}
	for _, b := range d.Blocked {
		blocked = append(blocked, [4]int32{b.Channel, int32(b.Snapshot), b.From, b.To})
	}
	nodes, froms, untils := []int32{}, []int64{}, []int64{}
	for _, b := range d.Busy {
		nodes, froms, untils = append(nodes, b.Node), append(froms, b.From), append(untils, b.Until)
	}
	open := map[int32]int{}
	for i := range d.Events {
		e := &d.Events[i]
		k, is := open[e.Node]
		switch {
		case e.Kind == spacetime.Crash && !is:
			open[e.Node] = len(down)
			down = append(down, [3]int32{e.Node, int32(i), int32(len(d.Events))})
		case e.Kind == spacetime.Restored && is:
			down[k][2] = int32(i)
			delete(open, e.Node)
		}
	}
	about, first := []any{}, 0
	for first < len(d.Events) && d.Events[first].At < 0 {
		first++
	}
	if len(d.Events) > 0 {
		about = []any{first, len(d.Events), last[d.Events[0].Node]}
	}
	return []any{d.Graph.Nodes, channels, cuts, blocked, nodes, froms, untils, down, about}
}

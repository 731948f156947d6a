package report

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"simrun/scenarios/spacetime"
	"simrun/sim"
)

// madeUp is a run whose events no engine would have: every field is drawn, so that what is
// foretold is nearly always wrong, and whatever a field can hold is there.
func madeUp(t *testing.T, seed uint64) Run {
	p := load(t, "../../testdata/scenarios/ring-both.yaml", "")
	d := *spacetime.Of(p, p.Seed, spacetime.Options{Most: 1})
	r := rand.New(rand.NewPCG(seed, 1))
	d.Events, d.States, d.Busy, d.Blocked, d.First, d.Stepped = nil, nil, nil, nil, 0, 600
	d.Coordinator = int32(len(d.Graph.Nodes))
	at := int64(0)
	for i := range int32(d.Stepped) {
		at += r.Int64N(1 << r.IntN(40))
		e := drawn(r, &d, i)
		e.At = at
		d.Events = append(d.Events, e)
		if e.Kind.Steps() {
			d.States = append(d.States, spacetime.State{Event: i, Patch: marshal(drawnPatch(r, 0))})
		}
	}
	for range 100 {
		from := r.Int64N(at)
		d.Busy = append(d.Busy, spacetime.Busy{Node: r.Int32N(int32(len(d.Graph.Nodes))), From: from, Until: from + r.Int64N(1000)})
	}
	d.Total = len(d.Events)
	return Run{Diagram: &d}
}

// drawn is an event, the i-th, and ties it to one before it.
func drawn(r *rand.Rand, d *spacetime.Diagram, i int32) spacetime.Event {
	kinds := spacetime.Kinds()
	e := spacetime.Event{Kind: kinds[r.IntN(len(kinds))], Incarnation: uint8(r.IntN(3)), Node: r.Int32N(d.Coordinator), Channel: spacetime.None,
		Number: uint32(r.Uint64() >> r.IntN(64)), Snapshot: sim.SnapshotID(r.Uint32N(4)), Peer: spacetime.None, Undone: r.Int32N(4) - 1}
	if e.Kind.Application() {
		e.Message = sim.Message{Key: r.Uint64N(5) << r.IntN(60), Value: int64(r.Uint64()) >> r.IntN(64), Aux: r.Uint64N(3)}
	}
	for c, ch := range d.Graph.Channels {
		if (ch.From == e.Node || ch.To == e.Node) && e.Kind < spacetime.ControlSent && r.IntN(3) == 0 {
			e.Channel = int32(c)
		}
	}
	if e.Kind >= spacetime.ControlSent {
		e.Word = fmt.Sprint("word ", r.IntN(5))
	}
	if !e.Kind.Receives() || i == 0 || r.IntN(4) == 0 {
		return e
	}
	for range 50 { // to find what could have come here
		peer := r.Int32N(i)
		from := &d.Events[peer]
		if from.Kind.Sends() && from.Channel == e.Channel && arrowOf(from.Kind) == arrowOf(e.Kind) {
			e.Peer = peer
			if from.Peer == spacetime.None {
				from.Peer = i
			}
			break
		}
	}
	return e
}

// drawnPatch is a merge patch: members change, come and go, arrays grow and shrink.
func drawnPatch(r *rand.Rand, depth int) map[string]any {
	patch := map[string]any{}
	for _, key := range []string{"a", "b", "<c>", "__proto__", "list"} {
		switch r.IntN(8 - depth) {
		case 0:
			patch[key] = nil
		case 1:
			patch[key] = json.Number(fmt.Sprint(int64(math.MaxInt64) >> r.IntN(60)))
		case 2:
			patch[key] = fmt.Sprint("text ", r.IntN(3))
		case 3:
			list := make([]any, r.IntN(6))
			for i := range list {
				list[i] = r.IntN(2)
			}
			patch[key] = list
		case 4:
			if depth < 2 {
				patch[key] = drawnPatch(r, depth+1)
			}
		}
	}
	return patch
}

package scenarios

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"simrun/invariants"
	"simrun/scenarios/checkpoints"
	"simrun/sim"
)

// Files is what a run writes beside its report; nil: it does not.
type Files struct {
	Trace   io.Writer // see docs/trace.md
	Witness io.Writer // see docs/witness.md

	Checkpoints *checkpoints.Store // see docs/checkpoints.md

	Tool string // the version of the program, which the trace names
}

// Write is Run, and writes files. The error is that of writing.
func (r *Runner) Write(seed uint64, files Files) (*Result, error) {
	var trace *tracer
	var watcher sim.Observer
	if files.Trace != nil {
		var err error
		if trace, err = newTracer(r.plan, seed, files); err != nil {
			return nil, err
		}
		watcher = trace
	}
	keeper := &keeper{store: files.Checkpoints, next: watcher}
	if files.Checkpoints != nil {
		watcher = keeper
	}
	x := r.execute(seed, watcher)
	if keeper.err != nil {
		return r.plan.result(x), keeper.err
	}
	if trace != nil {
		trace.end(x.history)
		if err := trace.out.Flush(); err != nil {
			return r.plan.result(x), err
		}
	}
	if files.Witness != nil {
		if err := r.plan.writeWitnesses(x, files.Witness); err != nil {
			return r.plan.result(x), err
		}
	}
	res := r.plan.result(x)
	if files.Checkpoints != nil {
		res.Checkpoints = append([]string{}, files.Checkpoints.Wrote()...)
	}
	return res, nil
}

// witnessVersion changes when a reader of witnesses would have to.
const witnessVersion = 1

// witnessHeader is the first line of a file of witnesses.
type witnessHeader struct {
	Format    string         `json:"format"`
	Version   int            `json:"version"`
	Scenario  string         `json:"scenario"`
	Seed      uint64         `json:"seed"`
	Algorithm string         `json:"algorithm"`
	Order     string         `json:"order"`
	App       string         `json:"app"`
	Nodes     []string       `json:"nodes"`
	Channels  []traceChannel `json:"channels"`
}

// witnessSnapshot begins the lines of one snapshot.
type witnessSnapshot struct {
	Kind        string `json:"kind"`
	Snapshot    uint32 `json:"snapshot"`
	Incarnation uint8  `json:"incarnation"`
	First       int    `json:"first_row"`
	Last        int    `json:"last_row"`
	Prefix      int    `json:"prefix"`
	Pre         int    `json:"pre"`
	Post        int    `json:"post"`
	Swaps       int64  `json:"swaps"`
	Reachable   *bool  `json:"reachable"` // null: not checked
}

// witnessEvent is one event, in the order of the witness.
type witnessEvent struct {
	Kind    string `json:"kind"`
	Part    string `json:"part"`
	Row     int    `json:"row"`
	Node    string `json:"node"`
	Event   string `json:"event"`
	Channel *int32 `json:"channel"` // null: it is of none
	Number  uint32 `json:"number"`
}

// witnessState is the recorded state, through which the witness passes.
type witnessState struct {
	Kind     string            `json:"kind"`
	Snapshot uint32            `json:"snapshot"`
	States   []json.RawMessage `json:"states"`
	Offsets  []uint64          `json:"offsets"`
	Timers   [][]uint32        `json:"timers"`
	Channels []witnessChannel  `json:"channels"` // those that are not empty
}

type witnessChannel struct {
	Channel  int32            `json:"channel"`
	Numbers  []uint32         `json:"numbers"`
	Messages []witnessMessage `json:"messages"`
}

type witnessMessage struct {
	Key   uint64 `json:"key"`
	Value int64  `json:"value"`
	Aux   uint64 `json:"aux"`
}

// writeWitnesses writes the witnesses of all complete snapshots of a run.
func (p *Plan) writeWitnesses(x *execution, w io.Writer) error {
	out := bufio.NewWriterSize(w, 1<<16)
	line := func(v any) { out.Write(append(asJSON(v), '\n')) } // errors stick in out
	header := witnessHeader{
		Format: "simrun-witness", Version: witnessVersion, Scenario: p.Name, Seed: x.seed, Algorithm: p.Algorithm.Name,
		Order: p.Scenario.Order, App: p.Scenario.App.Kind, Nodes: p.Graph.Nodes, Channels: p.traceChannels(),
	}
	line(header)
	says := p.Describer(x.seed)
	for _, s := range x.history.Snapshots {
		if s.Status != sim.Complete {
			continue
		}
		witness, err := invariants.WitnessOf(x.run, s.ID)
		if err != nil {
			return fmt.Errorf("snapshot %d has no witness: %w", s.ID, err)
		}
		line(witnessSnapshot{
			Kind: "snapshot", Snapshot: uint32(s.ID), Incarnation: witness.Incarnation, First: witness.First, Last: witness.Last,
			Prefix: len(witness.Prefix), Pre: len(witness.Pre), Post: len(witness.Post), Swaps: witness.Swaps, Reachable: x.reachable(s.ID),
		})
		for _, i := range witness.Pre {
			line(p.witnessEvent("pre", i, x.history.Rows[i]))
		}
		line(says.witnessState(s))
		for _, i := range witness.Post {
			line(p.witnessEvent("post", i, x.history.Rows[i]))
		}
	}
	return out.Flush()
}

// reachable says whether a snapshot keeps the invariant reachability; nil if that was
// not checked.
func (x *execution) reachable(id sim.SnapshotID) *bool {
	if x.report.Swaps[id-1] < 0 {
		return nil
	}
	holds := true
	for i := range x.report.Violations {
		v := &x.report.Violations[i]
		holds = holds && (v.Snapshot != id || v.Invariant != "reachability")
	}
	return &holds
}

// eventNames is how witnesses call events, as traces do.
var eventNames = [...]string{sim.RowSend: "send", sim.RowProcess: "process", sim.RowExternal: "external", sim.RowTimer: "timer", sim.RowEmit: "emit"}

func (p *Plan) witnessEvent(part string, i int, row sim.Row) witnessEvent {
	e := witnessEvent{Kind: "event", Part: part, Row: i, Event: eventNames[row.Kind()], Number: row.Number}
	node, channel := row.Entity(), row.Entity()
	switch row.Kind() {
	case sim.RowSend:
		e.Channel, node = &channel, p.config.Graph.From[channel]
	case sim.RowProcess:
		e.Channel, node = &channel, p.config.Graph.To[channel]
	}
	e.Node = p.Graph.Nodes[node]
	return e
}

// witnessState is the recorded state of a snapshot.
func (d *Describer) witnessState(s *sim.Snapshot) witnessState {
	state := witnessState{Kind: "state", Snapshot: uint32(s.ID), Channels: []witnessChannel{}}
	for v := range s.States {
		state.States = append(state.States, d.Describe(int32(v), s.States[v]))
		state.Offsets = append(state.Offsets, s.Recordings[v].Offset)
		timers := []uint32{}
		for _, t := range s.Recordings[v].Timers {
			timers = append(timers, t.ID)
		}
		state.Timers = append(state.Timers, timers)
	}
	for c, recorded := range s.Channels {
		if len(recorded) == 0 {
			continue
		}
		channel := witnessChannel{Channel: int32(c)}
		for i := range recorded {
			m := &recorded[i].Message
			channel.Numbers = append(channel.Numbers, recorded[i].Number)
			channel.Messages = append(channel.Messages, witnessMessage{m.Key, m.Value, m.Aux})
		}
		state.Channels = append(state.Channels, channel)
	}
	return state
}

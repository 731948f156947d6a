package scenarios

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"simrun/sim"
)

// Describer makes states readable, through an App of each node that it keeps.
type Describer struct {
	plan *Plan
	seed uint64
	apps []sim.App
}

// Describer is a Describer for the runs of a seed.
func (p *Plan) Describer(seed uint64) *Describer {
	return &Describer{p, seed, make([]sim.App, len(p.Graph.Nodes))}
}

// Describe is a node's state for people, as JSON: what its App describes, else
// its bytes in hexadecimal digits.
func (d *Describer) Describe(v int32, state []byte) []byte {
	if d.apps[v] == nil {
		d.apps[v] = d.plan.Workload.NewApp(d.seed, v)
	}
	if app, ok := d.apps[v].(sim.Describer); ok && d.apps[v].Load(state) == nil {
		return asJSON(app.Describe())
	}
	return asJSON(fmt.Sprintf("%x", state))
}

// asJSON marshals what always can be.
func asJSON(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("scenarios: a value that should marshal does not: %v", err))
	}
	return text
}

// The states of a snapshot are printed only where they can be read: of few nodes,
// few snapshots, and if each is short. A trace has them all.
const (
	shownNodes     = 6
	shownSnapshots = 5
	shownState     = 48 // bytes
)

// shownStates is a line for each node, with its states in the first complete
// snapshots; nothing if they are not for reading.
func (p *Plan) shownStates(x *execution) (ids []sim.SnapshotID, lines [][]string) {
	if len(p.Graph.Nodes) > shownNodes {
		return nil, nil
	}
	d := p.Describer(x.seed)
	lines = make([][]string, len(p.Graph.Nodes))
	for _, s := range x.history.Snapshots {
		if s.Status != sim.Complete || s.States == nil || len(ids) == shownSnapshots { // a wrong coordinator completes what nobody recorded
			continue
		}
		ids = append(ids, s.ID)
		for v := range lines {
			text := string(d.Describe(int32(v), s.States[v]))
			if len(text) > shownState {
				return nil, nil
			}
			lines[v] = append(lines[v], strings.NewReplacer(`"`, "", ",", ", ", ":", " ", "{", "", "}", "").Replace(text))
		}
	}
	return ids, lines
}

func (res *Result) writeStates(b *strings.Builder) {
	if len(res.stateIDs) == 0 {
		return
	}
	table(b, "states recorded", func(w io.Writer) {
		for _, id := range res.stateIDs {
			fmt.Fprintf(w, "\tsnapshot %d", id)
		}
		fmt.Fprintln(w)
		for v, states := range res.states {
			fmt.Fprintf(w, "  %s\t%s\n", res.stateNodes[v], strings.Join(states, "\t"))
		}
	})
}

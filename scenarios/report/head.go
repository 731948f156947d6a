package report

import (
	"encoding/json"
	"fmt"

	"simrun/scenarios"
	"simrun/scenarios/spacetime"
)

// dataVersion changes when a reader of the data would have to.
const dataVersion = 1

// head is what stands in front of the columns, as JSON.
type head struct {
	Version    int       `json:"version"`
	Tool       string    `json:"tool"`
	Title      string    `json:"title"`
	Replay     string    `json:"replay"`
	Runs       []headRun `json:"runs"`
	Comparison any       `json:"comparison"` // null: the runs are not compared
	Series     any       `json:"series"`     // null: there is none
	Plots      []Plot    `json:"plots"`
}

// headRun is one run.
type headRun struct {
	Name        string   `json:"name"`
	Scenario    string   `json:"scenario"`
	Seed        string   `json:"seed"` // decimal: it may have 64 bits
	Algorithm   string   `json:"algorithm"`
	Order       string   `json:"order"`
	App         string   `json:"app"`
	Verdict     string   `json:"verdict"`
	Expected    *bool    `json:"expected"` // null: the scenario expects nothing
	End         string   `json:"end"`
	Digest      string   `json:"digest"`
	Reproduce   string   `json:"reproduce"`
	Nodes       []string `json:"nodes"`
	Coordinator int32    `json:"coordinator"` // its lane; -1: there is none
	Channels    [][]any  `json:"channels"`    // from, to, and 1 for a back-edge, else 0
	Initiators  []int32  `json:"initiators"`
	Barriers    bool     `json:"barriers"` // what its markers are called

	Events  int   `json:"events"`  // in the window
	First   int   `json:"first"`   // how many come before it
	Total   int   `json:"total"`   // how many the run has
	Busy    int   `json:"busy"`    // spans of service
	Stepped int   `json:"stepped"` // up to this event states are there after every step
	Ended   int64 `json:"ended"`

	Columns map[string][2]int `json:"columns"` // where each begins behind the head, and its bytes
	Words   []string          `json:"words"`   // what the column word counts

	Initial    []json.RawMessage `json:"initial"`
	Snapshots  []headSnapshot    `json:"snapshots"`
	Restores   []headRestore     `json:"restores"`
	Blocked    []int32           `json:"blocked"` // channel, snapshot, from, to; and so on
	Violations []headViolation   `json:"violations"`
	Legend     []string          `json:"legend"` // what the words of the explanations mean
	Result     *scenarios.Result `json:"result"` // what run --json prints
	Notes      []string          `json:"notes"`  // what is left out
}

// headSnapshot is one snapshot: its result, and where it was recorded.
type headSnapshot struct {
	scenarios.SnapshotResult
	Cut         []int32       `json:"cut"` // by node, its event or -1; empty: none is in the window
	Channels    []headChannel `json:"channels"`
	Explanation []string      `json:"explanation"` // lines; null: left out
}

type headChannel struct {
	Channel int32    `json:"channel"`
	Numbers []uint32 `json:"numbers"`
	Logged  bool     `json:"logged"`
}

type headRestore struct {
	At        int64   `json:"at"`
	Event     int32   `json:"event"`
	Snapshot  uint32  `json:"snapshot"` // 0: the initial state
	Crashed   []int32 `json:"crashed"`
	Restarted []int32 `json:"restarted"` // null: all nodes
	Verdict   string  `json:"verdict"`
	Because   string  `json:"because"`
}

type headViolation struct {
	scenarios.ViolationResult
	Event int32    `json:"event"` // that shows it best; -1: none in the window
	Story []string `json:"story"` // lines; null: it was not told
}

// headOf is the head of a run, whose columns it adds to the others. It has the words aux if
// they are wanted, and the states after so many steps.
func headOf(r *Run, aux bool, steps int, c *columns) headRun {
	d := r.Diagram
	at := &columns{}
	list := eventColumns(d, aux, at)
	own := statesOf(d, steps)
	at.put("state", own.events)
	at.put("changes", own.changes.Bytes())
	res := d.Result
	h := headRun{
		Name: res.Algorithm, Scenario: res.Scenario, Seed: decimal(res.Seed), Algorithm: res.Algorithm, Order: res.Order, App: res.App,
		Verdict: res.Verdict, Expected: res.Expected, End: res.End, Digest: res.Digest, Reproduce: res.Reproduce,
		Nodes: d.Graph.Nodes, Coordinator: d.Coordinator, Channels: [][]any{}, Initiators: d.Plan.Initiators, Barriers: d.Plan.Algorithm.Aligned,
		Events: len(d.Events), First: d.First, Total: d.Total, Busy: len(d.Busy), Stepped: own.stepped, Ended: d.EndedAt,
		Columns: map[string][2]int{}, Words: list,
		Initial: own.initial, Snapshots: []headSnapshot{}, Restores: []headRestore{}, Blocked: []int32{}, Violations: []headViolation{},
		Result: res, Notes: append([]string{}, r.Notes...),
	}
	for name, place := range at.index {
		h.Columns[name] = [2]int{c.data.Len() + place[0], place[1]}
	}
	c.data.Write(at.data.Bytes())
	for c, ch := range d.Graph.Channels {
		back := 0
		if d.BackEdge != nil && d.BackEdge[c] {
			back = 1
		}
		h.Channels = append(h.Channels, []any{ch.From, ch.To, back})
	}
	for _, b := range d.Blocked {
		h.Blocked = append(h.Blocked, b.Channel, int32(b.Snapshot), b.From, b.To)
	}
	h.judged(r)
	if !aux {
		h.note("The words aux of the messages are left out: they take %d bytes.", auxBytes(d))
	}
	switch {
	case h.Stepped == 0 && h.Events > 0:
		h.note("Only recordings and restores have states.")
	case h.Stepped < h.Events:
		h.note("Behind the first %d of these events only recordings and restores have states.", h.Stepped)
	}
	return h
}

// note adds a sentence about what is left out.
func (h *headRun) note(format string, args ...any) {
	h.Notes = append(h.Notes, fmt.Sprintf(format, args...))
}

// judged adds what was judged.
func (h *headRun) judged(r *Run) {
	d := r.Diagram
	if r.Told != nil {
		h.Legend = r.Told.Legend
	}
	for i := range d.Snapshots {
		s := &d.Snapshots[i]
		one := headSnapshot{SnapshotResult: *s.Result, Cut: []int32{}, Channels: []headChannel{}}
		for _, event := range s.Cut {
			if event != spacetime.None {
				one.Cut = s.Cut
				break
			}
		}
		for _, ch := range s.Channels {
			one.Channels = append(one.Channels, headChannel{ch.Channel, ch.Numbers, ch.Logged})
		}
		if r.Told != nil {
			one.Explanation = r.Told.Snapshots[i]
		}
		h.Snapshots = append(h.Snapshots, one)
	}
	for i := range d.Restores {
		s := &d.Restores[i]
		one := headRestore{At: s.At, Event: s.Event, Snapshot: uint32(s.Snapshot), Crashed: s.Crashed, Restarted: s.Restarted}
		if s.Result != nil {
			one.Verdict, one.Because = s.Result.Verdict, s.Result.Because
		}
		h.Restores = append(h.Restores, one)
	}
	for i := range d.Violations {
		one := headViolation{ViolationResult: *d.Violations[i].Result, Event: d.Violations[i].Event}
		if r.Told != nil {
			one.Story = r.Told.Violations[i]
		}
		h.Violations = append(h.Violations, one)
	}
}

package explain

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"simrun/invariants"
	"simrun/sim"
)

// Bounds on what is listed; what is left out is counted.
const (
	cutMax    = 16 // nodes of a cut, channels of a table
	listedMax = 8  // messages, sentences, violations
)

// Snapshot is the story of one snapshot. Its JSON is described in docs/explain.md.
type Snapshot struct {
	ID          uint32 `json:"id"`
	Verdict     string `json:"verdict"`
	Because     string `json:"because"` // what a violated one follows from; "" if it says so itself
	Incarnation uint8  `json:"incarnation"`

	Cut            []Recording `json:"cut"`
	NodesMore      int         `json:"nodes_not_listed"`
	Channels       []Channel   `json:"channels"`
	CrossedMore    int         `json:"crossed_not_listed"`   // channels with something in flight, or wrong, that are not listed
	ChannelsMore   int         `json:"channels_not_listed"`  // others: nothing is in flight on them, and nothing is wrong
	ChannelsOpen   int         `json:"channels_without_cut"` // an end has not recorded, and nothing is stored: not listed either
	Stored         int         `json:"stored"`               // messages in the recorded states of all channels
	Orphans        int         `json:"orphans"`              // on all channels
	Violations     []Violation `json:"violations"`
	ViolationsMore int         `json:"violations_not_listed"`

	marker  string // what its algorithm calls them
	aligned bool
	again   bool // orphans are allowed
}

// Recording is one node's part of a cut.
type Recording struct {
	Node     string          `json:"node"`
	Recorded *Event          `json:"recorded"` // nil: never
	At       int64           `json:"at_ns"`
	By       string          `json:"by"` // what made it record
	Records  uint64          `json:"records_read"`
	State    json.RawMessage `json:"state"`
	Timers   []Timer         `json:"timers"` // that were armed
	// How many more of these there were.
	TimersMore int `json:"timers_not_listed"`
}

// Timer is an armed timer of a recorded state.
type Timer struct {
	ID  uint32 `json:"id"`
	Due int64  `json:"due_ns"`
}

// Channel is one channel's part of a cut.
type Channel struct {
	Name     string `json:"name"`
	BackEdge bool   `json:"back_edge"`
	Cut      bool   `json:"cut"` // both ends have recorded; else the four cases say nothing
	Quadrants
	Recorded []uint32 `json:"recorded"` // the numbers, in the order recorded; the first hundred
	Stored   int      `json:"stored"`   // how many were recorded
	Right    bool     `json:"right"`
	Why      string   `json:"why"`
}

// Snapshot explains the snapshot with this id; nil if there is none.
func (x *Explainer) Snapshot(id sim.SnapshotID) *Snapshot {
	s := x.snapshot(id)
	if s == nil {
		return nil
	}
	out := &Snapshot{ID: uint32(id), Verdict: string(x.report.Snapshots[id-1]), Because: x.report.SnapshotBecause[id-1],
		Incarnation: s.Incarnation, Cut: []Recording{}, Channels: []Channel{}, Violations: []Violation{},
		marker: x.marker(), aligned: x.run.Aligned, again: x.run.Promise == invariants.AtLeastOnce}
	for i := range x.report.Violations {
		if v := &x.report.Violations[i]; v.Snapshot != id {
			continue
		} else if len(out.Violations) == listedMax {
			out.ViolationsMore++
		} else {
			out.Violations = append(out.Violations, *x.Violation(v))
		}
	}
	x.cut(s, out)
	x.channels(s, out)
	return out
}

// cut lists when each node recorded, in the order of the recordings.
func (x *Explainer) cut(s *sim.Snapshot, out *Snapshot) {
	nodes := make([]int32, x.run.Graph.Nodes)
	for v := range nodes {
		nodes[v] = int32(v)
	}
	order := func(v int32) uint32 { return at(s.Recordings, v).Seq - 1 } // those without come last
	slices.SortStableFunc(nodes, func(a, b int32) int { return cmp.Compare(order(a), order(b)) })
	out.NodesMore = max(0, len(nodes)-cutMax)
	for _, v := range nodes[:len(nodes)-out.NodesMore] {
		r := Recording{Node: x.name(v), State: json.RawMessage("null"), Timers: []Timer{}}
		if row, ok := x.recordedAt(s, v); ok {
			e, recording := x.eventAt(row), at(s.Recordings, v)
			r.Recorded, r.At, r.Records = &e, recording.At, recording.Offset
			r.By, r.State = x.by(s, v, row), x.Describe(v, at(s.States, v))
			r.TimersMore = max(0, len(recording.Timers)-listedMax)
			for _, t := range recording.Timers[:len(recording.Timers)-r.TimersMore] {
				r.Timers = append(r.Timers, Timer{t.ID, t.Due})
			}
		}
		out.Cut = append(out.Cut, r)
	}
}

// by is what made a node record.
func (x *Explainer) by(s *sim.Snapshot, v int32, row int) string {
	if x.notes == nil {
		return ""
	}
	m, came := x.notes.before(v, s.ID, row)
	switch {
	case m == nil:
		return "nothing: it had been given no " + x.marker() + " and no order"
	case m.kind == sim.EventInitiate:
		return "the order to initiate" + x.late(m, v, row)
	}
	inputs := 0
	for _, to := range x.run.Graph.To {
		if to == v {
			inputs++
		}
	}
	return fmt.Sprintf("the %s on %s, %d of %d", x.marker(), x.link(m.channel), came, inputs) + x.late(m, v, row)
}

// late says how many events of the node came between what made it record and the
// recording.
func (x *Explainer) late(m *note, v int32, row int) string {
	between := 0
	for i := m.row; i < row; i++ {
		if x.node[i] == v && x.event[i] > 0 {
			between++
		}
	}
	if between == 0 {
		return ""
	}
	return fmt.Sprintf(", %s earlier", number(between, "event"))
}

// channels puts every message in its case. Channels on which something is wrong come
// first, then those with something in flight, then the others, while there is room.
func (x *Explainer) channels(s *sim.Snapshot, out *Snapshot) {
	wrong := make(map[int32]bool)
	for i := range x.report.Violations {
		if v := &x.report.Violations[i]; v.Snapshot == s.ID && v.Channel >= 0 {
			wrong[v.Channel] = true
		}
	}
	w := x.world(int(s.Incarnation))
	var kept [3][]*traffic
	for ch := range int32(len(x.run.Graph.From)) {
		t := x.traffic(w, s, ch)
		rank, stored := 2, len(at(s.Channels, ch)) > 0
		q := Quadrants{}
		if t.cut {
			q = t.quadrants()
		}
		out.Stored += len(at(s.Channels, ch))
		out.Orphans += q.Orphans.count()
		switch {
		case !t.cut && !stored:
			out.ChannelsOpen++
			continue
		case wrong[ch]:
			rank = 0
		case stored || len(q.InFlight) > 0:
			rank = 1
		}
		if len(kept[rank]) < cutMax {
			kept[rank] = append(kept[rank], t)
		} else if rank == 2 {
			out.ChannelsMore++
		} else {
			out.CrossedMore++
		}
	}
	for rank, list := range kept {
		room := min(len(list), max(0, cutMax-len(out.Channels)))
		for _, t := range list[:room] {
			out.Channels = append(out.Channels, x.channel(s, t, !wrong[t.channel]))
		}
		if rank == 2 {
			out.ChannelsMore += len(list) - room
		} else {
			out.CrossedMore += len(list) - room
		}
	}
}

// channel is one channel's part of a cut.
func (x *Explainer) channel(s *sim.Snapshot, t *traffic, right bool) Channel {
	recorded := at(s.Channels, t.channel)
	c := Channel{Name: x.link(t.channel), BackEdge: x.backEdge(t.channel), Cut: t.cut, Right: t.cut && right,
		Recorded: []uint32{}, Stored: len(recorded), Quadrants: Quadrants{Ranges{}, Ranges{}, Ranges{}, Ranges{}}}
	for i := range recorded[:min(len(recorded), 100)] {
		c.Recorded = append(c.Recorded, recorded[i].Number)
	}
	if t.cut {
		c.Quadrants = t.quadrants()
	}
	c.Why = x.why(s, t, &c)
	return c
}

// why says why the recorded state of a channel is what it should be, or that it is
// not.
func (x *Explainer) why(s *sim.Snapshot, t *traffic, c *Channel) string {
	g := &x.run.Graph
	from, to := x.name(g.From[t.channel]), x.name(g.To[t.channel])
	switch {
	case !t.cut:
		return fmt.Sprintf("%s or %s has not recorded, so there is no cut here", from, to)
	case !c.Right:
		return wrong(c)
	case len(c.InFlight) > 0:
		return x.inFlight(s, t, c, from, to)
	case len(c.Inside) == 0:
		return fmt.Sprintf("%s had sent nothing before it recorded, so nothing was in flight", from)
	}
	return fmt.Sprintf("%s had processed all that %s sent before it recorded, so nothing was in flight", to, from) + x.followed(s, t, c.Inside)
}

// wrong says what crosses the cut backwards, and what the state of a channel should be.
func wrong(c *Channel) string {
	var texts []string
	switch {
	case c.Orphans.count() == 1:
		texts = append(texts, messages(c.Orphans)+" crosses the cut backwards")
	case len(c.Orphans) > 0:
		texts = append(texts, messages(c.Orphans)+" cross the cut backwards")
	}
	var recorded Ranges
	for _, n := range c.Recorded {
		recorded.add(n)
	}
	switch {
	case len(texts) > 0 && c.Stored == len(c.Recorded) && slices.Equal(recorded, c.InFlight):
	case len(c.InFlight) == 0:
		texts = append(texts, "nothing should be recorded here")
	default:
		texts = append(texts, "what should be recorded here is "+messages(c.InFlight))
	}
	return "wrong: " + strings.Join(texts, "; ")
}

// inFlight tells of the first message in flight, and of the marker behind the last.
func (x *Explainer) inFlight(s *sim.Snapshot, t *traffic, c *Channel, from, to string) string {
	first := x.crossing(s, t, c.InFlight[0][0])
	text := fmt.Sprintf("message %d: %s sent it at %s, before it recorded at %s; %s ", first.n, from, x.its(first.sent), x.its(t.from), to)
	if first.did < 0 {
		text += "did not process it any more in this incarnation"
	} else {
		text += fmt.Sprintf("processed it at %s, after it recorded at %s", x.its(first.did), x.its(t.to))
	}
	return text + x.followed(s, t, c.InFlight)
}

// followed says where the marker was, if it came behind the last of the messages.
func (x *Explainer) followed(s *sim.Snapshot, t *traffic, numbers Ranges) string {
	last := x.crossing(s, t, numbers[len(numbers)-1][1])
	m := last.marks()
	if m.sent == nil || m.sent.row <= last.sent || m.came == nil {
		return ""
	}
	return fmt.Sprintf("; the %s was sent behind message %d and came there %s", x.marker(), last.n, x.behind(m.came, x.run.Graph.To[t.channel]))
}

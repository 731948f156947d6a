package twin

import (
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"simrun/sim"
)

// teller adds up what it is given, and passes on what comes from outside.
type teller struct {
	outputs int32
	sum     int64
}

func (a *teller) Step(in sim.Input, m sim.Message, fx *sim.Effects) {
	a.sum = a.sum*3 + m.Value
	if in == sim.External && a.outputs > 0 {
		fx.Send(0, 0, m.Value, 0)
		fx.SetTimer(1, 5)
	}
}

func (a *teller) Save(buf []byte) []byte {
	return binary.LittleEndian.AppendUint64(buf, uint64(a.sum))
}

func (a *teller) Load(state []byte) error {
	if len(state) != 8 {
		return errors.New("not a state of teller")
	}
	a.sum = int64(binary.LittleEndian.Uint64(state))
	return nil
}

// records is the External input of node 0: 1, 2, 3 and so on.
type records struct{}

func (records) Record(k uint64) (sim.Message, int64, bool) {
	return sim.Message{Value: int64(k) + 1}, 0, true
}

func sent(value int64) uint64 { return sim.Message{Value: value}.Hash() }

func state(sum int64) []byte { return (&teller{sum: sum}).Save(nil) }

// two is a run of node 0, which reads records, and node 1, to which it sends them on
// channel 0. Node 0 records snapshot 1 when it has sent two, node 1 when it has
// processed one; then node 1 crashes, and the run goes on from there.
func two() *Run {
	external := func(n uint32) sim.Row { return sim.NewRow(sim.RowExternal, 0, n, sent(int64(n))) }
	send := func(n uint32) sim.Row { return sim.NewRow(sim.RowSend, 0, n, sent(int64(n))) }
	process := func(n uint32) sim.Row { return sim.NewRow(sim.RowProcess, 0, n, sent(int64(n))) }
	node := func(kind sim.RowKind, v int32, n uint32) sim.Row { return sim.NewRow(kind, v, n, 0) }
	rows := []sim.Row{
		external(1), send(1), external(2), send(2),
		process(1),
		node(sim.RowRecord, 0, 1), // 5
		node(sim.RowRecord, 1, 1), // 6
		external(3), send(3),      // taken back
		process(2),
		node(sim.RowCrash, 1, 0),
		node(sim.RowRestore, 0, 1), // 11
		process(2), external(3), send(3), process(3), node(sim.RowTimer, 0, 1),
	}
	timers := []sim.ArmedTimer{{ID: 1, Due: 5}}
	inFlight := []sim.Recorded{{Message: sim.Message{Value: 2}, Number: 2}}
	s := &sim.Snapshot{
		ID: 1, Status: sim.Complete, CompletedAt: 1, States: [][]byte{state(5), state(1)},
		Recordings: []sim.Recording{{Seq: 1, Row: 5, Offset: 2, Timers: timers}, {Seq: 2, Row: 6}},
		Channels:   [][]sim.Recorded{inFlight}, Sent: []uint32{2}, Processed: []uint32{1},
	}
	restore := sim.Restore{
		At: 2, Row: 11, Incarnation: 1, Snapshot: s, States: slices.Clone(s.States), Offsets: []uint64{2, 0},
		Timers: [][]sim.ArmedTimer{timers, nil}, Requeued: [][]sim.Recorded{inFlight}, Logged: make([][]sim.Recorded, 1),
	}
	graph := sim.Graph{Nodes: 2, From: []int32{0}, To: []int32{1}}
	return &Run{
		Graph:  graph,
		NewApp: func(v int32) sim.App { return &teller{outputs: 1 - v} },
		NewSource: func(v int32) sim.Source {
			if v == 0 {
				return records{}
			}
			return nil
		},
		History: &sim.History{
			Rows: rows, Snapshots: []*sim.Snapshot{s}, Restores: []sim.Restore{restore},
			Final: sim.FinalState{States: [][]byte{state(54), state(18)}},
		},
	}
}

// TestReasons: of a small run that is right, nothing is said; each thing that is done to
// it is found, and called by its name.
func TestReasons(t *testing.T) {
	row := func(i int, kind sim.RowKind, entity int32, n uint32, hash uint64) func(*Run) {
		return func(r *Run) { r.History.Rows[i] = sim.NewRow(kind, entity, n, hash) }
	}
	snapshot := func(f func(s *sim.Snapshot)) func(*Run) { return func(r *Run) { f(r.History.Snapshots[0]) } }
	restore := func(f func(s *sim.Restore)) func(*Run) { return func(r *Run) { f(&r.History.Restores[0]) } }
	for name, c := range map[string]struct {
		do                func(*Run)
		snapshot, restore []Reason
		legal             int // rows; 0: all
	}{
		"nothing":           {do: func(*Run) {}},
		"a part is missing": {do: snapshot(func(s *sim.Snapshot) { s.States = s.States[:1] }), snapshot: []Reason{Malformed}, restore: []Reason{Illegal, Malformed}, legal: 11},
		"another id":        {do: snapshot(func(s *sim.Snapshot) { s.ID = 2 }), snapshot: []Reason{Malformed}, restore: []Reason{Illegal, Malformed}, legal: 11},
		"a pending one":     {do: snapshot(func(s *sim.Snapshot) { s.Status = sim.Pending }), restore: []Reason{Illegal, Malformed}, legal: 11},
		"never recorded":    {do: snapshot(func(s *sim.Snapshot) { s.Recordings[1].Seq = 0 }), snapshot: []Reason{Unrecorded}, restore: []Reason{FromWrong}},
		"recorded twice":    {do: snapshot(func(s *sim.Snapshot) { s.Twice = []int32{1} }), snapshot: []Reason{Twice}, restore: []Reason{FromWrong}},
		"no row":            {do: snapshot(func(s *sim.Snapshot) { s.Recordings[1].Row = 7 }), snapshot: []Reason{NoRow}, restore: []Reason{Illegal, FromWrong}, legal: 11},
		"left out":          {do: snapshot(func(s *sim.Snapshot) { s.Channels[0] = nil }), snapshot: []Reason{Missing}, restore: []Reason{FromWrong, Altered}},
		"once too often":    {do: snapshot(func(s *sim.Snapshot) { s.Channels[0] = append(s.Channels[0], s.Channels[0][0]) }), snapshot: []Reason{Extra}, restore: []Reason{FromWrong, Altered}},
		"another content":   {do: snapshot(func(s *sim.Snapshot) { s.Channels[0][0].Message.Value++ }), snapshot: []Reason{Altered}, restore: []Reason{FromWrong}},
		"a counter":         {do: snapshot(func(s *sim.Snapshot) { s.Sent[0]++ }), snapshot: []Reason{WrongCount}, restore: []Reason{FromWrong}},
		"a state":           {do: snapshot(func(s *sim.Snapshot) { s.States[0] = state(6) }), snapshot: []Reason{WrongState}, restore: []Reason{FromWrong, WrongState}},
		"an offset":         {do: snapshot(func(s *sim.Snapshot) { s.Recordings[0].Offset = 1 }), snapshot: []Reason{WrongOffset}, restore: []Reason{FromWrong, WrongOffset}},
		"a timer":           {do: snapshot(func(s *sim.Snapshot) { s.Recordings[0].Timers = nil }), snapshot: []Reason{WrongTimers}, restore: []Reason{FromWrong, WrongTimers}},
		"not aligned":       {do: func(r *Run) { r.Aligned = true }, snapshot: []Reason{NotAligned}, restore: []Reason{FromWrong}},
		"on a back-edge":    {do: func(r *Run) { r.Aligned, r.BackEdge = true, []bool{true} }},
		"processed as sent otherwise": {do: row(4, sim.RowProcess, 0, 1, sent(7)),
			snapshot: []Reason{Illegal}, restore: []Reason{Illegal, FromWrong}, legal: 4},
		"processed out of turn":       {do: row(4, sim.RowProcess, 0, 2, sent(2)), snapshot: []Reason{Illegal}, restore: []Reason{Illegal, FromWrong}, legal: 4},
		"another payload":             {do: row(3, sim.RowSend, 0, 2, sent(7)), snapshot: []Reason{Illegal}, restore: []Reason{Illegal, FromWrong}, legal: 3},
		"another record":              {do: row(2, sim.RowExternal, 0, 3, sent(3)), snapshot: []Reason{Illegal}, restore: []Reason{Illegal, FromWrong}, legal: 2},
		"a node that is not there":    {do: row(8, sim.RowEmit, 5, 1, 0), restore: []Reason{Illegal}, legal: 8},
		"emitted and not produced":    {do: row(12, sim.RowEmit, 1, 1, 0), restore: []Reason{Illegal}, legal: 12},
		"done while down":             {do: func(r *Run) { h := r.History; h.Rows[9], h.Rows[10] = h.Rows[10], h.Rows[9] }, restore: []Reason{Illegal}, legal: 10},
		"a timer that is not armed":   {do: row(16, sim.RowTimer, 0, 2, 0), restore: []Reason{Illegal}, legal: 16},
		"another incarnation's count": {do: row(14, sim.RowSend, 0, 4, sent(3)), restore: []Reason{Illegal}, legal: 14},
		"restored to another state":   {do: restore(func(r *sim.Restore) { r.States[1] = state(9) }), restore: []Reason{WrongState}},
		"restored to another offset":  {do: restore(func(r *sim.Restore) { r.Offsets[0] = 3 }), restore: []Reason{WrongOffset}},
		"restored to other timers":    {do: restore(func(r *sim.Restore) { r.Timers[0] = nil }), restore: []Reason{WrongTimers}},
		"restored without content":    {do: restore(func(r *sim.Restore) { r.Requeued[0] = nil }), restore: []Reason{Altered}},
		"restored elsewhere":          {do: restore(func(r *sim.Restore) { r.Row = 12 }), restore: []Reason{Illegal, Malformed}, legal: 11},
		"processed no more": {do: func(r *Run) {
			r.History.Rows[15] = r.History.Rows[16]
			r.History.Rows = r.History.Rows[:13]
			r.History.Rows = r.History.Rows[:12]
			r.History.Final.States = [][]byte{state(5), state(1)}
		}, restore: []Reason{Lost}},
		"another end": {do: func(r *Run) { r.History.Final.States[1] = state(0) }, restore: []Reason{WrongEnd}},
	} {
		run := two()
		c.do(run)
		got := Judge(run)
		if legal := len(run.History.Rows); got.Legal != c.legal && (c.legal != 0 || got.Legal != legal) {
			t.Errorf("%s: legal for %d rows of %d, want %d", name, got.Legal, legal, c.legal)
		}
		for what, pair := range map[string][2][]Reason{
			"the snapshot": {got.Snapshots[0].Reasons, c.snapshot}, "the restore": {got.Restores[0].Reasons, c.restore},
		} {
			found, want := slices.Sorted(slices.Values(pair[0])), slices.Sorted(slices.Values(pair[1]))
			if !slices.Equal(found, want) {
				t.Errorf("%s: %s: %q, want %q", name, what, found, want)
			}
		}
	}
}

// TestOrphan: node 1 records after it has processed what node 0 sends after it has
// recorded. The cut is not consistent, and nothing can go on from there.
func TestOrphan(t *testing.T) {
	run := two()
	h := run.History
	s := h.Snapshots[0]
	record := h.Rows[5]
	copy(h.Rows[2:6], []sim.Row{record, h.Rows[2], h.Rows[3], h.Rows[4]}) // 0 records after one message
	h.Rows[6], h.Rows[9] = h.Rows[9], h.Rows[6]                           // 1 after two
	s.Recordings[0] = sim.Recording{Seq: 1, Row: 2, Offset: 1, Timers: s.Recordings[0].Timers}
	s.Recordings[1].Row = 9
	s.States, s.Channels = [][]byte{state(1), state(5)}, make([][]sim.Recorded, 1)
	s.Sent[0], s.Processed[0] = 1, 2
	got := Judge(run)
	if want := []Reason{Orphan}; !slices.Equal(got.Snapshots[0].Reasons, want) {
		t.Errorf("the snapshot: %q, want %q", got.Snapshots[0].Reasons, want)
	}
	if got.Legal != 11 || !got.Restores[0].Has(Illegal) {
		t.Errorf("legal for %d rows; the restore: %q", got.Legal, got.Restores[0].Reasons)
	}
}

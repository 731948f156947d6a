package invariants

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"simrun/sim"
)

// This file decides about a run a second time, straight from the definitions and
// without a thought for speed: it writes down the stitched run before each restore
// and at the end as a list of rows, and executes each list from the start on fresh
// Apps. Consistency of a cut it decides with vector clocks.

// owner is the node that a row belongs to; -1 for a restore.
func owner(g sim.Graph, row sim.Row) int32 {
	switch row.Kind() {
	case sim.RowSend:
		return g.From[row.Entity()]
	case sim.RowProcess:
		return g.To[row.Entity()]
	case sim.RowRestore:
		return -1
	}
	return row.Entity()
}

// stitched is the stitched run as it stands before row upto: indexes of rows.
func stitched(run *Run, upto int) (rows []int) {
	last := -1
	for k := range run.History.Restores {
		if run.History.Restores[k].Row < upto {
			last = k
		}
	}
	start := 0
	if last >= 0 {
		r := &run.History.Restores[last]
		start = r.Row + 1
		if r.Snapshot != nil {
			for _, i := range stitched(run, r.Row) {
				if i < r.Snapshot.Recordings[owner(run.Graph, run.History.Rows[i])].Row {
					rows = append(rows, i)
				}
			}
		}
	}
	for i := start; i < upto; i++ {
		rows = append(rows, i)
	}
	return rows
}

// naive is one execution of a stitched run.
type naive struct {
	run             *Run
	apps            []sim.App
	produced        map[int32][]sim.Message // by channel
	sent, processed map[int32]uint32
	emits           map[int32][]uint64
	armed           map[[2]uint32]bool
	offset          map[int32]uint64
	clock           [][]int             // by node
	sentClock       map[[2]uint32][]int // by channel and number
	recorded        map[[2]uint32][]int // clocks by snapshot and node

	from       origin               // of the step that is being made
	producedBy map[int32][]origin   // by channel
	emitsBy    map[int32][]origin   // by node
	armedBy    map[[2]uint32]origin // by node and timer
	left       map[origin][]int     // rows of the emissions
}

// origin is the record from which something descends, and whether by a detour.
type origin struct {
	node   int32
	number uint64
	detour bool
}

// execute runs the rows and says what is wrong with the first wrong one. at is
// called before each row.
func execute(run *Run, rows []int, at func(n *naive, i int) error) (*naive, error) {
	n := &naive{
		run: run, produced: map[int32][]sim.Message{}, sent: map[int32]uint32{}, processed: map[int32]uint32{},
		emits: map[int32][]uint64{}, armed: map[[2]uint32]bool{}, offset: map[int32]uint64{},
		sentClock: map[[2]uint32][]int{}, recorded: map[[2]uint32][]int{},
		producedBy: map[int32][]origin{}, emitsBy: map[int32][]origin{}, armedBy: map[[2]uint32]origin{}, left: map[origin][]int{},
	}
	for v := range int32(run.Graph.Nodes) {
		n.apps = append(n.apps, run.NewApp(v))
		n.clock = append(n.clock, make([]int, run.Graph.Nodes))
	}
	for _, i := range rows {
		if at != nil {
			if err := at(n, i); err != nil {
				return n, err
			}
		}
		if err := n.row(i); err != nil {
			return n, err
		}
	}
	return n, nil
}

func (n *naive) row(i int) error {
	row := n.run.History.Rows[i]
	id, number := row.Entity(), row.Number
	v := owner(n.run.Graph, row)
	n.clock[v][v]++
	switch row.Kind() {
	case sim.RowSend:
		n.sent[id]++
		if number != n.sent[id] || int(number) > len(n.produced[id]) || n.produced[id][number-1].Hash() != row.Hash {
			return fmt.Errorf("row %d: send", i)
		}
		n.sentClock[[2]uint32{uint32(id), number}] = slices.Clone(n.clock[v])
	case sim.RowProcess:
		n.processed[id]++
		if number != n.processed[id] || number > n.sent[id] || n.produced[id][number-1].Hash() != row.Hash {
			return fmt.Errorf("row %d: process", i)
		}
		for w, c := range n.sentClock[[2]uint32{uint32(id), number}] {
			n.clock[v][w] = max(n.clock[v][w], c)
		}
		n.from = n.producedBy[id][number-1]
		n.from.detour = n.from.detour || n.run.BackEdge != nil && n.run.BackEdge[id]
		n.step(v, sim.Input(slices.Index(inputs(n.run.Graph, v), id)), n.produced[id][number-1])
	case sim.RowExternal:
		if n.run.Replay == sim.NoReplay {
			n.offset[v] = max(n.offset[v], uint64(number)-1)
		}
		n.offset[v]++
		m, _, _ := n.run.NewSource(v).Record(n.offset[v] - 1)
		if uint64(number) != n.offset[v] || m.Hash() != row.Hash {
			return fmt.Errorf("row %d: external", i)
		}
		n.from = origin{v, uint64(number), false}
		n.step(v, sim.External, m)
	case sim.RowTimer:
		if !n.armed[[2]uint32{uint32(v), number}] {
			return fmt.Errorf("row %d: timer", i)
		}
		delete(n.armed, [2]uint32{uint32(v), number})
		n.from = n.armedBy[[2]uint32{uint32(v), number}]
		n.from.detour = true
		n.step(v, sim.Timer, sim.Message{Key: uint64(number)})
	case sim.RowEmit:
		if len(n.emits[v]) == 0 || n.emits[v][0] != row.Hash {
			return fmt.Errorf("row %d: emit", i)
		}
		n.emits[v] = n.emits[v][1:]
		by := n.emitsBy[v][0]
		by.detour = false
		n.left[by] = append(n.left[by], i)
		n.emitsBy[v] = n.emitsBy[v][1:]
	case sim.RowRecord:
		n.recorded[[2]uint32{number, uint32(v)}] = slices.Clone(n.clock[v])
	}
	return nil
}

func (n *naive) step(v int32, in sim.Input, m sim.Message) {
	var fx sim.Effects
	n.apps[v].Step(in, m, &fx)
	for _, s := range fx.Sends() {
		if s.Output == sim.Sink {
			n.emits[v] = append(n.emits[v], s.Hash())
			n.emitsBy[v] = append(n.emitsBy[v], n.from)
			continue
		}
		var outs []int32
		for ch, from := range n.run.Graph.From {
			if from == v {
				outs = append(outs, int32(ch))
			}
		}
		n.produced[outs[s.Output]] = append(n.produced[outs[s.Output]], s.Message)
		n.producedBy[outs[s.Output]] = append(n.producedBy[outs[s.Output]], n.from)
	}
	fx.Timers(func(id uint32, _ int64) {
		n.armed[[2]uint32{uint32(v), id}] = true
		n.armedBy[[2]uint32{uint32(v), id}] = n.from
	})
}

func inputs(g sim.Graph, v int32) (ids []int32) {
	for ch, to := range g.To {
		if to == v {
			ids = append(ids, int32(ch))
		}
	}
	return ids
}

// legal executes the stitched run before each restore and at the end.
func legal(run *Run) error {
	ends := []int{len(run.History.Rows)}
	for k := range run.History.Restores {
		ends = append(ends, run.History.Restores[k].Row)
	}
	for _, end := range ends {
		n, err := execute(run, stitched(run, end), nil)
		if err != nil {
			return err
		}
		for v := range n.apps {
			if end == len(run.History.Rows) && !bytes.Equal(n.apps[v].Save(nil), run.History.Final.States[v]) {
				return fmt.Errorf("the end state of node %d", v)
			}
		}
	}
	return nil
}

// whenRecorded executes the run up to the last recording of a snapshot, in the
// incarnation in which it was recorded, and calls at before each row.
func whenRecorded(run *Run, s *sim.Snapshot, at func(n *naive, i int) error) (*naive, error) {
	last := 0
	for v := range s.Recordings {
		last = max(last, s.Recordings[v].Row)
	}
	return execute(run, stitched(run, last+1), at)
}

// truth compares a snapshot with the run: states, and what was in the channels.
func truth(run *Run, s *sim.Snapshot) error {
	n, err := whenRecorded(run, s, func(n *naive, i int) error {
		row := run.History.Rows[i]
		if row.Kind() == sim.RowRecord && row.Number == uint32(s.ID) &&
			!bytes.Equal(n.apps[row.Entity()].Save(nil), s.States[row.Entity()]) {
			return fmt.Errorf("the state of node %d in snapshot %d", row.Entity(), s.ID)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for ch := range s.Channels {
		var want []sim.Message
		if s.Processed[ch] < s.Sent[ch] {
			want = n.produced[int32(ch)][s.Processed[ch]:s.Sent[ch]]
		}
		if !slices.EqualFunc(s.Channels[ch], want, func(r sim.Recorded, m sim.Message) bool { return r.Message.Equal(m) }) {
			return fmt.Errorf("the state of channel %d in snapshot %d", ch, s.ID)
		}
	}
	return nil
}

// consistent says, by vector clocks, whether no event in the cut has a cause
// outside it.
func consistent(run *Run, s *sim.Snapshot) (bool, error) {
	n, err := whenRecorded(run, s, nil)
	for v := range s.Recordings {
		for w := range s.Recordings {
			at, other := n.recorded[[2]uint32{uint32(s.ID), uint32(v)}], n.recorded[[2]uint32{uint32(s.ID), uint32(w)}]
			if err == nil && at[w] > other[w] {
				return false, nil
			}
		}
	}
	return true, err
}

// TestCutsAgreeWithVectorClocks runs nodes that do not care for cuts.
func TestCutsAgreeWithVectorClocks(t *testing.T) {
	var good, bad int
	for seed := range cases(300) {
		p := drive(seed, true)
		report := Check(p.run, nil)
		for _, s := range p.h.Snapshots {
			if s.Status != sim.Complete {
				continue
			}
			want, err := consistent(p.run, s)
			if err != nil {
				continue // restored from a cut with orphans
			}
			got := !slices.ContainsFunc(report.Violations, func(v Violation) bool {
				return v.Invariant == "consistent-cut" && v.Snapshot == s.ID
			})
			if got != want {
				t.Fatalf("seed %d, snapshot %d: consistent is %v, by vector clocks %v", seed, s.ID, got, want)
			}
			if got {
				good++
			} else {
				bad++
			}
		}
	}
	if good < int(cases(100)) || bad < int(cases(100)) {
		t.Errorf("only %d consistent and %d inconsistent cuts", good, bad)
	}
}

// TestReplayAgreesWithNaive changes one row or one recorded message of a right run
// and compares the verdict with the naive one.
func TestReplayAgreesWithNaive(t *testing.T) {
	var good, bad int
	for seed := range cases(1500) {
		p := drive(seed, false)
		word := sim.Word(seed ^ 0xabc)
		p.alter(&word)
		err := legal(p.run)
		for _, s := range p.h.Snapshots {
			if err == nil && s.Status == sim.Complete {
				err = truth(p.run, s)
			}
		}
		report := Check(p.run, []string{"conservation", "termination", "monotone-cuts", "non-interference"})
		if report.Holds() != (err == nil) {
			t.Fatalf("seed %d: %v, naively: %v", seed, report.Violations, err)
		}
		if err == nil {
			good++
		} else {
			bad++
		}
	}
	if good < int(cases(50)) || bad < int(cases(300)) {
		t.Errorf("only %d runs right and %d wrong", good, bad)
	}
}

// alter changes something in a history. Rows that are moved or changed are neither
// restores nor recordings, which other parts of a history point at.
func (p *play) alter(word *sim.Word) {
	rows := p.h.Rows
	i := word.Below(len(rows))
	j := min(i+1+word.Below(3), len(rows)-1)
	fixed := func(i int) bool {
		k := rows[i].Kind()
		return k == sim.RowRecord || k == sim.RowRestore || k == sim.RowCrash
	}
	switch word.Below(5) {
	case 0: // two rows change places, which may be harmless
		for k := i; k <= j; k++ {
			if fixed(k) {
				return
			}
		}
		rows[i], rows[j] = rows[j], rows[i]
	case 1:
		if r := rows[i]; !fixed(i) && r.Kind() != sim.RowTimer {
			rows[i] = sim.NewRow(r.Kind(), r.Entity(), r.Number, r.Hash^1)
		}
	case 2:
		if r := rows[i]; r.Kind() <= sim.RowExternal {
			rows[i] = sim.NewRow(r.Kind(), r.Entity(), r.Number+1, r.Hash)
		}
	case 3:
		if s := p.someComplete(word); s != nil {
			v := word.Below(p.g.Nodes)
			s.States[v] = slices.Clone(s.States[v])
			s.States[v][word.Below(24)]++
			for k := range p.h.Restores {
				if r := &p.h.Restores[k]; r.Snapshot == s {
					r.States[v] = s.States[v]
				}
			}
		}
	case 4:
		if s := p.someComplete(word); s != nil {
			ch := word.Below(len(s.Channels))
			if len(s.Channels[ch]) > 0 {
				s.Channels[ch][0].Message.Value++
			}
		}
	}
}

func (p *play) someComplete(word *sim.Word) *sim.Snapshot {
	if len(p.h.Snapshots) == 0 {
		return nil
	}
	if s := p.h.Snapshots[word.Below(len(p.h.Snapshots))]; s.Status == sim.Complete {
		return s
	}
	return nil
}

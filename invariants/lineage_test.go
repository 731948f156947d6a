package invariants

import (
	"maps"
	"testing"

	"simrun/sim"
)

// This file decides about lineages a second time, on the naive executions of
// twin_test.go: which messages are on the wrong side of which cut, and how often the
// outputs of each record left the system.

// wrongSide is a message that a cut has and should not, or the other way round.
type wrongSide struct {
	snapshot sim.SnapshotID
	channel  int32
	number   uint32
	node     int32 // of its record
	record   uint64
	early    bool
}

// wrongSides compares every message with every snapshot that its receiver has recorded
// in the same incarnation, or that the incarnation began with.
func wrongSides(t *testing.T, run *Run) map[wrongSide]bool {
	all := map[wrongSide]bool{}
	h := run.History
	for k := 0; k <= len(h.Restores); k++ {
		first, last := 0, len(h.Rows)
		var base *sim.Snapshot
		if k > 0 {
			first, base = h.Restores[k-1].Row, h.Restores[k-1].Snapshot
		}
		if k < len(h.Restores) {
			last = h.Restores[k].Row
		}
		rows := stitched(run, last)
		processedAt := map[[2]uint32]int{}
		for _, i := range rows {
			if r := h.Rows[i]; r.Kind() == sim.RowProcess {
				processedAt[[2]uint32{uint32(r.Entity()), r.Number}] = i
			}
		}
		n, err := execute(run, rows, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range h.Snapshots {
			for ch, froms := range n.producedBy {
				v := run.Graph.To[ch]
				cut := s.Recordings[v].Row
				if s.Status != sim.Complete || s != base && (cut < first || cut >= last) {
					continue
				}
				for i, from := range froms {
					at, processed := processedAt[[2]uint32{uint32(ch), uint32(i + 1)}]
					inside := processed && at < cut
					should := from.number <= s.Recordings[from.node].Offset
					if from.detour || run.BackEdge[ch] || inside == should {
						continue
					}
					if s == base && at < first && processed {
						continue // of an incarnation before
					}
					all[wrongSide{s.ID, ch, uint32(i + 1), from.node, from.number, inside}] = true
				}
			}
		}
	}
	return all
}

// strayed is the messages that the replay finds on the wrong side.
func strayed(run *Run) map[wrongSide]bool {
	c := &Checker{run: run, h: run.History, out: new(Report), count: map[subject]int{}}
	c.verdicts()
	c.sift()
	c.freshApps()
	c.replay.play(c)
	all := map[wrongSide]bool{}
	for _, e := range c.replay.strays.list {
		for i, root := range e.roots {
			all[wrongSide{e.snapshot.ID, e.channel, e.numbers[i], root.node(), root.number(), e.early}] = true
		}
	}
	return all
}

// crossing says whether snapshots are not recorded everywhere in the order of their ids.
func crossing(h *sim.History) bool {
	last := map[int]uint32{}
	for _, s := range h.Snapshots {
		for v := range s.Recordings {
			if s.Status == sim.Complete && s.Recordings[v].Seq < last[v] {
				return true
			}
			if s.Status == sim.Complete {
				last[v] = s.Recordings[v].Seq
			}
		}
	}
	return false
}

// TestLineageAgreesWithNaive: on random runs that align nothing, the messages on the
// wrong side of a cut are those that the definition gives.
func TestLineageAgreesWithNaive(t *testing.T) {
	var early, late, exact, restored int
	for seed := range cases(800) {
		p := drive(seed, seed%2 == 0)
		word := sim.Word(seed ^ 0x5e7)
		p.run.Aligned, p.run.BackEdge = true, make([]bool, len(p.g.From))
		for ch := range p.run.BackEdge {
			p.run.BackEdge[ch] = word.Below(4) == 0
		}
		if legal(p.run) != nil {
			continue // restored from a cut with orphans
		}
		got, want := strayed(p.run), wrongSides(t, p.run)
		for w := range got {
			if !want[w] {
				t.Fatalf("seed %d: %+v is not on the wrong side", seed, w)
			}
		}
		// A node that records the newer of two snapshots first is accused of that.
		if !crossing(p.h) {
			exact++
			if !maps.Equal(got, want) {
				t.Fatalf("seed %d: found %v, naively %v", seed, got, want)
			}
			if len(p.h.Restores) > 0 && len(want) > 0 {
				restored++
			}
		}
		report := Check(p.run, nil)
		for w := range want {
			if w.early {
				early++
			} else {
				late++
			}
			if report.SnapshotVerdict(w.snapshot) != Violated {
				t.Fatalf("seed %d: %+v, and snapshot %d %s", seed, w, w.snapshot, report.SnapshotVerdict(w.snapshot))
			}
		}
	}
	for what, n := range map[string]int{
		"messages inside cuts that their records are outside of": early, "messages outside cuts that their records are inside of": late,
		"runs without crossing snapshots": exact, "of these with restores and something wrong": restored,
	} {
		t.Logf("%d %s", n, what)
		if n < int(cases(100)) {
			t.Errorf("only %d %s", n, what)
		}
	}
}

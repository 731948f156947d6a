package invariants

import (
	"testing"

	"simrun/sim"
)

// logged makes a message of the first snapshot's channel state one of a backup log, in
// the snapshot and in the restore, but for what f does.
func logged(f func(s *sim.Snapshot)) func(*play) {
	return func(p *play) {
		s, r := p.h.Snapshots[0], &p.h.Restores[0]
		s.Channels[ab][0].Logged = true
		s.Logs[1] = []sim.LogEntry{{Channel: ab, Index: 0}}
		r.Logged[ab], r.Requeued[ab] = s.Channels[ab][:1], s.Channels[ab][1:]
		f(s)
	}
}

// TestContradictions: what a history says twice must agree.
func TestContradictions(t *testing.T) {
	first := func(f func(s *sim.Snapshot)) func(*play) { return func(p *play) { f(p.h.Snapshots[0]) } }
	restore := func(f func(r *sim.Restore)) func(*play) { return func(p *play) { f(&p.h.Restores[0]) } }
	caught(t, "termination", []damage{
		{"a list of the end too short", func(p *play) { p.h.Final.Markers = p.h.Final.Markers[:2] }, "lists of [4 4 4 2 4] entries"},
		{"gaps where there are none", func(p *play) { p.h.Final.Gaps = make([][]uint32, 1) }, "the gaps of 1 channels"},
		{"an unknown end", func(p *play) { p.h.End = 77 }, "the unknown way 77"},
		{"more processed than handed", func(p *play) { p.h.Final.Read[1]-- }, "External records, and its App has processed"},
		{"blocked for nothing", func(p *play) { p.h.Final.Blocked[ab] = 9 }, "blocked for snapshot 9"},
	})
	caught(t, "coordinator", []damage{
		{"a list too long", first(func(s *sim.Snapshot) { s.Durable = append(s.Durable, true) }), "lists of [3 3 3 3 3 4] entries"},
		{"a list by channel", first(func(s *sim.Snapshot) { s.Marked = nil }), "lists of [4 4 4 0] entries"},
		{"another beginning", first(func(s *sim.Snapshot) { s.StartedAt++ }), "was first recorded at"},
		{"complete after the end", func(p *play) { p.h.EndedAt = 3 }, "and the run ended at 3"},
		{"given up and complete", first(func(s *sim.Snapshot) { s.Status = sim.Aborted }), "is not complete, and says"},
		{"less than no markers", first(func(s *sim.Snapshot) { s.Markers = -1 }), "-1 markers"},
		{"initiators", first(func(s *sim.Snapshot) { s.Initiators = []int32{3} }), "initiators [3]"},
		{"a part of what was not recorded", first(func(s *sim.Snapshot) { s.Recordings[1] = sim.Recording{} }), "has a part of it"},
		{"durable and not done", first(func(s *sim.Snapshot) { s.DoneAt[1] = -1 }), "is durable, and was never done"},
		{"an empty log", logged(func(s *sim.Snapshot) { s.Logs[1] = nil }), "1 messages marked as logged that no backup log names"},
		{"a log of somebody else", logged(func(s *sim.Snapshot) { s.Logs[2], s.Logs[1] = s.Logs[1], nil }), "which is not in that log"},
		{"a log twice", logged(func(s *sim.Snapshot) { s.Logs[1] = append(s.Logs[1], s.Logs[1][0]) }), "or was named before"},
		{"a log of nothing", logged(func(s *sim.Snapshot) { s.Logs[1][0].Index = 99 }), "names entry 99"},
	})
	caught(t, "recovery", []damage{
		{"a list of the restore too short", restore(func(r *sim.Restore) { r.Logged = nil }), "lists of [4 0] entries"},
		{"restored before the crash", restore(func(r *sim.Restore) { r.CrashedAt = r.At + 1 }), "follows a crash at"},
		{"another crash", restore(func(r *sim.Restore) { r.CrashedAt-- }), "no such crash came first"},
		{"replayed", restore(func(r *sim.Restore) { r.Replayed++ }), "has put back or replayed 13 messages"},
		{"lost", restore(func(r *sim.Restore) { r.LostProcessed-- }), "the rows say 2 and 2"},
		{"a log in a channel", restore(func(r *sim.Restore) { r.Requeued[ab][0].Logged = true }), "are in the backup log"},
		{"a crash too many", func(p *play) { p.h.Crashes = append(p.h.Crashes, sim.Crash{Node: 1}) }, "lists 2 crashes"},
		{"a crash of another node", func(p *play) { p.h.Crashes[0].Node = 2 }, "the list of crashes says otherwise"},
		{"fired and not", func(p *play) { p.h.UnfiredFaults = []int{0} }, "is listed as never fired"},
	})
	caught(t, "state-truth", []damage{
		{"recordings in another order", first(func(s *sim.Snapshot) {
			s.Recordings[0].Seq, s.Recordings[1].Seq = s.Recordings[1].Seq, s.Recordings[0].Seq
		}), "which names recording 3"},
		{"a recording that no row tells of", func(p *play) { s := p.trigger(0); s.Recordings[0].Seq = 7 }, "have 7 recordings, and there are rows of 6"},
	})
	caught(t, "non-interference", []damage{
		{"deliveries", func(p *play) { p.h.Deliveries++ }, "messages processed, and has rows of"},
		{"a restore with a content", func(p *play) { p.change(sim.RowRestore, 0, wrongHash) }, "has a content or a place"},
	})
}

package invariants

import (
	"slices"
	"testing"

	"simrun/sim"
)

// drive plays a random run. A node records a snapshot before it processes what was
// sent behind a cut, as any right algorithm sees to; a sloppy run leaves that out.
func drive(seed uint64, sloppy bool) *play {
	word := sim.Word(seed)
	nodes := 2 + word.Below(4)
	var pairs [][2]int32
	for v := range int32(nodes) {
		pairs = append(pairs, [2]int32{v, (v + 1) % int32(nodes)})
	}
	for range word.Below(2 * nodes) {
		pairs = append(pairs, [2]int32{int32(word.Below(nodes)), int32(word.Below(nodes))})
	}
	p := newPlay(graphOf(nodes, pairs...))
	if word.Below(4) == 0 {
		p.run.Replay = sim.NoReplay
	}
	for range 40 + word.Below(120) {
		p.random(&word, sloppy)
	}
	if len(p.down) > 0 {
		p.restore()
	}
	for _, s := range p.h.Snapshots {
		p.finish(s)
	}
	p.drain()
	p.end()
	return p
}

// random lets something happen.
func (p *play) random(word *sim.Word, sloppy bool) {
	v, ch := int32(word.Below(p.g.Nodes)), int32(word.Below(len(p.g.From)))
	up := !slices.Contains(p.down, v)
	switch word.Below(20) {
	case 0, 1, 2:
		if up {
			p.external(v)
		}
	case 3:
		if up && len(p.timers[v]) > 0 {
			p.timer(v, p.timers[v][0].ID)
		}
	case 4:
		if up {
			p.record(p.trigger(v), v)
		}
	case 5, 6:
		for _, s := range p.h.Snapshots {
			if up && s.Status == sim.Pending && s.Recordings[v].Seq == 0 {
				p.record(s, v)
			}
		}
	case 7:
		if word.Below(6) == 0 && len(p.h.Restores) < 4 && up {
			p.crash(v)
		} else if len(p.down) > 0 {
			p.restore()
		}
	default:
		if slices.Contains(p.down, p.g.To[ch]) {
			return
		}
		if !sloppy {
			p.before(ch)
		}
		p.process(ch)
	}
}

// before lets the receiver of a channel record what it must have recorded before
// it processes the next message.
func (p *play) before(ch int32) {
	from, to := p.g.From[ch], p.g.To[ch]
	for _, s := range p.h.Snapshots {
		if s.Status == sim.Pending && s.Recordings[from].Seq != 0 && s.Recordings[to].Seq == 0 && p.processed[ch] >= s.Sent[ch] {
			p.record(s, to)
		}
	}
}

// finish lets everybody record a snapshot that is still pending.
func (p *play) finish(s *sim.Snapshot) {
	for v := range s.Recordings {
		if s.Status == sim.Pending && s.Recordings[v].Seq == 0 {
			p.record(s, int32(v))
		}
	}
}

// cases is how many of the random cases a test runs; -short takes a quarter.
func cases(n uint64) uint64 {
	if testing.Short() {
		return n / 4
	}
	return n
}

// TestRightRunsHold checks that nothing is said against runs in which nothing is
// wrong, and that these runs were not dull.
func TestRightRunsHold(t *testing.T) {
	var complete, restores, initial, channelMessages, lost, crossing, late int
	var c Checker
	for seed := range cases(2000) {
		p := drive(seed, false)
		report := c.Check(p.run, nil)
		for _, v := range report.Violations {
			t.Fatalf("seed %d: %v", seed, v)
		}
		for _, s := range p.h.Snapshots {
			if s.Status == sim.Complete {
				complete++
			}
			for ch := range s.Channels {
				channelMessages += len(s.Channels[ch])
				if len(s.Channels[ch]) > 0 && s.Recordings[p.g.From[ch]].Seq > s.Recordings[p.g.To[ch]].Seq {
					late++ // the receiver recorded before the sender
				}
			}
		}
		for k := range p.h.Restores {
			if from := p.h.Restores[k].Snapshot; from == nil {
				initial++
			} else {
				for _, s := range p.h.Snapshots {
					for v := range s.Recordings {
						if s.Status == sim.Complete && s.ID < from.ID && s.Recordings[v].Seq > from.Recordings[v].Seq {
							crossing++ // it recorded in rows that the restore took back
						}
					}
				}
			}
		}
		restores += len(p.h.Restores)
		lost += int(report.Lost)
		if len(report.Snapshots) != len(p.h.Snapshots) || len(report.Restores) != len(p.h.Restores) {
			t.Fatalf("seed %d: %d and %d verdicts", seed, len(report.Snapshots), len(report.Restores))
		}
	}
	for what, n := range map[string]int{
		"complete snapshots": complete, "restores": restores, "restores to the initial state": initial,
		"messages in channel states": channelMessages, "records lost without replay": lost,
		"snapshots that cross a restored one": crossing, "channel states whose receiver recorded first": late,
	} {
		if n < int(cases(100)) {
			t.Errorf("only %d %s", n, what)
		}
	}
}

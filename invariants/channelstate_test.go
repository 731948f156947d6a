package invariants

import (
	"slices"
	"testing"

	"simrun/sim"
)

// content changes the state that snapshot 1 has of a channel.
func content(ch int, f func(m []sim.Recorded) []sim.Recorded) func(*play) {
	return func(p *play) {
		s := p.h.Snapshots[0]
		s.Channels[ch] = f(slices.Clone(s.Channels[ch]))
		p.h.Restores[0].Requeued[ch] = s.Channels[ch]
	}
}

func TestChannelState(t *testing.T) {
	caught(t, "channel-state", []damage{
		{"missing", content(ab, func(m []sim.Recorded) []sim.Recorded { return m[1:] }), "Missing: message 2"},
		{"not recorded at all", content(ab, func([]sim.Recorded) []sim.Recorded { return nil }), "should hold messages"},
		{"twice", content(ab, func(m []sim.Recorded) []sim.Recorded { return append(m, m[len(m)-1]) }), "There more than once: message 3"},
		{"out of order", content(ab, func(m []sim.Recorded) []sim.Recorded { slices.Reverse(m); return m }), "out of order"},
		{"processed before the cut", content(ab, func(m []sim.Recorded) []sim.Recorded {
			return slices.Insert(m, 0, sim.Recorded{Number: 1})
		}), "There although processed by B before it recorded: message 1"},
		{"sent after the cut", content(ab, func(m []sim.Recorded) []sim.Recorded {
			return append(m, sim.Recorded{Number: m[len(m)-1].Number + 1})
		}), "although sent by A only after it recorded: message"},
		{"in no channel ever", content(bc, func(m []sim.Recorded) []sim.Recorded {
			return append(m, sim.Recorded{})
		}), "no channel ever carried it: 1 message"},
		{"another content", content(ab, func(m []sim.Recorded) []sim.Recorded { m[0].Message.Value++; return m }),
			"with another content"},
		{"another content, of one sent after the receiver recorded", content(ac, func(m []sim.Recorded) []sim.Recorded {
			m[len(m)-1].Message.Key ^= 4
			return m
		}), "with another content"},
		{"another number at the end", content(ab, func(m []sim.Recorded) []sim.Recorded { m[len(m)-1].Number += 9; return m }), "Missing: message 3; there although sent by A only after"},
		{"another content at the end", content(ab, func(m []sim.Recorded) []sim.Recorded { m[len(m)-1].Message.Value++; return m }),
			"snapshot 1 has message 3 on channel A->B with another content"},
		{"another incarnation", content(ab, func(m []sim.Recorded) []sim.Recorded { m[0].Incarnation = 1; return m }),
			"as sent in incarnation 1"},
		{"something, where more was processed than sent", func(p *play) {
			s := p.h.Snapshots[1]
			s.Processed[bc], s.Channels[bc] = s.Sent[bc]+1, []sim.Recorded{{Number: 1}}
		}, "channel B->C is wrong: it should be empty"},
		{"never sent", func(p *play) {
			s := p.h.Snapshots[1]
			s.Sent[ca] += 100
			for n := s.Processed[ca] + uint32(len(s.Channels[ca])) + 1; n <= s.Sent[ca]; n++ {
				s.Channels[ca] = append(s.Channels[ca], sim.Recorded{Number: n})
			}
		}, "never sent"},
	})
}

func TestWatchesWaitForLateSends(t *testing.T) {
	p := sample(t)
	s := p.h.Snapshots[0]
	if s.Recordings[0].Seq < s.Recordings[2].Seq {
		t.Fatal("A recorded before C: nothing in A->C is sent late")
	}
	var c Checker
	c.Check(p.run, nil)
	if cap(c.replay.watches) < 2 || c.replay.watching != 0 {
		t.Errorf("%d watches made, %d left", cap(c.replay.watches)-1, c.replay.watching)
	}
}

// TestNeverSentBeforeTheRestore: what a channel state contains must have been sent by
// the restore that follows. A message of the next incarnation comes too late, were
// it the very same.
func TestNeverSentBeforeTheRestore(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}))
	s := p.trigger(1)
	p.record(s, 1, 0) // the receiver first
	p.crash(1)
	p.restore()
	p.external(0)
	p.drain()
	p.end()
	s.Sent[0], s.Channels[0] = 1, slices.Clone(p.log[0][:1])
	report := Check(p.run, nil)
	says(t, report, "channel-state", "snapshot 1 has message 1 in the state of channel A->B, although never sent")
	if v, _ := find(report, "channel-state"); !slices.Equal(v.Numbers, []uint32{1}) {
		t.Errorf("%+v", v)
	}
}

package explain_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simrun/invariants"
	"simrun/invariants/explain"
	"simrun/scenarios"
	"simrun/sim"
)

// watched runs a scenario file under an algorithm, and judges it.
func watched(t *testing.T, file, algorithm string, seed uint64, change ...func(*sim.Config)) (*invariants.Run, *invariants.Report, *explain.Notes) {
	t.Helper()
	c := scenarios.Default()
	s, err := scenarios.Load(c, filepath.Join("..", "..", "testdata", "scenarios", file))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := s.Resolve(c, scenarios.Overrides{Algorithm: algorithm})
	if err != nil {
		t.Fatal(err)
	}
	cfg, notes := plan.Config(seed), new(explain.Notes)
	cfg.Observer = notes
	for _, f := range change {
		f(&cfg)
	}
	engine, err := sim.New(&cfg)
	if err != nil {
		t.Fatal(err)
	}
	run := invariants.Of(&cfg, engine.Run())
	run.Aligned = plan.Algorithm.Aligned
	run.NodeName = func(v int32) string { return plan.Graph.Nodes[v] }
	run.ChannelName = plan.Graph.ChannelName
	return run, invariants.Check(run, nil), notes
}

// TestCasesAgreeWithTheCut: in right runs the four cases, which are read off the rows,
// are what the engine's counters say, and what was recorded is what was in flight.
func TestCasesAgreeWithTheCut(t *testing.T) {
	crossed, restored, snapshots := 0, 0, 0
	for _, file := range []string{"loop-crash.yaml", "abilene-bank.yaml", "ring-both.yaml", "wordcount-crash.yaml", "in-transit.yaml"} {
		for seed := uint64(1); seed <= 3; seed++ {
			run, report, notes := watched(t, file, "", seed)
			x := explain.New(run, report, notes)
			for _, s := range run.History.Snapshots {
				if s.Status != sim.Complete {
					continue
				}
				out := x.Snapshot(s.ID)
				snapshots++
				restored += int(out.Incarnation)
				for i := range out.Channels {
					c := &out.Channels[i]
					ch := -1
					for other := range s.Sent {
						if run.ChannelName(int32(other)) == c.Name {
							ch = other
						}
					}
					agrees(t, s, ch, c)
					crossed += len(c.InFlight)
				}
			}
		}
	}
	if crossed == 0 || restored == 0 || snapshots < 20 {
		t.Errorf("%d channels with something in flight, %d incarnations, %d snapshots", crossed, restored, snapshots)
	}
}

func agrees(t *testing.T, s *sim.Snapshot, ch int, c *explain.Channel) {
	t.Helper()
	sent, processed := s.Sent[ch], s.Processed[ch]
	inside, inFlight := explain.Ranges{}, explain.Ranges{}
	if processed > 0 {
		inside = explain.Ranges{{1, processed}}
	}
	if sent > processed {
		inFlight = explain.Ranges{{processed + 1, sent}}
	}
	if !slices.Equal(c.Inside, inside) || !slices.Equal(c.InFlight, inFlight) || len(c.Orphans) > 0 || !c.Right || c.Stored != int(sent-processed) {
		t.Errorf("snapshot %d, %s: R_c = %d, S_c = %d, and it says %+v", s.ID, c.Name, processed, sent, c)
	}
}

// TestEveryViolationHasAStory: whatever is violated, something is said of it beyond
// the checker's sentence. Every kind has to come up.
func TestEveryViolationHasAStory(t *testing.T) {
	told := map[string]int{}
	for _, test := range []struct{ file, algorithm string }{
		{"loop-crash.yaml", "log-twice"}, {"loop-crash.yaml", "log-until-last-barrier"}, {"loop-crash.yaml", "aligned-back-edges"},
		{"loop-crash.yaml", "log-ignored"}, {"loop-crash.yaml", "log-after-input"},
		{"wordcount-crash.yaml", "no-blocking"}, {"wordcount-crash.yaml", "late-snapshot"}, {"wordcount-crash.yaml", "reordered-buffer"},
		{"abilene-bank.yaml", "one-marker-closes-all"}, {"abilene-bank.yaml", "every-open-channel"}, {"abilene-bank.yaml", "late-markers"},
		{"abilene-bank.yaml", "late-state"}, {"abilene-bank.yaml", "overtaking-markers"}, {"abilene-bank.yaml", "records-between"},
		{"concurrent-snapshots.yaml", "no-ids"}, {"concurrent-snapshots.yaml", "forgotten-output"}, {"concurrent-snapshots.yaml", "first-channel-open"},
		{"no-log-loop.yaml", "loop-no-log"},
	} {
		run, report, notes := watched(t, test.file, test.algorithm, 1)
		if report.Holds() {
			t.Errorf("%s on %s violates nothing", test.algorithm, test.file)
		}
		for _, watcher := range []*explain.Notes{notes, nil} {
			x := explain.New(run, report, watcher)
			for i := range report.Violations {
				v := &report.Violations[i]
				if i > 40 {
					break // the rest is like it
				}
				if story := x.Violation(v).Story(); len(story) == 0 {
					t.Errorf("%s on %s: nothing is said of %v", test.algorithm, test.file, v)
				}
				told[v.Invariant]++
			}
		}
	}
	for _, name := range []string{"consistent-cut", "channel-state", "abs-staged", "fifo", "conservation", "recovery", "termination"} {
		if told[name] == 0 {
			t.Errorf("no %s came up: %v", name, told)
		}
	}
}

// TestDamagedHistories: a history that contradicts itself is explained as far as
// that goes, and nothing panics.
func TestDamagedHistories(t *testing.T) {
	lines, sound := 0, 0
	for seed := uint64(1); seed <= 240; seed++ {
		file := []string{"loop-crash.yaml", "in-transit.yaml", "no-snapshot-yet.yaml"}[seed%3]
		run, _, notes := watched(t, file, "", 1+seed/60)
		hurt(run.History, sim.Word(seed*0x9e3779b97f4a7c15))
		report := invariants.Check(run, nil)
		if report.Holds() {
			sound++
		}
		x := explain.New(run, report, notes)
		for i := range report.Violations[:min(len(report.Violations), 12)] {
			lines += len(x.Violation(&report.Violations[i]).Lines())
		}
		for id := range sim.SnapshotID(len(run.History.Snapshots) + 2) {
			if s := x.Snapshot(id); s != nil {
				lines += len(s.Lines(func(int64) string { return "" }, map[string]bool{}))
			}
		}
	}
	if lines < 1000 || sound > 120 {
		t.Errorf("%d lines, %d histories were not hurt", lines, sound)
	}
}

// hurt damages a history somewhere.
func hurt(h *sim.History, word sim.Word) {
	row := func() int { return word.Below(len(h.Rows)) }
	s := h.Snapshots[word.Below(len(h.Snapshots))]
	switch word.Below(12) {
	case 0:
		i := row()
		h.Rows[i] = sim.NewRow(sim.RowKind(word.Below(16)), int32(word.Below(9)), uint32(word.Below(99)), 0)
	case 1:
		h.Rows = h.Rows[:row()]
	case 2:
		i, k := row(), row()
		h.Rows[i], h.Rows[k] = h.Rows[k], h.Rows[i]
	case 3:
		h.Rows = slices.Delete(h.Rows, 3, 4)
	case 4:
		if len(s.Recordings) > 0 {
			s.Recordings[0].Row = word.Below(1000) - 500
		}
	case 5:
		s.Recordings = s.Recordings[:min(1, len(s.Recordings))]
	case 6:
		s.Channels = nil
	case 7:
		s.Incarnation = uint8(word.Below(9))
	case 8:
		if len(h.Restores) > 0 {
			h.Restores[0].Snapshot = h.Snapshots[len(h.Snapshots)-1]
		}
	case 9:
		h.Restores = h.Restores[:0]
	case 10:
		h.Breaches = append(h.Breaches, sim.Breach{Row: word.Below(1_000_000) - 10, Channel: int32(word.Below(9)), Number: uint32(word.Below(9)), Incarnation: uint8(word.Below(9))})
	case 11:
		h.Rows = nil
	}
}

// TestWithoutNames: an Explainer needs no names, and no notes.
func TestWithoutNames(t *testing.T) {
	run, report, _ := watched(t, "abilene-bank.yaml", "no-channel-state", 1)
	run.NodeName, run.ChannelName = nil, nil
	x := explain.New(run, report, nil)
	story := strings.Join(x.Violation(&report.Violations[0]).Story(), "\n")
	for _, want := range []string{"Message 5 on node 0->node 1#0", "node 1  event 48  processes message 5 from node 0->node 1#0"} {
		if !strings.Contains(story, want) {
			t.Errorf("it does not say %q:\n%s", want, story)
		}
	}
	if s := x.Snapshot(1); s.Cut[0].By != "" {
		t.Errorf("without notes it says %q", s.Cut[0].By)
	}
}

// TestWrongRecordings: what is wrong with a recorded snapshot is named for what it is.
func TestWrongRecordings(t *testing.T) {
	const loop, back = "loop-crash.yaml", 2 // worker->head, a back-edge with messages 31 to 46 in flight
	for _, test := range []struct {
		name   string
		damage func(h *sim.History, s *sim.Snapshot)
		says   string
	}{
		{"twice", func(_ *sim.History, s *sim.Snapshot) {
			s.Channels[back] = append(s.Channels[back], s.Channels[back][0])
		}, "has it 2 times"},
		{"order", func(_ *sim.History, s *sim.Snapshot) {
			s.Channels[back][0], s.Channels[back][1] = s.Channels[back][1], s.Channels[back][0]
		}, "in this order: 32, 31, 33"},
		{"content", func(_ *sim.History, s *sim.Snapshot) { s.Channels[back][0].Message.Value++ }, "does not say what that message said"},
		{"incarnation", func(_ *sim.History, s *sim.Snapshot) { s.Channels[back][0].Incarnation = 1 }, "recorded as sent in incarnation 1, but it was sent in 0"},
		{"missing", func(_ *sim.History, s *sim.Snapshot) { s.Channels[back] = s.Channels[back][1:] },
			"belongs in the backup log; the barrier came behind message 31, after event 305 of head, and the message was not stored"},
		{"early", func(_ *sim.History, s *sim.Snapshot) {
			m := s.Channels[back][0]
			m.Number = 30
			s.Channels[back] = append([]sim.Recorded{m}, s.Channels[back]...)
		}, "What is recorded here as message 30 does not say"},
		{"late", func(_ *sim.History, s *sim.Snapshot) {
			m := s.Channels[back][0]
			m.Number = 5000
			s.Channels[back] = append(s.Channels[back], m)
		}, "worker never sent a message 5000 on this channel"},
		{"recorded again", func(_ *sim.History, s *sim.Snapshot) { s.Twice = []int32{1} }, "The cut is at the first recording (its event 221)"},
		{"never recorded", func(_ *sim.History, s *sim.Snapshot) { s.Recordings[1] = sim.Recording{} }, "head has no recording of snapshot 1"},
		{"state of the beginning", func(h *sim.History, s *sim.Snapshot) { s.States[3] = h.Restores[1].States[3][:0] }, "- the state is"},
		{"restored state", func(h *sim.History, s *sim.Snapshot) { h.Restores[0].States[1] = s.States[0] }, "- handled is 41, should be 110"},
		{"requeued", func(h *sim.History, _ *sim.Snapshot) {
			h.Restores[0].Logged[back] = h.Restores[0].Logged[back][1:]
		}, "On worker->head#2: snapshot 1 has messages 31-46; put back into the channel: nothing; given to the algorithm to process first: messages 32-46"},
		{"order of the cuts", func(h *sim.History, _ *sim.Snapshot) { // snapshot 4's cut goes back behind the restored one
			m, n := h.Restores[1].Snapshot, h.Snapshots[3]
			m.Recordings[1].Row, n.Recordings[1].Row = n.Recordings[1].Row, m.Recordings[1].Row
			m.Recordings[1].Seq, n.Recordings[1].Seq = n.Recordings[1].Seq, m.Recordings[1].Seq
		}, "head recorded them the other way round"},
	} {
		t.Run(test.name, func(t *testing.T) {
			run, _, notes := watched(t, loop, "", 1)
			test.damage(run.History, run.History.Snapshots[0])
			report := invariants.Check(run, nil)
			says(t, explain.New(run, report, notes), report, test.says)
		})
	}
}

// TestUnreliableChannels: what a channel did that the algorithms are not made for.
func TestUnreliableChannels(t *testing.T) {
	for _, test := range []struct {
		name    string
		channel int
		how     sim.Unreliable
		says    string
	}{
		{"lost message", 1, sim.Unreliable{Lose: sim.Failure{Messages: []uint32{1}}}, "The channel lost it; the algorithm is made for channels that lose nothing"},
		{"lost marker", 0, sim.Unreliable{Lose: sim.Failure{Markers: []sim.SnapshotID{1}}},
			"P2 waits for its marker on channel P1->P2#0, and the channel has lost it"},
	} {
		t.Run(test.name, func(t *testing.T) {
			run, report, notes := watched(t, "in-transit.yaml", "", 1, func(cfg *sim.Config) {
				cfg.Unreliable = make([]sim.Unreliable, 2)
				cfg.Unreliable[test.channel] = test.how
			})
			says(t, explain.New(run, report, notes), report, test.says)
		})
	}
	overtook, twice := false, false
	for seed := uint64(1); seed <= 40 && !(overtook && twice); seed++ {
		run, report, notes := watched(t, "abilene-bank.yaml", "", seed, func(cfg *sim.Config) {
			cfg.Unreliable = make([]sim.Unreliable, len(cfg.Graph.From))
			for c := range cfg.Unreliable {
				cfg.Unreliable[c] = sim.Unreliable{Reorder: seed%2 == 0, Duplicate: sim.Failure{PerMillion: 200_000 * uint32(seed%2)}}
			}
		})
		text := stories(explain.New(run, report, notes), report)
		overtook = overtook || strings.Contains(text, "overtook it: the channel is not first in, first out")
		twice = twice || strings.Contains(text, "The channel brought it twice")
	}
	if !overtook || !twice {
		t.Errorf("overtaking told: %t, duplicates told: %t", overtook, twice)
	}
}

// stories is what is said of all violations, with single spaces.
func stories(x *explain.Explainer, report *invariants.Report) string {
	var lines []string
	for i := range report.Violations {
		lines = append(lines, x.Violation(&report.Violations[i]).Lines()...)
	}
	return strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
}

func says(t *testing.T, x *explain.Explainer, report *invariants.Report, want string) {
	t.Helper()
	if text := stories(x, report); !strings.Contains(text, want) {
		t.Errorf("it does not say %q:\n%s", want, text)
	}
}

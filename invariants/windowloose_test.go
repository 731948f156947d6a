package invariants

import (
	"slices"
	"strings"
	"testing"

	"simrun/sim"
)

// TestReachabilityOnUnreliableChannels: a snapshot is reachable where its cut, its
// channel states and its node states are right, and nowhere else. In timed order
// Chandy and Lamport's markers change nothing on such channels either.
func TestReachabilityOnUnreliableChannels(t *testing.T) {
	var c Checker
	reached, not := 0, 0
	for seed := range cases(600) {
		cfg := dealt(seed, false)
		unreliably(cfg, seed)
		for ch := range cfg.Unreliable {
			if uint64(ch)%4 != seed%4 {
				cfg.Unreliable[ch] = sim.Unreliable{}
			}
		}
		run := judged(t, cfg, false)
		run.Unreliable = cfg.Unreliable
		if cfg.Order == sim.Timed {
			run.Bare = alone(t, cfg)
		}
		report := c.Check(run, nil)
		if v, ok := find(report, "non-interference"); ok {
			t.Fatalf("seed %d: %v", seed, v)
		}
		for _, s := range run.History.Snapshots {
			if s.Status != sim.Complete || report.Swaps[s.ID-1] < 0 { // the run stopped being legal before
				continue
			}
			right, reachable := true, true
			for _, v := range report.Violations {
				switch {
				case v.Snapshot != s.ID:
				case v.Invariant == "reachability":
					reachable = false
				case v.Invariant == "consistent-cut" && len(s.Twice) == 0, v.Invariant == "channel-state" && !strings.Contains(v.Detail, "attached"), v.Invariant == "state-truth":
					right = false
				}
			}
			if right != reachable {
				t.Fatalf("seed %d, snapshot %d (%d swaps): right is %v, reachable %v: %v", seed, s.ID, report.Swaps[s.ID-1], right, reachable, report.Violations)
			}
			if reachable {
				reached++
			} else {
				not++
			}
		}
	}
	if reached < int(cases(200)) || not < int(cases(200)) {
		t.Errorf("only %d reachable and %d not", reached, not)
	}
}

// TestLooseDamage does damage to the channel states of a snapshot of unreliable
// channels that has nothing wrong with it.
func TestLooseDamage(t *testing.T) {
	off := []string{"channel-state", "consistent-cut", "recovery", "termination"}
	done := map[string]bool{}
	for seed := uint64(0); seed < 400 && len(done) < 5; seed++ {
		for name, damage := range map[string]func(s *sim.Snapshot, ch int) string{
			"content": func(s *sim.Snapshot, ch int) string {
				s.Channels[ch] = changed(s.Channels[ch], len(s.Channels[ch])-1)
				return "is another one than the recorded one"
			},
			"incarnation": func(s *sim.Snapshot, ch int) string {
				s.Channels[ch][0].Incarnation++
				return "is another one than the recorded one"
			},
			"missing": func(s *sim.Snapshot, ch int) string {
				s.Channels[ch] = s.Channels[ch][1:]
				return ", and recorded is "
			},
			"gaps": func(s *sim.Snapshot, ch int) string {
				s.Gaps = append([][]uint32(nil), s.Gaps...)
				for len(s.Gaps) <= ch {
					s.Gaps = append(s.Gaps, nil)
				}
				s.Gaps[ch] = append(slices.Clone(s.Gaps[ch]), s.Processed[ch]+9)
				return "have been passed over on "
			},
			"counter": func(s *sim.Snapshot, ch int) string {
				s.Sent[ch]++
				return "and in the cut they are"
			},
		} {
			cfg := dealt(seed, false)
			cfg.Faults, cfg.MaxSteps = nil, 0
			unreliably(cfg, seed)
			run := judged(t, cfg, false)
			run.Unreliable = cfg.Unreliable
			before := Check(run, off)
			for _, s := range run.History.Snapshots {
				ch := 0
				for ch < len(s.Channels) && (len(s.Channels[ch]) == 0 || run.unreliable(int32(ch)) == nil) {
					ch++
				}
				if before.Snapshots[s.ID-1] != Holds || ch == len(s.Channels) {
					continue
				}
				want := damage(s, ch)
				after := Check(run, off)
				if !slices.ContainsFunc(after.Violations, func(v Violation) bool {
					return v.Invariant == "reachability" && v.Snapshot == s.ID && strings.Contains(v.Detail, want)
				}) {
					t.Fatalf("seed %d, %s: %v", seed, name, after.Violations)
				}
				done[name] = true
				break
			}
		}
	}
	if len(done) != 5 {
		t.Errorf("only %v was done", done)
	}
}

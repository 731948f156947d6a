package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"simrun/invariants"
	"simrun/scenarios"
	"simrun/scenarios/generate"
	"simrun/scenarios/spacetime"
)

var agreeSeeds = flag.Uint64("agree.seeds", 4, "how many generated scenarios each algorithm is run on where the page is compared with the checker")

const agreePairs = 30 // of events, for each run

// said is what the page says of a run; see testdata/agree.js.
type said struct {
	Snapshots []saidSnapshot `json:"snapshots"`
	Pairs     []struct {
		A     int32   `json:"a"`
		B     int32   `json:"b"`
		Order string  `json:"order"`
		Path  []int32 `json:"path"`
	} `json:"pairs"`
}

type saidSnapshot struct {
	ID         uint32     `json:"id"`
	Consistent bool       `json:"consistent"`
	Mixed      bool       `json:"mixed"`
	Orphans    [][4]int32 `json:"orphans"`
	Orphaned   int        `json:"orphaned"`
	Unknown    int        `json:"unknown"`
	Channels   []struct {
		Known      bool     `json:"known"`
		Right      bool     `json:"right"`
		Missing    []uint32 `json:"missing"`
		Extra      []uint32 `json:"extra"`
		Disordered bool     `json:"disordered"`
		Broken     bool     `json:"broken"`
	} `json:"channels"`
	Drawn struct {
		Recorded [][4]int32 `json:"recorded"`
		Extra    [][4]int32 `json:"extra"`
		Missing  [][4]int32 `json:"missing"`
		Orphans  [][4]int32 `json:"orphans"`
	} `json:"drawn"`
	Branches [][][2]int32 `json:"branches"`
}

// sayings is what the page's scripts say of runs, which stand in pages of many.
func sayings(t *testing.T, runs []Run) (list []said) {
	needsNode(t)
	args := []string{fmt.Sprint(agreePairs)}
	for some := range slices.Chunk(runs, 40) {
		page, _ := pageOf(t, some...)
		args = append(args, inFile(t, page))
	}
	out := inNode(t, "agree.js", args...)
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, len(out)+1)
	for lines.Scan() {
		var s said
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatal(err)
		}
		list = append(list, s)
	}
	if len(list) != len(runs) {
		t.Fatalf("%d runs, answers about %d", len(runs), len(list))
	}
	return list
}

// generated is runs of every algorithm on generated scenarios that it suits.
func generated(t *testing.T, seeds uint64, each func([]Run)) {
	c := scenarios.Default()
	var runs []Run
	for _, family := range []generate.Family{generate.Plain, generate.Managed, generate.Open} {
		for k := range c.Algorithms {
			a := &c.Algorithms[k]
			if !family.Suits(a) {
				continue
			}
			for seed, done := uint64(1000*k+1), uint64(0); done < seeds && seed < uint64(1000*k)+20*seeds; seed++ {
				s := family.Scenario(seed)
				p, err := s.Resolve(c, scenarios.Overrides{Algorithm: a.Name})
				var unsuited *scenarios.Error
				if errors.As(err, &unsuited) && unsuited.Unsuited {
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				done++
				d := spacetime.Of(p, p.Seed, spacetime.Options{Most: 20_000, StateBytes: 1})
				if runs = append(runs, Run{Diagram: d}); len(runs) == 400 {
					each(runs)
					runs = nil
				}
			}
		}
	}
	if len(runs) > 0 {
		each(runs)
	}
}

// agreed counts what TestThePageAgreesWithTheChecker has come upon: channels of complete
// snapshots and what is wrong with them, channels that are accused of what their numbers do
// not show, events, and pairs of events.
type agreed struct {
	runs, coordinated, chosen, snapshots, unfinished           int
	right, orphans, missing, extra, disordered, unseen, broken int
	recorded, undone, before, concurrent, acrossRestore        int
}

// TestThePageAgreesWithTheChecker: on generated scenarios, under right and wrong
// algorithms, what the page finds out by itself is what the checker says.
func TestThePageAgreesWithTheChecker(t *testing.T) {
	var seen agreed
	generated(t, *agreeSeeds, func(runs []Run) {
		for k, s := range sayings(t, runs) {
			d := runs[k].Diagram
			if !d.Whole() {
				continue
			}
			seen.runs++
			(&agreement{T: t, d: d, seen: &seen}).check(&s)
		}
	})
	t.Logf("%+v", seen)
	for _, count := range []int{seen.right, seen.orphans, seen.missing, seen.extra, seen.disordered, seen.unseen, seen.unfinished, seen.recorded,
		seen.undone, seen.broken, seen.before, seen.concurrent, seen.acrossRestore, seen.coordinated, seen.chosen} {
		if count == 0 {
			t.Errorf("something has not come up: %+v", seen)
		}
	}
}

// agreement compares what is said of a run with what is true.
type agreement struct {
	*testing.T
	d    *spacetime.Diagram
	seen *agreed
}

func (a *agreement) wrong(format string, args ...any) {
	a.Helper()
	p := a.d.Plan
	a.Errorf("%s, seed %d, %s: %s", p.Name, a.d.Result.Seed, p.Algorithm.Name, fmt.Sprintf(format, args...))
}

func (a *agreement) check(s *said) {
	if a.d.Coordinator != spacetime.None {
		a.seen.coordinated++
	}
	if a.d.Result.Order == "chosen" {
		a.seen.chosen++
	}
	for k := range s.Snapshots {
		if s.Snapshots[k].ID != uint32(a.d.Snapshots[k].ID) {
			a.Fatal("snapshots are out of order")
		}
		a.snapshot(&s.Snapshots[k], &a.d.Snapshots[k])
	}
	clocks := clocksOf(a.d)
	for _, p := range s.Pairs {
		a.pair(clocks, p.A, p.B, p.Order, p.Path)
	}
}

// snapshot compares what is said of a complete snapshot with its violations.
func (a *agreement) snapshot(s *saidSnapshot, own *spacetime.Snapshot) {
	stored := int64(0)
	for _, ch := range own.Channels {
		stored += int64(len(ch.Numbers))
	}
	if stored != own.Result.ChannelMessages {
		a.wrong("snapshot %d: the page has %d messages recorded, the engine %d (%s)", s.ID, stored, own.Result.ChannelMessages, own.Result.Verdict)
	}
	a.branches(s, own)
	a.drawn(s, own)
	a.marked(s, own)
	if own.Result.Completed == nil || own.Result.Verdict != scenarios.Holds && own.Result.Verdict != scenarios.Violated {
		return
	}
	a.seen.snapshots++
	orphans, states, cutless := map[int32][]uint32{}, map[int32][]uint32{}, false
	for _, v := range a.d.Result.Violations {
		if v.Snapshot == nil || *v.Snapshot != s.ID {
			continue
		}
		switch {
		case v.Invariant == "consistent-cut" && v.Channel != nil:
			orphans[*v.Channel] = v.Numbers
		case v.Invariant == "consistent-cut":
			cutless = true
		case v.Invariant == "channel-state" && strings.HasPrefix(v.Detail, "the state that"):
			states[*v.Channel] = v.Numbers
		}
	}
	if cutless {
		return
	}
	if s.Unknown > 0 {
		a.wrong("snapshot %d: of %d channels the page does not know", s.ID, s.Unknown)
	}
	if s.Mixed {
		a.wrong("snapshot %d: in two worlds", s.ID)
	}
	more := a.d.Result.MoreViolated > 0
	found := map[int32][]uint32{}
	for _, o := range s.Orphans {
		found[o[0]] = append(found[o[0]], uint32(o[1]))
		if recv := a.d.Events[o[3]]; recv.Kind != spacetime.Process || recv.Channel != o[0] || int32(recv.Number) != o[1] {
			a.wrong("snapshot %d: orphan %v has another receipt", s.ID, o)
		}
		if o[2] != spacetime.None {
			if send := a.d.Events[o[2]]; send.Kind != spacetime.Send || send.Channel != o[0] || int32(send.Number) != o[1] {
				a.wrong("snapshot %d: orphan %v has another sending", s.ID, o)
			}
		}
	}
	if s.Consistent != (s.Orphaned == 0) {
		a.wrong("snapshot %d: consistent is %v with %d orphans", s.ID, s.Consistent, s.Orphaned)
	}
	if a.d.Plan.Algorithm.Promise != invariants.AtLeastOnce {
		for c := range a.d.Graph.Channels {
			c := int32(c)
			if more && len(orphans[c]) == 0 {
				continue
			}
			if !slices.Equal(found[c], orphans[c]) && !a.broken(s, c) {
				a.wrong("snapshot %d channel %d: the page has the orphans %v, the checker %v", s.ID, c, found[c], orphans[c])
			}
			a.seen.orphans += len(orphans[c])
		}
	}
	for c := range s.Channels {
		a.channel(s, int32(c), states, more)
	}
}

// channel compares what is said of what a snapshot has of a channel.
func (a *agreement) channel(s *saidSnapshot, c int32, states map[int32][]uint32, more bool) {
	ch := &s.Channels[c]
	want, violated := states[c]
	if more && !violated {
		return
	}
	wrong := len(ch.Missing) > 0 || len(ch.Extra) > 0 || ch.Disordered
	if wrong != violated {
		if a.broken(s, c) {
			return
		}
		a.wrong("snapshot %d channel %d: missing %v, extra %v, disordered %v; the checker: %v %v", s.ID, c, ch.Missing, ch.Extra, ch.Disordered, violated, want)
		return
	}
	if !violated {
		a.seen.right++
		return
	}
	numbers := slices.DeleteFunc(slices.Concat(ch.Missing, ch.Extra), func(n uint32) bool { return n == 0 })
	a.seen.missing += len(ch.Missing)
	a.seen.extra += len(ch.Extra)
	if ch.Disordered {
		a.seen.disordered++
	}
	if len(want) >= 100 {
		return
	}
	slices.Sort(numbers)
	want = slices.Sorted(slices.Values(want))
	if !slices.Equal(numbers, want) && !a.broken(s, c) {
		a.wrong("snapshot %d channel %d: missing %v, extra %v; the checker: %v", s.ID, c, ch.Missing, ch.Extra, want)
	}
}

// broken says whether the page says of a channel that it has not brought its messages once
// each and in a row, as after a restore from a wrong snapshot. The checker finds that, too,
// and counts from there on: what it says are no numbers of messages any more.
func (a *agreement) broken(s *saidSnapshot, c int32) bool {
	if !s.Channels[c].Broken {
		return false
	}
	a.seen.broken++
	if a.d.Result.Snapshots[slices.IndexFunc(a.d.Snapshots, func(own spacetime.Snapshot) bool { return uint32(own.ID) == s.ID })].Verdict != scenarios.Violated {
		a.wrong("snapshot %d: the page accuses it, and the checker does not", s.ID)
	}
	return true
}

// marked: a channel of which the page knows is marked as wrong always if the checker accuses
// it, whether numbers show that or not, and else only in a snapshot that the checker accuses.
func (a *agreement) marked(s *saidSnapshot, own *spacetime.Snapshot) {
	if own.Result.Completed == nil {
		a.seen.unfinished++
	}
	for c := range s.Channels {
		ch := &s.Channels[c]
		accused := slices.ContainsFunc(a.d.Result.Violations, func(v scenarios.ViolationResult) bool {
			return v.Snapshot != nil && *v.Snapshot == s.ID && v.Channel != nil && *v.Channel == int32(c)
		})
		if accused && len(ch.Missing)+len(ch.Extra) == 0 {
			a.seen.unseen++
		}
		if ch.Known && ch.Right && accused || ch.Known && !ch.Right && !accused && own.Result.Verdict != scenarios.Violated {
			a.wrong("snapshot %d channel %d: right is %v, accused %v, the snapshot %s", s.ID, c, ch.Right, accused, own.Result.Verdict)
		}
	}
}

// branches: what a recovery took back before a node recorded is not in its cut, and all
// else that it did is.
func (a *agreement) branches(s *saidSnapshot, own *spacetime.Snapshot) {
	for v, spans := range s.Branches {
		cut := own.Cut[v]
		if cut == spacetime.None {
			continue
		}
		for i := range a.d.Events[:cut+1] {
			e := &a.d.Events[i]
			if e.Node != int32(v) || !(e.Kind.Application() && e.Kind != spacetime.Emit) {
				continue
			}
			inside := slices.ContainsFunc(spans, func(s [2]int32) bool { return s[0] <= int32(i) && int32(i) <= s[1] })
			undone := e.Undone != spacetime.None && a.d.Restores[e.Undone].Event <= cut
			if undone {
				a.seen.undone++
			}
			if inside == undone {
				a.wrong("snapshot %d: event %d of node %d is in the cut: %v, and it was undone by %d: %v", s.ID, i, v, inside, e.Undone, undone)
				return
			}
		}
	}
}

// drawn: what is drawn as recorded was recorded, what is drawn as missing was not, and the
// ends of each are those of the message.
func (a *agreement) drawn(s *saidSnapshot, own *spacetime.Snapshot) {
	has := map[[2]int32]bool{}
	for _, ch := range own.Channels {
		for _, n := range ch.Numbers {
			has[[2]int32{ch.Channel, int32(n)}] = true
		}
	}
	for _, m := range s.Drawn.Extra {
		if send := &a.d.Events[m[2]]; send.Kind != spacetime.Send || send.Channel != m[0] || int32(send.Number) != m[1] || !has[[2]int32{m[0], m[1]}] {
			a.wrong("snapshot %d: message %d of channel %d is drawn as wrongly recorded from event %d: %+v", s.ID, m[1], m[0], m[2], send)
		}
	}
	for _, list := range []struct {
		crossings [][4]int32
		recorded  bool
	}{{s.Drawn.Recorded, true}, {s.Drawn.Missing, false}} {
		for _, m := range list.crossings {
			a.seen.recorded++
			if has[[2]int32{m[0], m[1]}] != list.recorded {
				a.wrong("snapshot %d: message %d of channel %d is drawn as recorded: %v", s.ID, m[1], m[0], list.recorded)
			}
			send := &a.d.Events[m[2]]
			if send.Kind != spacetime.Send || send.Channel != m[0] || int32(send.Number) != m[1] || m[2] > own.Cut[send.Node] {
				a.wrong("snapshot %d: message %d of channel %d is drawn from event %d: %+v", s.ID, m[1], m[0], m[2], send)
			}
			if m[3] == spacetime.None {
				continue
			}
			if recv := &a.d.Events[m[3]]; recv.Channel != m[0] || int32(recv.Number) != m[1] || m[3] < own.Cut[recv.Node] {
				a.wrong("snapshot %d: message %d of channel %d is drawn to event %d, %v; the cut is at %d", s.ID, m[1], m[0], m[3], recv, own.Cut[recv.Node])
			}
		}
	}
}

package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"simrun/scenarios"
	"simrun/scenarios/spacetime"
)

// answer is a line of testdata/causal.js.
type answer struct {
	Event  *int32  `json:"event"`
	Past   string  `json:"past"`
	Future string  `json:"future"`
	Other  int32   `json:"other"`
	Order  string  `json:"order"`
	Path   []int32 `json:"path"`

	Cut        []int32    `json:"cut"`
	Consistent bool       `json:"consistent"`
	Mixed      bool       `json:"mixed"`
	Orphans    [][4]int32 `json:"orphans"`
	InFlight   [][4]int32 `json:"inFlight"`
	Orphaned   int        `json:"orphaned"`
	Flying     int        `json:"flying"`
	Grown      []int32    `json:"grown"`
	Shrunk     []int32    `json:"shrunk"`

	Snapshot uint32 `json:"snapshot"`
	Channels []struct {
		Known    bool     `json:"known"`
		Right    bool     `json:"right"`
		Orphaned int      `json:"orphaned"`
		Missing  []uint32 `json:"missing"`
		Extra    []uint32 `json:"extra"`
	} `json:"channels"`
}

// answers is what the page's scripts say of runs.
func answers(t *testing.T, runs []Run) (lists [][]answer) {
	needsNode(t)
	var args []string
	for _, run := range runs {
		page, _ := pageOf(t, run)
		args = append(args, inFile(t, page))
	}
	out := inNode(t, "causal.js", args...)
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, len(out)+1)
	lists = [][]answer{nil}
	for lines.Scan() {
		if lines.Text() == `"end"` {
			lists = append(lists, nil)
			continue
		}
		var a answer
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			t.Fatal(err)
		}
		lists[len(lists)-1] = append(lists[len(lists)-1], a)
	}
	if len(lists) != len(runs)+1 {
		t.Fatalf("%d runs, answers about %d", len(runs), len(lists)-1)
	}
	return lists
}

// naive knows a run's events from the definitions of relation.js and cut.js alone, and is
// as slow as it likes.
type naive struct {
	d       *spacetime.Diagram
	causes  [][]int32 // by event: those that it follows at once
	follows []int32   // by event: the one of its lane that it continues; None
	restore []int32   // by event: the restore of which it is one of the Restored events; None
}

func newNaive(d *spacetime.Diagram) *naive {
	n := &naive{d: d}
	last := slices.Repeat([]int32{spacetime.None}, d.Lanes())
	for i := range d.Events {
		e := &d.Events[i]
		follows, restore := last[e.Node], spacetime.None
		var causes []int32
		if e.Kind == spacetime.Restored {
			follows = spacetime.None
			for k := range d.Restores {
				if d.Restores[k].Event <= int32(i) {
					restore = int32(k)
				}
			}
			for _, s := range d.Snapshots {
				if s.ID == d.Restores[restore].Snapshot {
					follows = s.Cut[e.Node]
					causes = append(causes, s.Cut...)
				}
			}
		}
		if e.Kind.Receives() {
			causes = append(causes, e.Peer)
		}
		causes = append(causes, follows)
		n.causes = append(n.causes, slices.DeleteFunc(causes, func(c int32) bool { return c == spacetime.None }))
		n.follows, n.restore = append(n.follows, follows), append(n.restore, restore)
		last[e.Node] = int32(i)
	}
	return n
}

// past is the events before an event, and itself, as marks.
func (n *naive) past(i int32) string {
	marks := []byte(strings.Repeat("0", len(n.causes)))
	todo := []int32{i}
	for len(todo) > 0 {
		j := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if marks[j] == '0' {
			marks[j] = '1'
			todo = append(todo, n.causes[j]...)
		}
	}
	return string(marks)
}

// branch is what a node that has just done an event has behind it.
func (n *naive) branch(i int32) (events []int32) {
	for ; i != spacetime.None; i = n.follows[i] {
		events = append(events, i)
	}
	return events
}

// side is the messages that were sent, or processed, inside a cut: channel and number.
func (n *naive) side(cut []int32, kind spacetime.Kind) map[[2]int32]bool {
	set := map[[2]int32]bool{}
	for _, i := range cut {
		for _, j := range n.branch(i) {
			if e := &n.d.Events[j]; e.Kind == kind {
				set[[2]int32{e.Channel, int32(e.Number)}] = true
			}
		}
	}
	return set
}

// mixed says whether a node is in work that a recovery takes back, and another behind it.
func (n *naive) mixed(cut []int32) bool {
	before, after := map[int32]bool{}, map[int32]bool{}
	for v, i := range cut {
		for j := range n.restore {
			if n.restore[j] == spacetime.None || n.d.Events[j].Node != int32(v) {
				continue
			}
			if int32(j) <= i {
				after[n.restore[j]] = true
			} else if i > n.follows[j] {
				before[n.restore[j]] = true
			}
		}
	}
	for k := range before {
		if after[k] {
			return true
		}
	}
	return false
}

func (n *naive) consistent(cut []int32) bool {
	sent := n.side(cut, spacetime.Send)
	for m := range n.side(cut, spacetime.Process) {
		if !sent[m] {
			return false
		}
	}
	return !n.mixed(cut)
}

// looked counts what the tests below have come upon.
type looked struct {
	ordered, concurrent, restored, acrossRestore, consistent, inconsistent, mixed, grown, none, truths, wrong int
}

// TestCausality: past, future, order and paths, cuts and what the page offers to repair
// them, and snapshots against the truth are what the definitions say.
func TestCausality(t *testing.T) {
	var runs []Run
	for _, file := range files(t) {
		p := load(t, file, "")
		options := Options{}
		if big(p) {
			options.Events = 3000
		}
		runs = append(runs, Of(p, p.Seed, options))
	}
	var seen looked
	for k, list := range answers(t, runs)[:len(runs)] {
		n := newNaive(runs[k].Diagram)
		for i := range list {
			switch a := &list[i]; {
			case a.Event != nil:
				n.event(t, a, &seen)
			case a.Cut != nil:
				n.cut(t, a, &seen)
			case n.d.First == 0 && n.d.Whole():
				n.snapshot(t, a, &seen)
			}
		}
	}
	t.Logf("%+v", seen)
	for _, count := range []int{seen.ordered, seen.concurrent, seen.restored, seen.acrossRestore, seen.consistent, seen.inconsistent, seen.mixed, seen.grown, seen.none, seen.truths, seen.wrong} {
		if count == 0 {
			t.Errorf("something has not come up: %+v", seen)
		}
	}
}

// big says whether a scenario has so many events that the naive answers take too long.
func big(p *scenarios.Plan) bool { return len(p.Graph.Channels) > 60 }

func (n *naive) name() string { return n.d.Plan.Name }

// event checks what is said of an event and another one.
func (n *naive) event(t *testing.T, a *answer, seen *looked) {
	t.Helper()
	i := *a.Event
	if want := n.past(i); a.Past != want {
		t.Fatalf("%s: the past of event %d is\n%s, should be\n%s", n.name(), i, a.Past, want)
	}
	for _, j := range []int32{0, i, i + 1, a.Other, int32(len(n.causes)) - 1} {
		if int(j) < len(n.causes) && (a.Future[j] == '1') != (n.past(j)[i] == '1') {
			t.Fatalf("%s: event %d in the future of %d: %c", n.name(), j, i, a.Future[j])
		}
	}
	want := "concurrent"
	switch {
	case a.Other == i:
		want = "same"
	case n.past(a.Other)[i] == '1':
		want = "before"
	case n.past(i)[a.Other] == '1':
		want = "after"
	}
	if a.Order != want {
		t.Fatalf("%s: event %d is %s %d, should be %s", n.name(), i, a.Order, a.Other, want)
	}
	if want == "concurrent" {
		seen.concurrent++
		if lane := n.d.Events[i].Node; lane == n.d.Events[a.Other].Node {
			seen.restored++
		}
		return
	}
	seen.ordered++
	n.path(t, a, seen)
}

// path checks a chain: it begins and ends where it should, and each step of it is one.
func (n *naive) path(t *testing.T, a *answer, seen *looked) {
	t.Helper()
	p := slices.Clone(a.Path)
	if p[0] != *a.Event || p[len(p)-1] != a.Other {
		t.Fatalf("%s: the path from %d to %d is %v", n.name(), *a.Event, a.Other, p)
	}
	if a.Order == "after" {
		slices.Reverse(p)
	}
	for k := 1; k < len(p); k++ {
		from, to := p[k-1], p[k]
		lane := n.d.Events[from].Node == n.d.Events[to].Node && slices.Contains(n.branch(to), from)
		if !lane && !slices.Contains(n.causes[to], from) {
			t.Fatalf("%s: nothing leads from event %d to %d, a step of %v", n.name(), from, to, p)
		}
		if n.restore[to] != spacetime.None {
			seen.acrossRestore++
		}
	}
}

// cut checks what is said of a cut, and that those which are offered in its place are
// consistent, and as near as they can be.
func (n *naive) cut(t *testing.T, a *answer, seen *looked) {
	t.Helper()
	if n.d.First > 0 {
		return
	}
	sent, processed := n.side(a.Cut, spacetime.Send), n.side(a.Cut, spacetime.Process)
	orphans, flying := less(processed, sent), less(sent, processed)
	if a.Consistent != n.consistent(a.Cut) || a.Mixed != n.mixed(a.Cut) || a.Orphaned != orphans || a.Flying != flying {
		t.Fatalf("%s: of the cut %v it is said that consistent is %v, mixed %v, orphans %d, in flight %d; true is %v, %v, %d, %d", n.name(), a.Cut,
			a.Consistent, a.Mixed, a.Orphaned, a.Flying, n.consistent(a.Cut), n.mixed(a.Cut), orphans, flying)
	}
	for _, c := range a.Orphans {
		if m := [2]int32{c[0], c[1]}; sent[m] || !processed[m] || c[2] != spacetime.None && n.d.Events[c[2]].Channel != c[0] {
			t.Fatalf("%s: %v is no orphan of the cut %v", n.name(), c, a.Cut)
		}
	}
	n.repaired(t, a, seen)
	switch {
	case a.Mixed:
		seen.mixed++
	case a.Consistent:
		seen.consistent++
	default:
		seen.inconsistent++
	}
}

// repaired checks the consistent cuts that are offered in place of one.
func (n *naive) repaired(t *testing.T, a *answer, seen *looked) {
	t.Helper()
	if !n.consistent(a.Shrunk) {
		t.Fatalf("%s: %v, within %v, is not consistent", n.name(), a.Shrunk, a.Cut)
	}
	next := func(i int32, v int) int32 { // the event of the lane behind one
		for j := i + 1; int(j) < len(n.causes); j++ {
			if n.d.Events[j].Node == int32(v) {
				return j
			}
		}
		return spacetime.None
	}
	for v, i := range a.Shrunk {
		if a.Mixed || i == a.Cut[v] {
			continue
		}
		larger := slices.Clone(a.Shrunk)
		if larger[v] = next(i, v); !slices.Contains(n.branch(a.Cut[v]), larger[v]) {
			continue // what follows there is on another branch
		}
		if n.consistent(larger) {
			t.Fatalf("%s: within %v also %v is consistent, and larger than %v", n.name(), a.Cut, larger, a.Shrunk)
		}
	}
	if a.Grown == nil {
		seen.none++
		return
	}
	seen.grown++
	if !n.consistent(a.Grown) {
		t.Fatalf("%s: %v, around %v, is not consistent", n.name(), a.Grown, a.Cut)
	}
	for v, i := range a.Grown {
		if i == a.Cut[v] {
			continue
		}
		smaller := slices.Clone(a.Grown)
		if smaller[v] = n.follows[i]; smaller[v] >= a.Cut[v] && n.consistent(smaller) {
			t.Fatalf("%s: around %v also %v is consistent, and smaller than %v", n.name(), a.Cut, smaller, a.Grown)
		}
	}
}

// less counts what is in one set and not in another.
func less(a, b map[[2]int32]bool) (n int) {
	for m := range a {
		if !b[m] {
			n++
		}
	}
	return n
}

// snapshot compares what the page finds in a snapshot with its verdict.
func (n *naive) snapshot(t *testing.T, a *answer, seen *looked) {
	t.Helper()
	res := n.d.Result
	k := slices.IndexFunc(res.Snapshots, func(s scenarios.SnapshotResult) bool { return s.ID == a.Snapshot })
	var wrong []int32
	for c := range a.Channels {
		if ch := &a.Channels[c]; ch.Known && !ch.Right {
			wrong = append(wrong, int32(c))
		}
	}
	if res.Snapshots[k].Verdict == scenarios.Holds && n.d.Plan.Algorithm.Promise == "" {
		seen.truths++
		if len(wrong) > 0 {
			t.Errorf("%s: snapshot %d holds, and the page says that it is wrong about %v: %+v", n.name(), a.Snapshot, wrong, a.Channels[wrong[0]])
		}
	}
	for _, v := range res.Violations {
		if v.Snapshot == nil || *v.Snapshot != a.Snapshot || v.Channel == nil || v.Invariant != "consistent-cut" && v.Invariant != "channel-state" {
			continue
		}
		seen.wrong++
		if !slices.Contains(wrong, *v.Channel) {
			t.Errorf("%s: %s, and the page finds nothing wrong on channel %d", n.name(), v.Detail, *v.Channel)
		}
	}
}

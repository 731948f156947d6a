package invariants

import (
	"fmt"
	"strings"

	"simrun/sim"
)

// Run is what a verdict is about: what was run, and what happened. The graph is
// taken to be valid; the History may be damaged in any way.
type Run struct {
	Graph     sim.Graph
	NewApp    func(node int32) sim.App
	NewSource func(node int32) sim.Source // nil, or nil for a node: no External input
	BackEdge  []bool                      // by channel; nil: none
	// Unreliable says how channels may fail; nil: none does. What a channel of
	// which that is known does is no violation; what a snapshot makes of it is.
	Unreliable []sim.Unreliable
	// Aligned says that the algorithm promises cuts with nothing in flight off
	// the back-edges, as Asynchronous Barrier Snapshotting does.
	Aligned bool
	// HoldsOutputs says that the algorithm may keep what an App produces and let it
	// go later; without it, holding back is interference.
	HoldsOutputs bool
	// Transactional says that what leaves the system leaves in transactions: once, when
	// a checkpoint that covers it is complete. It goes with HoldsOutputs.
	Transactional bool
	Replay        sim.Replay
	// Promise is what the algorithm promises of the effects of each source record: it
	// is held to that. "" is ExactlyOnce. Under AtLeastOnce a cut may have orphans,
	// and the run that is restored from it processes them again; under AtMostOnce it
	// may not. What no restore gives back is a violation under all of them, but for
	// what Replay gives up.
	Promise Guarantee
	// Waiting is, for a run that begins with a snapshot, what its transactional sinks had
	// let nobody have by then and the snapshot holds, by node: all of it leaves in the
	// restore with which the run begins. Nil: nothing.
	Waiting [][]sim.Message
	// MaxPending is how many checkpoints the coordinator may have under way at once; 0:
	// any number.
	MaxPending int
	// Restarts is how many restores the coordinator must have ordered, since it started,
	// before it may give up; 0: it may at once, -1: never.
	Restarts int
	History  *sim.History
	// Bare is what happens without snapshots and, as nobody compares beyond the first
	// crash, without crashes; nil if that is not known or the algorithm does not
	// promise that it is the same. Given, the run is held to it. It may be cut short.
	Bare *sim.History
	// BareAfter is the same after each restore, up to the next crash: by index into
	// History.Restores, and nil where it is not known.
	BareAfter []*sim.History

	NodeName    func(node int32) string    // nil: "node 3"
	ChannelName func(channel int32) string // nil: the names of its two nodes and its id
}

// Of is the Run of a configuration that was carried out. Aligned, HoldsOutputs, Bare
// and the names are left to the caller: a configuration does not know them. Nor does it
// know a Promise, but that duplicates are allowed.
func Of(cfg *sim.Config, h *sim.History) *Run {
	run := &Run{Graph: cfg.Graph, NewApp: cfg.NewApp, NewSource: cfg.NewSource,
		BackEdge: cfg.BackEdge, Unreliable: cfg.Unreliable, Replay: cfg.Replay, History: h}
	if cfg.Duplicates {
		run.Promise = AtLeastOnce
	}
	return run
}

// unreliable is how channel ch may fail, nil if it does not.
func (r *Run) unreliable(ch int32) *sim.Unreliable {
	if int(ch) >= len(r.Unreliable) || r.Unreliable[ch].Reliable() {
		return nil
	}
	return &r.Unreliable[ch]
}

// leaky says that some channel loses messages or brings them twice.
func (r *Run) leaky() bool {
	for i := range r.Unreliable {
		if u := &r.Unreliable[i]; u.Lose.Any() || u.Duplicate.Any() {
			return true
		}
	}
	return false
}

// backEdge says whether channel ch is in the L of ABS Algorithm 2.
func (r *Run) backEdge(ch int32) bool {
	return int(ch) < len(r.BackEdge) && r.BackEdge[ch]
}

// node names a node, also one that does not exist: a damaged history may hold any
// number.
func (r *Run) node(v int32) string {
	if v < 0 || int(v) >= r.Graph.Nodes {
		return fmt.Sprintf("node %d (which does not exist)", v)
	}
	if r.NodeName == nil {
		return fmt.Sprintf("node %d", v)
	}
	return r.NodeName(v)
}

// channel names a channel, also one that does not exist.
func (r *Run) channel(ch int32) string {
	if ch < 0 || int(ch) >= len(r.Graph.From) {
		return fmt.Sprintf("channel %d (which does not exist)", ch)
	}
	if r.ChannelName == nil {
		return fmt.Sprintf("channel %s->%s#%d", r.node(r.Graph.From[ch]), r.node(r.Graph.To[ch]), ch)
	}
	return "channel " + r.ChannelName(ch)
}

// listed is how many names or numbers a sentence lists before it says how many
// more there are.
const listed = 8

// list joins the names of the first few entities.
func list(ids []int32, name func(int32) string) string {
	var names []string
	for _, id := range ids[:min(len(ids), listed)] {
		names = append(names, name(id))
	}
	text := strings.Join(names, ", ")
	if len(ids) > listed {
		text += fmt.Sprintf(" and %d more", len(ids)-listed)
	}
	return text
}

// messages words a list of message numbers.
func messages(numbers []uint32) string {
	if len(numbers) == 0 {
		return "no message"
	}
	return ranges(numbers, "message")
}

// ranges words a list of numbers that is not empty, runs of them as ranges, also where
// each comes as often as the next: 13, 14 to 28 (2 times each).
func ranges(numbers []uint32, what string) string {
	var parts []string
	for i := 0; i < len(numbers); {
		if len(parts) == listed {
			parts = append(parts, fmt.Sprintf("%d more", len(numbers)-i))
			break
		}
		first, times := numbers[i], repeats(numbers[i:])
		last := first
		for i += times; i < len(numbers) && numbers[i] == last+1 && repeats(numbers[i:]) == times; i += times {
			last++
		}
		switch {
		case first != last && times > 1:
			parts = append(parts, fmt.Sprintf("%d to %d (%d times each)", first, last, times))
		case first != last:
			parts = append(parts, fmt.Sprintf("%d to %d", first, last))
		case times > 1:
			parts = append(parts, fmt.Sprintf("%d (%d times)", first, times))
		default:
			parts = append(parts, fmt.Sprint(first))
		}
	}
	if repeats(numbers) == len(numbers) {
		return what + " " + parts[0]
	}
	return what + "s " + strings.Join(parts, ", ")
}

// repeats is how often the first of the numbers comes before another one does.
func repeats(numbers []uint32) int {
	n := 1
	for n < len(numbers) && numbers[n] == numbers[0] {
		n++
	}
	return n
}

// span words the message numbers from first to last.
func span(first, last uint32) string {
	if first == last {
		return fmt.Sprintf("message %d", first)
	}
	return fmt.Sprintf("messages %d to %d", first, last)
}

// them is the pronoun for the messages from first to last.
func them(first, last uint32) string {
	if first == last {
		return "it"
	}
	return "them"
}

// are is the verb that goes with them.
func are(first, last uint32) string {
	if first == last {
		return "is"
	}
	return "are"
}

// counted words a number of things.
func counted[N int | int32 | uint32](n N, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// numbersMax is the most message numbers that a Violation holds.
const numbersMax = 100

// between is the message numbers from first to last, the first numbersMax of them.
func between(first, last uint32) []uint32 {
	var numbers []uint32
	for n := first; n <= last && n >= first && len(numbers) < numbersMax; n++ {
		numbers = append(numbers, n)
	}
	return numbers
}

// at is s[i], or the zero value where a damaged history has no entry.
func at[T any](s []T, i int32) (value T) {
	if int(i) < len(s) {
		value = s[i]
	}
	return value
}

package properties_test

import (
	"slices"
	"testing"

	"simrun/invariants"
	"simrun/sim"
	"simrun/topology"
)

// sights counts in how many runs something was seen. Runs in which nothing
// happens hold every invariant, so all of it must have been seen.
type sights struct {
	runs  int
	count map[string]int
}

func newSights() *sights { return &sights{count: map[string]int{}} }

func (s *sights) see(what string, seen bool) {
	if seen {
		s.count[what]++
	} else {
		s.count[what] += 0
	}
}

// judge fails the test over what fewer than one run in five hundred showed, if
// there were enough runs to expect it.
func (s *sights) judge(t *testing.T) {
	var names []string
	for name := range s.count {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		t.Logf("%6d runs with %s", s.count[name], name)
		if name != tooLong && s.runs >= 2000 && s.count[name] < s.runs/500 {
			t.Errorf("only %d of %d runs with %s", s.count[name], s.runs, name)
		}
	}
	if n := s.count[tooLong]; n > s.runs/50 {
		t.Errorf("%d of %d runs with %s", n, s.runs, tooLong)
	}
}

const tooLong = "no end before the step limit"

func (s *sights) look(r *trial, h *sim.History, report *invariants.Report, watch *watcher) {
	s.runs++
	s.lookAtPlan(r)
	s.lookAtSnapshots(r, h)
	s.lookAtCrashes(r, h, watch)
	s.lookAtRestores(h, report)
	if h.End == sim.StepLimit {
		if r.config.MaxSteps < maxSteps {
			s.count["an end at a limit of a few steps"]++
		} else {
			s.count[tooLong]++
		}
	}
}

// lookAtPlan sees what was decided beforehand.
func (s *sights) lookAtPlan(r *trial) {
	for _, k := range kinds() {
		s.see("the app "+k.Name, r.app == k.Name)
	}
	cfg := &r.config
	s.see("Chandy-Lamport, timed", !r.aligned() && cfg.Order == sim.Timed)
	s.see("Chandy-Lamport, chosen", !r.aligned() && cfg.Order == sim.Chosen)
	s.see("ABS, timed", r.aligned() && cfg.Order == sim.Timed)
	s.see("ABS, chosen", r.aligned() && cfg.Order == sim.Chosen)
	for kind, name := range []string{"constant", "uniform", "exponential", "bimodal"} {
		s.see(name+" delays", slices.ContainsFunc(cfg.Delays, func(d sim.Dist) bool { return int(d.Kind) == kind }))
	}
	s.see("several initiators", len(cfg.Snapshots.Initiators) > 1)
	s.see("no channels", len(cfg.Graph.From) == 0)

	var parallel, self, join, backEdges bool
	inputs, back := make([]int, cfg.Graph.Nodes), make([]int, cfg.Graph.Nodes)
	ends := map[[2]int32]bool{}
	for c, from := range cfg.Graph.From {
		to := cfg.Graph.To[c]
		inputs[to]++
		self = self || from == to
		parallel = parallel || ends[[2]int32{from, to}]
		ends[[2]int32{from, to}] = true
		if cfg.BackEdge != nil && cfg.BackEdge[c] {
			back[to]++
		}
	}
	for v := range inputs {
		join = join || inputs[v] >= 3
		backEdges = backEdges || back[v] >= 2
	}
	s.see("parallel channels", parallel)
	s.see("a self-loop", self)
	s.see("a join of three inputs", join)
	s.see("a node with two back-edges", backEdges)
	s.see("more back-edges than needed",
		r.aligned() && !slices.Equal(cfg.BackEdge, topology.BackEdges(r.graph, cfg.Snapshots.Initiators)))
}

func (s *sights) lookAtSnapshots(r *trial, h *sim.History) {
	var complete, stored, blocked, logged, concurrent, waits bool
	var before *sim.Snapshot // the complete one before, in the same incarnation
	for _, n := range h.Snapshots {
		if n.Status != sim.Complete {
			continue
		}
		complete = true
		stored = stored || some(n.Channels)
		logged = logged || some(n.Logs)
		blocked = blocked || n.BlockedFor > 0
		if before != nil && before.Incarnation == n.Incarnation && n.StartedAt < before.CompletedAt {
			concurrent = true
			waits = waits || n.BlockedFor > 0
		}
		before = n
	}
	s.see("a complete snapshot", complete)
	s.see("a complete Chandy-Lamport snapshot with messages in channels", !r.aligned() && stored)
	s.see("a complete ABS snapshot that blocked an input", r.aligned() && blocked)
	s.see("a complete ABS snapshot with a backup log", r.aligned() && logged)
	s.see("concurrent Chandy-Lamport snapshots", !r.aligned() && concurrent)
	s.see("concurrent ABS snapshots", r.aligned() && concurrent)
	s.see("an ABS snapshot that overlapped and blocked", r.aligned() && waits)
}

func some[T any](lists [][]T) bool {
	return slices.ContainsFunc(lists, func(l []T) bool { return len(l) > 0 })
}

func (s *sights) lookAtCrashes(r *trial, h *sim.History, watch *watcher) {
	var timed, stepped, open, inside, still, aligning bool
	for i, c := range h.Crashes {
		f := &r.config.Faults[c.Fault]
		timed = timed || f.At > 0
		stepped = stepped || f.Step > 0
		open = open || slices.ContainsFunc(h.Snapshots, func(n *sim.Snapshot) bool {
			return n.StartedAt >= 0 && n.StartedAt < c.At && (n.Status == sim.Aborted || n.CompletedAt > c.At)
		})
		if f.AfterOutputs != nil && c.Node == f.Nodes[0] && f.Phase != sim.PhaseBeforeRecord {
			inside = inside || watch.asked[i] > *f.AfterOutputs
		}
		still = still || f.Phase == sim.PhaseBeforeRecord
		aligning = aligning || f.Phase == sim.PhaseAligning
	}
	s.see("a crash at a time", timed)
	s.see("a crash at a step", stepped)
	s.see("a crash while a snapshot was open", open)
	s.see("a crash inside a handler", inside)
	s.see("a crash before a node recorded", still)
	s.see("a crash while a node aligned", aligning)
}

func (s *sights) lookAtRestores(h *sim.History, report *invariants.Report) {
	var saved, initial, during, requeued, replayed, again, late, aborted bool
	for k, r := range h.Restores {
		saved = saved || r.Snapshot != nil
		initial = initial || r.Snapshot == nil
		requeued = requeued || some(r.Requeued)
		logged := some(r.Logged)
		replayed = replayed || logged
		again = again || logged && k > 0 && h.Restores[k-1].Snapshot == r.Snapshot
		late = late || r.Snapshot != nil && r.Snapshot.CompletedAt > r.CrashedAt
		aborted = aborted || len(r.Aborted) > 0
		for _, c := range h.Crashes {
			first := slices.IndexFunc(h.Crashes, func(c sim.Crash) bool { return c.At == r.CrashedAt })
			during = during || r.CrashedAt < c.At && c.At < r.At && c.Fault != h.Crashes[first].Fault
		}
	}
	s.see("a restore from a snapshot", saved)
	s.see("a restore from the initial state", initial)
	s.see("a crash during recovery", during)
	s.see("two restores", len(h.Restores) > 1)
	s.see("a restore that filled channels", requeued)
	s.see("a restore with a log to replay", replayed)
	s.see("a log that was replayed twice", again)
	s.see("a restore from a snapshot that was completed after the crash", late)
	s.see("a restore that aborted a snapshot", aborted)
	s.see("records lost because nothing is read again", report.Lost > 0)
}

// watcher finds out what the history does not tell: how much the last handler of
// a node asked for before the node crashed.
type watcher struct {
	last  []int // by node: entries that its last handler asked for
	asked []int // by crash, in the order of History.Crashes
}

// watched runs a run with a watcher, which changes nothing.
func (r *trial) watched(t interface{ Fatal(...any) }, watch *watcher) *sim.History {
	cfg := r.config
	watch.last = make([]int, cfg.Graph.Nodes)
	cfg.Observer = watch
	cfg.NewNode = func(info sim.NodeInfo) sim.Node {
		return &watchedNode{r.config.NewNode(info), &watch.last[info.ID]}
	}
	return engineOf(t, &cfg).Run()
}

// Observe implements sim.Observer.
func (w *watcher) Observe(ev *sim.Event) {
	if ev.Kind == sim.EventCrash {
		w.asked = append(w.asked, w.last[ev.Node])
	}
}

// watchedNode is a Node whose handlers are looked at.
type watchedNode struct {
	sim.Node
	last *int
}

func (n *watchedNode) Initiate(id sim.SnapshotID, out *sim.Out) {
	n.Node.Initiate(id, out)
	*n.last = len(out.Ops())
}

func (n *watchedNode) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	n.Node.Receive(in, m, out)
	*n.last = len(out.Ops())
}

func (n *watchedNode) Recover(attached []byte, log []sim.Logged, out *sim.Out) {
	n.Node.Recover(attached, log, out)
	*n.last = len(out.Ops())
}

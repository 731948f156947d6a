package lessons

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"simrun/invariants"
	"simrun/invariants/explain"
	"simrun/scenarios"
	"simrun/scenarios/spacetime"
	"simrun/sim"
)

// run is a run of a lesson's scenario, with all that claims look at.
type run struct {
	*spacetime.Diagram
	t         *testing.T
	explained *scenarios.Explained
	history   *sim.History
	judged    *invariants.Run
}

// run carries out a scenario of the lesson, by its name without the number and the ending;
// algorithm "" is that of the file.
func (c *claim) run(name, algorithm string) *run {
	c.t.Helper()
	plan := planOf(c.t, path.Join(Folder, fmt.Sprintf("%02d-%s.yaml", c.lesson.Number, name)), algorithm)
	r := &run{t: c.t, Diagram: spacetime.Of(plan, plan.Seed, spacetime.Options{})}
	var err error
	if r.explained, err = plan.NewRunner().Explain(plan.Seed, 0); err != nil {
		c.t.Fatal(err)
	}
	cfg := plan.Config(plan.Seed)
	engine, err := sim.New(&cfg)
	if err != nil {
		c.t.Fatal(err)
	}
	r.history = engine.Run()
	r.judged = invariants.Of(&cfg, r.history)
	return r
}

func planOf(t *testing.T, name, algorithm string) *scenarios.Plan {
	t.Helper()
	text, ok := Read(name)
	if !ok {
		t.Fatalf("there is no %s", name)
	}
	s, err := scenarios.Parse(scenarios.Default(), name, text)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := s.Resolve(scenarios.Default(), scenarios.Overrides{Algorithm: algorithm})
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// nodesOf is the names of all nodes in the scenarios of a lesson.
func nodesOf(t *testing.T, l *Lesson) (nodes []string) {
	for _, name := range l.Files {
		for _, node := range planOf(t, name, "").Graph.Nodes {
			if !slices.Contains(nodes, node) {
				nodes = append(nodes, node)
			}
		}
	}
	return nodes
}

// event is one event of a run.
type event struct {
	r     *run
	index int32
	*spacetime.Event
}

// at is when it happened, and amount what its message carries.
func (e event) at() number     { return number{e.At, true} }
func (e event) amount() number { return number{n: e.Message.Value} }

// number is that of its message, record or snapshot.
func (e event) number() number { return count(int(max(e.Number, uint32(e.Snapshot)))) }

// before says that an event comes before another one in the order of the run.
func (e event) before(other event) bool { return e.index < other.index }

// at is an instant of the run that no event of the diagram has.
func at(ns int64) number { return number{ns, true} }

// find is the k-th event, from 0, that is as it should be.
func (r *run) find(what string, k int, is func(*spacetime.Event) bool) event {
	r.t.Helper()
	for i := range r.Events {
		if is(&r.Events[i]) {
			if k--; k < 0 {
				return event{r, int32(i), &r.Events[i]}
			}
		}
	}
	r.t.Fatalf("no such event in the run: %s", what)
	return event{}
}

// all is every event that is as it should be.
func (r *run) all(is func(*spacetime.Event) bool) (list []event) {
	for i := range r.Events {
		if is(&r.Events[i]) {
			list = append(list, event{r, int32(i), &r.Events[i]})
		}
	}
	return list
}

func (r *run) node(name string) int32 {
	r.t.Helper()
	v := slices.Index(r.Graph.Nodes, name)
	if v < 0 {
		r.t.Fatalf("no node %s", name)
	}
	return int32(v)
}

// channel is that from a node to another one, which is named as "P->Q".
func (r *run) channel(name string) int32 {
	r.t.Helper()
	from, to, _ := strings.Cut(name, "->")
	for c, ch := range r.Graph.Channels {
		if ch.From == r.node(from) && ch.To == r.node(to) {
			return int32(c)
		}
	}
	r.t.Fatalf("no channel %s", name)
	return 0
}

// on is the first event of a kind with message or snapshot number n on a channel.
func (r *run) on(kind spacetime.Kind, channel string, n int) event {
	r.t.Helper()
	c := r.channel(channel)
	return r.find(fmt.Sprint(kind, channel, n), 0, func(e *spacetime.Event) bool {
		return e.Kind == kind && e.Channel == c && (int(e.Number) == n || e.Number == 0 && int(e.Snapshot) == n)
	})
}

func (r *run) sent(channel string, n int) event    { return r.on(spacetime.Send, channel, n) }
func (r *run) taken(channel string, n int) event   { return r.on(spacetime.Process, channel, n) }
func (r *run) marks(channel string, id int) event  { return r.on(spacetime.MarkerSent, channel, id) }
func (r *run) marked(channel string, id int) event { return r.on(spacetime.Marker, channel, id) }
func (r *run) blocks(channel string, id int) event { return r.on(spacetime.Block, channel, id) }
func (r *run) frees(channel string, id int) event  { return r.on(spacetime.Unblock, channel, id) }

// of is the first event of a kind at a node.
func (r *run) of(kind spacetime.Kind, node string, n int) event {
	r.t.Helper()
	v := r.node(node)
	return r.find(fmt.Sprint(kind, node, n), 0, func(e *spacetime.Event) bool {
		return e.Kind == kind && e.Node == v && (n == 0 || int(e.Number) == n || e.Number == 0 && int(e.Snapshot) == n)
	})
}

func (r *run) records(node string, id int) event { return r.of(spacetime.Record, node, id) }
func (r *run) reads(node string, n int) event    { return r.of(spacetime.External, node, n) }
func (r *run) crash(node string) event           { return r.of(spacetime.Crash, node, 0) }
func (r *run) restored(node string) event        { return r.of(spacetime.Restored, node, 0) }
func (r *run) emits(node string, n int) event    { return r.of(spacetime.Emit, node, n) }

// sameStep says that two events are of one step: nothing comes to a node between them.
func (r *run) sameStep(a, b event) bool {
	first, last := min(a.index, b.index), max(a.index, b.index)
	for i := first; i <= last; i++ {
		e := &r.Events[i]
		begins := e.Kind == spacetime.Process || e.Kind == spacetime.External || e.Kind == spacetime.Marker || e.Kind == spacetime.Initiate || e.Kind == spacetime.Crash
		if e.Node != a.Node || begins && i > first {
			return false
		}
	}
	return true
}

// takes is how long everything is under way on a channel, as the scenario says, and as it
// was for all that nobody kept waiting.
func (r *run) takes(channel string) number {
	r.t.Helper()
	c := r.channel(channel)
	plan := r.Plan.Config(r.Plan.Seed)
	dist := plan.Delays[0]
	if plan.DelayOf != nil {
		dist = plan.Delays[plan.DelayOf[c]]
	}
	if dist.Kind != sim.Constant {
		r.t.Errorf("%s takes %v", channel, dist)
	}
	for _, e := range r.all(func(e *spacetime.Event) bool { return e.Channel == c && e.Kind.Sends() && e.Peer != spacetime.None }) {
		if took := r.Events[e.Peer].At - e.At; took < dist.Low || took > dist.Low && len(r.Blocked) == 0 {
			r.t.Errorf("on %s something takes %d", channel, took)
		}
	}
	return at(dist.Low)
}

// members is a JSON object.
type members map[string]json.RawMessage

// field is a number in a state.
func field(t *testing.T, state []byte, name string) number {
	t.Helper()
	var m map[string]json.Number
	if err := json.Unmarshal(state, &m); err != nil {
		t.Fatalf("%s: %v", state, err)
	}
	n, err := m[name].Int64()
	if err != nil {
		t.Fatalf("%s in %s: %v", name, state, err)
	}
	return number{n: n}
}

// recorded is a number in the state that a node recorded for a snapshot.
func (r *run) recorded(node string, id int, name string) number {
	r.t.Helper()
	s := r.snapshot(id)
	for i := range s.Cut {
		if s.Cut[i].Node == node {
			return field(r.t, s.Cut[i].State, name)
		}
	}
	r.t.Fatalf("%s has not recorded %d", node, id)
	return number{}
}

// balance is what an account recorded for snapshot 1, and balances the sum over all nodes.
func (r *run) balance(node string) number { return r.recorded(node, 1, "balance") }

func (r *run) balances() (sum number) {
	for _, node := range r.Graph.Nodes {
		sum = plus(sum, r.balance(node))
	}
	return sum
}

// money is all that snapshot 1 has, with what it has recorded of the channels.
func (r *run) money() number {
	sum := r.balances()
	for _, messages := range r.history.Snapshots[0].Channels {
		for _, m := range messages {
			sum.n += m.Message.Value
		}
	}
	return sum
}

// beginning is the sum of a field over all nodes before anything has happened.
func (r *run) beginning(name string) (sum number) {
	for v := range r.Graph.Nodes {
		sum = plus(sum, field(r.t, r.Initial[v], name))
	}
	return sum
}

// after is a field of the state of an event's node when the event had happened.
func (r *run) after(e event, name string) number {
	r.t.Helper()
	state := members{}
	merge := func(patch []byte) {
		var more members
		if err := json.Unmarshal(patch, &more); err != nil {
			r.t.Fatal(err)
		}
		for k, v := range more {
			state[k] = v
		}
	}
	merge(r.Initial[e.Node])
	for _, s := range r.States {
		if s.Event <= e.index && r.Events[s.Event].Node == e.Node {
			merge(s.Patch)
		}
	}
	text, err := json.Marshal(state)
	if err != nil {
		r.t.Fatal(err)
	}
	return field(r.t, text, name)
}

// final is a field of the state in which the run left a node.
func (r *run) final(node, name string) number {
	r.t.Helper()
	v := r.node(node)
	return field(r.t, r.Plan.Describer(r.Plan.Seed).Describe(v, r.history.Final.States[v]), name)
}

func (r *run) snapshot(id int) *explain.Snapshot {
	r.t.Helper()
	if id > len(r.explained.Snapshots) {
		r.t.Fatalf("there is no snapshot %d", id)
	}
	return &r.explained.Snapshots[id-1]
}

// cut is the four cases of a channel's messages in snapshot 1, and what was recorded of it.
func (r *run) cut(channel string) *explain.Channel {
	r.t.Helper()
	s := r.snapshot(1)
	for i := range s.Channels {
		if ends, _, _ := strings.Cut(s.Channels[i].Name, "#"); ends == channel {
			return &s.Channels[i]
		}
	}
	r.t.Fatalf("snapshot 1 does not list %s", channel)
	return nil
}

// stores says that snapshot 1 has recorded these messages of a channel, and no others.
func (r *run) stores(channel string, numbers ...uint32) bool {
	r.t.Helper()
	var have []uint32
	for _, m := range r.history.Snapshots[0].Channels[r.channel(channel)] {
		have = append(have, m.Number)
	}
	return slices.Equal(have, numbers)
}

// only says that one of the four cases has these messages, and no others.
func only(have explain.Ranges, numbers ...uint32) bool {
	var all []uint32
	for _, span := range have {
		for n := span[0]; n <= span[1]; n++ {
			all = append(all, n)
		}
	}
	return slices.Equal(all, numbers)
}

// holds says that nothing is violated, and violates that this invariant is.
func (r *run) holds() bool { return r.Result.Verdict == scenarios.Holds }

func (r *run) violates(invariant string) bool {
	return slices.ContainsFunc(r.Result.Violations, func(v scenarios.ViolationResult) bool { return v.Invariant == invariant })
}

// snapshots and recovery are what the report has of them.
func (r *run) took(id int) *scenarios.SnapshotResult    { return &r.Result.Snapshots[id-1] }
func (r *run) recovery(k int) *scenarios.RecoveryResult { return &r.Result.Recoveries[k-1] }

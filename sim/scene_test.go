package sim_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simrun/sim"
)

// The tools of the tests of the engine's rules: a scene is a small run whose Apps
// and Nodes follow a script, and a logbook is what was seen of it.

// deed is what a scribe does in answer to an input.
type deed func(in sim.Input, m sim.Message, fx *sim.Effects)

// scribe is an App whose state is the text of what it was given, in order: "e1"
// for key 1 from outside, "c0:7" for key 7 on input 0, "t3" for timer 3.
type scribe struct {
	text []byte
	does deed
}

func (a *scribe) Step(in sim.Input, m sim.Message, fx *sim.Effects) {
	switch in {
	case sim.External:
		a.text = fmt.Appendf(a.text, "e%d ", m.Key)
	case sim.Timer:
		a.text = fmt.Appendf(a.text, "t%d ", m.Key)
	default:
		a.text = fmt.Appendf(a.text, "c%d:%d ", in, m.Key)
	}
	if a.does != nil {
		a.does(in, m, fx)
	}
}

func (a *scribe) Save(buf []byte) []byte { return append(buf, a.text...) }

func (a *scribe) Load(state []byte) error {
	a.text = slices.Clone(state)
	return nil
}

// pass sends what comes in on output 0.
func pass(_ sim.Input, m sim.Message, fx *sim.Effects) { fx.Send(0, m.Key, m.Value, m.Aux) }

// emit lets what comes in leave the system.
func emit(_ sim.Input, m sim.Message, fx *sim.Effects) { fx.Emit(m.Key, m.Value, m.Aux) }

// actor is a Node whose handlers are given one by one; a missing one does what
// passThrough does.
type actor struct {
	passThrough
	initiate func(id sim.SnapshotID, out *sim.Out)
	receive  func(in sim.Input, m sim.Message, out *sim.Out)
	recover  func(attached []byte, log []sim.Logged, out *sim.Out)
}

func (a *actor) Initiate(id sim.SnapshotID, out *sim.Out) {
	if a.initiate != nil {
		a.initiate(id, out)
	}
}

func (a *actor) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	if a.receive == nil {
		a.passThrough.Receive(in, m, out)
		return
	}
	a.receive(in, m, out)
}

func (a *actor) Recover(attached []byte, log []sim.Logged, out *sim.Out) {
	if a.recover != nil {
		a.recover(attached, log, out)
	}
}

// lone is the least snapshot algorithm: every node saves its state alone, when it
// is told to, and nobody saves what is under way.
func lone(id sim.SnapshotID, out *sim.Out) {
	out.SaveState(id)
	out.Done(id)
}

// graph is a graph with a channel from the first node to the second, from the
// third to the fourth, and so on.
func graph(nodes int, ends ...int32) sim.Graph {
	g := sim.Graph{Nodes: nodes}
	for pair := range slices.Chunk(ends, 2) {
		g.From, g.To = append(g.From, pair[0]), append(g.To, pair[1])
	}
	return g
}

// scene is a run of scribes with delays of 10 ns. Every node is an initiator, and
// takes its part of a snapshot alone.
func scene(g sim.Graph, does ...deed) *sim.Config {
	cfg := &sim.Config{
		Graph: g, Seed: 1, Rows: true, Delays: []sim.Dist{{Low: 10}}, MaxSteps: 20_000,
		NewNode: func(sim.NodeInfo) sim.Node { return &actor{initiate: lone} },
		NewApp: func(v int32) sim.App {
			if int(v) < len(does) {
				return &scribe{does: does[v]}
			}
			return &scribe{}
		},
	}
	for v := range int32(g.Nodes) {
		cfg.Snapshots.Initiators = append(cfg.Snapshots.Initiators, v)
	}
	return cfg
}

// play runs a scene, which must come to rest.
func play(t *testing.T, cfg *sim.Config) *sim.History {
	t.Helper()
	h := runOf(t, cfg)
	if h.End != sim.Quiescent {
		t.Fatalf("the run ends in state %d at %d after %d steps", h.End, h.EndedAt, h.Steps)
	}
	return h
}

// releases is a Source: when each record is released. Record k has the key k+1.
type releases []int64

func (r releases) Record(k uint64) (sim.Message, int64, bool) {
	if k >= uint64(len(r)) {
		return sim.Message{}, 0, false
	}
	return sim.Message{Key: k + 1, Value: int64(k)}, r[k], true
}

// feed gives node v the records of the v-th list.
func feed(lists ...releases) func(int32) sim.Source {
	return func(v int32) sim.Source {
		if int(v) >= len(lists) || lists[v] == nil {
			return nil
		}
		return lists[v]
	}
}

// cast makes the Node of v from the v-th entry; the others are lone.
func cast(actors ...func() *actor) sim.NewNode {
	return func(info sim.NodeInfo) sim.Node {
		if int(info.ID) < len(actors) && actors[info.ID] != nil {
			return actors[info.ID]()
		}
		return &actor{initiate: lone}
	}
}

// logbook is an Observer that writes a line about each event of some kinds.
type logbook struct {
	kinds []sim.EventKind
	lines []seen
}

// seen is an instant and what was seen at it.
type seen struct {
	at   int64
	what string
}

// watch lets a logbook see a run.
func watch(cfg *sim.Config, kinds ...sim.EventKind) *logbook {
	l := &logbook{kinds: kinds}
	cfg.Observer = l
	return l
}

func (l *logbook) Observe(ev *sim.Event) {
	if slices.Contains(l.kinds, ev.Kind) {
		l.lines = append(l.lines, seen{ev.At, line(ev)})
	}
}

func line(ev *sim.Event) string {
	switch ev.Kind {
	case sim.EventSend:
		return fmt.Sprintf("c%d sends %d due %d", ev.Channel, ev.Number, ev.Due)
	case sim.EventProcess:
		return fmt.Sprintf("c%d process %d", ev.Channel, ev.Number)
	case sim.EventExternal:
		return fmt.Sprintf("n%d external %d", ev.Node, ev.Number)
	case sim.EventTimer:
		return fmt.Sprintf("n%d timer %d", ev.Node, ev.Timer)
	case sim.EventArm:
		return fmt.Sprintf("n%d arms %d due %d", ev.Node, ev.Timer, ev.Due)
	case sim.EventEmit:
		return fmt.Sprintf("n%d emits %d: %d", ev.Node, ev.Number, ev.Message.Key)
	case sim.EventMarkerSent:
		return fmt.Sprintf("c%d sends marker %d due %d", ev.Channel, ev.Snapshot, ev.Due)
	case sim.EventMarker:
		return fmt.Sprintf("c%d marker %d", ev.Channel, ev.Snapshot)
	case sim.EventBusy:
		return fmt.Sprintf("n%d busy until %d", ev.Node, ev.Due)
	case sim.EventCrash:
		return fmt.Sprintf("n%d crash", ev.Node)
	case sim.EventBlock, sim.EventUnblock, sim.EventChannel:
		return fmt.Sprintf("c%d %s %d", ev.Channel, verbs[ev.Kind], ev.Snapshot)
	case sim.EventTrigger, sim.EventComplete, sim.EventAbort, sim.EventRestore:
		return fmt.Sprintf("%s %d", verbs[ev.Kind], ev.Snapshot)
	}
	return fmt.Sprintf("n%d %s %d", ev.Node, verbs[ev.Kind], ev.Snapshot)
}

// verbs names the events that say no more than their snapshot.
var verbs = map[sim.EventKind]string{
	sim.EventBlock: "block", sim.EventUnblock: "unblock", sim.EventChannel: "content of",
	sim.EventTrigger: "trigger", sim.EventComplete: "complete", sim.EventAbort: "abort", sim.EventRestore: "restore",
	sim.EventInitiate: "initiate", sim.EventRecord: "record", sim.EventDone: "done", sim.EventDurable: "durable",
}

// wants compares all that was seen, each line with its instant, with what should
// have been.
func (l *logbook) wants(t *testing.T, want ...string) {
	t.Helper()
	var got []string
	for _, s := range l.lines {
		got = append(got, fmt.Sprintf("%d %s", s.at, s.what))
	}
	same(t, "what was seen", got, want)
}

// wantsAt compares what was seen at one instant.
func (l *logbook) wantsAt(t *testing.T, at int64, want ...string) {
	t.Helper()
	var got []string
	for _, s := range l.lines {
		if s.at == at {
			got = append(got, s.what)
		}
	}
	same(t, fmt.Sprintf("what was seen at %d", at), got, want)
}

// same compares something with what it should be.
func same[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// texts is states of scribes as a reader sees them.
func texts(states [][]byte) (all []string) {
	for _, s := range states {
		all = append(all, strings.TrimSpace(string(s)))
	}
	return all
}

// numbers lists the numbers of recorded messages.
func numbers(content []sim.Recorded) (all []uint32) {
	for _, r := range content {
		all = append(all, r.Number)
	}
	return all
}

package spacetime

import (
	"math"
	"slices"

	"simrun/scenarios"
	"simrun/sim"
)

// Options say how much of a run is wanted. The zero Options are all of it.
type Options struct {
	First int // so many events are left out at the beginning
	Most  int // so many are taken at the most; 0: all
	// StateBytes is how many bytes of states are taken; 0: StateBytes. Beyond that only
	// recordings have states.
	StateBytes int
	// Reasons is how many bytes of reasons for the verdict are told, about; 0: none.
	Reasons int
}

// StateBytes is how many bytes of states a diagram has if nothing else is said.
const StateBytes = 4 << 20

// nowhere is a First that no run reaches.
const nowhere = math.MaxInt

// Of runs a plan with a seed and is its diagram.
func Of(p *scenarios.Plan, seed uint64, o Options) *Diagram {
	b := newBuilder(p, seed, o)
	runner := p.NewRunner()
	var res *scenarios.Result
	if o.Reasons > 0 {
		res, b.Told = runner.Tells(seed, b, o.Reasons)
	} else {
		res = runner.Watch(seed, b)
	}
	return b.finish(res, runner.Recorded())
}

// builder is the Observer that a Diagram is made by.
type builder struct {
	Diagram
	options Options
	seen    int                       // events of the run so far
	each    func(place int, e *Event) // nil, or called with every event, also outside of the window
	last    []int32                   // by lane: its last event; None: there is none in the window
	before  []int32                   // by event: the one before it on its lane
	ends    ends
	cuts    map[sim.SnapshotID]*cut
	blocked []int32 // by channel: the index into Blocked of the span that lasts; None
	waiting []int32 // by node: how many of its inputs have one
	states  *states
}

func newBuilder(p *scenarios.Plan, seed uint64, o Options) *builder {
	g := p.Graph
	b := &builder{options: o, ends: newEnds(), cuts: map[sim.SnapshotID]*cut{}}
	b.Diagram = Diagram{Plan: p, Graph: g, BackEdge: p.BackEdge, Coordinator: None}
	b.last = slices.Repeat([]int32{None}, len(g.Nodes)+1)
	b.blocked, b.waiting = slices.Repeat([]int32{None}, len(g.Channels)), make([]int32, len(g.Nodes))
	b.states = newStates(p, seed, o)
	b.Initial = b.states.initial
	return b
}

// Observe implements sim.Observer.
func (b *builder) Observe(ev *sim.Event) {
	b.EndedAt = max(b.EndedAt, ev.At)
	switch ev.Kind {
	case sim.EventBusy:
		if b.inWindow() {
			b.Busy = append(b.Busy, Busy{ev.Node, ev.At, ev.Due})
		}
	case sim.EventRestore:
		b.restore(ev)
	case sim.EventFact:
		b.fact(ev)
	default:
		if kind, ok := kindOf(ev.Kind); ok {
			b.event(kind, ev)
		}
	}
}

// kindOf is the Kind of what happens at a node and has no fields of its own.
func kindOf(kind sim.EventKind) (Kind, bool) {
	switch kind {
	case sim.EventSend:
		return Send, true
	case sim.EventProcess:
		return Process, true
	case sim.EventExternal:
		return External, true
	case sim.EventTimer:
		return Timer, true
	case sim.EventEmit:
		return Emit, true
	case sim.EventDrop:
		return Drop, true
	case sim.EventEndSent:
		return Close, true
	case sim.EventEnd:
		return Ended, true
	case sim.EventMarkerSent:
		return MarkerSent, true
	case sim.EventMarker:
		return Marker, true
	case sim.EventInitiate:
		return Initiate, true
	case sim.EventRecord:
		return Record, true
	case sim.EventDone:
		return Done, true
	case sim.EventBlock:
		return Block, true
	case sim.EventUnblock:
		return Unblock, true
	case sim.EventCrash:
		return Crash, true
	case sim.EventLose:
		return Lost, true
	case sim.EventDuplicate:
		return Doubled, true
	}
	return 0, false
}

// event takes what happened at a node.
func (b *builder) event(kind Kind, ev *sim.Event) {
	e := Event{Kind: kind, Incarnation: ev.Incarnation, Node: ev.Node, Channel: None, At: ev.At,
		Number: ev.Number, Snapshot: ev.Snapshot, Message: ev.Message}
	switch kind {
	case Send, Process, Drop, Close, Ended, MarkerSent, Marker, Block, Unblock, Lost, Doubled:
		e.Channel = ev.Channel
	case Timer:
		e.Number = ev.Timer
	}
	if ev.Message.Kind() == sim.Marker { // its words are the engine's
		e.Message = sim.Message{}
		e.Snapshot = ev.Message.Snapshot()
	}
	i := b.add(e, arrowOf(kind, ev))
	switch kind {
	case Block, Unblock:
		b.block(kind, ev, i)
	case Crash:
		b.unblockAll(ev.Node, i)
	case Record:
		b.cut(ev.Snapshot).record(ev.Node, i, i == None && b.seen > b.options.First)
	case Done:
		b.cut(ev.Snapshot).done(ev.Node)
	}
	b.stateAfter(kind, ev, i)
}

// inWindow says whether the next event is one of the diagram's.
func (b *builder) inWindow() bool {
	return b.seen >= b.options.First && (b.options.Most == 0 || len(b.Events) < b.options.Most)
}

// add puts an event on its lane, if it is in the window, and ties it to the other end of
// its arrow. It returns the event's index, or None.
func (b *builder) add(e Event, a arrow) int32 {
	within := b.inWindow()
	if b.each != nil {
		b.each(b.seen, &e)
	}
	b.seen++
	if !within {
		return None
	}
	i := int32(len(b.Events))
	e.Peer, e.Undone = None, None
	b.ends.tie(&e, a, i, b.Events)
	b.Events = append(b.Events, e)
	b.before = append(b.before, b.last[e.Node])
	b.last[e.Node] = i
	return i
}

// block begins or ends the span of a blocked input.
func (b *builder) block(kind Kind, ev *sim.Event, i int32) {
	c := ev.Channel
	if kind == Block {
		if i != None || b.seen <= b.options.First {
			if b.blocked[c] == None {
				b.waiting[ev.Node]++
			}
			b.blocked[c] = int32(len(b.Blocked))
			b.Blocked = append(b.Blocked, Blocked{c, ev.Snapshot, i, None})
		}
		return
	}
	b.endBlock(c, i)
}

// endBlock ends the span of a channel, if it is blocked. A span that ends before the
// window begins is not in it.
func (b *builder) endBlock(c, i int32) {
	s := b.blocked[c]
	if s == None {
		return
	}
	b.blocked[c] = None
	b.waiting[b.Graph.Channels[c].To]--
	if b.Blocked[s].To = i; i == None && b.seen <= b.options.First {
		b.Blocked[s].Channel = None
	}
}

// unblockAll ends the spans of all inputs of a node: it has crashed, or is put back.
func (b *builder) unblockAll(v, i int32) {
	if b.waiting[v] == 0 { // as after most restores of most nodes: the graph may be large
		return
	}
	for c, ch := range b.Graph.Channels {
		if ch.To == v {
			b.endBlock(int32(c), i)
		}
	}
}

// finish is the diagram, once the run is over and judged. By snapshot it is given what was
// recorded of the channels.
func (b *builder) finish(res *scenarios.Result, recorded [][][]sim.Recorded) *Diagram {
	d := &b.Diagram
	d.Result, d.First, d.Total = res, min(b.options.First, b.seen), b.seen
	d.EndedAt = max(d.EndedAt, res.VirtualTime)
	d.Blocked = slices.DeleteFunc(d.Blocked, func(s Blocked) bool { return s.Channel == None })
	d.States, d.Stepped = b.states.list, len(d.Events)
	if b.states.spent != None {
		d.Stepped = int(b.states.spent)
	}
	for i := range res.Snapshots {
		s := &res.Snapshots[i]
		d.Snapshots = append(d.Snapshots, b.cut(sim.SnapshotID(s.ID)).snapshot(s, recorded[i]))
	}
	for i := range d.Restores {
		if i < len(res.Recoveries) {
			d.Restores[i].Result = &res.Recoveries[i]
		}
	}
	for i := range res.Violations {
		d.Violations = append(d.Violations, Violation{&res.Violations[i], d.shows(&res.Violations[i])})
	}
	return d
}

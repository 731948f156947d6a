package sim

import (
	"errors"
	"fmt"
	"slices"
)

// Stage carries out single steps of a run in chosen order, one node at a time, from
// any state that this node may be in: for a search over all schedules, which puts a
// node in the state that it wants, lets it do one thing, and takes note of what came
// of it. The handlers run in an Engine, as in any run.
//
// What one node's steps depend on and change is its part: the App, the algorithm, the
// node's ends of its channels, its source and timers, and its share of every snapshot.
// A part is a canonical string of bytes: of equal parts the same steps make equal parts
// and put equal items on the channels. Step counts and instants are not in it: in chosen
// order no handler sees them. The state of the whole system is the parts of all nodes and
// the items on all channels.
//
// All snapshots of the plan are triggered before the first step. There are no faults
// and no stop, the channels are reliable, and there is no coordinator. So nobody can see
// when a node's share of a snapshot is written, but where the share refers to the App
// instead of holding a copy; the write of any other follows at once on the step that hands
// it to the store.
type Stage struct {
	e        *Engine
	from     []int32 // by channel
	nodes    []stageNode
	channels []stageChannel
	initial  [][]byte

	// Of the step that is being done.
	produced int // by the App
	let      int // of that, how much has left
}

// stageNode is what a part holds beside the state of the engine: to tell apart what a
// verdict on a snapshot tells apart.
type stageNode struct {
	orders   []SnapshotID // to initiate, by id
	strayed  bool         // a delivery was not the next of its channel
	withheld bool         // what the App produced did not leave in the handler that let it step
	states   [][]byte     // by snapshot: the App when it was recorded
}

type stageChannel struct {
	put, handed uint32   // items so far: at its sender, at its receiver
	messages    uint32   // of what was handed over
	held        []Item   // messages handed over, and not processed
	crossing    [][]Item // by snapshot: what is received after the receiver's recording and sent before the sender's
}

// Item is what stands on a channel: a message or a marker.
type Item struct {
	Message  Message
	Position uint32 // among all that is put on its channel, from 0
	Messages uint32 // before it among these
	After    uint64 // of a message, bit s-1: its sender had recorded snapshot s before
}

// Sent is an item that a step has put on a channel.
type Sent struct {
	Channel int32
	Item    Item
}

// StageSnapshots is how many snapshots a Stage can have.
const StageSnapshots = 64

// NewStage prepares a Stage for a configuration in chosen order.
func NewStage(cfg *Config) (*Stage, error) {
	switch {
	case cfg.Order != Chosen:
		return nil, errors.New("sim: a stage for a run that is not in chosen order")
	case len(cfg.Faults) > 0 || cfg.Unreliable != nil || cfg.Management.New != nil || cfg.Resume != nil || cfg.From != nil:
		return nil, errors.New("sim: a stage for a run with faults, unreliable channels, a coordinator or an earlier run")
	case cfg.Snapshots.Every > 0 || cfg.Snapshots.Open > 0 || len(cfg.Snapshots.At) > StageSnapshots || slices.Max(append([]int64{0}, cfg.Snapshots.At...)) > 0:
		return nil, fmt.Errorf("sim: a stage for snapshots that do not all begin at 0, or more than %d", StageSnapshots)
	case cfg.Stop != Stop{}:
		return nil, errors.New("sim: a stage for a run with a stop")
	}
	own := *cfg
	own.Rows = false
	g := &Stage{from: slices.Clone(cfg.Graph.From), nodes: make([]stageNode, cfg.Graph.Nodes), channels: make([]stageChannel, len(cfg.Graph.From))}
	own.Observer = g
	e, err := New(&own)
	if err != nil {
		return nil, err
	}
	g.e = e
	e.attend() // triggers the snapshots
	e.timers, e.gone = make([][]ArmedTimer, len(e.nodes)), make([][]uint32, len(e.nodes))
	e.blockedSince, e.blockedBy = make([]int64, len(e.channels)), make([]SnapshotID, len(e.channels))
	k := len(e.history.Snapshots)
	for _, s := range e.history.Snapshots {
		e.allocate(s)
		for _, v := range s.Initiators {
			g.nodes[v].orders = append(g.nodes[v].orders, s.ID)
		}
	}
	for v := range g.nodes {
		g.nodes[v].states = make([][]byte, k)
	}
	for c := range g.channels {
		g.channels[c].crossing = make([][]Item, k)
	}
	for v := range int32(len(e.nodes)) {
		g.initial = append(g.initial, g.part(v))
	}
	return g, nil
}

// Initial is the part of a node before its first step.
func (g *Stage) Initial(v int32) []byte { return g.initial[v] }

// Snapshots is how many snapshots there are.
func (g *Stage) Snapshots() int { return len(g.e.history.Snapshots) }

// Inputs is the channels into a node, in the order of its inputs.
func (g *Stage) Inputs(v int32) (channels []int32) {
	for i := range g.e.nodes[v].inputs {
		channels = append(channels, g.e.input(v, i))
	}
	return channels
}

// Result is what a step on a Stage has led to.
type Result struct {
	Part   []byte // of the node
	Sent   []Sent // by channel, and on each in the order in which it was put there
	Writes []Step // that have followed at once
}

// Do lets a node do a step, which must be one that Look has found or the delivery of
// an item on an input that is not shut to it.
func (g *Stage) Do(v int32, part []byte, s Step, item Item) (r Result) {
	g.load(v, part)
	g.produced, g.let = 0, 0
	g.perform(v, s, &item)
	n := &g.nodes[v]
	n.strayed = n.strayed || len(g.e.history.Breaches) > 0
	n.withheld = n.withheld || g.let < g.produced
	r.Sent = g.collect(v)
	for _, s := range g.e.history.Snapshots {
		if s.Status == Pending && s.DoneAt[v] >= 0 && !s.Durable[v] && !s.unread[v] {
			g.e.durable(v, s.ID)
			r.Writes = append(r.Writes, Step{Kind: StepWrite, Entity: v, Index: uint32(s.ID)})
		}
	}
	r.Part = g.part(v)
	return r
}

func (g *Stage) perform(v int32, s Step, item *Item) {
	e := g.e
	switch s.Kind {
	case StepDeliver:
		ch := &e.channels[s.Entity]
		e.put(s.Entity, ch, &item.Message, item.Message.number(), 0, item.Message.incarnation())
		if ch.flags&parked != 0 {
			panic(fmt.Sprintf("sim: an item is delivered on channel %d, which is shut to it", s.Entity))
		}
		e.ready.remove(e, int(ch.position))
		g.handOver(v, s.Entity, item)
		e.arriveAt(s.Entity)
	case StepExternal:
		e.external(v)
	case StepTimer:
		e.fire(v, s.Index, 0)
	case StepInitiate:
		g.nodes[v].orders = g.nodes[v].orders[1:]
		e.initiate(v, SnapshotID(s.Index), 0)
	case StepWrite:
		e.durable(v, SnapshotID(s.Index))
	default:
		panic(fmt.Sprintf("sim: a step of kind %d on a stage", s.Kind))
	}
}

// handOver notes that a channel's head goes to its receiver.
func (g *Stage) handOver(v, c int32, item *Item) {
	ch := &g.channels[c]
	ch.handed++
	if item.Message.Kind() != Data {
		return
	}
	ch.messages++
	ch.held = append(ch.held, *item)
	for k, s := range g.e.history.Snapshots {
		if s.Status == Pending && s.Recordings[v].Seq != 0 && item.After>>k&1 == 0 {
			ch.crossing[k] = append(ch.crossing[k], *item)
		}
	}
}

// collect takes what a step has put on channels from there.
func (g *Stage) collect(v int32) (sent []Sent) {
	e := g.e
	for i := range e.nodes[v].outs {
		c := e.output(v, i)
		first := len(sent)
		messages := e.channels[c].sent
		for at := e.channels[c].head; at != 0; at = e.pool.slots[at].next() {
			m := e.pool.slots[at].message()
			sent = append(sent, Sent{c, Item{Message: m, Position: g.channels[c].put}})
			g.channels[c].put++
			messages -= one(m.Kind() == Data)
		}
		for k := first; k < len(sent); k++ {
			item := &sent[k].Item
			item.Messages = messages
			if item.Message.Kind() == Data {
				messages++
				item.After = g.recorded(v, c, messages)
			}
		}
	}
	return sent
}

// recorded is the snapshots that node v had recorded when it sent a message, by bits.
func (g *Stage) recorded(v, c int32, number uint32) (after uint64) {
	for k, s := range g.e.history.Snapshots {
		if s.Status != Pending || s.Recordings[v].Seq != 0 && number > s.Sent[c] {
			after |= 1 << k
		}
	}
	return after
}

func one(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// Observe implements Observer: it watches the engine of the Stage itself.
func (g *Stage) Observe(ev *Event) {
	e := g.e
	if e == nil {
		return // the engine is being made
	}
	g.produced = max(g.produced, e.out.effects.n)
	switch ev.Kind {
	case EventSend, EventEmit:
		g.let++
	case EventProcess:
		held := g.channels[ev.Channel].held
		for i := range held {
			if held[i].Message.number() == ev.Number {
				g.channels[ev.Channel].held = append(held[:i:i], held[i+1:]...)
				break
			}
		}
	case EventRecord:
		k := int(ev.Snapshot) - 1
		g.nodes[ev.Node].states[k] = append([]byte{}, ev.State...)
		for i := range e.nodes[ev.Node].inputs {
			ch := &g.channels[e.input(ev.Node, i)]
			ch.crossing[k] = nil
			for _, item := range ch.held {
				if item.After>>k&1 == 0 {
					ch.crossing[k] = append(ch.crossing[k], item)
				}
			}
		}
	}
}

package sim

import (
	"errors"
	"math"
)

// Engine carries out one run. It belongs to one goroutine.
type Engine struct {
	cfg        Config
	observer   Observer
	chronicler Chronicler // the observer, if it is one and order is timed
	history    History

	nodes     []node
	channels  []channel
	outputs   []int32 // channel ids by sender; nil: they stand in that order anyway
	inputs    []int32 // channel ids by receiver, likewise
	pool      pool
	delays    []Dist
	sources   []source
	timers    [][]ArmedTimer // by node, by id; nil until a timer is armed
	gone      [][]uint32     // by node: timers that its Node was handed and has not let the App process; nil until one goes off
	emitted   []uint32       // by node; nil until something is emitted
	committed [][]SnapshotID // by node, ascending: the transactions that have left; nil until one has

	now           int64 // ns, or steps in chosen order
	steps         int64
	stepOfHandler int64 // 1 in timed order; in chosen order a choice is a step
	alarm         int64 // the step before which the run has something to see to
	incarnation   uint8
	out           Out
	sendFrom      int64 // when the current handler's sends leave
	current       int32 // the channel whose head is being handled
	currentInput  int32 // and its index among the inputs, or noInput

	// Timed order.
	wheel     wheel
	diary     diary
	waiting   [][]waiter // by node; nil until something waits
	noService bool
	// Chosen order.
	chosen    bool
	ready     ready
	scheduler Scheduler       // nil: random
	random    RandomScheduler // of the seed

	externals                                                                                                int32 // how many entities are External inputs
	delayStream, serviceStream, writeStream                                                                  Stream
	lossStream, copyStream, copyDelayStream                                                                  Stream // of unreliable channels
	controlStream, controlLossStream, controlCopyStream, readStream, writeFailStream, tornStream, lostStream Stream // of the coordinator's
	digest, appDigest                                                                                        uint64

	open            []*Snapshot // pending ones, by id
	newest          *Snapshot   // complete, with the highest id
	recordings      uint32
	nextEvery       int64  // the next periodic snapshot; 0: none
	triggered       int    // entries of Snapshots.At that have passed
	digestAtTrigger uint64 // the application digest when the last snapshot was triggered

	restoredAt int64
	restoreAt  int64
	recovering bool
	firstCrash int64
	down       []int32 // nodes that are down, in the order in which they crashed

	dataInFlight    int64 // application messages in channels
	blockedChannels int
	blockedSince    []int64      // by channel; nil until something is blocked
	blockedBy       []SnapshotID // by channel, likewise
	again           []uint32     // by channel: the next message to come that its receiver had processed before a partial restore, 0: none; nil until there is one
	senders         []int32      // by channel; nil until somebody asks
	management      *management  // nil: there is no coordinator
	loose           []*loose     // by channel, nil where it is reliable; nil if all are
	guards          []Guarded    // by node, nil where the App takes everything; nil until one does not

	faults      []faultState
	triggers    int  // that the Scheduler may still choose
	leavesOpen  bool // something is left to the Scheduler
	phaseWatch  bool // some fault waits for a phase
	phaseFaults int  // how many have not fired
	moment      moment
	doomed      []doom
	stopped     bool
	records     int64 // External records processed, in the stitched run
	ended       bool
	told        int64 // the step of the delivery that a Chronicler was told of last
	mostOuts    int32 // of a node
}

// node is the engine's record of one node: 64 bytes, a cache line.
type node struct {
	algorithm       Node
	app             App
	busyUntil       int64
	firstOut, outs  int32 // its outputs are entries firstOut..firstOut+outs of outputs
	firstIn, inputs int32
	served          uint32
	flags           uint8
}

const (
	down       uint8 = 1 << iota // crashed and not restored
	called                       // has a freeNode appointment
	doomedNode                   // a fault waits for its next handler
	choosy                       // its App chooses what it reads
	chronicled                   // a Chronicler is told what its handlers are given
	draining                     // its Node wants to know when nothing of the node's own comes any more
)

// noInput is an index that no input has.
const noInput = -1 << 31

// source is the External input of a node.
type source struct {
	source   Source
	read     uint32 // records handed to the Node
	offset   uint32 // records processed
	limit    uint32 // after the stop: how many there are
	reached  uint32 // records handed over before a restore of which nodes that go on may have the effects
	position int32  // in the ready set of chosen order
	at       int64  // release of the next record
}

// New prepares a run. The error names what is wrong with the configuration. The
// engine does not keep the Config's Graph.
func New(cfg *Config) (*Engine, error) {
	if err := check(cfg); err != nil {
		return nil, err
	}
	e := new(Engine)
	e.wire(&cfg.Graph)
	e.prepare(cfg)
	return e, nil
}

// Reset prepares another run in the memory of the last one, whose History is no
// longer valid afterwards. The Config may differ in all but the Graph, which must
// be the one that the engine was made with.
func (e *Engine) Reset(cfg *Config) error {
	if err := check(cfg); err != nil {
		return err
	}
	if cfg.Graph.Nodes != len(e.nodes) || len(cfg.Graph.To) != len(e.channels) {
		return errors.New("sim: Reset with another graph than the engine was made with")
	}
	e.prepare(cfg)
	return nil
}

func (e *Engine) prepare(cfg *Config) {
	e.cfg = *cfg
	e.cfg.Graph = Graph{}
	if e.cfg.MaxSteps == 0 {
		e.cfg.MaxSteps = DefaultMaxSteps
	}
	if cfg.NewSource != nil && e.sources == nil {
		e.sources = make([]source, len(e.nodes))
	} else if cfg.NewSource == nil {
		e.sources = nil
	}
	for c := range e.channels {
		e.channels[c].dist = 0
		if cfg.DelayOf != nil {
			e.channels[c].dist = cfg.DelayOf[c]
		}
	}
	e.restart()
}

// restart puts the engine at the beginning of its run, whatever it did before.
func (e *Engine) restart() {
	*e = Engine{
		cfg: e.cfg, observer: e.cfg.Observer, chosen: e.cfg.Order == Chosen, scheduler: e.cfg.Scheduler, random: *NewRandomScheduler(e.cfg.Seed),
		nodes: e.nodes, channels: e.channels, outputs: e.outputs, inputs: e.inputs,
		sources: e.sources, externals: int32(len(e.sources)),
		delays: e.cfg.Delays, currentInput: noInput,
		faults: make([]faultState, len(e.cfg.Faults)),
		// What follows is kept for its memory only.
		history: History{Rows: e.history.Rows[:0]},
		pool:    e.pool, wheel: e.wheel, out: e.out,
		diary: diary{heap: e.diary.heap[:0]},
		ready: ready{entities: e.ready.entities[:0], others: e.ready.others[:0], open: e.ready.open[:0]},
	}
	e.watch()
	e.wheel.reset(0)
	if !e.cfg.Rows {
		e.history.Rows = nil
	} else if e.history.Rows == nil {
		e.history.Rows = []Row{} // no rows yet, which is not the same as rows off
	}
	for v := range e.nodes {
		e.nodes[v].served = 0
	}
	for c := range e.channels {
		ch := &e.channels[c]
		*ch = channel{to: ch.to, input: ch.input, dist: ch.dist}
	}
	e.loosen()
	e.manage()
	for v := range e.sources {
		e.sources[v] = source{source: e.cfg.NewSource(int32(v)), limit: math.MaxUint32}
	}
	e.out.nodes = e.nodes
	for v := range e.nodes {
		e.mostOuts = max(e.mostOuts, e.nodes[v].outs)
	}
	e.allow(0)
	e.out.Reset() // the last run may have ended inside a handler
	if !e.chosen {
		e.stepOfHandler = 1
	}
	e.noService = e.chosen || e.cfg.Service == Dist{}
	if len(e.delays) == 0 {
		e.delays = []Dist{{Low: 1}}
	}
	shortest := e.delays[0].Low
	for i := range e.delays {
		shortest = min(shortest, e.delays[i].Low)
	}
	e.wheel.tune(shortest)
	e.pool.reset(len(e.channels))
	e.streams()
	e.populate(nil)
	e.arrange()
	if r := e.cfg.Resume; r != nil {
		e.resume(r.History, r.Restore)
	}
}

// wire lays out the channels and the nodes' lists of them.
func (e *Engine) wire(g *Graph) {
	e.nodes = make([]node, g.Nodes)
	e.channels = make([]channel, len(g.From))
	e.outputs = group(g.Nodes, g.From, func(v, first, n int32) { e.nodes[v].firstOut, e.nodes[v].outs = first, n })
	e.inputs = group(g.Nodes, g.To, func(v, first, n int32) { e.nodes[v].firstIn, e.nodes[v].inputs = first, n })
	for c := range e.channels {
		e.channels[c].to = g.To[c]
	}
	for v := range e.nodes {
		for i := range e.nodes[v].inputs {
			e.channels[e.input(int32(v), i)].input = i
		}
	}
}

// group lists channels by one of their ends, and tells each node's first entry
// and how many it has. The list is nil where the channels already stand in that
// order.
func group(nodes int, ends []int32, place func(v, first, n int32)) (ids []int32) {
	start := make([]int32, nodes+1)
	sorted := true
	for c, v := range ends {
		start[v+1]++
		sorted = sorted && (c == 0 || ends[c-1] <= v)
	}
	for v := range nodes {
		start[v+1] += start[v]
	}
	for v := range nodes {
		place(int32(v), start[v], start[v+1]-start[v])
	}
	if sorted {
		return nil
	}
	ids = make([]int32, len(ends))
	for c, v := range ends {
		ids[start[v]] = int32(c)
		start[v]++
	}
	return ids
}

// at reads a list that group made.
func at(ids []int32, i int32) int32 {
	if ids == nil {
		return i
	}
	return ids[i]
}

func (e *Engine) output(v, i int32) int32 { return at(e.outputs, e.nodes[v].firstOut+i) }
func (e *Engine) input(v, i int32) int32  { return at(e.inputs, e.nodes[v].firstIn+i) }

// populate gives the nodes that are restarted a fresh App and a fresh Node.
func (e *Engine) populate(s scope) {
	initiator := make([]bool, len(e.nodes))
	for _, list := range append([][]int32{e.cfg.Snapshots.Initiators}, e.cfg.Snapshots.InitiatorsAt...) {
		for _, v := range list {
			initiator[v] = true
		}
	}
	cyclic := false
	for _, l := range e.cfg.BackEdge {
		cyclic = cyclic || l
	}
	for v := range int32(len(e.nodes)) {
		if !s.has(v) {
			continue
		}
		info := NodeInfo{
			ID: v, Inputs: int(e.nodes[v].inputs), Outputs: int(e.nodes[v].outs),
			Attempt: e.incarnation, Initiator: initiator[v], Cyclic: cyclic,
		}
		for i := range int32(info.Inputs) {
			if cyclic && e.cfg.BackEdge[e.input(v, i)] {
				if info.BackEdge == nil {
					info.BackEdge = make([]bool, info.Inputs)
				}
				info.BackEdge[i] = true
			}
		}
		n := &e.nodes[v]
		n.algorithm, n.app = e.cfg.NewNode(info), e.cfg.NewApp(v)
		n.busyUntil, n.flags = 0, 0
		if e.chronicler != nil {
			n.flags = chronicled
		}
		e.guard(v)
	}
}

// streams sets up the random streams of an incarnation.
func (e *Engine) streams() {
	e.delayStream = NewStream(e.cfg.Seed, ForDelay, e.incarnation)
	e.serviceStream = NewStream(e.cfg.Seed, ForService, e.incarnation)
	e.writeStream = NewStream(e.cfg.Seed, ForWrite, e.incarnation)
	e.lossStream = NewStream(e.cfg.Seed, ForLoss, e.incarnation)
	e.copyStream = NewStream(e.cfg.Seed, ForDuplicate, e.incarnation)
	e.copyDelayStream = NewStream(e.cfg.Seed, ForCopyDelay, e.incarnation)
	e.controlStream = NewStream(e.cfg.Seed, ForControl, 0)
	e.controlLossStream = NewStream(e.cfg.Seed, ForControlLoss, 0)
	e.controlCopyStream = NewStream(e.cfg.Seed, ForControlCopy, 0)
	e.readStream = NewStream(e.cfg.Seed, ForRead, e.incarnation)
	e.writeFailStream = NewStream(e.cfg.Seed, ForWriteFailure, e.incarnation)
	e.tornStream = NewStream(e.cfg.Seed, ForTornPart, e.incarnation)
	e.lostStream = NewStream(e.cfg.Seed, ForLostPart, e.incarnation)
}

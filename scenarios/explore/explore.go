package explore

import (
	"cmp"
	"context"
	"slices"
	"time"

	"simrun/scenarios"
	"simrun/sim"
)

// Options say how far a search goes.
type Options struct {
	Seed      uint64        // of the app
	Full      bool          // every step of every state: no reduction
	MaxStates int           // 0: any number
	MaxDepth  int           // steps of a schedule; 0: any number
	Time      time.Duration // 0: any
	First     bool          // end with the first violation
	Snapshots bool          // list the distinct snapshots
	Progress  func(states int64)

	mostParts int       // for the preparation of the reduction
	weak      bool      // no preparation
	deadline  time.Time // zero: none
}

// explorer is a search under way.
type explorer struct {
	plan    *scenarios.Plan
	cfg     sim.Config
	options Options
	stage   *sim.Stage
	all     uint64 // a bit for each snapshot

	nodes     []*node
	items     []item
	itemIndex map[sim.Item]int32
	contents  contents
	shares    numbering
	states    *store
	parts     int // of all nodes
	partBytes int64

	now       uint32 // the state that is being left
	next      []uint32
	enabled   []enabledStep
	every     []int      // 0, 1, 2, ...
	reduction *reduction // nil: off

	judge   judge
	result  *Result
	stopped string // why it has not finished
	lookAt  int64  // after how many steps it is asked next whether to end
	gaveUp  bool   // the reduction could not be prepared
}

// enabledStep is a step that could be next.
type enabledStep struct {
	node  int32
	input int32 // -1: a step of the node's own
	own   ownStep
}

// Run searches. If the reduction has led to a violation, a second search without it looks
// whether a shorter schedule leads to one.
func Run(ctx context.Context, plan *scenarios.Plan, options Options) (*Result, error) {
	if options.Time > 0 {
		options.deadline = time.Now().Add(options.Time)
	}
	begun := time.Now()
	x, err := searched(ctx, plan, options)
	if err != nil {
		return nil, err
	}
	r := x.result
	r.close(x)
	if v := r.Violation; v != nil {
		v.Shortest = x.reduction == nil
		if x.reduction != nil {
			r.shorten(ctx, x)
		}
		r.Violation.Schedule = x.judge.words(r.Violation.schedule)
	}
	r.Seconds = time.Since(begun).Seconds()
	return r, nil
}

// searched is a search that is over. The reduction is prepared first with little effort;
// if that is not enough, and the search without it is not over soon, with more.
func searched(ctx context.Context, plan *scenarios.Plan, options Options) (*explorer, error) {
	options.mostParts = cmp.Or(options.mostParts, fewParts)
	x, err := prepare(ctx, plan, options)
	if err != nil || options.Full || x.reduction != nil {
		if err == nil {
			x.search(ctx)
		}
		return x, err
	}
	full := options
	full.Full = true
	if options.MaxStates == 0 || options.MaxStates > fewStates {
		full.MaxStates = fewStates
	}
	if x, err = prepare(ctx, plan, full); err != nil {
		return nil, err
	}
	if x.search(ctx); x.stopped != byStates || full.MaxStates == options.MaxStates {
		x.gaveUp = true
		return x, nil
	}
	options.mostParts = mostParts
	if x, err = prepare(ctx, plan, options); err == nil && x.reduction == nil {
		options.weak = true // anew, without all that was prepared
		x, err = prepare(ctx, plan, options)
		x.gaveUp = true
	}
	if err == nil {
		x.search(ctx)
	}
	return x, err
}

// The first effort: parts of nodes that are prepared, and states that are searched.
const (
	fewParts  = 5_000
	fewStates = 200_000
)

// shorten puts the violation that is the first without reduction in place of another one.
func (r *Result) shorten(ctx context.Context, x *explorer) {
	again := x.options
	again.Full, again.First, again.MaxDepth = true, true, r.Violation.depth
	again.MaxStates = min(cmp.Or(again.MaxStates, shortestStates), shortestStates)
	full, err := prepare(ctx, x.plan, again)
	if err != nil {
		return
	}
	full.search(ctx)
	if full.result.Violation != nil {
		r.Violation = full.result.Violation
		r.Violation.Shortest = true
	} else if full.stopped == byDepth {
		r.Violation.Shortest = true
	}
}

// shortestStates is how many states the search for the shortest schedule may find.
const shortestStates = 5_000_000

// Why a search that has not finished has ended.
const (
	interrupted = "interrupted"
	byStates    = "--max-states"
	byDepth     = "--max-depth"
	byTime      = "--time"
	byFirst     = "the first violation"
)

func prepare(ctx context.Context, plan *scenarios.Plan, options Options) (*explorer, error) {
	cfg, err := plan.Explorable(options.Seed)
	if err != nil {
		return nil, err
	}
	stage, err := sim.NewStage(&cfg)
	if err != nil {
		return nil, err
	}
	x := &explorer{
		plan: plan, cfg: cfg, options: options, stage: stage, all: 1<<stage.Snapshots() - 1,
		items: []item{{}}, itemIndex: map[sim.Item]int32{}, contents: contents{{}}, shares: numbering{},
		states: newStore(cfg.Graph.Nodes + len(cfg.Graph.From)),
	}
	x.next = make([]uint32, x.states.width)
	for v := range int32(cfg.Graph.Nodes) {
		x.nodes = append(x.nodes, x.newNode(v))
	}
	x.result = newResult(plan, options)
	x.judge = newJudge(x)
	if !options.Full {
		x.reduction = x.newReduction(ctx)
	}
	return x, nil
}

// search goes through the states breadth first: a level is all that a number of steps
// leads to and fewer do not.
func (x *explorer) search(ctx context.Context) {
	x.states.add(x.next, 0, 0) // the initial parts are number 0, and the channels are empty
	for depth, done := 0, 0; done < x.states.n; depth++ {
		if x.options.MaxDepth > 0 && depth >= x.options.MaxDepth {
			x.stopped = byDepth
			return
		}
		for level := x.states.n; done < level; done++ {
			if (done&1023 == 0 || x.result.Transitions >= x.lookAt) && x.limited(ctx) {
				return
			}
			x.leave(uint32(done), depth)
		}
		x.result.Depth = depth
		if x.options.First && x.result.Violation != nil {
			x.stopped = byFirst
			return
		}
	}
	x.result.Finished = true
}

// limited says whether the search ends here, and why.
func (x *explorer) limited(ctx context.Context) bool {
	x.lookAt = x.result.Transitions + lookAfter
	switch n := int64(x.states.n); {
	case ctx.Err() != nil:
		x.stopped = interrupted
	case x.options.MaxStates > 0 && n >= int64(x.options.MaxStates):
		x.stopped = byStates
	case x.late():
		x.stopped = byTime
	case n > maxStates:
		x.stopped = byStates
	default:
		if x.options.Progress != nil {
			x.options.Progress(n)
		}
	}
	return x.stopped != ""
}

// lookAfter is after how many steps at the latest it is asked whether the search ends: from
// one state of a large graph there are thousands.
const lookAfter = 10_000

// late says whether the time is up.
func (x *explorer) late() bool {
	return !x.options.deadline.IsZero() && time.Now().After(x.options.deadline)
}

// maxStates is how many states can be numbered.
const maxStates = 1<<32 - 1<<20

// leave takes the steps that are possible in a state.
func (x *explorer) leave(i uint32, depth int) {
	x.now = i
	row := x.states.row(i)
	x.enabled = x.enabledIn(row, x.enabled[:0])
	if len(x.enabled) == 0 {
		x.judge.end(i, depth)
		return
	}
	for len(x.every) < len(x.enabled) {
		x.every = append(x.every, len(x.every))
	}
	every := x.every[:len(x.enabled)]
	if x.reduction == nil {
		x.takeAll(row, every, depth)
		return
	}
	some := x.reduction.choose(row, x.enabled)
	switch {
	case len(some) == len(every):
		x.takeAll(row, every, depth)
	case x.takeAll(row, some, depth):
		x.result.Reduction.States++
		x.result.Reduction.Skipped += int64(len(every) - len(some))
	default:
		// All lead back to states that have been left: what was put off here might be put
		// off for ever.
		x.takeAll(row, every, depth)
	}
}

// takeAll takes steps, by their places in x.enabled, and says whether some of them leads
// to a state that has not been left yet.
func (x *explorer) takeAll(row []uint32, steps []int, depth int) (onward bool) {
	for _, by := range steps {
		x.result.Transitions++
		to := x.take(row, by, depth)
		onward = onward || to > x.now
	}
	return onward
}

// take takes a step, and is the state that it leads to.
func (x *explorer) take(row []uint32, by, depth int) uint32 {
	next, s := x.next, &x.enabled[by]
	copy(next, row)
	x.apply(next, s)
	n := x.nodes[s.node]
	before, after := &n.parts[row[s.node]], &n.parts[next[s.node]]
	if after.marks != before.marks {
		x.judge.marked(next, by, depth+1)
	}
	if after.durable != before.durable {
		if complete, earlier := x.complete(next), x.complete(row); complete != earlier {
			x.judge.completed(next, by, depth+1, complete, complete&^earlier)
			if complete == x.all {
				for v, n := range x.nodes {
					next[v] = uint32(n.forgotten(int32(next[v])))
				}
			}
		}
	}
	to, _ := x.states.add(next, x.now, by)
	return to
}

// apply makes of a state what it is after a step.
func (x *explorer) apply(row []uint32, s *enabledStep) {
	n := x.nodes[s.node]
	var m *move
	if s.input < 0 {
		m = n.own(int32(row[s.node]), s.own)
	} else {
		at := len(x.nodes) + int(n.inputs[s.input])
		c := &x.contents[row[at]]
		m = n.deliver(int32(row[s.node]), int(s.input), c.head)
		row[at] = uint32(c.rest)
	}
	row[s.node] = uint32(m.to)
	for _, p := range m.puts {
		at := len(x.nodes) + int(p.channel)
		row[at] = uint32(x.contents.push(int32(row[at]), p.item))
	}
}

// complete is the snapshots of which every share is durable, by bits.
func (x *explorer) complete(row []uint32) uint64 {
	complete := x.all
	for v, n := range x.nodes {
		complete &= n.parts[row[v]].durable
	}
	return complete
}

// enabledIn appends the steps that could be next in a state, always in the same order.
func (x *explorer) enabledIn(row []uint32, steps []enabledStep) []enabledStep {
	for v, n := range x.nodes {
		p := &n.parts[row[v]]
		for _, s := range p.steps {
			steps = append(steps, enabledStep{int32(v), -1, s})
		}
		for i, c := range n.inputs {
			if at := row[len(x.nodes)+int(c)]; at != 0 && p.takes(i, &x.items[x.contents[at].head]) {
				steps = append(steps, enabledStep{node: int32(v), input: int32(i)})
			}
		}
	}
	return steps
}

// schedule is the steps that lead to a state, with the writes.
func (x *explorer) schedule(i uint32) (steps []sim.Step) {
	var path []uint32
	for ; i != 0; i, _ = x.states.origin(i) {
		path = append(path, i)
	}
	for _, i := range slices.Backward(path) {
		from, by := x.states.origin(i)
		steps = append(steps, x.stepsIn(from, by)...)
	}
	return steps
}

// stepsIn is the step with a number among those enabled in a state, and the writes that
// follow at once.
func (x *explorer) stepsIn(i uint32, by int) []sim.Step {
	row := x.states.row(i)
	s := x.enabledIn(row, nil)[by]
	n := x.nodes[s.node]
	if s.input < 0 {
		return append([]sim.Step{s.own.step}, n.own(int32(row[s.node]), s.own).writes...)
	}
	c := n.inputs[s.input]
	m := n.deliver(int32(row[s.node]), int(s.input), x.contents[row[len(x.nodes)+int(c)]].head)
	return append([]sim.Step{{Kind: sim.StepDeliver, Entity: c}}, m.writes...)
}

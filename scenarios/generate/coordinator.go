package generate

import (
	"fmt"
	"slices"

	"simrun/scenarios"
	"simrun/scenarios/units"
)

// CoordinatedName is what the file of a seed's scenario with a coordinator is called.
func CoordinatedName(seed uint64) string { return fmt.Sprintf("coordinated-%d.yaml", seed) }

// Coordinated is Scenario with a coordinator in place of triggers, and one to four
// crashes, of the coordinator among others. In many of them control messages are lost,
// doubled, late or overtaken, and the store fails to write. In some tasks finish.
func Coordinated(seed uint64) *scenarios.Scenario {
	x := ofSeed(seed, CoordinatedName(seed))
	x.coordinated()
	x.partial(x.dice(ofRecovery)) // which not every algorithm can have
	return x.s
}

func (x *draft) coordinated() {
	x.begin(3)
	x.s.Snapshots.Every = new(scenarios.Moment)
	*x.s.Snapshots.Every = x.moment(0)
	x.s.Snapshots.Initiators = x.initiators(x.dice(ofSnapshots))
	x.coordinator(x.dice(ofCoordinator))
	d := x.dice(ofFaults)
	for range x.crashes(d, []weighted[int]{{40, 1}, {30, 2}, {20, 3}, {10, 4}}) {
		f := x.fault(d)
		x.crashCoordinator(d, &f)
		x.s.Faults = append(x.s.Faults, f)
	}
	if d = x.dice(ofPhases); x.settings.Crashes == nil && (x.s.Sinks != "" || d.chance(85)) {
		x.s.Faults = append(x.s.Faults, x.phased(d))
		if d.chance(40) {
			x.s.Faults = append(x.s.Faults, x.phased(d))
		}
	}
}

// coordinator draws the settings. A run in which a message can be lost needs a timeout,
// and a long one is a timeout, too: how long the run is does not matter to it.
func (x *draft) coordinator(d *dice) {
	c := &scenarios.Coordinator{
		Interval:      x.part(d, 3, 12),
		Timeout:       x.part(d, 2, 8),
		MaxConcurrent: number(pick(d, []weighted[int]{{60, 1}, {25, 2}, {15, 3}})),
		Tolerable:     number(pick(d, []weighted[int]{{25, 0}, {25, 1}, {25, 3}, {25, 1000}})),
		Retained:      number(pick(d, []weighted[int]{{60, 1}, {30, 2}, {10, 3}})),
		Restart:       restart(d),
	}
	if d.chance(40) {
		c.MinPause = x.part(d, 5, 20)
	}
	x.s.Coordinator = c
	x.control(d)
	if d.chance(30) {
		x.s.Store.Fail = &scenarios.StoreFailure{Rate: scenarios.Rate(d.between(2_000, 60_000))}
		if d.chance(30) {
			x.s.Store.Fail = &scenarios.StoreFailure{Snapshots: []uint32{uint32(d.between(1, 3))}}
		}
	}
	if h := x.dice(ofHurry); h.chance(85) {
		x.hurry(h)
	}
	if x.dice(ofSinks).chance(35) {
		x.transactional(x.dice(ofSinkFailures))
	}
	x.store(x.dice(ofStore))
	x.savepoints(x.dice(ofSavepoints))
	if x.chosen && c.Control.Lose == nil && !c.Control.Reorder && d.chance(60) {
		c.Timeout = new(units.Duration) // never: any step can be too late in chosen order
	}
	if f := x.dice(ofFinish); f.chance(25) {
		x.finish(f)
	}
}

// savepoints draws when the user asks for savepoints: some, one after the other. A
// checkpoint waits for them, so that there are fewer: of these sinks need many.
func (x *draft) savepoints(d *dice) {
	percent := 40
	if x.s.Sinks != "" {
		percent = 15
	}
	if !d.chance(percent) {
		return
	}
	at := d.within(x.length/20, x.length/3)
	for range d.between(3, 7) {
		x.s.Coordinator.Savepoints = append(x.s.Coordinator.Savepoints, x.moment(at))
		at += d.within(0, x.length/8)
	}
}

// store draws what the store does beside failing to write. What it tears or loses
// transactional sinks have let go, so theirs does neither.
func (x *draft) store(d *dice) {
	if d.chance(50) {
		chunk := int64(d.between(4, 24))
		x.s.Store.Chunk = &chunk
	}
	if d.chance(20) {
		bandwidth := int64(d.between(10_000, 1_000_000))
		x.s.Store.Bandwidth = &bandwidth
	}
	if x.s.Sinks == "" && d.chance(15) {
		x.s.Store.Torn = &scenarios.StoreFailure{Rate: scenarios.Rate(d.between(2_000, 40_000))}
	}
	if x.s.Sinks == "" && d.chance(15) {
		x.s.Store.Lost = &scenarios.StoreFailure{Rate: scenarios.Rate(d.between(2_000, 40_000))}
	}
}

// transactional makes the sinks so. The last checkpoint is taken again until it is
// complete, and so must have the time that it takes, and a chance.
func (x *draft) transactional(d *dice) {
	x.s.Sinks = "transactional"
	c, timeout := x.s.Coordinator, units.Duration(x.length)
	if x.chosen {
		timeout, c.Control.Lose, c.Control.Reorder = 0, nil, false
	}
	c.Timeout = &timeout
	if c.Control.Lose != nil {
		c.Control.Lose.Rate = min(c.Control.Lose.Rate, 20_000)
	}
	if x.s.Store.Fail == nil && d.chance(70) {
		x.s.Store.Fail = &scenarios.StoreFailure{Rate: scenarios.Rate(d.between(20_000, 120_000))}
	}
}

// hurry makes checkpoints begin faster than they end, and control messages slow: some
// are aborted while acknowledgements are on the way, or before a trigger has come, and
// what is on the way when the graph is restored comes when it runs again.
func (x *draft) hurry(d *dice) {
	c := x.s.Coordinator
	c.MinPause, c.Interval = nil, x.span(d, 4*millisecond, 10*millisecond)
	c.MaxConcurrent = number(pick(d, []weighted[int]{{15, 1}, {40, 2}, {45, 3}}))
	c.Timeout = x.part(d, 1, 2)
	if d.chance(60) {
		c.Timeout = x.span(d, 7*millisecond, 18*millisecond)
	}
	c.Tolerable = number(1000)
	x.s.Store.Read = constant(0, 500*microsecond)(d)
	if d.chance(50) { // one that is declined is aborted while the others acknowledge it
		x.s.Store.Fail = &scenarios.StoreFailure{Rate: scenarios.Rate(d.between(20_000, 120_000))}
	}
	if d.chance(50) {
		x.s.Snapshots.Initiators = x.g.Nodes // each of them may miss its trigger
	}
	*c.Restart.Delay /= 8
	if !x.chosen {
		c.Control.Delay = pick(d, []weighted[drawDist]{{3, bimodal}, {1, uniform(microsecond, 6*millisecond, 20*millisecond)}})(d)
	}
	c.Control.Reorder = d.chance(60)
	if c.Control.Lose == nil && d.chance(40) {
		c.Control.Lose = &scenarios.Failure{Rate: scenarios.Rate(d.between(20_000, 150_000))}
	}
}

// part is a span of one of so many parts of the run. In chosen order it says only that
// there is an alarm.
func (x *draft) part(d *dice, fewest, most int) *units.Duration {
	span := units.Duration(x.length / int64(d.between(fewest, most)))
	if x.chosen {
		span = millisecond
	}
	return &span
}

// span is from low to high, or in chosen order what says only that there is an alarm.
func (x *draft) span(d *dice, low, high int64) *units.Duration {
	span := units.Duration(d.within(low, high))
	if x.chosen {
		span = millisecond
	}
	return &span
}

func number(n int) *int { return &n }

func restart(d *dice) scenarios.Restart {
	delay, most, per, factor := units.Duration(d.within(0, 4*millisecond)), units.Duration(8*millisecond), units.Duration(20*millisecond), int64(2)
	return pick(d, []weighted[scenarios.Restart]{
		{50, scenarios.Restart{Strategy: "fixed-delay", Delay: &delay}},
		{30, scenarios.Restart{Strategy: "exponential", Delay: &delay, Factor: &factor, Most: &most}},
		{10, scenarios.Restart{Strategy: "failure-rate", Delay: &delay, Limit: number(d.between(2, 5)), Per: &per}},
		{10, scenarios.Restart{Strategy: "fixed-delay", Delay: &delay, Limit: number(d.between(2, 5))}},
	})
}

// control draws how control messages travel: quickly, slowly, in any order; and what
// becomes of some of them.
func (x *draft) control(d *dice) {
	channels := &x.s.Coordinator.Control
	if !x.chosen {
		channels.Delay = pick(d, []weighted[drawDist]{
			{4, uniform(microsecond, millisecond, 3*millisecond)},
			{2, constant(500*microsecond, 4*millisecond)},
			{3, bimodal},
			{1, uniform(3*millisecond, 6*millisecond, 20*millisecond)},
		})(d)
	}
	channels.Reorder = d.chance(25)
	if d.chance(30) {
		channels.Lose = &scenarios.Failure{Rate: scenarios.Rate(d.between(2_000, 80_000))}
	}
	if d.chance(25) {
		channels.Duplicate = &scenarios.Failure{Rate: scenarios.Rate(d.between(20_000, 400_000))}
	}
}

// phased is a crash in the middle of what only a coordinator's checkpoints have, of a node
// that is soon back. As a rule the last node saves its part last: then every part is stored,
// and acknowledgements are on the way.
func (x *draft) phased(d *dice) scenarios.Fault {
	occurrence, down := pick(d, []weighted[int]{{60, 1}, {30, 2}, {10, 3}}), units.Duration(d.within(0, millisecond))
	phases := []weighted[string]{{5, "saved"}, {4, "acknowledged"}, {3, "publishing"}}
	if x.s.Sinks != "" { // what is committed by then is what matters
		phases = []weighted[string]{{1, "acknowledged"}, {1, "publishing"}, {6, "complete"}, {2, "notified"}}
	}
	phase := pick(d, phases)
	node := x.g.Nodes[d.below(len(x.g.Nodes))]
	if phase == "saved" && d.chance(75) {
		node = x.g.Nodes[len(x.g.Nodes)-1]
	}
	if phase == "publishing" && d.chance(10) {
		node = "coordinator"
	}
	return scenarios.Fault{Crash: scenarios.Names{node}, When: &scenarios.When{Phase: phase, Occurrence: &occurrence}, Down: &down}
}

// crashCoordinator lets a fault take the coordinator down, too, or it alone.
func (x *draft) crashCoordinator(d *dice, f *scenarios.Fault) {
	switch {
	case d.chance(70):
	case f.When == nil && d.chance(70):
		f.Crash = scenarios.Names{"coordinator"}
	default:
		f.Crash = append(slices.Clone(f.Crash), "coordinator")
	}
}

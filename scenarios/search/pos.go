package search

import "simrun/sim"

// pos is partial order sampling: Yuan, Yang, Gu, Partial Order Aware Concurrency
// Sampling, CAV 2018. Every step gets a random priority when it becomes possible, and
// the highest runs. Then the steps that race with it, those at the same node, get new
// ones: what does not race keeps its place.
//
// Guarantee: orders of steps that do not race are one and the same run, and count once,
// so a run is not the rarer the more there is that has nothing to do with it. Each
// partial order has a chance that falls with the races in it, not with the length of
// the run; the paper has the bound.
type pos struct {
	stream sim.Stream
	to     []int32  // by channel, its receiver
	ran    []uint64 // by node, and the coordinator's last: steps that ran there
	epoch  uint64   // steps that concern every node
}

func newPOS(r Run) *pos {
	return &pos{stream: sim.NewStream(r.Seed, sim.ForPriority, 0), to: r.To, ran: make([]uint64, r.Nodes+1)}
}

// Pick implements sim.Scheduler.
func (p *pos) Pick(_ int64, enabled sim.Enabled) int {
	at := highest(enabled, p.priority)
	if v := p.place(enabled.At(at)); v >= 0 {
		p.ran[v]++
	} else {
		p.epoch++
	}
	return at
}

// priority is drawn anew whenever something has run at the step's node.
func (p *pos) priority(s sim.Step) uint64 {
	ran := p.epoch << 32
	if v := p.place(s); v >= 0 {
		ran += p.ran[v]
	}
	return sim.Stream(draw(p.stream, s)).Draw(0, ran)
}

// place is the node at which a step runs; -1: it concerns all.
func (p *pos) place(s sim.Step) int32 {
	switch s.Kind {
	case sim.StepDeliver:
		return p.to[s.Entity]
	case sim.StepWrite, sim.StepTimer, sim.StepExternal, sim.StepInitiate, sim.StepDrained:
		return s.Entity
	case sim.StepControl:
		if s.Entity&1 == 0 { // to a task
			return s.Entity / 2
		}
		return int32(len(p.ran) - 1)
	case sim.StepAlarm, sim.StepPublish, sim.StepNotice, sim.StepStart:
		return int32(len(p.ran) - 1)
	}
	return -1
}

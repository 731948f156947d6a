package scenarios

import (
	"fmt"

	"simrun/scenarios/units"
	"simrun/topology"
)

// Wire is what there is to say of a channel beside its ends.
type Wire struct {
	// BackEdge says that the channel closes a cycle: as the algorithm was told, or the
	// scenario declares, or else as a search from the initiators finds.
	BackEdge                 bool
	Reorder, Lose, Duplicate bool
	Delay                    string // its own distribution of delays, in words; "": that of the network
}

// Wires is what there is to say of each channel.
func (p *Plan) Wires() []Wire {
	wires := make([]Wire, len(p.Graph.Channels))
	for c, back := range p.backEdges() {
		wires[c].BackEdge = back
	}
	for c := range p.config.Unreliable {
		u := &p.config.Unreliable[c]
		wires[c].Reorder, wires[c].Lose, wires[c].Duplicate = u.Reorder, u.Lose.Any() || u.MayLose > 0, u.Duplicate.Any()
	}
	r := &resolver{Scenario: p.Scenario, plan: p}
	for i := range p.Scenario.Network.Channels {
		own := &p.Scenario.Network.Channels[i]
		if own.Delay == nil {
			continue
		}
		ids, err := r.channels(own.Channel)
		if err != nil {
			panic(fmt.Sprintf("scenarios: a resolved scenario has settings of a channel that there is not: %v", err))
		}
		for _, c := range ids {
			wires[c].Delay = own.Delay.words()
		}
	}
	return wires
}

// backEdges is the back-edges, by channel, whether or not the algorithm needs them.
func (p *Plan) backEdges() []bool {
	if p.Algorithm.BackEdges || len(p.Scenario.BackEdges) == 0 {
		if p.BackEdge != nil {
			return p.BackEdge
		}
		return topology.BackEdges(p.Graph, p.Initiators)
	}
	back := make([]bool, len(p.Graph.Channels))
	r := &resolver{Scenario: p.Scenario, plan: p}
	for _, ref := range p.Scenario.BackEdges {
		ids, err := r.channels(ref)
		if err != nil {
			panic(fmt.Sprintf("scenarios: a resolved scenario declares a back-edge that there is not: %v", err))
		}
		for _, c := range ids {
			back[c] = true
		}
	}
	return back
}

// Fed says whether records come from outside to a node.
func (p *Plan) Fed(v int32) bool {
	w := p.Workload
	return w.NewSource != nil && w.NewSource(p.Seed, v) != nil
}

// words is the distribution in a few words.
func (x *Dist) words() string {
	between := func(r Range) string { return fmt.Sprintf("%v to %v", r[0], r[1]) }
	switch {
	case x.Constant != nil:
		return x.Constant.String()
	case x.Uniform != nil:
		return between(*x.Uniform)
	case x.Exponential != nil:
		least := units.Duration(0)
		if x.Exponential.Min != nil {
			least = *x.Exponential.Min
		}
		return fmt.Sprintf("%v and more, %v more on average", least, x.Exponential.Mean)
	case x.Bimodal != nil:
		return fmt.Sprintf("%s, in %d%% %s", between(x.Bimodal.Fast), x.Bimodal.Percent, between(x.Bimodal.Slow))
	}
	return ""
}

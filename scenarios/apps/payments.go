package apps

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"simrun/scenarios/units"
	"simrun/sim"
	"simrun/topology"
)

// Payment is an order of bank that is written down, for runs that are followed by hand.
type Payment struct {
	At     units.Duration `yaml:"at"`
	From   string         `yaml:"from"`
	To     string         `yaml:"to"` // over the first channel that leads there
	Amount int64          `yaml:"amount"`
}

// payments is the outside world of an account whose orders are written down, in the order
// of their times.
type payments []order

type order struct {
	message sim.Message
	at      int64
}

// Record implements sim.Source.
func (p payments) Record(k uint64) (m sim.Message, at int64, ok bool) {
	if k >= uint64(len(p)) {
		return sim.Message{}, 0, false
	}
	return p[k].message, p[k].at, true
}

// paymentsOf is the orders of each account, by node; nil if none are written down.
func paymentsOf(list []Payment, g *topology.Graph) ([]payments, error) {
	if len(list) == 0 {
		return nil, nil
	}
	first, channels := outputChannels(g)
	by := make([]payments, len(g.Nodes))
	for i, p := range list {
		fail := func(problem, right string) ([]payments, error) {
			return nil, &ParameterError{Parameter: "payments", Problem: fmt.Sprintf("payment %d: %s", i+1, problem), Right: right}
		}
		from, to := slices.Index(g.Nodes, p.From), slices.Index(g.Nodes, p.To)
		switch {
		case from < 0:
			return fail(fmt.Sprintf("no node is named %q", p.From), "write a node in from, as in {at: 2ms, from: a, to: b, amount: 10}")
		case to < 0:
			return fail(fmt.Sprintf("no node is named %q", p.To), "write a node in to, as in {at: 2ms, from: a, to: b, amount: 10}")
		case p.Amount < 1 || p.Amount > mostMoney:
			return fail(fmt.Sprintf("an amount of %d", p.Amount), fmt.Sprintf("write a number from 1 to %d", int64(mostMoney)))
		}
		outputs := channels[first[from]:first[from+1]]
		output := slices.IndexFunc(outputs, func(c int32) bool { return g.Channels[c].To == int32(to) })
		if output < 0 {
			return fail(fmt.Sprintf("there is no channel %s->%s", p.From, p.To), "pay a node to which a channel leads")
		}
		m := sim.Message{Value: p.Amount, Aux: picking(uint64(output), uint64(len(outputs)))}
		by[from] = append(by[from], order{m, int64(p.At)})
	}
	for _, mine := range by {
		slices.SortStableFunc(mine, func(a, b order) int { return cmp.Compare(a.at, b.at) })
		for k := range mine {
			mine[k].message.Key = uint64(k) + 1
		}
	}
	return by, nil
}

// picking is bits that sim.Scale makes this one of so many outputs of.
func picking(output, outputs uint64) uint64 {
	quotient, rest := bits.Div64(output, 0, outputs)
	if rest > 0 {
		quotient++
	}
	return quotient
}

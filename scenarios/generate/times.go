package generate

import (
	"strconv"

	"simrun/scenarios"
	"simrun/scenarios/units"
)

// times draws the order of the run, how long it is, and how long everything takes.
func (x *draft) times(d *dice, longer int64) {
	if x.chosen = x.settings.inChosenOrder(d); x.chosen {
		x.s.Order = "chosen"
		x.length = int64(d.between(100, 400)) * longer
	} else {
		x.length = d.within(20*millisecond, 45*millisecond) * longer
		x.network(d)
		x.s.Service = pick(d, services)(d)
		x.s.Store.Write = pick(d, writes)(d)
	}
	stop := x.moment(x.length)
	x.s.Stop.At = &stop
}

// network draws how long messages take, and in four of ten runs makes some
// channels slow: barriers that come far apart are what alignment is about.
func (x *draft) network(d *dice) {
	x.s.Network.Delay = pick(d, delays)(d)
	if !d.chance(40) {
		return
	}
	slow := make([]bool, len(x.g.Channels))
	for range min(d.between(1, 3), len(slow)) {
		slow[d.below(len(slow))] = true
	}
	for c, is := range slow {
		if is {
			delay := pick(d, slowDelays)(d)
			x.s.Network.Channels = append(x.s.Network.Channels, scenarios.ChannelSettings{Channel: channelRef(c), Delay: delay})
		}
	}
}

func channelRef(c int) scenarios.ChannelRef { return scenarios.ChannelRef(strconv.Itoa(c)) }

type drawDist = func(d *dice) *scenarios.Dist

var delays = []weighted[drawDist]{
	{2, constant(500*microsecond, 4*millisecond)},
	{4, uniform(microsecond, 2*millisecond, 6*millisecond)},
	{2, uniform(2*millisecond, 3*millisecond, 4*millisecond)},
	{2, exponential},
	{2, bimodal},
}

var slowDelays = []weighted[drawDist]{
	{2, constant(5*millisecond, 12*millisecond)},
	{1, uniform(3*millisecond, 6*millisecond, 20*millisecond)},
}

var services = []weighted[drawDist]{
	{6, constant(0, 0)},
	{2, constant(10*microsecond, 200*microsecond)},
	{2, uniform(0, 50*microsecond, 300*microsecond)},
}

var writes = []weighted[drawDist]{
	{2, constant(0, 0)},
	{5, uniform(0, 500*microsecond, 3*millisecond)},
	{1, constant(5*millisecond, 15*millisecond)},
}

// constant is one duration from low to high, in ns.
func constant(low, high int64) drawDist {
	return func(d *dice) *scenarios.Dist {
		v := units.Duration(d.within(low, high))
		return &scenarios.Dist{Constant: &v}
	}
}

// uniform is a range that begins from least on and ends somewhere from low to high.
func uniform(least, low, high int64) drawDist {
	return func(d *dice) *scenarios.Dist {
		from := d.within(least, low)
		return &scenarios.Dist{Uniform: &scenarios.Range{units.Duration(from), units.Duration(d.within(low, high))}}
	}
}

func exponential(d *dice) *scenarios.Dist {
	least := units.Duration(d.within(1, millisecond))
	return &scenarios.Dist{Exponential: &scenarios.Exponential{Min: &least, Mean: units.Duration(d.within(500*microsecond, 4*millisecond))}}
}

func bimodal(d *dice) *scenarios.Dist {
	fast, slow := uniform(microsecond, millisecond, 2*millisecond)(d), uniform(3*millisecond, 6*millisecond, 15*millisecond)(d)
	return &scenarios.Dist{Bimodal: &scenarios.Bimodal{Fast: *fast.Uniform, Slow: *slow.Uniform, Percent: d.within(5, 40)}}
}

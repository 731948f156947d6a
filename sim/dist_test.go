package sim_test

import (
	"math"
	"testing"

	"simrun/sim"
)

// The draws of a distribution are part of what a seed means: the same bits give
// the same duration, for ever and on every processor.
func TestDistGolden(t *testing.T) {
	bits := []uint64{0, 1 << 62, 1 << 63, 3 << 62, math.MaxUint64, 0x0123456789abcdef}
	for k := range uint64(10) {
		bits = append(bits, sim.Draw(0, sim.ForDelay, 0, 0, k))
	}
	for _, c := range []struct {
		dist sim.Dist
		want []int64
	}{
		{sim.Dist{Low: 7}, []int64{7, 7, 7, 7, 7, 7}},
		{sim.Dist{Kind: sim.Uniform, Low: 1, High: 1024}, []int64{1, 257, 513, 769, 1024, 5}},
		{sim.Dist{Kind: sim.Exponential, Low: 5, High: 1_000_000}, []int64{5, 287687, 693152, 1386299, 44361424, 4459}},
		{sim.Dist{Kind: sim.Bimodal, Low: 1, High: 9, SlowLow: 50, SlowHigh: 80, Percent: 20},
			[]int64{50, 57, 65, 7, 9, 1, 2, 9, 7, 4, 5, 4, 8, 52, 6, 60}},
	} {
		for i, want := range c.want {
			if got := c.dist.Draw(bits[i]); got != want {
				t.Errorf("%+v draws %d from %016x, want %d", c.dist, got, bits[i], want)
			}
		}
	}
}

// No draw leaves the bounds, both of which are reached, and Max is the upper one.
func TestDistBounds(t *testing.T) {
	for _, c := range []struct {
		dist      sim.Dist
		low, high int64
	}{
		{sim.Dist{Low: 3}, 3, 3},
		{sim.Dist{Kind: sim.Uniform, Low: 3, High: 3}, 3, 3},
		{sim.Dist{Kind: sim.Uniform, Low: 3, High: 6}, 3, 6},
		{sim.Dist{Kind: sim.Uniform, Low: 0, High: math.MaxInt64}, 0, math.MaxInt64},
		{sim.Dist{Kind: sim.Exponential, Low: 3, High: 1000}, 3, 3 + 44361},
		{sim.Dist{Kind: sim.Bimodal, Low: 3, High: 4, SlowLow: 8, SlowHigh: 9, Percent: 50}, 3, 9},
		{sim.Dist{Kind: sim.Bimodal, Low: 8, High: 9, SlowLow: 3, SlowHigh: 4, Percent: 50}, 3, 9},
		{sim.Dist{Kind: sim.Bimodal, Low: 8, High: 9, SlowLow: 3, SlowHigh: 4, Percent: 100}, 3, 4},
		{sim.Dist{Kind: sim.Bimodal, Low: 8, High: 9, SlowLow: 3, SlowHigh: 4}, 8, 9},
	} {
		least, most := int64(math.MaxInt64), int64(-1)
		see := func(bits uint64) {
			got := c.dist.Draw(bits)
			least, most = min(least, got), max(most, got)
		}
		see(0)
		see(math.MaxUint64)
		for k := range uint64(2000) {
			see(sim.Draw(1, sim.ForDelay, 0, 0, k))
		}
		if least != c.low || most != c.high {
			t.Errorf("%+v draws from %d to %d, want %d to %d", c.dist, least, most, c.low, c.high)
		}
		if got := c.dist.Max(); got < most {
			t.Errorf("%+v: Max is %d, and %d was drawn", c.dist, got, most)
		}
	}
}

// The mean of many draws is near that of the distribution.
func TestDistMeans(t *testing.T) {
	const draws = 200_000
	for _, c := range []struct {
		dist sim.Dist
		mean int64
	}{
		{sim.Dist{Kind: sim.Uniform, Low: 1_000_000, High: 3_000_000}, 2_000_000},
		{sim.Dist{Kind: sim.Exponential, High: 1_000_000}, 1_000_000},
		{sim.Dist{Kind: sim.Exponential, Low: 500_000, High: 1_000_000}, 1_500_000},
		{sim.Dist{Kind: sim.Bimodal, Low: 900_000, High: 1_100_000, SlowLow: 9_000_000, SlowHigh: 11_000_000, Percent: 10}, 1_900_000},
	} {
		sum := int64(0)
		for k := range uint64(draws) {
			sum += c.dist.Draw(sim.Draw(7, sim.ForDelay, 0, 0, k))
		}
		if got := sum / draws; got < c.mean-c.mean/100 || got > c.mean+c.mean/100 {
			t.Errorf("%+v: the mean of %d draws is %d, want %d within 1 %%", c.dist, draws, got, c.mean)
		}
	}
}

// An exponential draw is -ln(1-u), to within 3 millionths of the mean and as well
// as 64 bits tell the tail; and it never falls while u grows.
func TestExponentialQuantiles(t *testing.T) {
	const mean = 1_000_000_000
	d := sim.Dist{Kind: sim.Exponential, High: mean}
	for k := range uint64(20_000) {
		u := sim.Draw(3, sim.ForDelay, 0, 0, k)
		if k%2 == 1 {
			u |= ^uint64(0) << (64 - k/2%60) // the tail
		}
		rest := float64(^u) + 1 // of 2^64
		want := mean * -(math.Log(rest) - 64*math.Ln2)
		if got := float64(d.Draw(u)); math.Abs(got-want) > 3*mean/1e6+2*mean/rest {
			t.Fatalf("%016x draws %.0f, want %.0f", u, got, want)
		}
		if u < math.MaxUint64 && d.Draw(u) > d.Draw(u+1) {
			t.Fatalf("the draw falls from %016x to the next", u)
		}
	}
}

// Scale takes [0, 2^64) to [0, n) in equal parts.
func TestScale(t *testing.T) {
	for _, c := range []struct{ bits, n, want uint64 }{
		{0, 10, 0}, {math.MaxUint64, 10, 9}, {1 << 63, 10, 5}, {1<<63 - 1, 10, 4},
		{math.MaxUint64, 1, 0}, {math.MaxUint64, math.MaxUint64, math.MaxUint64 - 1}, {12345, 0, 0},
	} {
		if got := sim.Scale(c.bits, c.n); got != c.want {
			t.Errorf("Scale(%d, %d) = %d, want %d", c.bits, c.n, got, c.want)
		}
	}
}

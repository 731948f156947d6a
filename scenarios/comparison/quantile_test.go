package comparison

import (
	"math/big"
	"testing"
)

func TestSpread(t *testing.T) {
	for _, x := range []struct {
		sample           []int64
		median, p99, max int64
	}{
		{[]int64{7}, 7, 7, 7},
		{[]int64{3, 1}, 1, 3, 3},
		{[]int64{3, 1, 2}, 2, 3, 3},
		{[]int64{4, -1, 2, 3}, 2, 4, 4},
	} {
		if s := spreadOf(x.sample); *s.median != x.median || *s.p99 != x.p99 || *s.max != x.max {
			t.Errorf("%v: %d, %d, %d", x.sample, *s.median, *s.p99, *s.max)
		}
	}
	var hundred []int64
	for k := range int64(200) {
		hundred = append(hundred, 200-k)
	}
	if s := spreadOf(hundred); *s.median != 100 || *s.p99 != 198 || *s.max != 200 {
		t.Errorf("1 to 200: %d, %d, %d", *s.median, *s.p99, *s.max)
	}
	if s := spreadOf(nil); s.median != nil || s.p99 != nil || s.max != nil {
		t.Error("nothing has a median")
	}
}

// TestEnclosing: by the definition, and by what tables of the sign test say.
func TestEnclosing(t *testing.T) {
	for n := range 120 {
		// The chance that fewer than l of n coins show heads, or more than n-l, of 2^n.
		outside := func(l int) *big.Int {
			sum := new(big.Int)
			for k := range l {
				sum.Add(sum, new(big.Int).Binomial(int64(n), int64(k)))
			}
			return sum.Lsh(sum, 1)
		}
		sure := func(l int) *big.Rat {
			all := new(big.Int).Lsh(big.NewInt(1), uint(n))
			return new(big.Rat).Sub(big.NewRat(1, 1), new(big.Rat).SetFrac(outside(l), all))
		}
		least := big.NewRat(95, 100)
		l, confidence := enclosing(n)
		if l > 0 && sure(l).Cmp(least) < 0 || sure(l+1).Cmp(least) >= 0 {
			t.Errorf("of %d the rank is %d, with a confidence of %s; of the next %s", n, l, sure(l).FloatString(6), sure(l+1).FloatString(6))
		}
		exact := new(big.Rat).Mul(sure(l), big.NewRat(1_000_000, 1))
		if floor := new(big.Int).Div(exact.Num(), exact.Denom()).Int64(); l > 0 && floor != confidence {
			t.Errorf("of %d the confidence is %d, want %d", n, confidence, floor)
		}
	}
	for n, want := range map[int]int{0: 0, 5: 0, 6: 1, 8: 1, 9: 2, 10: 2, 20: 6, 25: 8, 50: 18, 100: 40, 200: 86} {
		if l, _ := enclosing(n); l != want {
			t.Errorf("of %d the rank is %d, want %d", n, l, want)
		}
	}
}

// TestIntervalsHaveTheMedian: of many samples of values with a known median, at least so
// many intervals have it in them as they say; and not all, or they would say nothing.
func TestIntervalsHaveTheMedian(t *testing.T) {
	const samples, size = 2000, 30
	state, within := uint64(1), 0
	for range samples {
		var sample []int64
		for range size {
			state = state*6364136223846793005 + 1442695040888963407
			x := int64(state>>33) - 1<<30 // its median is 0, on either side the same
			sample = append(sample, x*x/1_000_000*x)
		}
		if d := (ranks{}).difference(sample); *d.Low <= 0 && 0 <= *d.High {
			within++
		}
	}
	_, confidence := enclosing(size)
	if share := int64(within) * 1_000_000 / samples; share < confidence-15_000 || share > 990_000 {
		t.Errorf("%d of %d intervals have the median in them, and each says that it does with %d millionths", within, samples, confidence)
	}
}

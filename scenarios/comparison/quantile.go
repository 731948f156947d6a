package comparison

import (
	"math/big"
	"slices"
)

// spread is three of the values of a sample, or nil of an empty one.
type spread struct{ median, p99, max *int64 }

// spreadOf sorts a sample.
func spreadOf(sample []int64) spread {
	if len(sample) == 0 {
		return spread{}
	}
	slices.Sort(sample)
	median, p99, most := rank(sample, 50), rank(sample, 99), sample[len(sample)-1]
	return spread{&median, &p99, &most}
}

// rank is the smallest value of a sorted sample such that at least so many percent of the
// sample are not above it: the nearest rank, which is always one of the values.
func rank(sorted []int64, percent int) int64 {
	return sorted[(len(sorted)*percent+99)/100-1]
}

// leastConfidence is how sure an interval has to be, in millionths.
const leastConfidence = 950_000

// enclosing is the rank l, from 1, such that the l-th smallest and the l-th largest of n
// independent values have the median of what they are drawn from between them with at
// least leastConfidence, and how sure exactly that is, in millionths, rounded down. 0: n
// is too small for any.
//
// It is the interval that belongs to the sign test: the median is below the l-th smallest
// value only if fewer than l of n fair coins show heads, whatever the distribution is.
// Where values may be equal, it is only surer.
func enclosing(n int) (l int, confidence int64) {
	const million = 1_000_000
	all := new(big.Int).Lsh(big.NewInt(1), uint(n)) // outcomes of n coins
	most := new(big.Int).Mul(all, big.NewInt((million-leastConfidence)/2))
	coins, tail, next := big.NewInt(1), new(big.Int), new(big.Int) // with l heads; with fewer
	scaled := new(big.Int)
	for {
		next.Add(tail, coins)
		if scaled.Mul(next, big.NewInt(million)).Cmp(most) > 0 {
			break
		}
		tail.Set(next)
		coins.Mul(coins, big.NewInt(int64(n-l)))
		coins.Div(coins, big.NewInt(int64(l+1)))
		l++
	}
	if l == 0 {
		return 0, 0
	}
	outside := scaled.Mul(tail, big.NewInt(2*million))
	outside.Add(outside, all).Sub(outside, big.NewInt(1)).Div(outside, all) // rounded up
	return l, million - outside.Int64()
}

package parallel

import (
	"context"
	"slices"
	"testing"
	"time"
)

// TestInOrder: whatever finishes first, the results come in the order of the seeds,
// also the last seeds that there are.
func TestInOrder(t *testing.T) {
	for _, first := range []uint64{0, 17, 1<<64 - 50} {
		for _, workers := range []int{1, 2, 9} {
			var got []uint64
			told := int64(0)
			all := Seeds(context.Background(), first, first+49, workers, func() func(uint64) uint64 {
				return func(seed uint64) uint64 {
					time.Sleep(time.Duration(seed%3) * 100 * time.Microsecond)
					return seed
				}
			}, func(seed uint64) { got = append(got, seed) }, func(done int64) { told = done })
			var want []uint64
			for offset := range uint64(50) {
				want = append(want, first+offset)
			}
			if !all || told != 50 || !slices.Equal(got, want) {
				t.Errorf("%d workers from %d on: %v, told %d, all: %t", workers, first, got, told, all)
			}
		}
	}
}

// TestInterrupted: what was given is the first of the seeds, without a gap, and what
// is under way is not waited for.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	hold := make(chan struct{})
	defer close(hold)
	var got []uint64
	all := Seeds(ctx, 1, 1<<40, 3, func() func(uint64) uint64 {
		return func(seed uint64) uint64 {
			if seed > 20 {
				<-hold
			}
			return seed
		}
	}, func(seed uint64) {
		if got = append(got, seed); seed == 20 {
			cancel()
		}
	}, nil)
	if all || len(got) != 20 || got[0] != 1 || got[19] != 20 {
		t.Errorf("all: %t, %v", all, got)
	}
}

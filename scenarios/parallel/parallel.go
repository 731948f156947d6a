// Package parallel does the same thing for every seed of a range, on several
// goroutines, and hands on what comes of it in the order of the seeds: the result
// does not depend on how many there are.
//
// Not here: anything that knows what a seed is for.
package parallel

import (
	"context"
	"sync"
	"sync/atomic"
)

// numbered is what came of one seed.
type numbered[T any] struct {
	seed   uint64
	result T
}

// Seeds calls, for every seed from first to last, both included, a function that
// worker made for its goroutine, and gives the results to each, one after the other
// in the order of the seeds, on the goroutine of the caller. done, if not nil, is
// told now and then how many seeds each has been given.
//
// When ctx ends it returns at once, and drops what is under way: each has then been
// given the first of the seeds, without a gap. It returns whether that was all.
func Seeds[T any](ctx context.Context, first, last uint64, workers int, worker func() func(seed uint64) T, each func(T), done func(int64)) bool {
	results := make(chan numbered[T], 4*workers)
	var next atomic.Uint64 // offset from first
	var running sync.WaitGroup
	for range workers {
		running.Go(func() {
			work := worker()
			for ctx.Err() == nil {
				offset := next.Add(1) - 1
				if offset > last-first {
					return
				}
				select {
				case results <- numbered[T]{first + offset, work(first + offset)}:
				case <-ctx.Done(): // nobody takes it any more
				}
			}
		})
	}
	go func() {
		running.Wait()
		close(results)
	}()
	given := merge(ctx, first, results, each, done)
	return given == last-first+1
}

// merge gives the results to each in the order of their seeds, whichever order they
// come in, until they or ctx end, and returns how many. Seeds are handed out in
// order, so that what is left over when ctx ends are the last few.
func merge[T any](ctx context.Context, first uint64, results <-chan numbered[T], each func(T), done func(int64)) (given uint64) {
	early := make(map[uint64]T)
	for {
		var r numbered[T]
		more := false
		select {
		case r, more = <-results:
		case <-ctx.Done():
		}
		if !more {
			return given
		}
		early[r.seed] = r.result
		for {
			result, ok := early[first+given]
			if !ok {
				break
			}
			delete(early, first+given)
			each(result)
			given++
		}
		if done != nil {
			done(int64(given))
		}
	}
}

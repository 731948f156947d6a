package crashmatrix

import (
	"context"
	"slices"

	"simrun/scenarios/parallel"
	"simrun/sim"
)

// stride is a prime: its multiples come to every pair before they come to one again.
const stride = 2_654_435_761

// pairs runs pairs of the cells that are reached alone.
func (j *job) pairs(ctx context.Context, m *Matrix, o Options) *Pairs {
	var reached []int
	for i := range m.Cells {
		if m.Cells[i].Reached {
			reached = append(reached, i)
		}
	}
	n := uint64(len(reached))
	p := &Pairs{Of: int(n * (n - 1) / 2), Runs: []Pair{}}
	if p.Of == 0 {
		return p
	}
	of := uint64(p.Of)
	runs := min(of, o.mostPairs())
	m.Interrupted = !parallel.Seeds(ctx, 0, runs-1, o.Workers,
		func() func(uint64) Pair {
			return func(k uint64) Pair {
				if of > runs {
					k = k * stride % of
				}
				first, second := unrank(k)
				return j.tryPair(&j.cells[reached[first]], &j.cells[reached[second]])
			}
		},
		p.add, func(done int64) {
			if o.Progress != nil {
				o.Progress(int64(len(j.cells)) + done)
			}
		})
	p.LeftOut = p.Of - len(p.Runs)
	return p
}

// unrank is the k-th of the pairs (0,1), (0,2), (1,2), (0,3) and so on.
func unrank(k uint64) (first, second uint64) {
	second = 1
	for k >= second {
		k -= second
		second++
	}
	return k, second
}

func (p *Pairs) add(x Pair) {
	switch {
	case x.First.Reached && x.Second.Reached:
		p.Both++
	case x.First.Reached || x.Second.Reached:
		p.One++
	default:
		p.Neither++
	}
	p.Runs = append(p.Runs, x)
}

// tryPair runs two crashes at a time, in one way after the other until both happen.
func (j *job) tryPair(a, b *cell) (p Pair) {
	for _, faults := range j.pairAttempts(a, b) {
		run, o := j.run(faults)
		n := len(faults)
		p = Pair{
			First:   Place{a.phase.Name, j.names[a.node], !slices.Contains(o.Unfired, n-2)},
			Second:  Place{b.phase.Name, j.names[b.node], !slices.Contains(o.Unfired, n-1)},
			Outcome: run,
		}
		if p.First.Reached && p.Second.Reached || len(o.Broken) > 0 {
			break
		}
	}
	return p
}

// pairAttempts lists the faults to try for a pair, whose own are the last two of each. The
// phases of a recovery are those of the one that follows the other crash; if both are
// such, or the other crash is that of the node that would have to be up then, more crashes
// come with them.
func (j *job) pairAttempts(a, b *cell) (list [][]sim.Fault) {
	var own []sim.Fault
	for _, c := range []*cell{a, b} {
		occurrence := 2
		if c.afterCrash() {
			occurrence = 1
		}
		own = append(own, j.fault(c, occurrence))
	}
	if !b.afterCrash() || !a.afterCrash() && a.node != b.node {
		return [][]sim.Fault{own}
	}
	for _, n := range []int{2, 3, 4, 1, 5, 6} {
		more := []sim.Fault{j.first(a, n)}
		if v, ok := j.bystander(a.node, b.node); ok {
			more[0].Nodes[0] = v
		} else {
			more = append(more, j.first(b, n+1))
		}
		list = append(list, append(more, own...))
	}
	return list
}

// bystander is a node, or the coordinator, that is neither of two; ok is false if there
// is none.
func (j *job) bystander(a, b int32) (v int32, ok bool) {
	for v = range int32(len(j.names)) {
		if v != a && v != b {
			return v, true
		}
	}
	return 0, false
}

package scenarios

import (
	"fmt"
	"maps"
	"slices"

	"simrun/sim"
)

// finish resolves whether tasks finish.
func (r *resolver) finish() error {
	if !r.Coordinator.Finish {
		return nil
	}
	a := r.plan.Algorithm
	loose := slices.IndexFunc(r.plan.config.Unreliable, func(u sim.Unreliable) bool { return !u.Reliable() })
	switch {
	case a.Coordinator != nil:
		return unsuited(r.fail("tasks that finish with "+a.Name+", a coordinator that does not know of them", "leave it out", "coordinator", "finish"))
	case !a.Finishes():
		return unsuited(r.fail("tasks that finish with "+a.Name+", which waits for the inputs of those that have", "leave it out, or use abs or tracking", "coordinator", "finish"))
	case loose >= 0:
		return r.fail("tasks that finish, and the channel "+r.plan.Graph.ChannelName(int32(loose))+" fails: that its input has ended could be lost, or overtake records",
			"leave it out, or let channels be first in, first out and lose nothing", "coordinator", "finish")
	}
	r.plan.config.Management.Finish = true
	return nil
}

// Finishes says whether tasks with this algorithm can finish.
func (a *Algorithm) Finishes() bool {
	_, ok := a.node().(interface{ Drained(out *sim.Out) })
	return ok
}

// limits resolves where the input of single nodes ends.
func (r *resolver) limits() error {
	if len(r.Stop.Sources) == 0 {
		return nil
	}
	limits := make([]int64, len(r.plan.Graph.Nodes))
	for v := range limits {
		limits[v] = -1
	}
	for _, name := range slices.Sorted(maps.Keys(r.Stop.Sources)) {
		n, path := r.Stop.Sources[name], []any{"stop", "sources", name}
		ids, err := r.nodes([]string{name}, path...)
		switch {
		case err != nil:
			return err
		case n < 0:
			return r.fail(fmt.Sprintf("the input of %s ends after %d records", name, n), "write 0 or more", path...)
		case !r.plan.Fed(ids[0]):
			return r.fail("no records come from outside to "+name+", with the app "+r.App.Kind, "name a node that takes some", path...)
		}
		limits[ids[0]] = n
	}
	endless := r.plan.Workload
	bounded := *endless
	bounded.NewSource = func(seed uint64, v int32) sim.Source {
		s := endless.NewSource(seed, v)
		if s == nil || limits[v] < 0 {
			return s
		}
		return limited{s, uint64(limits[v])}
	}
	r.plan.Workload = &bounded
	return nil
}

// limited is the first records of a source.
type limited struct {
	sim.Source
	records uint64
}

// Record implements sim.Source.
func (s limited) Record(k uint64) (m sim.Message, at int64, ok bool) {
	if k >= s.records {
		return sim.Message{}, 0, false
	}
	return s.Source.Record(k)
}

package shrink

import (
	"slices"
	"strconv"

	"simrun/scenarios"
	"simrun/sim"
)

// lessGraph leaves out nodes, makes two neighbours one, and leaves out channels.
func (x *shrinker) lessGraph() {
	for v := len(x.best.s.Graph.Nodes) - 1; v >= 0 && len(x.best.s.Graph.Nodes) > 1 && !x.over(); v-- { // no graph would be the usual one
		if v >= len(x.best.s.Graph.Nodes) || x.takeAnyhow(x.withoutNode(v)) {
			continue
		}
		x.merge(v)
	}
	for c := len(x.best.s.Graph.Channels) - 1; c >= 0 && !x.over(); c-- {
		if c >= len(x.best.s.Graph.Channels) {
			continue
		}
		a := x.change()
		a.cut(func(i int) bool { return i == c })
		x.takeAnyhow(a)
	}
}

// withoutNode leaves a node out, and its channels with it.
func (x *shrinker) withoutNode(v int) *attempt {
	a := x.change()
	name := a.s.Graph.Nodes[v]
	a.cut(func(c int) bool { return slices.Contains(a.s.Graph.Channels[c][:], name) })
	a.forget(v)
	return a
}

// merge makes a node one with a neighbour: the channels between the two go, the others
// are the neighbour's.
func (x *shrinker) merge(v int) {
	name := x.best.s.Graph.Nodes[v]
	for _, neighbour := range neighbours(x.best.s.Graph.Channels, name) {
		a := x.change()
		a.cut(func(c int) bool {
			ends := a.s.Graph.Channels[c]
			return ends == [2]string{name, neighbour} || ends == [2]string{neighbour, name}
		})
		for c := range a.s.Graph.Channels {
			for end := range 2 {
				if a.s.Graph.Channels[c][end] == name {
					a.s.Graph.Channels[c][end] = neighbour
				}
			}
		}
		a.forget(v)
		if x.takeAnyhow(a) {
			return
		}
	}
}

func neighbours(channels [][2]string, name string) (names []string) {
	for _, ends := range channels {
		for end := range 2 {
			if other := ends[1-end]; ends[end] == name && other != name && !slices.Contains(names, other) {
				names = append(names, other)
			}
		}
	}
	return names
}

// cut takes channels out, and what is said of them; the ids of the others move up.
func (a *attempt) cut(gone func(c int) bool) {
	ids := make([]int32, len(a.s.Graph.Channels))
	var left [][2]string
	for c, ends := range a.s.Graph.Channels {
		ids[c] = -1
		if !gone(c) {
			ids[c] = int32(len(left))
			left = append(left, ends)
		}
	}
	a.s.Graph.Channels = left
	move := func(ref scenarios.ChannelRef) (scenarios.ChannelRef, bool) {
		id, err := strconv.Atoi(string(ref))
		if err != nil || id >= len(ids) || ids[id] < 0 {
			return "", false
		}
		return scenarios.ChannelRef(strconv.Itoa(int(ids[id]))), true
	}
	var settings []scenarios.ChannelSettings
	for _, own := range a.s.Network.Channels {
		if ref, ok := move(own.Channel); ok {
			own.Channel = ref
			settings = append(settings, own)
		}
	}
	a.s.Network.Channels = settings
	var back []scenarios.ChannelRef
	for _, ref := range a.s.BackEdges {
		if ref, ok := move(ref); ok {
			back = append(back, ref)
		}
	}
	a.s.BackEdges = back
	a.s.Graph.Edges = withChannels(a.s.Graph.Edges, ids)
	a.renumber(func(s *sim.Step) bool {
		if s.Kind != sim.StepDeliver && s.Kind != sim.StepLose {
			return true
		}
		if int(s.Entity) >= len(ids) {
			return false
		}
		s.Entity = ids[s.Entity]
		return s.Entity >= 0
	})
}

// withChannels is the edges of a plan whose channels have other ids, or are gone (-1); an
// edge without channels is gone as well.
func withChannels(edges []scenarios.PlanEdge, ids []int32) (left []scenarios.PlanEdge) {
	for _, e := range edges {
		var channels []int32
		for _, c := range e.Channels {
			if ids[c] >= 0 {
				channels = append(channels, ids[c])
			}
		}
		if e.Channels = channels; len(channels) > 0 {
			left = append(left, e)
		}
	}
	return left
}

// forget takes a node without channels out, and what is said of it; the ids of those
// behind it move up.
func (a *attempt) forget(v int) {
	name := a.s.Graph.Nodes[v]
	a.s.Graph.Nodes = slices.Delete(a.s.Graph.Nodes, v, v+1)
	other := func(names []string) []string {
		return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == name })
	}
	a.s.Snapshots.Initiators = other(a.s.Snapshots.Initiators)
	delete(a.s.Stop.Sources, name)
	for i := len(a.s.Snapshots.At) - 1; i >= 0; i-- {
		own := &a.s.Snapshots.At[i]
		if len(own.Initiators) == 0 {
			continue
		}
		if own.Initiators = other(own.Initiators); len(own.Initiators) == 0 {
			a.dropSnapshot(i)
		}
	}
	for i := len(a.s.Faults) - 1; i >= 0; i-- {
		f := &a.s.Faults[i]
		if f.Crash = other(f.Crash); len(f.Crash) == 0 {
			a.dropFault(i)
		}
	}
	a.renumber(func(s *sim.Step) bool {
		id := s.Entity
		switch s.Kind {
		case sim.StepDeliver, sim.StepRestore, sim.StepAlarm, sim.StepPublish, sim.StepStart, sim.StepFault, sim.StepSnapshot, sim.StepLose:
			return true
		case sim.StepControl:
			id /= 2
		}
		switch {
		case id == int32(v):
			return false
		case id > int32(v) && s.Kind == sim.StepControl:
			s.Entity -= 2
		case id > int32(v):
			s.Entity--
		}
		return true
	})
}

// renumber changes the steps of the list, or takes them out.
func (a *attempt) renumber(f func(s *sim.Step) bool) {
	var left []item
	for _, it := range a.items {
		if it.mark != aStep || f(&it.step) {
			left = append(left, it)
		}
	}
	a.items = left
}

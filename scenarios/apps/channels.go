package apps

import "simrun/topology"

// outputChannels lists each node's output channels by id, which is the order of
// its outputs: those of node v are channels[first[v]:first[v+1]].
func outputChannels(g *topology.Graph) (first, channels []int32) {
	return channelsBy(g, func(c topology.Channel) int32 { return c.From })
}

// inputChannels lists each node's input channels in the same way.
func inputChannels(g *topology.Graph) (first, channels []int32) {
	return channelsBy(g, func(c topology.Channel) int32 { return c.To })
}

func channelsBy(g *topology.Graph, end func(topology.Channel) int32) (first, channels []int32) {
	first = make([]int32, len(g.Nodes)+1)
	for _, c := range g.Channels {
		first[end(c)+1]++
	}
	for v := range g.Nodes {
		first[v+1] += first[v]
	}
	next := append([]int32(nil), first...)
	channels = make([]int32, len(g.Channels))
	for id, c := range g.Channels {
		v := end(c)
		channels[next[v]] = int32(id)
		next[v]++
	}
	return first, channels
}

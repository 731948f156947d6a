package scenarios

import (
	"cmp"
	"slices"

	"simrun/scenarios/units"
	"simrun/sim"
	"simrun/topology"
)

// maxDelays is how many different delay distributions the engine keeps.
const maxDelays = 256

// network resolves the durations: of messages, of service, of writes.
func (r *resolver) network() error {
	cfg := &r.plan.config
	var err error
	if r.Network.Delay == nil {
		r.Network.Delay = &Dist{Uniform: &Range{1e6, 5e6}}
	}
	delay := sim.Dist{}
	if r.Network.Delay, delay, err = r.dist(r.Network.Delay, 1, "network", "delay"); err != nil {
		return err
	}
	cfg.Delays = []sim.Dist{delay}
	if len(r.Network.Channels) > 0 {
		if err := r.channelSettings(); err != nil {
			return err
		}
	}
	if r.Service == nil {
		r.Service = &Dist{Constant: new(units.Duration)}
	}
	if r.Service, cfg.Service, err = r.dist(r.Service, 0, "service"); err != nil {
		return err
	}
	if r.Store.Write == nil {
		r.Store.Write = &Dist{Uniform: &Range{1e6, 3e6}}
	}
	r.Store.Write, cfg.Write, err = r.dist(r.Store.Write, 0, "store", "write")
	return err
}

// dist checks a distribution and fills it in.
func (r *resolver) dist(x *Dist, least units.Duration, path ...any) (*Dist, sim.Dist, error) {
	filled := x.filled(least)
	d, err := filled.sim(least)
	if err != nil {
		return nil, d, r.fail(err.Error(), "", path...)
	}
	return &filled, d, nil
}

// snapshots resolves when snapshots are triggered. A file that says nothing of
// it gets some.
func (r *resolver) snapshots() error {
	cfg := &r.plan.config
	s := &r.Snapshots
	if s.Every == nil {
		s.Every = &Moment{Steps: r.Order == chosen}
		if len(s.At) == 0 && s.Any == 0 && r.doc.absent("snapshots", "at") {
			s.Every.Value = 50_000_000
			if r.Order == chosen {
				s.Every.Value = 100
			}
		}
	}
	if err := r.moment(*s.Every, "every", "snapshots", "every"); err != nil {
		return err
	}
	cfg.Snapshots.Every = s.Every.Value
	if err := r.leftOpen(s.Any, "any", "snapshots", "any"); err != nil {
		return err
	}
	if s.Any > 0 && r.Coordinator != nil {
		return r.fail("snapshots at any step, but the coordinator triggers them", "leave it out", "snapshots", "any")
	}
	cfg.Snapshots.Open = s.Any
	for i := range s.At {
		if err := r.moment(s.At[i].At, "an instant", "snapshots", "at", i); err != nil {
			return err
		}
	}
	return nil
}

// instants lists the snapshots at instants of their own in their order, with their
// initiators. Barriers enter at the same nodes for every snapshot: an algorithm that
// has barriers takes no notice of initiators that only one snapshot has.
func (r *resolver) instants() error {
	plan := &r.plan.config.Snapshots
	own := make([][]int32, len(r.Snapshots.At))
	order := make([]int, len(own))
	for i := range r.Snapshots.At {
		order[i] = i
		if names := r.Snapshots.At[i].Initiators; len(names) > 0 {
			ids, err := r.initiators(names, "snapshots", "at", i, "initiators")
			if err != nil {
				return err
			}
			own[i] = ids
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(r.Snapshots.At[a].At.Value, r.Snapshots.At[b].At.Value)
	})
	for _, i := range order {
		plan.At = append(plan.At, r.Snapshots.At[i].At.Value)
		if !r.plan.Algorithm.BackEdges {
			plan.InitiatorsAt = append(plan.InitiatorsAt, own[i])
		}
	}
	return nil
}

// roots resolves the initiators and, for an algorithm that needs them, the
// back-edges.
func (r *resolver) roots() error {
	g := r.plan.Graph
	r.plan.Initiators = topology.DefaultInitiators(g)
	if names := r.Snapshots.Initiators; len(names) > 0 {
		ids, err := r.initiators(names, "snapshots", "initiators")
		if err != nil {
			return err
		}
		r.plan.Initiators = ids
	}
	r.Snapshots.Initiators = r.names(r.plan.Initiators)
	r.plan.config.Snapshots.Initiators = r.plan.Initiators
	if err := r.instants(); err != nil {
		return err
	}
	if r.plan.Algorithm.Unsaved {
		r.Snapshots.Every, r.Snapshots.At, r.Snapshots.Any = &Moment{Steps: r.Order == chosen}, nil, 0
		r.plan.config.Snapshots = sim.SnapshotPlan{Initiators: r.plan.Initiators}
	}
	return r.backEdges()
}

// initiators is the nodes that are named to initiate a snapshot, ascending. Every node
// must be reached from them.
func (r *resolver) initiators(names []string, path ...any) ([]int32, error) {
	g := r.plan.Graph
	ids, err := r.nodes(names, path...)
	if err != nil {
		return nil, err
	}
	slices.Sort(ids)
	if unreached := topology.Unreached(g, ids); len(unreached) > 0 && !r.incomplete() {
		return nil, r.fail("no marker would reach "+g.List(unreached)+", so that no snapshot could complete",
			"name initiators from which every node can be reached, such as "+g.List(topology.DefaultInitiators(g))+", or expect: {incomplete: true}",
			path...)
	}
	return ids, nil
}

func (r *resolver) incomplete() bool { return r.Expect != nil && r.Expect.Incomplete }

func (r *resolver) backEdges() error {
	g := r.plan.Graph
	if len(r.BackEdges) > 0 {
		back := make([]bool, len(g.Channels))
		for i, ref := range r.BackEdges {
			ids, err := r.channels(ref, "back_edges", i)
			if err != nil {
				return err
			}
			for _, c := range ids {
				back[c] = true
			}
		}
		if err := topology.CheckBackEdges(g, r.plan.Initiators, back); err != nil && !r.incomplete() {
			return r.fail(fromTopology(err).Message, "", "back_edges")
		}
		if r.plan.Algorithm.BackEdges {
			r.plan.config.BackEdge, r.plan.BackEdge = back, back
		}
		return nil
	}
	if !r.plan.Algorithm.BackEdges {
		return nil
	}
	back := topology.BackEdges(g, r.plan.Initiators)
	if slices.Contains(back, true) {
		r.plan.config.BackEdge, r.plan.BackEdge = back, back
	}
	return nil
}

// nodes is the nodes with these names, each once.
func (r *resolver) nodes(names []string, path ...any) ([]int32, error) {
	var ids []int32
	for i, name := range names {
		at := append(slices.Clone(path), i)
		v, err := r.node(name, at...)
		if err != nil {
			return nil, err
		}
		if slices.Contains(ids, v) {
			return nil, r.fail("node "+name+" is named twice", "name it once", at...)
		}
		ids = append(ids, v)
	}
	return ids, nil
}

func (r *resolver) names(ids []int32) []string {
	names := make([]string, len(ids))
	for i, v := range ids {
		names[i] = r.plan.Graph.Nodes[v]
	}
	return names
}

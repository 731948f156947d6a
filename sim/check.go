package sim

import (
	"errors"
	"fmt"
	"slices"
)

// check refuses configurations that no run could carry out.
func check(cfg *Config) error {
	for _, part := range []func(*Config) error{checkGraph, checkChannels, checkUnreliable, checkTimes, checkPlans, checkFaults, checkFrom} {
		if err := part(cfg); err != nil {
			return err
		}
	}
	return nil
}

func checkGraph(cfg *Config) error {
	g := &cfg.Graph
	switch {
	case g.Nodes < 1:
		return errors.New("sim: a graph needs at least one node")
	case g.Nodes > indexMask || len(g.From) > indexMask:
		return fmt.Errorf("sim: at most %d nodes and channels", indexMask)
	case len(g.From) != len(g.To):
		return fmt.Errorf("sim: %d channel sources, but %d targets", len(g.From), len(g.To))
	case cfg.NewNode == nil || cfg.NewApp == nil:
		return errors.New("sim: NewNode and NewApp must be given")
	case cfg.BackEdge != nil && len(cfg.BackEdge) != len(g.From):
		return fmt.Errorf("sim: BackEdge has %d entries for %d channels", len(cfg.BackEdge), len(g.From))
	case cfg.DelayOf != nil && len(cfg.DelayOf) != len(g.From):
		return fmt.Errorf("sim: DelayOf has %d entries for %d channels", len(cfg.DelayOf), len(g.From))
	}
	return nil
}

func checkChannels(cfg *Config) error {
	g := &cfg.Graph
	for c := range g.From {
		if uint32(g.From[c]) >= uint32(g.Nodes) || uint32(g.To[c]) >= uint32(g.Nodes) {
			return fmt.Errorf("sim: channel %d joins nodes %d and %d of %d", c, g.From[c], g.To[c], g.Nodes)
		}
		if cfg.DelayOf != nil && int(cfg.DelayOf[c]) >= len(cfg.Delays) {
			return fmt.Errorf("sim: channel %d has delay %d of %d", c, cfg.DelayOf[c], len(cfg.Delays))
		}
	}
	return nil
}

func checkTimes(cfg *Config) error {
	for i := range cfg.Delays {
		d := &cfg.Delays[i]
		if err := d.check(fmt.Sprintf("delay %d", i)); err != nil {
			return err
		}
		if d.Low < 1 || d.Kind == Bimodal && d.SlowLow < 1 {
			return fmt.Errorf("sim: delay %d can be less than 1 ns", i)
		}
	}
	if err := cfg.Service.check("the service time"); err != nil {
		return err
	}
	if err := checkStore(&cfg.Management); err != nil {
		return err
	}
	return cfg.Write.check("the write time")
}

func checkStore(plan *ManagementPlan) error {
	switch {
	case plan.Bandwidth < 0:
		return errors.New("sim: the bandwidth of the store is negative")
	case plan.Chunk < 0:
		return errors.New("sim: the chunks of the store have less than no bytes")
	case max(plan.Unwritten.PerMillion, plan.Torn.PerMillion, plan.Lost.PerMillion) > million:
		return errors.New("sim: the store fails with more than certainty")
	}
	return nil
}

// check refuses a distribution that has no draws, or negative ones, or draws that
// no instant can hold.
func (d *Dist) check(name string) error {
	switch {
	case d.Kind > Bimodal:
		return fmt.Errorf("sim: %s has the unknown shape %d", name, d.Kind)
	case d.Low < 0 || d.Kind == Exponential && d.High < 0 || d.Kind == Bimodal && d.SlowLow < 0:
		return fmt.Errorf("sim: %s can be negative", name)
	case d.Kind == Exponential && d.High > MaxTime>>6:
		return fmt.Errorf("sim: %s can be longer than the longest run", name) // Max would not fit 64 bits
	case (d.Kind == Uniform || d.Kind == Bimodal) && d.High < d.Low || d.Kind == Bimodal && d.SlowHigh < d.SlowLow:
		return fmt.Errorf("sim: %s has a range that ends before it begins", name)
	case d.Kind == Bimodal && (d.Percent < 0 || d.Percent > 100):
		return fmt.Errorf("sim: %s is slow in %d percent of the draws", name, d.Percent)
	case d.Max() > MaxTime:
		return fmt.Errorf("sim: %s can be longer than the longest run", name)
	}
	return nil
}

func checkPlans(cfg *Config) error {
	plan := &cfg.Snapshots
	switch {
	case plan.Every < 0:
		return errors.New("sim: the period of the snapshots is negative")
	case !slices.IsSorted(plan.At) || len(plan.At) > 0 && plan.At[0] < 0:
		return errors.New("sim: the instants of the snapshots are negative or do not ascend")
	case cfg.Management.New != nil && plan.Every > 0:
		return errors.New("sim: a coordinator takes the snapshots, and periodic ones are planned")
	case plan.Open < 0 || plan.Open > 0 && (cfg.Order != Chosen || cfg.Management.New != nil):
		return errors.New("sim: snapshots are left to a Scheduler, which triggers some only in chosen order and without a coordinator")
	case cfg.Stop.At < 0 || cfg.Stop.Records < 0:
		return errors.New("sim: the stop is negative")
	case cfg.MaxSteps < 0:
		return errors.New("sim: the step limit is negative")
	}
	if len(plan.InitiatorsAt) > len(plan.At) {
		return fmt.Errorf("sim: initiators for %d instants, but %d instants", len(plan.InitiatorsAt), len(plan.At))
	}
	for _, list := range append([][]int32{plan.Initiators}, plan.InitiatorsAt...) {
		for _, v := range list {
			if uint32(v) >= uint32(cfg.Graph.Nodes) {
				return fmt.Errorf("sim: initiator %d of %d nodes", v, cfg.Graph.Nodes)
			}
		}
	}
	return nil
}

func checkFaults(cfg *Config) error {
	for i := range cfg.Faults {
		f := &cfg.Faults[i]
		whens := 0
		for _, given := range []bool{f.At != 0, f.Step != 0, f.Phase != NoPhase, f.Times != 0} {
			if given {
				whens++
			}
		}
		switch {
		case len(f.Nodes) == 0:
			return fmt.Errorf("sim: fault %d crashes no node", i)
		case whens != 1:
			return fmt.Errorf("sim: fault %d needs exactly one of a time, a step, a phase and a number of times", i)
		case f.At < 0 || f.Step < 0 || f.Times < 0 || f.Occurrence < 0 || f.Phase >= phases:
			return fmt.Errorf("sim: fault %d strikes at a moment that no run has", i)
		case f.At > 0 && cfg.Order == Chosen:
			return fmt.Errorf("sim: fault %d has a time, but in chosen order there are only steps", i)
		case f.Times > 0 && cfg.Order != Chosen:
			return fmt.Errorf("sim: fault %d is left to the Scheduler, but there is one only in chosen order", i)
		case f.Times > 0 && f.AfterOutputs != nil:
			return fmt.Errorf("sim: fault %d is left to the Scheduler, which does not choose inside a handler", i)
		case f.Down < 0:
			return fmt.Errorf("sim: fault %d is down for less than nothing", i)
		case f.Down > MaxTime:
			return fmt.Errorf("sim: fault %d is down for longer than the longest run", i)
		case f.AfterOutputs != nil && *f.AfterOutputs < 0:
			return fmt.Errorf("sim: fault %d strikes after less than no outputs", i)
		}
		nodes := cfg.Graph.Nodes
		if cfg.Management.New != nil {
			nodes++ // the coordinator
		} else if f.Phase.Managed() {
			return fmt.Errorf("sim: fault %d waits for a phase that there is only with a coordinator", i)
		}
		if int(f.Nodes[0]) == cfg.Graph.Nodes && f.Phase != NoPhase && !f.Phase.OfCoordinator() {
			return fmt.Errorf("sim: fault %d waits for the coordinator to come to a phase of the tasks", i)
		}
		for _, v := range f.Nodes {
			if uint32(v) >= uint32(nodes) {
				return fmt.Errorf("sim: fault %d crashes node %d of %d", i, v, cfg.Graph.Nodes)
			}
		}
	}
	return nil
}

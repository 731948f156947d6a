package scenarios

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"

	"simrun/algorithms/twophase"
	"simrun/scenarios/checkpoints"
	"simrun/scenarios/search"
	"simrun/sim"
)

// This file is about checkpoints that outlive the process: keeping those of a run in a
// folder, and runs that begin with one.

// Identity says which checkpoints a run of this plan can begin with: those of the same
// seed, algorithm and scenario.
func (p *Plan) Identity() (checkpoints.Identity, error) {
	hash, err := p.Hash()
	return checkpoints.Identity{Scenario: hash, Name: p.Name, Algorithm: p.Algorithm.Name, Seed: p.Seed}, err
}

// Hash is the first 32 hexadecimal digits of a SHA-256 of what decides a run beside its
// seed and its algorithm: the scenario with all defaults, its graph, and what the files
// that it names hold. What only judges a run, expect and checks, and the limit of steps is
// no part of it.
func (p *Plan) Hash() (string, error) {
	decisive := *p
	s := *p.Scenario
	s.Seed, s.Algorithm, s.Steps, s.Expect, s.Checks = nil, "", nil, nil, Checks{}
	decisive.Scenario = &s
	var text bytes.Buffer
	if err := decisive.WriteYAML(&text); err != nil {
		return "", err
	}
	digest := sha256.New()
	add := func(data []byte) {
		digest.Write(binary.AppendUvarint(nil, uint64(len(data))))
		digest.Write(data)
	}
	add(text.Bytes())
	for _, name := range p.Graph.Nodes {
		add([]byte(name))
	}
	for _, ch := range p.Graph.Channels {
		add(binary.AppendUvarint(binary.AppendUvarint(nil, uint64(ch.From)), uint64(ch.To)))
	}
	for i, name := range p.Files {
		if i == 0 {
			continue // the scenario itself, whose comments decide nothing
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return "", fileError(name, err)
		}
		add(data)
	}
	return hex.EncodeToString(digest.Sum(nil)[:16]), nil
}

// From is the plan of the run that begins with a checkpoint of this plan's runs: see
// sim.Config.From. It is for the plan's own seed, of which the checkpoint is. What the
// scenario expects is not judged of it, because that is about the whole run.
func (p *Plan) From(c *checkpoints.Checkpoint) (*Plan, error) {
	if err := p.beginnable(); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Path, err)
	}
	own := *p
	own.config.From, own.restored = c.Snapshot, c.Path
	s := *p.Scenario
	s.Expect = nil
	own.Scenario = &s
	cfg := own.Config(own.Seed)
	if _, err := sim.New(&cfg); err != nil {
		return nil, fmt.Errorf("%s: the run cannot begin with this checkpoint: %w", c.Path, err)
	}
	var err error
	if own.waiting, err = p.transactions(c.Snapshot); err != nil {
		return nil, fmt.Errorf("%s: the run cannot begin with this checkpoint: %w", c.Path, err)
	}
	return &own, nil
}

// transactions is what a checkpoint holds, by node, of transactions that had not left
// when it was complete.
func (p *Plan) transactions(s *sim.Snapshot) ([][]sim.Message, error) {
	if p.Scenario.Sinks != transactional {
		return nil, nil
	}
	waiting := make([][]sim.Message, len(s.Attached))
	for v := range s.Attached {
		list, err := twophase.Transactions(s.Attached[v])
		if err != nil {
			return nil, fmt.Errorf("what %s has attached is damaged: %w", p.Graph.Nodes[v], err)
		}
		for _, t := range list {
			if k := s.Coordinated; k == nil || k.Committed == nil || !slices.Contains(k.Committed[v], t.ID) {
				waiting[v] = append(waiting[v], t.Records...)
			}
		}
	}
	return waiting, nil
}

// beginnable says why no run of the plan can begin with a checkpoint.
func (p *Plan) beginnable() error {
	if p.Algorithm.HoldsOutputs {
		return fmt.Errorf("no run under %s can begin with a checkpoint: what its nodes held back is in a form that only they can read, so that nobody could judge the run", p.Algorithm.Name)
	}
	if p.Algorithm.Sink != nil {
		return fmt.Errorf("no run under %s can begin with a checkpoint: what its sinks attach is in a form that only they can read, so that nobody could judge the run", p.Algorithm.Name)
	}
	if len(search.Open(&p.config)) > 0 {
		return errors.New("no run that leaves crashes, snapshots or losses open can begin with a checkpoint, which does not say how many of them are left")
	}
	for c := range p.config.Unreliable {
		if !p.config.Unreliable[c].Reliable() {
			return fmt.Errorf("no run of this scenario can begin with a checkpoint, which does not say what the channel %s has lost, doubled or reordered", p.Graph.ChannelName(int32(c)))
		}
	}
	return nil
}

// Keep opens a folder for the checkpoints of a run with the plan's seed. retain is how
// many are kept, 0 for all.
func (p *Plan) Keep(dir string, retain int) (*checkpoints.Store, error) {
	if err := p.beginnable(); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	id, err := p.Identity()
	if err != nil {
		return nil, err
	}
	o := checkpoints.Options{Identity: id, Names: p.Graph.Nodes, Graph: p.config.Graph, Retain: retain}
	if p.config.From != nil {
		o.After = p.config.From.ID
	}
	return checkpoints.Open(dir, o)
}

// keeper writes every snapshot that is complete and that a run can begin with, and passes
// on what it sees.
type keeper struct {
	store *checkpoints.Store
	next  sim.Observer // nil: nobody else watches
	err   error        // the first; nothing is written after it
}

// Observe implements sim.Observer.
func (k *keeper) Observe(ev *sim.Event) {
	if k.next != nil {
		k.next.Observe(ev)
	}
	if ev.Kind == sim.EventComplete && ev.Complete.Restorable() && k.err == nil {
		k.err = k.store.Write(ev.Complete)
	}
}

package sim

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// This file lets a run begin with a snapshot that an earlier process has kept
// (Config.From). It is a restore before anything else happens: incarnation 1 begins
// with it, at the instant at which it was complete. What was before is incarnation 0,
// whatever it was called in the earlier process: nothing of it is in flight any more.

// MaxFromID is the highest id of a snapshot that a run can begin with: the ids before
// it take room in the history.
const MaxFromID = 1 << 20

// noteProgress notes, when a snapshot is complete, what else a later process needs to
// go on from it: none of this is anybody's state.
func (e *Engine) noteProgress(s *Snapshot) {
	s.Steps = e.steps
	e.noteCoordinated(s)
	for i := range e.faults {
		if e.faults[i].fired {
			s.Struck = append(s.Struck, int32(i))
		}
	}
	if !e.stopped {
		return
	}
	s.Limits = make([]uint32, len(e.nodes))
	for v := range e.sources {
		s.Limits[v] = e.sources[v].limit
	}
}

// takeUp begins with Config.From, if there is one and the run has not begun.
func (e *Engine) takeUp() {
	if e.cfg.From == nil || e.incarnation > 0 {
		return
	}
	from := e.cfg.From.adopted()
	for id := SnapshotID(1); id <= from.Last(); id++ {
		s := from
		if id != from.ID {
			s = &Snapshot{ID: id, Status: Absent, TriggeredAt: -1, StartedAt: -1, CompletedAt: -1}
		}
		e.history.Snapshots = append(e.history.Snapshots, s)
	}
	e.history.From, e.newest = from, from
	e.now, e.steps = from.CompletedAt, from.Steps
	e.recordings = uint32(len(from.Recordings))
	for c := range e.channels {
		e.channels[c].processed = from.Processed[c] // nothing was done that the restore undoes
	}
	for v := range e.sources {
		e.sources[v].offset = uint32(from.Recordings[v].Offset)
	}
	e.recovering, e.firstCrash, e.restoreAt = true, e.now, e.now
	e.passBy(from)
	e.adopt(from)
	e.restore()
	if m := e.management; m != nil && !m.again { // else the restore was a crash of its own
		e.startCoordinator()
	}
}

// passBy leaves out of the plans what came before the snapshot was complete.
func (e *Engine) passBy(from *Snapshot) {
	for _, i := range from.Struck {
		e.faults[i].fired = true
	}
	e.phaseFaults = 0
	for i := range e.cfg.Faults {
		if e.cfg.Faults[i].Phase != NoPhase && !e.faults[i].fired {
			e.phaseFaults++
		}
	}
	e.phaseWatch = e.phaseFaults > 0
	e.diary.keep(func(a *appointment) bool {
		return a.class == stopInput || a.class == StepFault && !e.faults[a.entity].fired
	})
	if every := e.cfg.Snapshots.Every; every > 0 {
		e.nextEvery = (e.now/every + 1) * every
	}
	for e.triggered < len(e.cfg.Snapshots.At) && e.cfg.Snapshots.At[e.triggered] <= e.now {
		e.triggered++
	}
	if from.Limits != nil {
		e.stop()
		for v := range e.sources {
			e.sources[v].limit = from.Limits[v]
		}
	} else if !e.chosen {
		e.planTrigger()
	}
}

// adopted is a copy of a snapshot as the run that begins with it sees it: in
// incarnation 0, without rows, and with the first recordings of all.
func (s *Snapshot) adopted() *Snapshot {
	own := *s
	own.Incarnation, own.Twice = 0, nil
	own.Recordings = slices.Clone(s.Recordings)
	order := make([]int, len(s.Recordings))
	for v := range order {
		order[v] = v
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(s.Recordings[a].Seq, s.Recordings[b].Seq) })
	for i, v := range order {
		own.Recordings[v].Seq, own.Recordings[v].Row = uint32(i+1), -1
	}
	own.Channels = slices.Clone(s.Channels)
	for c := range own.Channels {
		own.Channels[c] = slices.Clone(own.Channels[c])
		for i := range own.Channels[c] {
			own.Channels[c][i].Incarnation = 0
		}
	}
	return &own
}

// checkFrom refuses a snapshot that this run cannot begin with.
func checkFrom(cfg *Config) error {
	s := cfg.From
	if s == nil {
		return nil
	}
	nodes, channels := cfg.Graph.Nodes, len(cfg.Graph.From)
	switch {
	case slices.ContainsFunc(cfg.Unreliable, func(u Unreliable) bool { return !u.Reliable() }):
		return errors.New("sim: a run with unreliable channels cannot begin with a snapshot, which does not say what they have lost")
	case leavesOpen(cfg):
		return errors.New("sim: a run that leaves something to its Scheduler cannot begin with a snapshot, which does not say how much of that is left")
	case cfg.Management.New == nil && s.Coordinated != nil:
		return fmt.Errorf("sim: snapshot %d is of a run with a coordinator, and this one has none", s.ID)
	case cfg.Management.New != nil && s.Coordinated == nil:
		return fmt.Errorf("sim: snapshot %d does not say what a coordinator knew, and the run has one", s.ID)
	case s.Status != Complete || s.ID == 0 || s.ID > MaxFromID:
		return fmt.Errorf("sim: a run cannot begin with snapshot %d, which is not complete or has an id beyond %d", s.ID, MaxFromID)
	case s.CompletedAt < 0 || s.CompletedAt > MaxTime || s.Steps < 0:
		return fmt.Errorf("sim: snapshot %d was complete at an instant that no run has", s.ID)
	case len(s.States) != nodes || len(s.Attached) != nodes || len(s.Recordings) != nodes || len(s.Logs) != nodes ||
		len(s.DoneAt) != nodes || len(s.Durable) != nodes:
		return fmt.Errorf("sim: snapshot %d is not of %d nodes", s.ID, nodes)
	case len(s.Channels) != channels || len(s.Sent) != channels || len(s.Processed) != channels || len(s.Marked) != channels:
		return fmt.Errorf("sim: snapshot %d is not of %d channels", s.ID, channels)
	case s.Limits != nil && len(s.Limits) != nodes:
		return fmt.Errorf("sim: snapshot %d does not say of %d nodes where their input ends", s.ID, nodes)
	}
	if err := checkCoordinated(s); err != nil {
		return fmt.Errorf("sim: snapshot %d: %w", s.ID, err)
	}
	for _, i := range s.Struck {
		if i < 0 || int(i) >= len(cfg.Faults) {
			return fmt.Errorf("sim: snapshot %d says that fault %d has struck, of %d", s.ID, i, len(cfg.Faults))
		}
	}
	for v := range int32(nodes) {
		if err := checkPart(cfg, s, v); err != nil {
			return fmt.Errorf("sim: snapshot %d, node %d: %w", s.ID, v, err)
		}
	}
	return nil
}

// checkCoordinated refuses what no coordinator can have known.
func checkCoordinated(s *Snapshot) error {
	k := s.Coordinated
	switch {
	case k == nil:
		return nil
	case !k.Restorable:
		return errors.New("the store had not all of it, or a newer one was complete")
	case k.Last < s.ID || k.Last > MaxFromID:
		return fmt.Errorf("ids up to %d had been given", k.Last)
	case k.Committed != nil && len(k.Committed) != len(s.States):
		return fmt.Errorf("it says of %d nodes what they had committed", len(k.Committed))
	}
	for v, ids := range k.Committed {
		for i, id := range ids {
			if id == 0 || id > k.Last || i > 0 && id <= ids[i-1] {
				return fmt.Errorf("node %d cannot have committed the transactions %v", v, ids)
			}
		}
	}
	return nil
}

// checkPart refuses a node's part of a snapshot that cannot be put in place.
func checkPart(cfg *Config, s *Snapshot, v int32) error {
	if err := cfg.NewApp(v).Load(s.States[v]); err != nil {
		return fmt.Errorf("its App cannot load the state: %w", err)
	}
	for _, l := range s.Logs[v] {
		c := int(l.Channel)
		if c < 0 || c >= len(s.Channels) || cfg.Graph.To[c] != v || l.Index < 0 || int(l.Index) >= len(s.Channels[c]) {
			return errors.New("its log names a message that the snapshot does not have")
		}
	}
	timers := s.Recordings[v].Timers
	for i := range timers {
		if timers[i].Due < 0 || i > 0 && timers[i].ID <= timers[i-1].ID {
			return errors.New("its timers are out of order")
		}
	}
	return nil
}

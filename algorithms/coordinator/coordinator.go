package coordinator

import (
	"cmp"
	"slices"

	"simrun/sim"
)

// Coordinator is the state of the coordinator.
type Coordinator struct {
	settings Settings
	tasks    int
	sources  []int32
	attempt  uint8
	last     sim.SnapshotID // the highest id in use
	pending  []*pending     // by id
	stored   []sim.Metadata // by id

	running   bool // the graph does
	partial   bool // or the restart under way is of a part of it
	stopped   bool // no checkpoint begins any more
	pausing   bool // the minimum pause has not passed
	due       bool // a checkpoint should have begun, and could not
	failures  int  // checkpoints that failed one after the other
	restarts  int
	cancelled []cancel // not confirmed by every task; by id
	finishing finishing
	reminder  reminder // of the last checkpoint
	counted   int      // restarts that the limit counts: those of late, if it has a period

	final    sim.SnapshotID // the last checkpoint that was begun at rest; 0: none
	finished bool           // it is complete
}

// pending is a checkpoint under way.
type pending struct {
	id         sim.SnapshotID
	handles    []sim.Handle // by task; 0: not acknowledged
	left       int          // tasks that have not acknowledged
	finished   []bool       // by task: it had finished when it recorded; nil if none ever does
	publishing bool         // its metadata is being written
	savepoint  bool         // the user has asked for it
}

// The alarms. That of a checkpoint's timeout is timeoutAlarm plus its id; that which
// forgets a restart is forgetAlarm plus its number.
const (
	triggerAlarm uint32 = iota
	pauseAlarm
	cancelAlarm
	timeoutAlarm

	forgetAlarm uint32 = 1 << 31
)

// New makes coordinators with these settings.
func New(settings Settings) func() sim.Coordinator {
	settings.MaxConcurrent, settings.Retained = max(settings.MaxConcurrent, 1), max(settings.Retained, 1)
	return func() sim.Coordinator { return &Coordinator{settings: settings} }
}

// Start begins, from what is durable. A coordinator that has crashed restores the
// graph: what was pending nobody knows any more.
func (c *Coordinator) Start(s sim.Standing, out *sim.Decisions) {
	c.tasks, c.sources, c.attempt, c.last, c.stored = s.Tasks, s.Sources, s.Attempt, s.Last, s.Metadata
	c.running = true
	c.finishing.begin(s.Upstream)
	if c.settings.Interval > 0 {
		out.Alarm(triggerAlarm, c.settings.Interval)
	}
	if s.Again {
		c.restart(out)
	}
}

// Alarm is the period, the end of a pause, a timeout, or the time after which a restart
// does not count any more.
func (c *Coordinator) Alarm(id uint32, out *sim.Decisions) {
	switch {
	case id == triggerAlarm:
		if !c.stopped {
			c.due = true
			c.trigger(out)
			out.Alarm(triggerAlarm, c.settings.Interval)
		}
	case id == pauseAlarm:
		c.pausing = false
		c.trigger(out)
	case id == cancelAlarm:
		c.repeat(out)
	case id >= forgetAlarm:
		c.counted--
	default:
		if p := c.find(sim.SnapshotID(id - timeoutAlarm)); p != nil && !p.publishing {
			c.fail(p, !p.savepoint, out)
		}
	}
}

// trigger begins a checkpoint, if one is due and may begin.
func (c *Coordinator) trigger(out *sim.Decisions) {
	if !c.due || !c.running || c.stopped || c.pausing || len(c.pending) >= c.settings.MaxConcurrent {
		return
	}
	c.due = false
	c.begin(false, out)
}

// begin begins a checkpoint or a savepoint.
func (c *Coordinator) begin(savepoint bool, out *sim.Decisions) {
	c.last++
	p := &pending{id: c.last, handles: make([]sim.Handle, c.tasks), left: c.tasks, finished: c.finishing.list(), savepoint: savepoint}
	c.pending = append(c.pending, p)
	if savepoint {
		out.BeginSavepoint(p.id)
	} else {
		out.Begin(p.id)
	}
	for _, v := range c.toTrigger() {
		out.Send(v, sim.Control{Kind: sim.Trigger, Attempt: c.attempt, ID: p.id})
	}
	if c.settings.Timeout > 0 {
		out.Alarm(timeoutAlarm+uint32(p.id), c.settings.Timeout)
	}
}

// Receive takes an acknowledgement or a decline, or hears that a task has finished. One of another attempt, of a
// checkpoint that is over, or that has come before changes nothing; a part that
// nobody needs is discarded.
func (c *Coordinator) Receive(task int32, m sim.Control, out *sim.Decisions) {
	p := c.find(m.ID)
	if m.Attempt != c.attempt || !c.running {
		p = nil
	}
	if m.Attempt == c.attempt && c.running && (m.Kind == sim.Finished || m.Finished) {
		c.hasFinished(task, out)
	}
	switch {
	case m.Kind == sim.Finished:
	case m.Kind == sim.Confirm:
		c.reminded(task, m)
	case m.Kind == sim.Decline:
		if m.Attempt == c.attempt {
			c.confirm(task, m.ID)
		}
		if p != nil && !p.publishing {
			c.fail(p, true, out)
		}
	case m.Kind == sim.NotReady:
		if p != nil && !p.publishing {
			c.notReady(p, out)
		}
	case p == nil:
		if !c.needs(m.Handle) {
			out.Discard(m.Handle)
		}
	case p.handles[task] == 0:
		p.handles[task] = m.Handle
		if m.Finished && p.finished != nil {
			p.finished[task] = true
		}
		if p.left--; p.left == 0 {
			p.publishing = true
			out.Publish(p.metadata(c.attempt))
		}
	case p.handles[task] != m.Handle:
		out.Discard(m.Handle)
	}
}

// Published completes a checkpoint.
func (c *Coordinator) Published(id sim.SnapshotID, ok bool, out *sim.Decisions) {
	p := c.find(id)
	if p == nil {
		return
	}
	if !ok {
		p.publishing = false
		c.fail(p, !p.savepoint, out)
		return
	}
	at, _ := slices.BinarySearchFunc(c.stored, id, func(m sim.Metadata, id sim.SnapshotID) int { return cmp.Compare(m.ID, id) })
	c.stored = slices.Insert(c.stored, at, p.metadata(c.attempt)) // a later one may have been quicker
	c.remove(p)
	if !p.savepoint {
		c.supersede(id, out)
	}
	if !c.running {
		c.restore(out)
		return
	}
	if !p.savepoint {
		c.notify(id, out)
	}
	c.failures = 0
	c.pause(out)
	c.trigger(out)
}

// fail aborts a checkpoint, and restarts the graph if too many that count have failed.
func (c *Coordinator) fail(p *pending, counts bool, out *sim.Decisions) {
	c.abort(p, out)
	if !c.running {
		c.restore(out)
		return
	}
	if counts {
		c.failures++
	}
	if c.failures > c.settings.Tolerable {
		c.restart(out)
		return
	}
	c.pause(out)
	c.trigger(out)
}

// abort gives a checkpoint up: its parts are discarded, and the tasks told.
func (c *Coordinator) abort(p *pending, out *sim.Decisions) {
	c.remove(p)
	out.Abort(p.id)
	for _, h := range p.handles {
		if h != 0 {
			out.Discard(h)
		}
	}
	c.cancel(p.id, out)
}

// pause begins the minimum pause between two checkpoints.
func (c *Coordinator) pause(out *sim.Decisions) {
	if c.settings.MinPause > 0 && !c.stopped {
		c.pausing = true
		out.Alarm(pauseAlarm, c.settings.MinPause)
	}
}

// Failed restores the graph, or a part of it.
func (c *Coordinator) Failed(_ int32, out *sim.Decisions) {
	if c.running {
		c.restartPart(out)
	}
}

// restart aborts what is pending and restores the newest stored checkpoint. One whose
// metadata is being written can no longer be taken back: what comes of it comes first.
func (c *Coordinator) restart(out *sim.Decisions) {
	c.running, c.failures = false, 0
	for _, p := range slices.Clone(c.pending) {
		if !p.publishing {
			c.abort(p, out)
		}
	}
	c.restore(out)
}

// restore orders the restore, when nothing is being published, or gives up if the
// strategy allows no more.
func (c *Coordinator) restore(out *sim.Decisions) {
	if len(c.pending) > 0 {
		return
	}
	strategy := &c.settings.Restart
	delay, ok := strategy.after(c.restarts, c.counted)
	if !ok {
		out.GiveUp()
		return
	}
	if strategy.Per > 0 {
		out.Alarm(forgetAlarm+uint32(c.restarts), strategy.Per)
	}
	c.restarts++
	c.counted++
	if c.partial {
		out.RestorePart(c.newest(), delay)
	} else {
		out.Restore(c.newest(), delay)
	}
}

// Restored goes on in the new attempt; from what cannot be read, and is deleted, to the
// one before.
func (c *Coordinator) Restored(attempt uint8, from sim.SnapshotID, ok bool, out *sim.Decisions) {
	if !ok {
		c.stored, c.partial = slices.DeleteFunc(c.stored, func(m sim.Metadata) bool { return m.ID == from }), false
		out.Retire(from)
		c.restart(out)
		return
	}
	c.attempt, c.running, c.partial, c.finished, c.cancelled, c.reminder = attempt, true, false, false, nil, reminder{}
	c.finishing.begin(c.finishing.upstream)
	c.sweep(out)
	c.trigger(out)
}

// Stop lets what is pending end, and begins nothing.
func (c *Coordinator) Stop(*sim.Decisions) { c.stopped, c.due = true, false }

// Rest takes the last checkpoint, again if it has failed, sees to it that the tasks know
// that it is complete, and leaves nothing in the store that nobody needs.
func (c *Coordinator) Rest(out *sim.Decisions) {
	switch {
	case !c.running || len(c.pending) > 0:
	case c.settings.Final && !c.finished:
		c.stopped = true
		c.begin(false, out)
		c.final = c.last
	case c.settings.Final && c.forgetful():
		c.remind(out)
	default:
		c.sweep(out)
	}
}

// find is the pending checkpoint with this id, or nil.
func (c *Coordinator) find(id sim.SnapshotID) *pending {
	for _, p := range c.pending {
		if p.id == id {
			return p
		}
	}
	return nil
}

func (c *Coordinator) remove(p *pending) {
	c.pending = slices.DeleteFunc(c.pending, func(q *pending) bool { return q == p })
}

// needs says whether a part belongs to a checkpoint that is stored or pending.
func (c *Coordinator) needs(h sim.Handle) bool {
	for i := range c.stored {
		if slices.Contains(c.stored[i].Handles, h) {
			return true
		}
	}
	for _, p := range c.pending {
		if slices.Contains(p.handles, h) {
			return true
		}
	}
	return false
}

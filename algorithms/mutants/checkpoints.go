package mutants

import (
	"slices"

	"simrun/sim"
)

// Timing is what a coordinator of this package is told. Times are nanoseconds.
type Timing struct {
	Interval   int64 // between two triggers; 0: none
	Timeout    int64 // after which a checkpoint is aborted; 0: never
	Restart    int64 // from a crash to the restore
	Concurrent int   // pending checkpoints; at least 1
	Retained   int   // stored checkpoints that are kept; at least 1
}

// checkpoints is a checkpoint coordinator as it should be. Its mutants embed it and
// replace a step. What nobody needs any more it deletes when nothing is under way.
type checkpoints struct {
	timing           Timing
	tasks            int
	sources          []int32
	attempt          uint8
	last             sim.SnapshotID // the highest id in use
	pending          []*underWay    // by id
	stored           []sim.Metadata // by id
	running, stopped bool           // the graph runs; the input has ended
}

// underWay is a checkpoint that is pending.
type underWay struct {
	id         sim.SnapshotID
	handles    []sim.Handle // by task; 0: not acknowledged
	publishing bool
	savepoint  bool
}

func newCheckpoints(t Timing) checkpoints {
	t.Concurrent, t.Retained = max(t.Concurrent, 1), max(t.Retained, 1)
	return checkpoints{timing: t}
}

// periodAlarm is the alarm of the next trigger; that of a timeout is the checkpoint's id.
const periodAlarm = 0

func (c *checkpoints) Start(s sim.Standing, out *sim.Decisions) {
	c.tasks, c.sources, c.attempt, c.last, c.stored = s.Tasks, s.Sources, s.Attempt, s.Last, s.Metadata
	c.running = true
	if c.timing.Interval > 0 {
		out.Alarm(periodAlarm, c.timing.Interval)
	}
	if s.Again {
		c.Failed(-1, out)
	}
}

func (c *checkpoints) Alarm(id uint32, out *sim.Decisions) {
	if id != periodAlarm {
		if p := c.find(sim.SnapshotID(id)); p != nil && !p.publishing {
			c.abort(p, out)
		}
	} else if !c.stopped {
		c.begin(out)
		out.Alarm(periodAlarm, c.timing.Interval)
	}
}

func (c *checkpoints) begin(out *sim.Decisions) {
	if c.running && len(c.pending) < c.timing.Concurrent {
		out.Begin(c.last + 1)
		c.start(false, out)
	}
}

// Savepoint begins a checkpoint that the user asks for.
func (c *checkpoints) Savepoint(out *sim.Decisions) {
	if c.running {
		out.BeginSavepoint(c.last + 1)
		c.start(true, out)
	}
}

func (c *checkpoints) start(savepoint bool, out *sim.Decisions) {
	c.last++
	c.pending = append(c.pending, &underWay{id: c.last, handles: make([]sim.Handle, c.tasks), savepoint: savepoint})
	for _, v := range c.sources {
		out.Send(v, sim.Control{Kind: sim.Trigger, Attempt: c.attempt, ID: c.last})
	}
	if c.timing.Timeout > 0 {
		out.Alarm(uint32(c.last), c.timing.Timeout)
	}
}

func (c *checkpoints) Receive(task int32, m sim.Control, out *sim.Decisions) {
	if p := c.heard(task, m, out); p != nil && !slices.Contains(p.handles, 0) {
		c.publish(p, out)
	}
}

// heard notes an acknowledgement, and returns the checkpoint that it counts for.
func (c *checkpoints) heard(task int32, m sim.Control, out *sim.Decisions) *underWay {
	p := c.find(m.ID)
	if p == nil || p.publishing || m.Attempt != c.attempt || !c.running {
		return nil
	}
	if m.Kind == sim.Decline {
		c.abort(p, out)
		return nil
	}
	if m.Kind != sim.Acknowledge {
		return nil
	}
	p.handles[task] = m.Handle
	return p
}

func (c *checkpoints) publish(p *underWay, out *sim.Decisions) {
	p.publishing = true
	out.Publish(c.metadata(p))
}

func (c *checkpoints) Published(id sim.SnapshotID, ok bool, out *sim.Decisions) {
	p := c.find(id)
	switch {
	case p == nil:
		return
	case ok:
		c.complete(p, out)
	default:
		c.abort(p, out)
	}
	if !c.running {
		c.restore(out)
	}
}

func (c *checkpoints) metadata(p *underWay) sim.Metadata {
	return sim.Metadata{ID: p.id, Attempt: c.attempt, Savepoint: p.savepoint, Handles: p.handles}
}

// complete stores a checkpoint, retires the oldest, gives up those that it has
// overtaken, and tells the tasks. With a savepoint it only does the first.
func (c *checkpoints) complete(p *underWay, out *sim.Decisions) {
	c.store(p)
	c.remove(p)
	if p.savepoint {
		return
	}
	if oldest := c.oldest(); c.retained() > c.timing.Retained {
		out.Retire(c.stored[oldest].ID)
		c.stored = slices.Delete(c.stored, oldest, oldest+1)
	}
	for _, older := range slices.Clone(c.pending) {
		if older.id < p.id && !older.publishing && !older.savepoint {
			c.abort(older, out)
		}
	}
	if c.running {
		c.tell(sim.Notify, p.id, out)
	}
}

// store notes the metadata of a checkpoint, in the order of ids.
func (c *checkpoints) store(p *underWay) {
	at := len(c.stored)
	for at > 0 && c.stored[at-1].ID > p.id {
		at--
	}
	c.stored = slices.Insert(c.stored, at, c.metadata(p))
}

// oldest is where the oldest stored checkpoint is that is no savepoint, or -1.
func (c *checkpoints) oldest() int {
	return slices.IndexFunc(c.stored, func(m sim.Metadata) bool { return !m.Savepoint })
}

// retained is how many checkpoints are stored that are no savepoints.
func (c *checkpoints) retained() (n int) {
	for i := range c.stored {
		if !c.stored[i].Savepoint {
			n++
		}
	}
	return n
}

func (c *checkpoints) abort(p *underWay, out *sim.Decisions) {
	c.remove(p)
	out.Abort(p.id)
	c.tell(sim.Cancel, p.id, out)
}

func (c *checkpoints) tell(kind sim.ControlKind, id sim.SnapshotID, out *sim.Decisions) {
	for v := range int32(c.tasks) {
		out.Send(v, sim.Control{Kind: kind, Attempt: c.attempt, ID: id})
	}
}

func (c *checkpoints) Failed(_ int32, out *sim.Decisions) {
	if !c.running {
		return
	}
	c.running = false
	for _, p := range slices.Clone(c.pending) {
		if !p.publishing { // else what comes of it comes first
			c.abort(p, out)
		}
	}
	c.restore(out)
}

func (c *checkpoints) restore(out *sim.Decisions) {
	if len(c.pending) == 0 {
		out.Restore(c.newest(), c.timing.Restart)
	}
}

// newest is the newest stored checkpoint that is no savepoint; 0: the initial state.
func (c *checkpoints) newest() (id sim.SnapshotID) {
	for i := range c.stored {
		if !c.stored[i].Savepoint {
			id = c.stored[i].ID
		}
	}
	return id
}

func (c *checkpoints) Restored(attempt uint8, from sim.SnapshotID, ok bool, out *sim.Decisions) {
	if ok {
		c.attempt, c.running = attempt, true
		c.sweep(out)
		return
	}
	c.stored = slices.DeleteFunc(c.stored, func(m sim.Metadata) bool { return m.ID == from })
	c.restore(out)
}

// Rest leaves nothing in the store that nobody needs.
func (c *checkpoints) Rest(out *sim.Decisions) {
	if c.running && len(c.pending) == 0 {
		c.sweep(out)
	}
}

func (c *checkpoints) sweep(out *sim.Decisions) {
	var keep []sim.Handle
	for i := range c.stored {
		keep = append(keep, c.stored[i].Handles...)
	}
	out.Sweep(keep)
}

func (c *checkpoints) Stop(*sim.Decisions) { c.stopped = true }

func (c *checkpoints) find(id sim.SnapshotID) *underWay {
	for _, p := range c.pending {
		if p.id == id {
			return p
		}
	}
	return nil
}

func (c *checkpoints) remove(p *underWay) {
	c.pending = slices.DeleteFunc(c.pending, func(q *underWay) bool { return q == p })
}

func (c *checkpoints) state(x *codec) {
	number(x, &c.tasks)
	list(x, &c.sources, number[int32])
	number(x, &c.attempt)
	number(x, &c.last)
	list(x, &c.pending, func(x *codec, p **underWay) {
		if x.loading {
			*p = new(underWay)
		}
		number(x, &(*p).id)
		handles(x, &(*p).handles)
		bit(x, &(*p).publishing)
		bit(x, &(*p).savepoint)
	})
	list(x, &c.stored, func(x *codec, m *sim.Metadata) {
		number(x, &m.ID)
		number(x, &m.Attempt)
		bit(x, &m.Savepoint)
		handles(x, &m.Handles)
	})
	bit(x, &c.running)
	bit(x, &c.stopped)
}

func handles(x *codec, l *[]sim.Handle) { list(x, l, number[sim.Handle]) }

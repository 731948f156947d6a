package scenarios

import (
	"fmt"
	"io"
	"strings"

	"simrun/sim"
)

// CoordinatorResult is what a coordinator, its channels and its store did.
type CoordinatorResult struct {
	Checkpoints     []CheckpointResult `json:"checkpoints"`
	Sent            int64              `json:"messages_sent"`
	Lost            int64              `json:"messages_lost"` // by channels, or they came to somebody who was down
	Crashes         int64              `json:"crashes"`
	RestoresOrdered int64              `json:"restores_ordered"`
	Unreadable      int64              `json:"unreadable"`
	PartsStored     int64              `json:"parts_stored"`
	PartsLost       int64              `json:"parts_lost"` // the store has failed to write them
	PartsDiscarded  int64              `json:"parts_discarded"`
	GaveUp          bool               `json:"gave_up"`
}

// CheckpointResult is one checkpoint, as the coordinator saw it.
type CheckpointResult struct {
	ID           uint32 `json:"id"`
	Savepoint    bool   `json:"savepoint"` // the user has asked for it
	Attempt      uint8  `json:"attempt"`
	Began        int64  `json:"began_ns"`
	Ended        *int64 `json:"ended_ns"` // null: it is pending
	Acknowledged int    `json:"acknowledged"`
	Declined     int    `json:"declined"`
	Late         int    `json:"late"` // acknowledgements when it was over
	// Finished is the tasks that had finished when they recorded, if it is complete.
	Finished []string `json:"finished,omitempty"`
	Outcome  string   `json:"outcome"`
	Node     *string  `json:"node"` // whose doing the abort was; null: nobody's
	Retired  *int64   `json:"retired_ns"`
}

// What becomes of a checkpoint.
const (
	outcomePending  = "pending"
	outcomeStored   = "stored"
	outcomeRetired  = "retired"
	outcomeTimeout  = "timeout"
	outcomeDeclined = "declined"
	outcomeNotReady = "not-ready"
	outcomeCrash    = "crash"
	outcomeSubsumed = "subsumed"
	outcomeRestart  = "restart"
	outcomeForgot   = "coordinator-crash"
)

// Outcomes is what can become of a checkpoint.
func Outcomes() []Named {
	return []Named{
		{outcomeStored, "complete, and still stored when the run ended"},
		{outcomeRetired, "complete, and deleted when later ones were stored"},
		{outcomeTimeout, "aborted: it took too long"},
		{outcomeDeclined, "aborted: a task, whose part could not be stored, declined it"},
		{outcomeNotReady, "aborted: a task had not caught up with what was restarted upstream of it"},
		{outcomeCrash, "aborted: a task crashed"},
		{outcomeSubsumed, "aborted: a later one was complete first"},
		{outcomeRestart, "aborted: another one failed, too many had, and the graph was restarted"},
		{outcomeForgot, "given up: the coordinator crashed, and forgot it"},
		{outcomePending, "neither when the run ended"},
	}
}

// checkpointReader follows the facts of a run.
type checkpointReader struct {
	plan      *Plan
	snapshots []*sim.Snapshot
	result    CoordinatorResult
	metadata  []sim.Metadata // of the checkpoints that were complete, in their order; those that are still to come
	by        map[sim.SnapshotID]*CheckpointResult
	cause     *sim.Fact // what the coordinator has been told last
	fresh     bool      // nothing has been aborted since
}

// coordinatorResult words what the coordinator did; nil if there is none.
func (p *Plan) coordinatorResult(h *sim.History) *CoordinatorResult {
	if p.Scenario.Coordinator == nil {
		return nil
	}
	r := checkpointReader{plan: p, snapshots: h.Snapshots, metadata: h.Published, by: map[sim.SnapshotID]*CheckpointResult{}}
	began := 0
	for i := range h.Facts {
		if h.Facts[i].Kind == sim.FactBegan {
			began++
		}
	}
	r.result.Checkpoints = make([]CheckpointResult, 0, began) // by points into it
	for i := range h.Facts {
		r.read(&h.Facts[i])
	}
	return &r.result
}

func (r *checkpointReader) read(f *sim.Fact) {
	x := &r.result
	switch f.Kind {
	case sim.FactStarted, sim.FactAlarm, sim.FactNoticed, sim.FactUnreadable:
		r.cause, r.fresh = f, true
		x.Unreadable += one(f.Kind == sim.FactUnreadable)
	case sim.FactFailed:
		x.Crashes++
		for i := range x.Checkpoints {
			if c := &x.Checkpoints[i]; c.Outcome == outcomePending {
				c.end(f, outcomeForgot)
			}
		}
	case sim.FactTold, sim.FactReplied:
		x.Sent++
	case sim.FactDropped:
		x.Lost++
	case sim.FactRestore:
		x.RestoresOrdered++
	case sim.FactStored:
		x.PartsStored++
	case sim.FactLost:
		x.PartsLost++
	case sim.FactDiscarded:
		x.PartsDiscarded++
	case sim.FactGaveUp:
		x.GaveUp = true
	case sim.FactReceived:
		r.cause, r.fresh = f, true
		r.received(f)
	default:
		r.decided(f)
	}
}

// received counts an acknowledgement or a decline. What confirms that a checkpoint was
// cancelled is a decline, too, and comes when it is over.
func (r *checkpointReader) received(f *sim.Fact) {
	c := r.by[f.ID]
	if c == nil {
		return
	}
	pending := c.Outcome == outcomePending && f.Control.Attempt == c.Attempt
	switch {
	case f.Control.Kind == sim.Decline && pending:
		c.Declined++
	case f.Control.Kind != sim.Acknowledge:
	case pending:
		c.Acknowledged++
	default:
		c.Late++
	}
}

// decided notes the beginning and the end of a checkpoint.
func (r *checkpointReader) decided(f *sim.Fact) {
	if f.Kind == sim.FactBegan {
		x := CheckpointResult{ID: uint32(f.ID), Began: f.At, Outcome: outcomePending}
		if f.ID > 0 && uint64(f.ID) <= uint64(len(r.snapshots)) {
			x.Attempt, x.Savepoint = r.snapshots[f.ID-1].Incarnation, r.snapshots[f.ID-1].Savepoint
		}
		r.result.Checkpoints = append(r.result.Checkpoints, x)
		r.by[f.ID] = &r.result.Checkpoints[len(r.result.Checkpoints)-1]
		return
	}
	c := r.by[f.ID]
	if c == nil {
		return
	}
	switch f.Kind {
	case sim.FactPublished:
		c.end(f, outcomeStored)
		c.Finished = r.finished(f.ID)
		r.cause, r.fresh = f, true
	case sim.FactRetired:
		c.Outcome, c.Retired = outcomeRetired, &f.At
	case sim.FactAborted:
		outcome, node := r.reason()
		c.end(f, outcome)
		if node >= 0 {
			c.Node = &r.plan.Graph.Nodes[node]
		}
		r.fresh = false
	}
}

// reason is why a checkpoint is aborted now: for what the coordinator was told last. A
// failure takes one with it, and the restart that may follow the others.
func (r *checkpointReader) reason() (outcome string, node int32) {
	switch {
	case r.cause == nil:
	case r.cause.Kind == sim.FactPublished:
		return outcomeSubsumed, -1
	case r.cause.Kind == sim.FactNoticed:
		return outcomeCrash, r.cause.Task
	case r.fresh && r.cause.Kind == sim.FactAlarm:
		return outcomeTimeout, -1
	case r.fresh && r.cause.Kind == sim.FactReceived && r.cause.Control.Kind == sim.NotReady:
		return outcomeNotReady, r.cause.Task
	case r.fresh && r.cause.Kind == sim.FactReceived:
		return outcomeDeclined, r.cause.Task
	}
	return outcomeRestart, -1
}

func (c *CheckpointResult) end(f *sim.Fact, outcome string) { c.Ended, c.Outcome = &f.At, outcome }

// finished is the tasks that had finished when they recorded a checkpoint that is now
// complete.
func (r *checkpointReader) finished(id sim.SnapshotID) (names []string) {
	if len(r.metadata) == 0 || r.metadata[0].ID != id {
		return nil
	}
	for v, finished := range r.metadata[0].Finished {
		if finished {
			names = append(names, r.plan.Graph.Nodes[v])
		}
	}
	r.metadata = r.metadata[1:]
	return names
}

// parts is how many tasks of all have acknowledged, for people.
func (c *CheckpointResult) parts(all int) string {
	text := fmt.Sprintf("%d of %d", c.Acknowledged, all)
	if len(c.Finished) > 0 {
		text += fmt.Sprintf(", %d finished", len(c.Finished))
	}
	return text
}

// why is the outcome for people.
func (c *CheckpointResult) why() string {
	text := c.Outcome
	if c.Node != nil {
		text += " of " + *c.Node
	}
	if c.Savepoint {
		text += ", a savepoint"
	}
	return text
}

func (res *Result) writeCheckpoints(b *strings.Builder) {
	x := res.Coordinator
	if x == nil {
		return
	}
	listed := x.Checkpoints[:min(len(x.Checkpoints), listedSnapshots)]
	if len(listed) > 0 {
		table(b, "checkpoints, as the coordinator saw them", func(w io.Writer) {
			fmt.Fprint(w, "  id\tattempt\tbegan\tended\tacknowledged\tdeclined\tlate\toutcome\n")
			for i := range listed {
				c := &listed[i]
				fmt.Fprintf(w, "  %d\t%d\t%s\t%s\t%s\t%d\t%d\t%s\n", c.ID, c.Attempt, res.span(c.Began), res.maybe(c.Ended), c.parts(res.Nodes), c.Declined, c.Late, c.why())
			}
		})
		if rest := len(x.Checkpoints) - len(listed); rest > 0 {
			fmt.Fprintf(b, "  and %d more\n", rest)
		}
	}
	fmt.Fprintf(b, "\ncontrol messages: %d sent, %d lost; parts: %d stored, %d lost, %d discarded; %s ordered, %s of the coordinator\n",
		x.Sent, x.Lost, x.PartsStored, x.PartsLost, x.PartsDiscarded, plural(x.RestoresOrdered, "restore"), pluralOf(x.Crashes, "crash", "crashes"))
}

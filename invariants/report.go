package invariants

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"simrun/sim"
)

// Violation is one thing that should not have been, and where.
type Violation struct {
	Invariant string         // one of Names
	Snapshot  sim.SnapshotID // 0: none in particular
	Restore   int            // index into History.Restores; -1: none
	Node      int32          // -1: none
	Channel   int32          // -1: none
	Numbers   []uint32       // of the channel's messages, the first hundred of them
	Records   []RecordID     // whose effects are missing or too many, the first hundred of them
	Misdeed   string         // of conduct: its kind; "" for all others
	Detail    string         // a sentence with the reason
}

// String is the invariant and the reason.
func (v Violation) String() string { return v.Invariant + ": " + v.Detail }

// Verdict is what is said of one snapshot or one restore.
type Verdict string

// The verdicts. A complete snapshot that was recorded after the run stopped being
// legal counts as violated: there is no true state that it could agree with. So
// does a restore from a snapshot that is violated.
const (
	Holds    Verdict = "holds"
	Violated Verdict = "violated"
	Aborted  Verdict = "aborted"
	Pending  Verdict = "pending"
)

// Report is the outcome of Check.
type Report struct {
	Checks     []string    // the invariants that were checked, in the order of Names
	Partial    []string    // those of which only the counters could be checked, as rows are off
	Violations []Violation // in the order in which they came about
	Unlisted   int         // violations beyond the first hundred of one invariant and snapshot
	Lost       int64       // External records lost by restores that do not replay: expected, and said
	Ledger     *Ledger     // nil: no restores and no transactional sinks, no rows, unreliable channels, or the run stopped being legal,
	// or before all had come again that comes again when some nodes are restarted
	// Unfollowed is how many restores there are from the first on that started over as no
	// checkpoint could be read, in a run that had itself begun with a snapshot, or on
	// unreliable channels. The run is not followed beyond it, and there is no Ledger: of
	// what comes later only what needs no rows is checked.
	Unfollowed int
	Snapshots  []Verdict // by id: Snapshots[0] is that of snapshot 1
	Restores   []Verdict // by index into History.Restores
	// By snapshot: how many exchanges of neighbouring events make a computation that
	// passes through the recorded state of what happened while it was recorded; -1
	// where reachability was not checked.
	Swaps []int64

	// Why a snapshot or restore is violated of which no violation speaks: it
	// follows from an earlier one. Of a snapshot that is pending in a run that was cut
	// short, that this is no verdict. Empty for all others.
	SnapshotBecause []string
	RestoreBecause  []string
}

// Holds says whether nothing was violated.
func (r *Report) Holds() bool { return len(r.Violations) == 0 }

// SnapshotVerdict is the verdict on the snapshot with this id.
func (r *Report) SnapshotVerdict(id sim.SnapshotID) Verdict { return r.Snapshots[id-1] }

// violationsMax is the most violations listed for one invariant and snapshot: a
// broken run of a large graph has millions.
const violationsMax = 100

// subject is what violations are counted by, so that one that has very many does
// not hide another.
type subject struct {
	inv      invariant
	snapshot sim.SnapshotID
	restore  int
}

// atEnd is the position of what is only seen when the run has ended.
const atEnd = math.MaxInt64

// standsAt says where in the run the following violations came about: at a row, or
// if rows are off at an instant.
func (c *Checker) standsAt(row int, at int64) {
	if c.h.Rows != nil {
		at = int64(row)
	}
	c.position = at
}

// standsAtCut is standsAt for the last recording of a snapshot.
func (c *Checker) standsAtCut(s *sim.Snapshot) {
	row, at := 0, int64(0)
	for i := range s.Recordings {
		row, at = max(row, s.Recordings[i].Row), max(at, s.Recordings[i].At)
	}
	c.standsAt(row, at)
}

// inOrder sorts the violations by where they came about: the first wrong event is
// the one to look at, and others may follow from it.
func (c *Checker) inOrder() {
	order := make([]int, len(c.out.Violations))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(c.positions[a], c.positions[b]) })
	sorted := make([]Violation, len(order))
	for i, from := range order {
		sorted[i] = c.out.Violations[from]
	}
	if len(sorted) > 0 {
		c.out.Violations = sorted
	}
}

// nowhere is a Violation's place when there is none to name; checks fill in what
// they know.
var nowhere = Violation{Restore: -1, Node: -1, Channel: -1}

// report notes a violation, unless its invariant is switched off.
func (c *Checker) report(inv invariant, where Violation, format string, args ...any) {
	if c.off[inv] {
		return
	}
	c.damage(inv, where, format, args...)
}

// damage notes a violation even if its invariant is switched off: what a history
// that contradicts itself says is worth nothing.
func (c *Checker) damage(inv invariant, where Violation, format string, args ...any) {
	if k := where.Restore; k >= 0 && k < len(c.out.Restores) {
		c.out.Restores[k] = Violated // and not the snapshot, which may be right
	} else {
		c.accuse(where.Snapshot)
	}
	key := subject{inv, where.Snapshot, where.Restore}
	if c.count[key]++; c.count[key] > violationsMax {
		c.out.Unlisted++
		return
	}
	where.Invariant = inv.String()
	where.Detail = fmt.Sprintf(format, args...)
	c.out.Violations = append(c.out.Violations, where)
	c.positions = append(c.positions, c.position)
}

// accuse says that a snapshot is violated, if there is one with this id.
func (c *Checker) accuse(id sim.SnapshotID) {
	if id > 0 && uint64(id) <= uint64(len(c.out.Snapshots)) && c.out.Snapshots[id-1] == Holds {
		c.out.Snapshots[id-1] = Violated
	}
}

// verdicts gives every snapshot and restore the verdict it has if nothing is found.
func (c *Checker) verdicts() {
	c.out.Snapshots = make([]Verdict, len(c.h.Snapshots))
	for i, s := range c.h.Snapshots {
		switch {
		case s == nil || s.Status == sim.Pending:
			c.out.Snapshots[i] = Pending
		case s.Status == sim.Complete:
			c.out.Snapshots[i] = Holds
		default:
			c.out.Snapshots[i] = Aborted
		}
	}
	c.out.SnapshotBecause = make([]string, len(c.h.Snapshots))
	c.out.Swaps = make([]int64, len(c.h.Snapshots))
	for i := range c.out.Swaps {
		c.out.Swaps[i] = -1
		if c.out.Snapshots[i] == Pending && c.h.End.Limited() {
			c.out.SnapshotBecause[i] = cutShort
		}
	}
	c.out.Restores = make([]Verdict, len(c.h.Restores))
	c.out.RestoreBecause = make([]string, len(c.h.Restores))
	for k := range c.out.Restores {
		c.out.Restores[k] = Holds
	}
}

// cutShort is all that can be said of a snapshot that was pending at a limit.
const cutShort = "the run was cut short; whether it completes depends on an order that is fair to it"

// inherit finds the restores from snapshots that are violated.
func (c *Checker) inherit() {
	for k := range c.h.Restores {
		if s := c.h.Restores[k].Snapshot; s != nil && s.ID > 0 && uint64(s.ID) <= uint64(len(c.out.Snapshots)) &&
			c.out.Snapshots[s.ID-1] == Violated {
			c.condemnRestore(k, fmt.Sprintf("from violated snapshot %d", s.ID))
		}
	}
}

// condemnSnapshot says that a snapshot is violated because of something earlier.
func (c *Checker) condemnSnapshot(id sim.SnapshotID, because string) {
	if c.out.Snapshots[id-1] == Holds {
		c.out.Snapshots[id-1], c.out.SnapshotBecause[id-1] = Violated, because
	}
}

// condemnRestore is condemnSnapshot for a restore.
func (c *Checker) condemnRestore(k int, because string) {
	if c.out.Restores[k] == Holds {
		c.out.Restores[k], c.out.RestoreBecause[k] = Violated, because
	}
}

// Unjudged is the report on a run that could not be judged.
func Unjudged(run *Run) *Report {
	const because = "the run could not be judged"
	c := &Checker{run: run, h: run.History, out: new(Report)}
	c.verdicts()
	for i := range c.out.Snapshots {
		c.condemnSnapshot(sim.SnapshotID(i+1), because)
	}
	for k := range c.out.Restores {
		c.condemnRestore(k, because)
	}
	return c.out
}

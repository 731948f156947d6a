package explore

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"time"

	"simrun/scenarios"
	"simrun/sim"
)

// Result is what a search has found.
type Result struct {
	Scenario  string `json:"scenario"`
	Algorithm string `json:"algorithm"`
	Seed      uint64 `json:"seed"`
	Finished  bool   `json:"finished"`   // every schedule was visited
	StoppedBy string `json:"stopped_by"` // why not; empty if it finished

	Verdict     string     `json:"verdict"` // on all schedules that were visited
	States      int64      `json:"states"`
	Transitions int64      `json:"transitions"` // steps taken, from all states together
	Depth       int        `json:"depth"`       // steps of the longest schedule of which every prefix was visited
	Ends        int64      `json:"ends"`        // states in which a run is over
	Snapshots   int64      `json:"snapshots"`   // distinct ones that were recorded
	Verdicts    []Verdict  `json:"verdicts"`    // every kind of outcome
	Reduction   Reduction  `json:"reduction"`
	Violation   *Violation `json:"violation"` // the first

	Bytes   float64 `json:"bytes_per_state"` // with all that is kept to find the states again
	Seconds float64 `json:"seconds"`

	Recorded []Snapshot `json:"recorded,omitempty"` // the distinct snapshots, if asked for

	plan     *scenarios.Plan
	seed     uint64
	begun    time.Time
	distinct map[string]*Snapshot
	kinds    map[string]int64
}

// Reduction is what was left out as it leads to no other outcome.
type Reduction struct {
	On      bool  `json:"on"`
	Reduced int64 `json:"states"` // in which not all steps were taken
	Skipped int64 `json:"steps"`  // that were not taken there
}

// Verdict is a kind of outcome: of a snapshot that was completed, or of a run as a whole.
type Verdict struct {
	Of       string   `json:"of"`       // snapshot or run
	Violates []string `json:"violates"` // invariants, by name; empty: it holds
	Outcomes int64    `json:"outcomes"` // how many different ones
}

// Violation is the first one, with the schedule that leads to it.
type Violation struct {
	Invariants []string       `json:"invariants"`
	Snapshot   sim.SnapshotID `json:"snapshot"` // 0: none in particular
	Details    []string       `json:"details"`
	Shortest   bool           `json:"shortest"` // no schedule with fewer steps leads to any violation
	Schedule   []string       `json:"schedule"`
	Steps      []sim.Step     `json:"-"`
}

// Snapshot is a global state that a run could have recorded.
type Snapshot struct {
	ID       sim.SnapshotID `json:"snapshot"`
	States   []string       `json:"states"`   // by node, as JSON
	Channels [][]string     `json:"channels"` // by channel: messages
	Violates []string       `json:"violates"`
	Steps    int            `json:"steps"` // of the shortest schedule found

	key string
}

func newResult(plan *scenarios.Plan, options Options) *Result {
	return &Result{
		Scenario: plan.Name, Algorithm: plan.Algorithm.Name, Seed: options.Seed,
		Reduction: Reduction{On: !options.Full},
		plan:      plan, seed: options.Seed, begun: time.Now(),
		distinct: map[string]*Snapshot{}, kinds: map[string]int64{},
	}
}

// addSnapshot takes in a snapshot that is complete at the end of a run.
func (r *Result) addSnapshot(x *explorer, run *judgedRun, id sim.SnapshotID) {
	violates, details := run.aboutSnapshot(id)
	r.kinds["snapshot"+strings.Join(violates, ",")]++
	if len(violates) > 0 {
		r.violated(x, run, id, violates, details)
	}
	s := run.history.Snapshots[id-1]
	key := contentOf(s)
	if r.distinct[key] == nil {
		r.distinct[key] = r.readable(s, key, violates, len(run.steps))
	}
}

// addRun takes in what is said of a run, but for the complete snapshots.
func (r *Result) addRun(x *explorer, run *judgedRun) {
	violates, details := run.aboutRun()
	r.kinds["run"+strings.Join(violates, ",")]++
	if len(violates) > 0 {
		r.violated(x, run, 0, violates, details)
	}
}

// violated keeps a violation if none is known that fewer steps lead to.
func (r *Result) violated(x *explorer, run *judgedRun, id sim.SnapshotID, violates, details []string) {
	if r.Violation != nil && len(r.Violation.Steps) <= len(run.steps) {
		return
	}
	r.Violation = &Violation{Invariants: violates, Snapshot: id, Details: details, Steps: slices.Clone(run.steps)}
}

// aboutSnapshot is the invariants that a complete snapshot violates, and why.
func (run *judgedRun) aboutSnapshot(id sim.SnapshotID) (violates, details []string) {
	if run.report.SnapshotVerdict(id) != "violated" {
		return nil, nil
	}
	for _, v := range run.report.Violations {
		if v.Snapshot == id {
			violates, details = append(violates, v.Invariant), append(details, v.String())
		}
	}
	if violates == nil {
		for _, v := range run.report.Violations { // recorded when the run was no longer legal
			violates, details = append(violates, v.Invariant), append(details, v.String())
		}
	}
	return sorted(violates), details
}

// aboutRun is the invariants that the run violates otherwise.
func (run *judgedRun) aboutRun() (violates, details []string) {
	for _, v := range run.report.Violations {
		if v.Snapshot == 0 || run.history.Snapshots[v.Snapshot-1].Status != sim.Complete || v.Invariant == "termination" {
			violates, details = append(violates, v.Invariant), append(details, v.String())
		}
	}
	return sorted(violates), details
}

// sorted is names in their order, each once.
func sorted(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

// contentOf is what a snapshot has recorded, as a key.
func contentOf(s *sim.Snapshot) string {
	key := binary.AppendUvarint(nil, uint64(s.ID))
	bytes := func(b []byte) {
		key = binary.AppendUvarint(key, uint64(len(b)))
		key = append(key, b...)
	}
	for v := range s.States {
		bytes(s.States[v])
		bytes(s.Attached[v])
		key = binary.AppendUvarint(key, s.Recordings[v].Offset)
		key = binary.AppendUvarint(key, uint64(len(s.Recordings[v].Timers)))
		for _, t := range s.Recordings[v].Timers {
			key = binary.AppendUvarint(key, uint64(t.ID))
		}
	}
	for _, content := range s.Channels {
		key = binary.AppendUvarint(key, uint64(len(content)))
		for i := range content {
			m := &content[i].Message
			key = binary.AppendUvarint(key, m.Key)
			key = binary.AppendVarint(key, m.Value)
			key = binary.AppendUvarint(key, m.Aux)
			key = append(key, byte(m.Kind()))
		}
	}
	return string(key)
}

// readable is a snapshot for people.
func (r *Result) readable(s *sim.Snapshot, key string, violates []string, steps int) *Snapshot {
	out := &Snapshot{ID: s.ID, Violates: violates, Steps: steps, key: key}
	for v := range s.States {
		out.States = append(out.States, r.plan.Describe(r.seed, int32(v), s.States[v]))
	}
	for _, content := range s.Channels {
		messages := []string{}
		for i := range content {
			messages = append(messages, messageText(content[i].Message))
		}
		out.Channels = append(out.Channels, messages)
	}
	return out
}

// messageText is a message for people.
func messageText(m sim.Message) string {
	text := fmt.Sprintf("key %d, value %d", m.Key, m.Value)
	if m.Aux != 0 {
		text += fmt.Sprintf(", aux %#x", m.Aux)
	}
	return text
}

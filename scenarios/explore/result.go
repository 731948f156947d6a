package explore

import (
	"encoding/binary"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"simrun/invariants"
	"simrun/scenarios"
	"simrun/sim"
)

// Result is what a search has found.
type Result struct {
	Scenario  string `json:"scenario"`
	Algorithm string `json:"algorithm"`
	Seed      uint64 `json:"seed"`
	Verdict   string `json:"verdict"`
	Finished  bool   `json:"finished"`
	StoppedBy string `json:"stopped_by,omitempty"` // if it did not finish

	States      int64     `json:"states"`
	Transitions int64     `json:"transitions"` // steps that were taken, from all states
	Depth       int       `json:"depth"`       // steps of the longest of all shortest ways to a state
	Ends        int64     `json:"ends"`        // states in which a run is over
	Snapshots   int64     `json:"distinct_snapshots"`
	Reduction   Reduction `json:"reduction"`
	Bytes       float64   `json:"bytes_per_state"`
	Seconds     float64   `json:"seconds"`

	Outcomes  []Outcome  `json:"outcomes"`
	Violation *Violation `json:"violation"`            // the first; null: none
	Kept      string     `json:"reproducer,omitempty"` // the file to which the run of the violation was written
	Recorded  []Snapshot `json:"snapshots,omitempty"`

	plan     *scenarios.Plan
	distinct map[string]*Snapshot
	kinds    map[string]int64
}

// Reduction is what was left out, as it leads to nothing that the rest does not lead to.
type Reduction struct {
	On      bool  `json:"on"`
	GaveUp  bool  `json:"gave_up"` // its preparation was too large
	States  int64 `json:"states"`  // from which not all steps were taken
	Skipped int64 `json:"steps"`   // that were not taken there
}

// Outcome is one kind of outcome: of snapshots that were complete, or of runs apart from
// those.
type Outcome struct {
	Of       string   `json:"of"` // snapshot or run
	Violates []string `json:"violates"`
	Count    int64    `json:"count"` // of different ones
}

// Violation is one violation, with a schedule that leads to it.
type Violation struct {
	Violates []string       `json:"violates"`
	Snapshot sim.SnapshotID `json:"snapshot"` // 0: none in particular
	Details  []string       `json:"details"`
	Steps    int            `json:"steps"`
	Shortest bool           `json:"shortest"` // no schedule with fewer steps leads to any violation
	Schedule []string       `json:"schedule"`

	depth    int
	schedule []sim.Step
}

// Snapshot is a global state that some run records.
type Snapshot struct {
	ID       sim.SnapshotID    `json:"snapshot"`
	States   []json.RawMessage `json:"states"`   // by node
	Offsets  []uint64          `json:"offsets"`  // by node: records read
	Timers   [][]uint32        `json:"timers"`   // by node: those that are armed
	Channels [][]Message       `json:"channels"` // by channel
	Violates []string          `json:"violates"`
	Steps    int               `json:"steps"` // of the first schedule that was found to record it
}

// Message is a message in a recorded channel state.
type Message struct {
	Key   uint64 `json:"key"`
	Value int64  `json:"value"`
	Aux   uint64 `json:"aux"`
}

func newResult(plan *scenarios.Plan, options Options) *Result {
	return &Result{
		Scenario: plan.Name, Algorithm: plan.Algorithm.Name, Seed: options.Seed, plan: plan,
		distinct: map[string]*Snapshot{}, kinds: map[string]int64{},
	}
}

// close finishes the account.
func (r *Result) close(x *explorer) {
	r.StoppedBy = x.stopped
	r.States, r.Snapshots = int64(x.states.n), int64(len(r.distinct))
	r.Bytes = float64(x.states.bytes()+x.partBytes) / float64(r.States)
	r.Reduction.On, r.Reduction.GaveUp = x.reduction != nil, x.gaveUp
	for _, kind := range slices.Sorted(maps.Keys(r.kinds)) {
		names := strings.Fields(kind)
		r.Outcomes = append(r.Outcomes, Outcome{Of: names[0], Violates: names[1:], Count: r.kinds[kind]})
	}
	if x.options.Snapshots {
		for _, key := range slices.Sorted(maps.Keys(r.distinct)) {
			r.Recorded = append(r.Recorded, *r.distinct[key])
		}
	}
	switch {
	case r.Violation != nil:
		r.Verdict = scenarios.Violated
	case r.Finished:
		r.Verdict = scenarios.Holds
	default:
		r.Verdict = scenarios.Inconclusive
	}
}

// Interrupted says whether somebody ended the search.
func (r *Result) Interrupted() bool { return r.StoppedBy == interrupted }

// ExitCode is what a command that searched returns.
func (r *Result) ExitCode() int {
	switch {
	case r.Violation != nil:
		return 1
	case r.Interrupted():
		return 130
	case !r.Finished:
		return 3
	}
	return 0
}

// addSnapshot takes in a snapshot that is complete at the end of a run.
func (r *Result) addSnapshot(run *judgedRun, id sim.SnapshotID) {
	violates, details := run.aboutSnapshot(id)
	s := run.history.Snapshots[id-1]
	if key := contentOf(s) + strings.Join(violates, " "); r.distinct[key] == nil {
		r.distinct[key] = r.readable(s, violates, len(run.steps))
		r.add("snapshot", run, Violation{Violates: violates, Snapshot: id, Details: details})
	}
}

// addRun takes in what is said of a run, but for the complete snapshots.
func (r *Result) addRun(run *judgedRun) {
	violates, details := run.aboutRun()
	r.add("run", run, Violation{Violates: violates, Details: details})
}

// add counts an outcome and, if it is a violation, keeps the one to which the fewest steps
// lead.
func (r *Result) add(of string, run *judgedRun, v Violation) {
	r.kinds[strings.Join(append([]string{of}, v.Violates...), " ")]++
	if len(v.Violates) > 0 && (r.Violation == nil || run.depth < r.Violation.depth) {
		v.depth, v.schedule, v.Steps = run.depth, slices.Clone(run.steps), len(run.steps)
		r.Violation = &v
	}
}

// aboutSnapshot is the invariants that a complete snapshot violates, and why.
func (run *judgedRun) aboutSnapshot(id sim.SnapshotID) (violates, details []string) {
	if run.report.SnapshotVerdict(id) != invariants.Violated {
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
func (r *Result) readable(s *sim.Snapshot, violates []string, steps int) *Snapshot {
	out := &Snapshot{ID: s.ID, Violates: append([]string{}, violates...), Steps: steps}
	for v := range s.States {
		out.States = append(out.States, r.plan.Describe(r.Seed, int32(v), s.States[v]))
		out.Offsets = append(out.Offsets, s.Recordings[v].Offset)
		timers := []uint32{}
		for _, t := range s.Recordings[v].Timers {
			timers = append(timers, t.ID)
		}
		out.Timers = append(out.Timers, timers)
	}
	for _, content := range s.Channels {
		messages := []Message{}
		for i := range content {
			m := &content[i].Message
			messages = append(messages, Message{m.Key, m.Value, m.Aux})
		}
		out.Channels = append(out.Channels, messages)
	}
	return out
}

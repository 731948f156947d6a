package scenarios

import (
	"fmt"
	"strings"

	"simrun/scenarios/label"
	"simrun/sim"
)

// Result is what there is to say about a run. Its JSON is what --json prints.
// Times are nanoseconds of virtual time, or steps in chosen order.
type Result struct {
	Scenario  string `json:"scenario"`
	Seed      uint64 `json:"seed"`
	Algorithm string `json:"algorithm"`
	Order     string `json:"order"`
	// How the order was chosen; null if it was not.
	Search   *Searched `json:"search"`
	App      string    `json:"app"`
	Graph    string    `json:"graph"`
	Nodes    int       `json:"nodes"`
	Channels int       `json:"channels"`

	Verdict  string   `json:"verdict"`
	Expected *bool    `json:"expected"` // null: the scenario expects nothing
	Unmet    []string `json:"unmet,omitempty"`
	End      string   `json:"end"`

	Digest            string `json:"digest"`
	ApplicationDigest string `json:"application_digest"`
	VirtualTime       int64  `json:"virtual_time_ns"`
	Steps             int64  `json:"steps"`
	Deliveries        int64  `json:"deliveries"`
	LostRecords       int64  `json:"lost_records"` // External records skipped by replay: none

	Exercised     Exercised          `json:"exercised"`
	Checks        []string           `json:"checks"`
	Restored      string             `json:"restored,omitempty"`    // the checkpoint that the run began with
	Checkpoints   []string           `json:"checkpoints,omitempty"` // folders that were written
	Snapshots     []SnapshotResult   `json:"snapshots"`
	Recoveries    []RecoveryResult   `json:"recoveries"`
	Coordinator   *CoordinatorResult `json:"coordinator"` // null: there is none
	Ledger        *LedgerResult      `json:"ledger"`      // null: no recoveries and plain sinks, or they could not be followed
	UnfiredFaults []string           `json:"unfired_faults"`
	Violations    []ViolationResult  `json:"violations"`
	MoreViolated  int                `json:"violations_not_listed,omitempty"`
	Reproduce     string             `json:"reproduce"`
	Picture       string             `json:"picture,omitempty"` // of the run, if somebody drew it

	// For WriteText only.
	stepLimit  int64
	stateIDs   []sim.SnapshotID
	stateNodes []string
	states     [][]string
	story      []string // of the first violation, if somebody told it
	explain    string   // the command that tells more
}

// SnapshotResult is one snapshot.
type SnapshotResult struct {
	ID              uint32   `json:"id"`
	Initiators      []string `json:"initiators"`
	Triggered       int64    `json:"triggered_ns"`
	Started         *int64   `json:"started_ns"`   // null: no node recorded
	Completed       *int64   `json:"completed_ns"` // null: it is not complete
	Markers         int64    `json:"markers"`
	ChannelMessages int64    `json:"channel_messages"`
	Blocked         int64    `json:"blocked_ns"`
	Swaps           *int64   `json:"swaps"`   // null: reachability was not checked of it
	Verdict         string   `json:"verdict"` // holds, violated, aborted, pending or given
	// What a violated one follows from that is not in violations itself.
	Because string `json:"because,omitempty"`
}

// RecoveryResult is one recovery.
type RecoveryResult struct {
	CrashedAt   int64    `json:"crashed_at_ns"`
	At          int64    `json:"at_ns"`
	Incarnation uint8    `json:"incarnation"`
	Snapshot    *uint32  `json:"snapshot"` // null: the initial state
	Crashed     []string `json:"crashed"`
	Restarted   []string `json:"restarted"` // null: all nodes
	Aborted     []uint32 `json:"aborted"`

	// What was done after the cut and is undone: it is done again, or, for
	// records under replay: none, lost.
	UndoneMessages int64 `json:"undone_messages"`
	UndoneRecords  int64 `json:"undone_records"`
	// Messages put back into channels, or replayed, from the snapshot.
	Replayed int64 `json:"replayed_messages"`
	// Messages dropped from here to the next recovery, as they had come before.
	Dropped int64  `json:"dropped_messages"`
	Verdict string `json:"verdict"`
	Because string `json:"because,omitempty"` // see SnapshotResult
}

// ViolationResult is one violated invariant, and where.
type ViolationResult struct {
	Invariant string   `json:"invariant"`
	Snapshot  *uint32  `json:"snapshot"` // null: none in particular
	Recovery  *int     `json:"recovery"` // index into recoveries
	Node      *string  `json:"node"`
	Channel   *int32   `json:"channel"`
	Numbers   []uint32 `json:"numbers,omitempty"`
	Misdeed   string   `json:"misdeed,omitempty"` // of conduct: its kind
	Detail    string   `json:"detail"`
}

// result words an execution.
func (p *Plan) result(x *execution) *Result {
	h := x.history
	res := &Result{
		Scenario: p.Name, Seed: x.seed, Algorithm: p.Algorithm.Name,
		Order: p.Scenario.Order, Search: p.searched(x.seed), App: p.Scenario.App.Kind, Graph: p.Graph.Name,
		Nodes: len(p.Graph.Nodes), Channels: len(p.Graph.Channels),
		Verdict: x.verdict, End: endNames[h.End],
		Digest: digest(h.Digest), ApplicationDigest: digest(h.ApplicationDigest),
		VirtualTime: h.EndedAt, Steps: h.Steps, Deliveries: h.Deliveries, LostRecords: x.report.Lost,
		Exercised:     x.exercised,
		Coordinator:   x.coordinator,
		Ledger:        p.ledgerResult(x.report.Ledger),
		Checks:        append([]string{}, x.report.Checks...),
		Snapshots:     []SnapshotResult{},
		Recoveries:    []RecoveryResult{},
		UnfiredFaults: []string{},
		Violations:    []ViolationResult{},
		MoreViolated:  x.report.Unlisted,
		Reproduce:     p.reproduce(x.seed),
		Restored:      p.restored,
	}
	if p.Scenario.Expect != nil {
		res.Unmet = p.unmet(x)
		met := len(res.Unmet) == 0
		res.Expected = &met
	}
	for i, s := range h.Snapshots {
		if s.Status == sim.Absent {
			continue
		}
		one := p.snapshotResult(s, string(x.report.Snapshots[i]))
		if s == h.From && one.Verdict == Holds {
			one.Verdict = given
		}
		one.Because = x.report.SnapshotBecause[i]
		if x.report.Swaps[i] >= 0 {
			one.Swaps = &x.report.Swaps[i]
		}
		res.Snapshots = append(res.Snapshots, one)
	}
	res.stepLimit, res.stateNodes = p.config.MaxSteps, p.Graph.Nodes
	res.stateIDs, res.states = p.shownStates(x)
	for i := range h.Restores {
		res.Recoveries = append(res.Recoveries, p.recoveryResult(&h.Restores[i], string(x.report.Restores[i])))
		res.Recoveries[i].Because = x.report.RestoreBecause[i]
	}
	for _, i := range h.UnfiredFaults {
		res.UnfiredFaults = append(res.UnfiredFaults, p.Scenario.Faults[i].String())
	}
	for _, v := range x.report.Violations {
		out := ViolationResult{Invariant: v.Invariant, Numbers: v.Numbers, Misdeed: v.Misdeed, Detail: v.Detail}
		if v.Snapshot != 0 {
			out.Snapshot = snapshotID(v.Snapshot)
		}
		if v.Restore >= 0 {
			out.Recovery = &v.Restore
		}
		if v.Node >= 0 {
			out.Node = &p.Graph.Nodes[v.Node]
		}
		if v.Channel >= 0 {
			out.Channel = &v.Channel
		}
		res.Violations = append(res.Violations, out)
	}
	return res
}

// given is the verdict on the snapshot that a run began with: what it says of itself is
// right, and how it came about was for the earlier run to judge.
const given = "given"

var endNames = [...]string{sim.Quiescent: "quiescent", sim.Settled: "settled", sim.StepLimit: "step-limit", sim.RecoveryLimit: "recovery-limit", sim.TimeLimit: "time-limit", sim.OpenLimit: "open-limit", sim.GaveUp: "gave-up", sim.Misbehaved: "misbehaved"}

// Whole says that the run came to its own end: no limit and nobody's misconduct ended it.
func (res *Result) Whole() bool {
	return res.End == endNames[sim.Quiescent] || res.End == endNames[sim.Settled]
}

// digest is a digest as people and JSON see it: JavaScript would round a number.
func digest(d uint64) string { return fmt.Sprintf("%016x", d) }

func snapshotID(id sim.SnapshotID) *uint32 {
	n := uint32(id)
	return &n
}

func (p *Plan) snapshotResult(s *sim.Snapshot, verdict string) SnapshotResult {
	out := SnapshotResult{
		ID: uint32(s.ID), Initiators: p.nodeNames(s.Initiators), Triggered: s.TriggeredAt,
		Markers: s.Markers, Blocked: s.BlockedFor, Verdict: verdict,
	}
	if s.StartedAt >= 0 {
		out.Started = &s.StartedAt
	}
	if s.CompletedAt >= 0 {
		out.Completed = &s.CompletedAt
	}
	for _, messages := range s.Channels {
		out.ChannelMessages += int64(len(messages))
	}
	return out
}

func (p *Plan) recoveryResult(r *sim.Restore, verdict string) RecoveryResult {
	out := RecoveryResult{
		CrashedAt: r.CrashedAt, At: r.At, Incarnation: r.Incarnation,
		Crashed: p.nodeNames(r.Crashed), Aborted: []uint32{},
		UndoneMessages: r.LostProcessed, UndoneRecords: r.LostExternal, Replayed: r.Replayed, Dropped: r.Dropped,
		Verdict: verdict,
	}
	if r.Snapshot != nil {
		out.Snapshot = snapshotID(r.Snapshot.ID)
	}
	if r.Partial != nil {
		out.Restarted = p.nodeNames(r.Partial)
	}
	for _, id := range r.Aborted {
		out.Aborted = append(out.Aborted, uint32(id))
	}
	return out
}

func (p *Plan) nodeNames(ids []int32) []string {
	names := make([]string, len(ids))
	for i, v := range ids {
		names[i] = p.Graph.Nodes[v]
	}
	return names
}

// String is the fault on one line, as a file would have it.
func (f Fault) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "crash %s ", strings.Join(f.Crash, ", "))
	switch {
	case f.At != nil:
		fmt.Fprintf(&b, "at %v", *f.At)
	case f.Step != nil:
		fmt.Fprintf(&b, "at step %d", *f.Step)
	case f.When != nil:
		fmt.Fprintf(&b, "when %s", f.When.Phase)
		if f.When.Snapshot != 0 {
			fmt.Fprintf(&b, " in snapshot %d", f.When.Snapshot)
		}
		if n := f.When.Occurrence; n != nil && *n != 1 {
			fmt.Fprintf(&b, ", occurrence %d", *n)
		}
	}
	if f.Times != nil {
		fmt.Fprintf(&b, "at any step, %s", plural(int64(*f.Times), "time"))
	}
	if f.AfterOutputs != nil {
		fmt.Fprintf(&b, ", after %s", plural(int64(*f.AfterOutputs), "output"))
	}
	return b.String()
}

// reproduce is the command that repeats a run.
func (p *Plan) reproduce(seed uint64) string { return p.command("run", seed) }

// RepeatedBy is the same plan, whose run is repeated by this command: it stands in reports
// in place of those of the program.
func (p *Plan) RepeatedBy(command string) *Plan {
	own := *p
	own.repeat = command
	return &own
}

// ReplayOf is the command that carries out a reproducer.
func (p *Plan) ReplayOf(file string) string { return p.program + " replay " + ShellWord(file) }

// command is the command that does this with a run.
func (p *Plan) command(verb string, seed uint64) string {
	if p.repeat != "" {
		return p.repeat
	}
	name := p.Name
	if strings.HasPrefix(name, "-") { // which would be taken for a flag
		name = "./" + name
	}
	if p.replayed != "" {
		if verb == "run" {
			verb = "replay"
		}
		return fmt.Sprintf("%s %s %s", p.program, verb, ShellWord(name))
	}
	command := fmt.Sprintf("%s %s %s --seed %d --algorithm %s", p.program, verb, ShellWord(name), seed, ShellWord(p.Algorithm.Name))
	for _, x := range p.set {
		command += " --set " + ShellWord(x.String())
	}
	if s := p.searched(seed); s != nil && p.Scenario.Search != nil {
		command += s.flags()
	}
	if p.audits() {
		command += " --audit"
	}
	if p.restored != "" {
		command += " --restore " + ShellWord(p.restored)
	}
	return command
}

// ShellWord quotes a word for a shell, if it needs it.
func ShellWord(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./+:@%,=", r) || r > 0x7f
	}
	if label.Plain(word) != word {
		return unseen(word)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// unseen quotes a word that holds what cannot be seen: its bytes stand there by their
// numbers, so that a terminal does not obey them and what is copied is the word.
func unseen(word string) string {
	var b strings.Builder
	for _, r := range []byte(word) {
		if r > ' ' && r < 0x7f && r != '\'' && r != '\\' {
			b.WriteByte(r)
		} else {
			fmt.Fprintf(&b, `\%03o`, r)
		}
	}
	return "$'" + b.String() + "'"
}

// ExitCode is what a command that ran this returns: 0 if it is what was expected
// or, when nothing was, holds; 1 if it is not; 3 if nobody can tell.
func (res *Result) ExitCode() int {
	switch {
	case res.Expected != nil && *res.Expected:
		return 0
	case res.Expected != nil, res.Verdict == Violated:
		return 1
	case res.Verdict == Inconclusive:
		return 3
	}
	return 0
}

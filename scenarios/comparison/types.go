package comparison

import "simrun/scenarios"

// Comparison is one scenario under several algorithms, with one seed or more.
type Comparison struct {
	Scenario string `json:"scenario"`
	// In chosen order what ends with _ns is steps.
	Order string `json:"order"`
	First uint64 `json:"first_seed"`
	Last  uint64 `json:"last_seed"` // of those that were run
	Seeds int64  `json:"seeds"`     // that were run
	// Of what the delay is measured: "outputs" or "messages"; "": it is not.
	DelayOf string `json:"delay_of"`
	// The algorithm that the differences are to: the first that was run.
	Reference   string      `json:"reference"`
	Algorithms  []Algorithm `json:"algorithms"`
	Notes       []string    `json:"notes"` // what is not measured, and why
	Interrupted bool        `json:"interrupted"`

	unaccounted int64 // runs with recoveries of whose records nothing is known
}

// Algorithm is the runs under one algorithm, or why there are none.
type Algorithm struct {
	Name         string    `json:"algorithm"`
	Refused      *string   `json:"refused"` // null: it was run
	Holds        int64     `json:"holds"`   // runs
	Violated     int64     `json:"violated"`
	Inconclusive int64     `json:"inconclusive"`
	Failing      int64     `json:"failing"`            // not as expected or, if nothing is, violated
	FirstFailing *uint64   `json:"first_failing_seed"` // null: none fails
	Reproduce    string    `json:"reproduce"`          // the command that runs that one; "" without
	Summaries    []Summary `json:"summaries"`          // in the order of Measures
	Runs         []Run     `json:"runs"`               // by seed
}

// Run is one run and what was measured of it.
type Run struct {
	Seed     uint64 `json:"seed"`
	Verdict  string `json:"verdict"`
	Expected *bool  `json:"expected"` // null: the scenario expects nothing
	// Whose inputs were blocked longest; "" if none were.
	WorstNode string            `json:"blocked_worst_node"`
	Measures  Measured          `json:"measures"`
	Result    *scenarios.Result `json:"result,omitempty"` // of one seed only
}

// Summary is one measure over the runs of an algorithm.
type Summary struct {
	Measure string `json:"measure"` // its key
	Runs    int64  `json:"runs"`    // those that have it
	Median  *int64 `json:"median"`  // null: none has it
	// To the reference, with the same seed; null for the reference itself, and if no pair
	// of runs has the measure.
	Difference *Difference `json:"difference"`
}

// Difference is the paired differences of a measure: this algorithm less the reference.
type Difference struct {
	Pairs  int64 `json:"pairs"` // seeds with which both runs have the measure
	Median int64 `json:"median"`
	// An interval for the median of all seeds, by order statistics; null: there are
	// fewer than six pairs, too few for any.
	Low  *int64 `json:"low"`
	High *int64 `json:"high"`
	// How sure that is, in millionths, rounded down: at least 950,000; 0 without.
	Confidence int64 `json:"confidence_ppm"`
}

// Measured is what is measured of a run. A field is nil where there is nothing to
// measure: such as a latency without a complete snapshot, or what was lost without a
// recovery. Times are nanoseconds of virtual time, or steps in chosen order.
type Measured struct {
	Triggered *int64 `json:"snapshots_triggered"`
	Completed *int64 `json:"snapshots_completed"`
	Aborted   *int64 `json:"snapshots_aborted"`

	// Of the complete snapshots, from the trigger, and from the first record.
	LatencyMedian  *int64 `json:"latency_median_ns"`
	LatencyP99     *int64 `json:"latency_p99_ns"`
	LatencyMax     *int64 `json:"latency_max_ns"`
	RecordedMedian *int64 `json:"recorded_median_ns"`
	RecordedP99    *int64 `json:"recorded_p99_ns"`
	RecordedMax    *int64 `json:"recorded_max_ns"`

	Markers             *int64 `json:"markers"`
	CoordinatorMessages *int64 `json:"coordinator_messages"`

	// Of the complete snapshots.
	ChannelMessages *int64 `json:"channel_messages"`
	ChannelBytes    *int64 `json:"channel_bytes"`
	StateBytes      *int64 `json:"state_bytes"`
	AttachedBytes   *int64 `json:"attached_bytes"`

	Blocked      *int64 `json:"blocked_ns"`
	BlockedWorst *int64 `json:"blocked_worst_ns"`

	// Against the run without snapshots and faults.
	DelayMedian    *int64 `json:"delay_median_ns"`
	DelayP99       *int64 `json:"delay_p99_ns"`
	DelayMax       *int64 `json:"delay_max_ns"`
	Throughput     *int64 `json:"throughput_per_ks"` // records, or messages, per 1,000 seconds
	ThroughputLost *int64 `json:"throughput_lost_ppm"`

	// Of runs with recoveries.
	Recoveries       *int64 `json:"recoveries"`
	RecordsLost      *int64 `json:"records_lost"`
	RecordsUndone    *int64 `json:"records_undone"`
	MessagesUndone   *int64 `json:"messages_undone"`
	MessagesRestored *int64 `json:"messages_restored"`
	CaughtUp         *int64 `json:"caught_up_ns"`
	MessagesCaughtUp *int64 `json:"messages_caught_up_ns"`
	NeverCaughtUp    *int64 `json:"never_caught_up"`
	Duplicates       *int64 `json:"duplicates"`

	Deliveries  *int64 `json:"deliveries"`
	VirtualTime *int64 `json:"virtual_time_ns"`
}

package scenarios

import (
	"strings"

	"simrun/scenarios/units"
	"simrun/sim"
)

// Phase is a moment in a snapshot's life that a fault can wait for.
type Phase struct {
	Name, Doc string
	Sim       sim.Phase
}

// Phases are the phases that a scenario can name, in the order of a snapshot's life.
func Phases() []Phase {
	return []Phase{
		{"before-trigger", "the snapshot is about to begin, and nobody has been told", sim.PhaseBeforeTrigger},
		{"before-record", "the node is about to be given the snapshot's first marker, barrier or order to initiate", sim.PhaseBeforeRecord},
		{"aligning", "the node has blocked an input for the snapshot and has not recorded", sim.PhaseAligning},
		{"recording", "the node is between its state and the markers: the first of the two is saved or sent, the other not", sim.PhaseRecording},
		{"recorded", "the node has recorded its state and the snapshot is not complete", sim.PhaseRecorded},
		{"saving", "the node's part is whole, and the store is writing it", sim.PhaseSaving},
		{"saved", "the node's part is durable, and not acknowledged (without a coordinator: and the snapshot not complete)", sim.PhaseSaved},
		{"acknowledged", "the coordinator has the node's acknowledgement, and the snapshot is not complete; of the coordinator: it has all, and has done nothing yet", sim.PhaseAcknowledged},
		{"publishing", "the coordinator's store is writing the metadata", sim.PhasePublishing},
		{"complete", "the snapshot is complete, and the node has not been notified; of the coordinator: and it does not know that", sim.PhaseComplete},
		{"notified", "the node has been given the notice of completion, and nothing of what it asked for then is done", sim.PhaseNotified},
		{"restoring", "after a crash (of others) the restore is ordered and has not come", sim.PhaseRestoring},
		{"replaying", "the node is replaying its log after a restore: it has processed the first message and sent nothing", sim.PhaseReplaying},
	}
}

// phaseNames lists the phases for which keep is true.
func phaseNames(keep func(sim.Phase) bool) string {
	var names []string
	for _, p := range Phases() {
		if keep(p.Sim) {
			names = append(names, p.Name)
		}
	}
	return strings.Join(names, ", ")
}

// Changed is the plan with another configuration of its runs, such as other faults. It
// expects nothing: what was expected was so of the runs as they were. change must not
// write into what the configuration points at.
func (p *Plan) Changed(change func(*sim.Config)) *Plan {
	changed, scenario := *p, *p.Scenario
	changed.Scenario = &scenario
	change(&changed.config)
	scenario.Expect, scenario.Faults = nil, nil
	for i := range changed.config.Faults {
		scenario.Faults = append(scenario.Faults, p.FaultOf(&changed.config.Faults[i]))
	}
	return &changed
}

// CoordinatorName is what the coordinator is called among the nodes that crash.
const CoordinatorName = "coordinator"

// FaultOf is a fault as a scenario has it.
func (p *Plan) FaultOf(f *sim.Fault) Fault {
	down := units.Duration(f.Down)
	named := Fault{AfterOutputs: f.AfterOutputs, Down: &down}
	for _, v := range f.Nodes {
		if int(v) < len(p.Graph.Nodes) {
			named.Crash = append(named.Crash, p.Graph.Nodes[v])
		} else {
			named.Crash = append(named.Crash, CoordinatorName)
		}
	}
	if f.At != 0 {
		at := units.Duration(f.At)
		named.At = &at
	}
	if f.Step != 0 {
		named.Step = &f.Step
	}
	if f.Times != 0 {
		named.Times, named.Down = &f.Times, nil
	}
	for _, phase := range Phases() {
		if phase.Sim == f.Phase {
			occurrence := max(f.Occurrence, 1)
			named.When = &When{phase.Name, uint32(f.Snapshot), &occurrence}
		}
	}
	return named
}

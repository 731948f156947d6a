package cases

import (
	"testing"

	"simrun/algorithms/coordinator"
	"simrun/sim"
)

// TestAssignmentInFlight: E gives R the split s. It is on its way when E records and
// comes after R has recorded; after the crash E does not send it again. It is in the
// snapshot as the state of E->R, or, where barriers are aligned, the snapshot waits for
// it: R has it once. An enumerator is a node, and what it sends a message like others;
// the coordinator's own messages order nothing that a restore must repeat.
func TestAssignmentInFlight(t *testing.T) {
	const s = 1
	w := &world{
		links: []link{{"E", "R", 10}, {"R", "E", 1}}, sends: []send{{at: 5, from: "E", to: "R", id: s}},
		snapshots: []int64{10}, initiators: []string{"E", "R"}, crash: "R",
	}
	w.run(t, cl, false).holds().recorded(1, "E", "R", s).kept(1, "R").ends("R", s)
	lossy := w.run(t, wrong("no-channel-state"), false).violates("channel-state", "E", "R", 1).recorded(1, "E", "R")
	lossy.ends("R") // E has assigned it, and nobody has it

	w.links, w.initiators, w.snapshots = w.links[:1], []string{"E"}, nil
	w.sends = append(w.sends, ticking("E", "R", 20, 90)...)
	w.tune = managedBy(coordinator.Settings{Interval: 10 * ms})
	w.run(t, task, true).right().status(1, sim.Complete).kept(1, "R", s).ends("R", s, 20, 40, 60, 80)
}

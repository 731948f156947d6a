package mutants

import (
	"slices"

	"simrun/sim"
)

// recording is a snapshot under way at one node: which inputs its marker (or
// barrier) has not come on.
type recording struct {
	id   sim.SnapshotID
	open []bool
	left int // how many are open, and what else a mutant waits for
}

func newRecording(id sim.SnapshotID, inputs int) recording {
	return recording{id: id, open: slices.Repeat([]bool{true}, inputs), left: inputs}
}

func recordingState(c *codec, r *recording) {
	number(c, &r.id)
	bits(c, &r.open)
	number(c, &r.left)
}

// forward lets the App process a message, and sends what it gives.
func forward(in sim.Input, m sim.Message, out *sim.Out) {
	out.Send(out.Process(in, m)...)
}

// broadcast puts the marker on the first outputs.
func broadcast(id sim.SnapshotID, outputs int, out *sim.Out) {
	for c := range outputs {
		out.SendMarker(c, id)
	}
}

package export

import (
	"fmt"

	"simrun/scenarios/spacetime"
)

// Window is as much of a run as a file takes that has so many events. What the Apps' states
// were after every step, no file says.
func Window(events int) spacetime.Options {
	return spacetime.Options{Most: events, StateBytes: 1}
}

// cut says what of a run is left out, if anything is.
func cut(d *spacetime.Diagram, why string) (left []string) {
	if !d.Whole() {
		left = append(left, fmt.Sprintf("%s: the first %d of %d events; %s", d.Result.Algorithm, len(d.Events), d.Total, why))
	}
	return left
}

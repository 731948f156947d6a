package shrink

import (
	"simrun/scenarios/picture"
	"simrun/scenarios/reproducer"
	"simrun/scenarios/spacetime"
)

// Picture draws the run of a reproducer: see package picture.
func Picture(r *reproducer.Reproducer) string {
	return picture.Of(spacetime.Of(r.Plan.Along(r.Course, r.Path), r.Plan.Seed, picture.Window()))
}

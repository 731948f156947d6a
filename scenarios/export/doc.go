// Package export writes runs in the formats of other tools: ShiViz, the Chrome trace that
// Perfetto opens, Mermaid, DOT, and JUnit's XML for the verdicts. docs/export.md says what
// each of them holds.
//
//	d := spacetime.Of(plan, plan.Seed, export.Window(1))
//	left, err := export.ShiViz(os.Stdout, []*spacetime.Diagram{d})
//
// A format has a size beyond which the tool that opens it gives up. What a file leaves out
// for this reason it says itself, where the format has a place for that, and the function
// that wrote it returns it in sentences. The same runs give the same bytes: nothing in a
// file is of the machine or the clock.
package export

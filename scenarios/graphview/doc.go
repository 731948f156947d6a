// Package graphview shows the graph of a scenario: where its snapshots begin, where records
// come from outside, which channels close a cycle, which fail, and which have delays of
// their own. It writes DOT, a drawing of its own as SVG, and a list of neighbours.
//
//	g := graphview.Of(plan)
//	err := g.WriteDOT(os.Stdout)
//
// What is marked is marked by shape, stroke or words, never by colour alone. The same
// graph gives the same bytes: all places are integers. DOT and the list have the whole
// graph; the drawing says what it leaves out of a large one.
package graphview

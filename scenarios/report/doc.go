// Package report writes runs as one HTML file that needs nothing else: no network, no
// server, no other file. It opens from the disk and shows the space-time diagram of each
// run, the cuts of the snapshots, the verdicts and the reasons for them.
//
// This half writes the page: the words of its head (page.go), and the data, which package
// spacetime has collected (head.go, events.go, columns.go). The other half is what the
// page does with it: plain JavaScript and CSS in the folder web, of which model.js reads
// the data back. docs/report.md describes the page for those who look at it.
//
//	run := report.Of(plan, plan.Seed, report.Options{})
//	err := report.Write(w, &report.Page{Title: plan.Name, Runs: []report.Run{run}})
package report

// Package cli is the command line of simrun: run, sweep, compare, validate and
// list, a file each.
//
// Results go to stdout, as text or with --json as one JSON object; everything
// else goes to stderr, and progress only if that is a terminal. There is no
// colour. The exit codes are 0 (holds, or as expected), 1 (violated, or not as
// expected), 2 (bad usage, or a bad file), 3 (inconclusive) and 130
// (interrupted).
//
// The package decides nothing about scenarios or runs, it only asks package
// scenarios. A main of one's own hands in its own catalogue:
//
//	catalogue := scenarios.Default()
//	catalogue.Algorithms = append(catalogue.Algorithms, mine)
//	catalogue.Program = filepath.Base(os.Args[0])
//	os.Exit(cli.Main(catalogue, os.Args[1:], os.Stdout, os.Stderr))
package cli

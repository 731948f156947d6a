// Command simrun runs a distributed computation in one deterministic process,
// lets a snapshot algorithm work on it, crashes and restores nodes, and decides
// whether every snapshot and every recovery was right.
//
// It is a thin main on purpose: the commands live in package cli, so that a main
// of one's own can offer them with more algorithms.
package main

import (
	"os"

	"simrun/cmd/simrun/cli"
	"simrun/scenarios"
)

func main() {
	os.Exit(cli.Main(scenarios.Default(), os.Args[1:], os.Stdout, os.Stderr))
}

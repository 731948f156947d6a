package cli_test

import (
	"fmt"
	"io"
	"os"

	"simrun/algorithms/chandylamport"
	"simrun/cmd/simrun/cli"
	"simrun/scenarios"
)

// A main with the whole command line for an algorithm of one's own, which here is
// Chandy and Lamport's under another name.
func ExampleMain() {
	catalogue := scenarios.Default()
	catalogue.Program = "mysim"
	catalogue.Algorithms = append(catalogue.Algorithms, scenarios.Algorithm{Name: "mine", New: chandylamport.New})

	args := []string{"sweep", "../../../testdata/scenarios/ring-both.yaml", "--algorithm", "mine", "--seeds", "1-5"}
	fmt.Println("exit code", cli.Main(catalogue, args, io.Discard, os.Stderr)) // instead of os.Args, os.Stdout and os.Exit
	// Output: exit code 0
}

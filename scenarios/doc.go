// Package scenarios turns a scenario file into a run and a verdict: it reads and
// checks the file, fills in the defaults, builds the graph and the computation,
// runs the engine, has the invariants checked, and says whether what the file
// expects was met. Sweeps over seeds, comparisons of algorithms, traces and the
// printed reports are made here too.
//
// It decides nothing about a run: what happens is package sim's business, and
// whether it was right is package invariants'. It parses no command line either.
//
//	catalogue := scenarios.Default()
//	scenario, err := scenarios.Load(catalogue, "ring.yaml")
//	if err != nil {
//		return err // an *Error with file, line, column and excerpt
//	}
//	plan, err := scenario.Resolve(catalogue, scenarios.Overrides{})
//	if err != nil {
//		return err
//	}
//	result := plan.NewRunner().Run(plan.Seed)
//	result.WriteText(os.Stdout)
//
// A Catalogue names the algorithms and apps that a scenario can ask for. A main
// of one's own that adds to it gets the whole command line with it:
//
//	catalogue := scenarios.Default()
//	catalogue.Algorithms = append(catalogue.Algorithms, scenarios.Algorithm{
//		Name: "mine", Doc: "what it does", New: mine.New,
//	})
//	os.Exit(cli.Main(catalogue, os.Args[1:], os.Stdout, os.Stderr))
//
// The format of the files is documented in docs/scenarios.md, that of traces in
// docs/trace.md, that of witnesses in docs/witness.md.
package scenarios

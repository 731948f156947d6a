// Package search holds the ways to choose the order of steps of a run in chosen order,
// each a sim.Scheduler in a file of its own with the paper that it is from: random
// choice, PCT, partial order sampling, delay-bounded scheduling, and a portfolio of them
// that takes turns from seed to seed. All draws are hashes of the seed, and all but the
// random one depend on what steps are, not on where they stand in a list.
//
// What a run leaves open, such as a crash of any node at any step, is chosen here, too,
// in the same way for all of them (see Open).
//
//	s := search.Setting{Strategy: search.PCT, Depth: 3}
//	cfg.Scheduler = s.New(search.Run{Seed: 7, Nodes: n, To: cfg.Graph.To, Steps: 500})
//
// Not here: how long a run is, which PCT and others must be told, and the recording of
// what was picked, to follow it again. Both are the Runner's of package scenarios.
package search

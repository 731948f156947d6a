// Package generate makes scenarios from seeds: small graphs of many shapes, every
// app that fits, both orders, delays and service and write times of several kinds,
// snapshots that overlap, initiators of every legal choice, and crashes of every
// kind. Wrong algorithms die on them, and right ones must not.
//
// A scenario says everything and names no algorithm: it can be printed, read again,
// and run under any. It is always valid, its run always ends, and it is short, some
// tens to hundreds of deliveries, because it is made to be run by the thousand.
// Sources keep on sending as long as the run lasts: a mistake that only concerns
// what comes behind a barrier would not show otherwise.
//
//	s := generate.Scenario(7)
//	plan, err := s.Resolve(scenarios.Default(), scenarios.Overrides{Algorithm: "abs"})
//	fmt.Println(plan.NewRunner().Run(plan.Seed).Verdict)
//
// Coordinated makes others, which are longer: with a checkpoint coordinator that crashes,
// too, control messages that are lost or late, a store that fails, transactional sinks, and
// checkpoints that begin faster than they end. Wrong coordinators die on them.
//
// Searched makes a third kind: in chosen order, with snapshots and crashes that are left
// to a search, and sources that end.
//
// Not here: large graphs, for which topology has generators, and scenarios that
// expect something.
package generate

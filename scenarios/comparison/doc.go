// Package comparison runs one scenario under several algorithms and measures what each of
// them costs and saves.
//
// The runs are paired: with the same seed they have the same graph, External input,
// random words of the Apps, service times, and delays of messages, because every draw is
// a hash of (seed, purpose, entity, incarnation, counter) and none depends on the
// algorithm. What differs between them is therefore the algorithm's doing.
//
// docs/compare.md defines every measure.
package comparison

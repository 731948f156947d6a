// Package cases holds faults from practice, as tests: mistakes that people who build,
// teach or use snapshots have made and written about, each on the smallest graph and
// with the one order of events in which it shows. A test runs the mistake and what is
// right in the same world, and asserts which message is missing, extra or an orphan,
// on which channel, and what becomes of it after a crash.
package cases

// Package picture draws short runs as text: a column for each node, a row for each step, in
// the order in which they are taken, in timed order with the instant.
//
//	in 3     External record 3 is processed      <2 a    message 2 of a is processed
//	>2 b     message 2 is sent to b              out 1   record 1 leaves the system
//	[1]      the state is recorded, snapshot 1   <M1 a   the marker of snapshot 1 of a is taken
//	M1>b     the marker is sent to b             block a the input from a is blocked
//	drop 2 a message 2 of a has come before, and is dropped
//
// The line of a node on which nothing happens is | until it records, and then the number of
// the snapshot that it has recorded: the cut of snapshot 1 is where | ends and 1 begins. A
// node that is down has an x.
package picture

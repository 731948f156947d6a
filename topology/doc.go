// Package topology builds, reads and analyses the graphs that a computation
// runs on: nodes with names and one-way channels with ids. Parallel channels
// and self-loops are legal; a link in both directions is two channels.
//
// A graph comes from Generate (a kind and a few numbers, seeded), from a
// Builder (nodes and channels one by one), or from Read (an edge list, DOT, or
// the job plan of an Apache Flink job, expanded to its subtasks). Graphs that
// come from a plan know which channels belong to which edge of the plan and how
// that edge ships records; Outputs and Inputs group a node's channels
// accordingly.
//
// The analyses answer what the snapshot algorithms ask: where must a snapshot
// start so that it reaches every node (DefaultInitiators, Unreached), and which
// channels close a cycle (BackEdges, CheckBackEdges). They are iterative, take
// time linear in the graph, and give the same answer in every process.
//
// What is wrong with an input is told by an *Error, with line and column where
// they are known. Bad input never panics.
//
// The package does not lay graphs out, does not weigh channels, and does not
// change a graph once it is built.
package topology

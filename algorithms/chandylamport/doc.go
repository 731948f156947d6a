// Package chandylamport is the snapshot algorithm of K. Mani Chandy and Leslie
// Lamport, "Distributed Snapshots: Determining Global States of Distributed
// Systems", ACM Transactions on Computer Systems 3(1), February 1985, section 3.
//
// It asks for FIFO channels that neither lose nor damage anything. It blocks
// nothing and delays nothing: what is under way on a channel while its two ends
// record is saved as the state of that channel. It neither knows nor cares where
// the graph has loops.
//
//	Paper                                             Here
//	Marker-sending rule for a process p               Node.record
//	Marker-receiving rule for a process q             Node.onMarker
//	a process records its state spontaneously         Node.Initiate
//	state of c: what came after q's state was         Node.onMessage
//	recorded and before q received the marker on c
//
// The paper takes one snapshot. Here each has an id, and every id has a state
// machine of its own, so several may be under way at once; and any number of
// processes may initiate the same one. A snapshot ends if every process
// initiates it or can be reached from one that does (section 3.3); whoever picks
// the initiators must see to that, a single process cannot.
//
// Not here: how the parts are collected (the engine does that), and repeated
// snapshots that skip unchanged parts.
//
// A node is made by New, which is a sim.NewNode:
//
//	config := sim.Config{NewNode: chandylamport.New, ...}
package chandylamport

// Package twophase makes sinks transactional: what leaves the system leaves once,
// whatever crashes. It is the two-phase commit of Apache Flink's sinks, around any
// snapshot algorithm that works with a coordinator:
//
//	at the start:
//	    open = []; closed = {}
//	when the user-defined function emits a record m:
//	    open += m
//	when the state is recorded for checkpoint n:                      (pre-commit)
//	    closed[n] = open; open = []
//	    the node's part of n gets every closed transaction
//	when checkpoint n is complete:                                    (commit)
//	    commit every closed transaction up to n's, in order; forget them
//	at a recovery:
//	    commit the transactions in the node's part, in order; open = []
//
// What is not in the part that is restored is produced again. What is in it may have
// been committed before the crash or not; the outside world remembers that, and commits
// it once. A checkpoint that was aborted or subsumed leaves its transaction to the next
// complete one, and of two notices that come in the wrong order the late one finds
// nothing to do.
//
// A node of an algorithm with markers may record a checkpoint before an older one. Then
// "up to" is the order in which it recorded, and a transaction waits as long as there is a
// checkpoint with a higher number that was recorded before it and is not given up: a
// restore may go there.
package twophase

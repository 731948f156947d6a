// Package coordinator is the checkpoint coordinator that Apache Flink puts beside
// Asynchronous Barrier Snapshotting, and the part of it that lives in every task.
//
// The coordinator triggers the sources; each task that has recorded its part and
// whose part the store has written acknowledges with a handle; when every handle is
// in, the metadata is written, and with that the checkpoint is complete. On
// completion, in this order:
//
//	the metadata is durable
//	the checkpoint is added to the stored ones, the oldest are retired
//	it is taken off the pending ones
//	older pending checkpoints are subsumed: aborted
//	the tasks are notified
//
// When everything has come to rest it can take one more, for the sinks that let records
// leave only with a complete checkpoint. Of that one it reminds the tasks until every one
// has confirmed.
//
// Tasks can finish, if their algorithm is a Finisher and the engine lets them. They tell the
// coordinator, which then triggers them and every task that only such tasks are in front of,
// also for what is pending: nobody passes a barrier on to these. If such a message is lost a
// checkpoint times out, and a task that is told to cancel says again that it has finished.
//
// A savepoint is a checkpoint that the user asks for and keeps: nothing else comes of it.
//
// A checkpoint is aborted when a task declines, when it takes too long, and when a task
// crashes; the tasks are told to cancel it. Every message carries the attempt and the
// id: what is of another attempt, or late, is discarded. After a crash the graph is
// restored from the newest stored checkpoint, when the restart strategy allows.
//
// With Settings.Partial only the crashed tasks are restored, and what is upstream of them;
// the coordinator does not know which these are. A task that has not caught up with such a
// restore answers a checkpoint with NotReady, which aborts it and is no failure.
//
// What is durable survives a crash of the coordinator: the metadata, the parts, and the
// counter of ids. It then restores the graph, because it does not know any more what
// was pending; what it finds in the store of that, and of which it was never told, is
// deleted. How often the graph was restarted is not durable, as in Flink, where the restart
// strategy lives in the job master and the next leader makes another one: it counts anew.
package coordinator

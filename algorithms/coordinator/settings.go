package coordinator

// Settings is what can be chosen. Times are nanoseconds.
type Settings struct {
	Interval      int64 // between two triggers; 0: no periodic checkpoints
	MinPause      int64 // from the end of one checkpoint to the next trigger
	Timeout       int64 // after which a checkpoint is aborted; 0: never
	MaxConcurrent int   // pending checkpoints; at least 1
	Tolerable     int   // checkpoints that may fail one after the other; one more restarts the graph
	Retained      int   // stored checkpoints that are kept; at least 1
	Restart       Restart
	// Partial restarts, when tasks have crashed, them and what is upstream of them, and not
	// the whole graph.
	Partial bool
	// Final asks for one more checkpoint when everything has come to rest: what
	// transactional sinks hold leaves with it, and every task has to confirm its notice.
	Final bool
}

// Restart is a restart strategy: how long after a crash the graph is restored.
type Restart struct {
	None   bool  // it is not
	Delay  int64 // fixed, or the first of an exponential row
	Factor int64 // each delay is so many times the one before; 0 or 1: fixed
	Most   int64 // the longest delay of an exponential row; 0: no limit
	Limit  int   // how many restarts there may be; 0: any number
	Per    int64 // within how long there may be so many; 0: in all
}

// Least is how many restarts there are at least before the coordinator gives up; -1: it
// never does.
func (r *Restart) Least() int {
	switch {
	case r.None:
		return 0
	case r.Limit > 0:
		return r.Limit
	}
	return -1
}

// after is how long the n-th restart, from 0, waits; ok is false if there is none, as
// when counted ones, in all or within Per, are as many as there may be.
func (r *Restart) after(n, counted int) (delay int64, ok bool) {
	if r.None || r.Limit > 0 && counted >= r.Limit {
		return 0, false
	}
	delay = r.Delay
	for range n {
		if r.Factor <= 1 || r.Most > 0 && delay >= r.Most {
			break
		}
		delay *= r.Factor
	}
	if r.Most > 0 {
		delay = min(delay, r.Most)
	}
	return delay, true
}

package comparison

import "simrun/sim"

// timeline is when what a run does was done, up to its first crash: in incarnation 0
// the k-th output of a node, and message k of a channel, have their like in every run of
// the same seed.
type timeline struct {
	outputs  [][]int64 // by node: when its k-th output left
	messages [][]int64 // by channel: when message k was first processed; never: -1
	over     bool      // somebody has crashed

	// Of the whole run.
	left, lastLeft int64 // outputs, and when the last of them left
	done, lastDone int64 // records and messages processed, likewise
	limited        bool  // the run was cut short
}

// never stands for an instant that did not come.
const never = -1

func newTimeline(nodes, channels int) *timeline {
	return &timeline{outputs: make([][]int64, nodes), messages: make([][]int64, channels)}
}

// Observe implements sim.Observer.
func (t *timeline) Observe(ev *sim.Event) {
	switch ev.Kind {
	case sim.EventEmit:
		t.left, t.lastLeft = t.left+1, ev.At
		if !t.over {
			t.outputs[ev.Node] = append(t.outputs[ev.Node], ev.At)
		}
	case sim.EventProcess:
		t.done, t.lastDone = t.done+1, ev.At
		if !t.over {
			t.processed(ev.Channel, ev.Number, ev.At)
		}
	case sim.EventExternal:
		t.done, t.lastDone = t.done+1, ev.At
	case sim.EventCrash, sim.EventRestore:
		t.over = true
	}
}

// processed notes when a message was processed. On an unreliable channel numbers may be
// missing, come late, or come twice. Number 0 was no message of the channel.
func (t *timeline) processed(c int32, number uint32, at int64) {
	for len(t.messages[c]) < int(number) {
		t.messages[c] = append(t.messages[c], never)
	}
	if number > 0 && t.messages[c][number-1] == never {
		t.messages[c][number-1] = at
	}
}

// later is how much later than in another run everything was done that both did.
func later(run, base [][]int64) (delays []int64) {
	for i := range run {
		for k := range min(len(run[i]), len(base[i])) {
			if run[i][k] != never && base[i][k] != never {
				delays = append(delays, run[i][k]-base[i][k])
			}
		}
	}
	return delays
}

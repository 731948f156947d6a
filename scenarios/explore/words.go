package explore

import (
	"fmt"
	"strings"

	"simrun/sim"
)

// words is what happens in each step of a schedule, for people.
func (j *judge) words(steps []sim.Step) []string {
	cfg := j.x.cfg
	t := &teller{x: j.x, script: script{steps: steps}, lines: make([][]string, len(steps))}
	cfg.Scheduler, cfg.Observer, cfg.MaxSteps = t, t, int64(len(steps))
	prepareEngine(&j.engine, &cfg).Run()
	var lines []string
	for i, said := range t.lines {
		if len(said) == 0 {
			said = []string{fmt.Sprintf("%s is handed what is next on %s", t.node(j.x.cfg.Graph.To[steps[i].Entity]), t.channel(steps[i].Entity))}
		}
		lines = append(lines, strings.Join(said, ", "))
	}
	return lines
}

// teller is the Scheduler of a schedule, and tells what comes of each step.
type teller struct {
	script
	x     *explorer
	lines [][]string
}

func (t *teller) node(v int32) string    { return t.x.plan.Graph.Nodes[v] }
func (t *teller) channel(c int32) string { return t.x.plan.Graph.ChannelName(c) }

// Observe implements sim.Observer.
func (t *teller) Observe(ev *sim.Event) {
	if t.next == 0 {
		return // before the first step
	}
	say := func(format string, args ...any) {
		t.lines[t.next-1] = append(t.lines[t.next-1], fmt.Sprintf(format, args...))
	}
	switch ev.Kind {
	case sim.EventMarker:
		say("%s is handed the marker of snapshot %d on %s", t.node(ev.Node), ev.Snapshot, t.channel(ev.Channel))
	case sim.EventProcess:
		say("%s processes message %d on %s", t.node(ev.Node), ev.Number, t.channel(ev.Channel))
	case sim.EventExternal:
		say("%s reads record %d", t.node(ev.Node), ev.Number)
	case sim.EventTimer:
		say("timer %d of %s goes off", ev.Timer, t.node(ev.Node))
	case sim.EventInitiate:
		say("%s is ordered to initiate snapshot %d", t.node(ev.Node), ev.Snapshot)
	case sim.EventSend:
		say("%s sends message %d on %s", t.node(ev.Node), ev.Number, t.channel(ev.Channel))
	case sim.EventMarkerSent:
		say("%s sends the marker of snapshot %d on %s", t.node(ev.Node), ev.Snapshot, t.channel(ev.Channel))
	case sim.EventRecord:
		say("%s records its state for snapshot %d", t.node(ev.Node), ev.Snapshot)
	case sim.EventBlock:
		say("%s blocks %s", t.node(ev.Node), t.channel(ev.Channel))
	case sim.EventUnblock:
		say("%s unblocks %s", t.node(ev.Node), t.channel(ev.Channel))
	case sim.EventDurable:
		say("the share of %s of snapshot %d is durable", t.node(ev.Node), ev.Snapshot)
	case sim.EventComplete:
		say("snapshot %d is complete", ev.Snapshot)
	}
}

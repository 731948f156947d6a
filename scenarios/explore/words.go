package explore

import (
	"fmt"
	"strings"

	"simrun/scenarios"
	"simrun/sim"
)

// words is what happens in each step of a schedule, for people.
func (j *judge) words(steps []sim.Step) []string {
	cfg := j.x.cfg
	t := &teller{x: j.x, script: script{steps: steps}, lines: make([][]string, len(steps))}
	cfg.Scheduler, cfg.Observer, cfg.MaxSteps = t, t, int64(len(steps))
	scenarios.Prepare(&j.engine, &cfg)
	j.engine.Run()
	var lines []string
	for i, said := range t.lines {
		if len(said) == 0 {
			said = []string{fmt.Sprintf("%s is handed what is next on %s", t.node(j.x.cfg.Graph.To[steps[i].Entity]), t.channel(steps[i].Entity))}
		}
		lines = append(lines, strings.Join(said, "; "))
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
	text := t.x.plan.DescribeEvent(ev)
	switch ev.Kind {
	case sim.EventMarker:
		text = fmt.Sprintf("%s is handed the marker of snapshot %d on %s", t.node(ev.Node), ev.Snapshot, t.channel(ev.Channel))
	case sim.EventInitiate:
		text = fmt.Sprintf("%s is ordered to initiate snapshot %d", t.node(ev.Node), ev.Snapshot)
	case sim.EventDurable:
		text = fmt.Sprintf("the part of %s of snapshot %d is durable", t.node(ev.Node), ev.Snapshot)
	}
	if text != "" {
		t.lines[t.next-1] = append(t.lines[t.next-1], text)
	}
}

package scenarios

import (
	"fmt"
	"strconv"
	"strings"

	"simrun/sim"
)

// stepWord is how a kind of step is written: its word, and whether an entity and an
// index follow.
type stepWord struct {
	kind          sim.StepKind
	word          string
	entity, index bool
}

var stepWords = []stepWord{
	{sim.StepFault, "fault", false, true},
	{sim.StepRestore, "restore", false, false},
	{sim.StepWrite, "write", true, true},
	{sim.StepTimer, "timer", true, true},
	{sim.StepExternal, "external", true, false},
	{sim.StepInitiate, "initiate", true, true},
	{sim.StepDrained, "drained", true, false},
	{sim.StepDeliver, "deliver", true, true},
	{sim.StepControl, "control", true, true},
	{sim.StepAlarm, "alarm", false, true},
	{sim.StepPublish, "publish", false, true},
	{sim.StepNotice, "notice", true, false},
	{sim.StepStart, "start", false, false},
	{sim.StepCrash, "crash", true, true},
	{sim.StepSnapshot, "snapshot", false, false},
	{sim.StepLose, "lose", true, false},
	{sim.StepStop, "stop", false, false},
	{sim.StepTrigger, "trigger", false, true},
}

func wordOf(kind sim.StepKind) stepWord {
	for _, w := range stepWords {
		if w.kind == kind {
			return w
		}
	}
	panic(fmt.Sprintf("scenarios: a step of the unknown kind %d", kind))
}

// FormatStep is a step as a file has it: "deliver 3", "timer 1 7". Entities are nodes
// and channels by id; the line of a control message is twice the task's node, plus one
// if the task has sent it.
func FormatStep(s sim.Step) string {
	w := wordOf(s.Kind)
	text := w.word
	if w.entity {
		text += " " + strconv.Itoa(int(s.Entity))
	}
	if w.index && (s.Kind != sim.StepDeliver || s.Index != 0) {
		text += " " + strconv.FormatUint(uint64(s.Index), 10)
	}
	return text
}

// ParseStep reads what FormatStep has written.
func ParseStep(text string) (sim.Step, error) {
	fields := strings.Fields(text)
	for _, w := range stepWords {
		if len(fields) == 0 || fields[0] != w.word {
			continue
		}
		s := sim.Step{Kind: w.kind}
		rest := fields[1:]
		if w.entity && len(rest) > 0 {
			id, err := strconv.ParseUint(rest[0], 10, 28)
			if err != nil {
				return s, fmt.Errorf("%q is no node or channel", rest[0])
			}
			s.Entity, rest = int32(id), rest[1:]
		} else if w.entity {
			return s, fmt.Errorf("%q does not say where", text)
		}
		if w.index && len(rest) > 0 {
			index, err := strconv.ParseUint(rest[0], 10, 32)
			if err != nil {
				return s, fmt.Errorf("%q is no number", rest[0])
			}
			s.Index, rest = uint32(index), rest[1:]
		} else if w.index && w.kind != sim.StepDeliver {
			return s, fmt.Errorf("%q does not say which", text)
		}
		if len(rest) > 0 {
			return s, fmt.Errorf("%q follows %q", rest[0], strings.Join(fields[:len(fields)-len(rest)], " "))
		}
		return s, nil
	}
	return sim.Step{}, fmt.Errorf("%q is no step", text)
}

// describeChannel is the name of a channel, if there is one with this id.
func (p *Plan) describeChannel(c int32) string {
	if c >= 0 && int(c) < len(p.Graph.Channels) {
		return p.Graph.ChannelName(c)
	}
	return fmt.Sprintf("channel %d (which does not exist)", c)
}

// DescribeStep says a step to people: "deliver from a->b#3", "timer 7 of b".
func (p *Plan) DescribeStep(s sim.Step) string {
	node := func(v int32) string {
		if int(v) == len(p.Graph.Nodes) {
			return "the coordinator"
		}
		if v < 0 || int(v) > len(p.Graph.Nodes) {
			return fmt.Sprintf("node %d (which does not exist)", v)
		}
		return p.Graph.Nodes[v]
	}
	switch s.Kind {
	case sim.StepDeliver:
		if s.Index != 0 {
			return fmt.Sprintf("deliver number %d of what was put on %s", s.Index, p.describeChannel(s.Entity))
		}
		return "deliver the head of " + p.describeChannel(s.Entity)
	case sim.StepLose:
		return "what is put next on " + p.describeChannel(s.Entity) + " is lost"
	case sim.StepCrash:
		return "crash of " + node(s.Entity)
	case sim.StepExternal:
		return "external record at " + node(s.Entity)
	case sim.StepTimer:
		return fmt.Sprintf("timer %d at %s", s.Index, node(s.Entity))
	case sim.StepDrained:
		return node(s.Entity) + " is told that nothing of its own comes any more"
	case sim.StepInitiate:
		return fmt.Sprintf("%s initiates snapshot %d", node(s.Entity), s.Index)
	case sim.StepWrite:
		return fmt.Sprintf("the part of %s of snapshot %d is written", node(s.Entity), s.Index)
	case sim.StepControl:
		if s.Entity%2 == 0 {
			return fmt.Sprintf("control message %d to %s", s.Index, node(s.Entity/2))
		}
		return fmt.Sprintf("control message %d of %s", s.Index, node(s.Entity/2))
	case sim.StepNotice:
		return "the coordinator learns of the crash of " + node(s.Entity)
	}
	return FormatStep(s)
}

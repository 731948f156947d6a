package picture

import (
	"fmt"

	"simrun/scenarios/label"
	"simrun/scenarios/spacetime"
)

// text says an event in a word or two, and whether a step begins with it.
func (p *picture) text(e *spacetime.Event) (text string, begins bool) {
	switch e.Kind {
	case spacetime.External:
		return fmt.Sprintf("in %d", e.Number), true
	case spacetime.Process:
		return fmt.Sprintf("<%d %s", e.Number, p.sender(e.Channel)), true
	case spacetime.Drop:
		return fmt.Sprintf("drop %d %s", e.Number, p.sender(e.Channel)), true
	case spacetime.Timer:
		return fmt.Sprintf("timer %d", e.Number), true
	case spacetime.Marker:
		return fmt.Sprintf("<M%d %s", e.Snapshot, p.sender(e.Channel)), true
	case spacetime.Ended:
		return "<end " + p.sender(e.Channel), true
	case spacetime.Initiate:
		return fmt.Sprintf("begin %d", e.Snapshot), true
	case spacetime.Crash:
		return "CRASH", true
	case spacetime.Restored:
		if e.Snapshot == 0 {
			return "from the beginning", true
		}
		return fmt.Sprintf("to [%d]", e.Snapshot), true
	}
	return p.outcome(e), false
}

// outcome says an event that comes of a step in a word or two.
func (p *picture) outcome(e *spacetime.Event) string {
	switch e.Kind {
	case spacetime.Send:
		return fmt.Sprintf(">%d %s", e.Number, p.receiver(e.Channel))
	case spacetime.MarkerSent:
		return fmt.Sprintf("M%d>%s", e.Snapshot, p.receiver(e.Channel))
	case spacetime.Close:
		return "end>" + p.receiver(e.Channel)
	case spacetime.Emit:
		return fmt.Sprintf("out %d", e.Number)
	case spacetime.Record:
		return fmt.Sprintf("[%d]", e.Snapshot)
	case spacetime.Block:
		return "block " + p.sender(e.Channel)
	case spacetime.Unblock:
		return "unblock " + p.sender(e.Channel)
	case spacetime.Lost:
		return "lost on the way to " + p.receiver(e.Channel)
	case spacetime.Doubled:
		return "comes twice to " + p.receiver(e.Channel)
	}
	return ""
}

func (p *picture) sender(c int32) string { return p.end(p.diagram.Graph.Channels[c].From, c) }

func (p *picture) receiver(c int32) string { return p.end(p.diagram.Graph.Channels[c].To, c) }

// end is an end of a channel, with the channel's id if another one has the same ends, and
// the channel is named.
func (p *picture) end(v, c int32) string {
	name := label.Short(p.diagram.Graph.Nodes[v], maxName)
	if c != spacetime.None && p.parallel[c] {
		name += fmt.Sprintf("#%d", c)
	}
	return name
}

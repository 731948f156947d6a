package scenarios

import (
	"fmt"
	"strings"

	"simrun/sim"
)

// eventsTold is how many events of a step are told.
const eventsTold = 4

// describeEvents says what a step did.
func (p *Plan) describeEvents(events []sim.Event) string {
	var told []string
	more := int64(0)
	for i := range events {
		switch text := p.DescribeEvent(&events[i]); {
		case text == "":
		case len(told) == eventsTold:
			more++
		default:
			told = append(told, text)
		}
	}
	if len(told) == 0 {
		return "nothing"
	}
	if more > 0 {
		told = append(told, plural(more, "more event"))
	}
	return strings.Join(told, "; ")
}

// DescribeEvent says an event in a few words, or nothing of one that has none.
func (p *Plan) DescribeEvent(ev *sim.Event) string {
	node, channel := "", ""
	if ev.Node >= 0 && int(ev.Node) < len(p.Graph.Nodes) {
		node = p.Graph.Nodes[ev.Node]
	}
	if ev.Channel >= 0 && int(ev.Channel) < len(p.Graph.Channels) {
		channel = p.Graph.ChannelName(ev.Channel)
	}
	message := fmt.Sprintf("(key %d, value %d, aux %d)", ev.Message.Key, ev.Message.Value, ev.Message.Aux)
	switch ev.Kind {
	case sim.EventSend:
		return fmt.Sprintf("%s sends message %d on %s %s", node, ev.Number, channel, message)
	case sim.EventProcess:
		return fmt.Sprintf("%s processes message %d of %s %s", node, ev.Number, channel, message)
	case sim.EventDrop:
		return fmt.Sprintf("%s drops message %d of %s, which has come before", node, ev.Number, channel)
	case sim.EventExternal:
		return fmt.Sprintf("%s processes External record %d %s", node, ev.Number, message)
	case sim.EventTimer:
		return fmt.Sprintf("%s processes its timer %d", node, ev.Timer)
	case sim.EventEmit:
		return fmt.Sprintf("%s emits record %d %s", node, ev.Number, message)
	case sim.EventMarkerSent:
		return fmt.Sprintf("%s sends the marker of snapshot %d on %s", node, ev.Snapshot, channel)
	case sim.EventEndSent:
		return fmt.Sprintf("%s ends the stream of %s", node, channel)
	case sim.EventRecord:
		return fmt.Sprintf("%s records its state for snapshot %d", node, ev.Snapshot)
	case sim.EventDone:
		return fmt.Sprintf("%s is done with snapshot %d", node, ev.Snapshot)
	case sim.EventBlock:
		return fmt.Sprintf("%s blocks %s for snapshot %d", node, channel, ev.Snapshot)
	case sim.EventUnblock:
		return fmt.Sprintf("%s unblocks %s", node, channel)
	case sim.EventComplete:
		return fmt.Sprintf("snapshot %d is complete", ev.Snapshot)
	case sim.EventCrash:
		return node + " crashes"
	case sim.EventRestore:
		if ev.Restore.Partial != nil {
			return strings.Join(p.nodeNames(ev.Restore.Partial), ", ") + " restored"
		}
		return "the graph is restored"
	}
	return ""
}

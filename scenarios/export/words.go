package export

import (
	"bytes"
	"encoding/json"
	"fmt"

	"simrun/scenarios/label"
	"simrun/scenarios/spacetime"
)

// Most characters in a file of a name, and of a verdict.
const (
	nameLength    = 60
	verdictLength = 300
)

// lane is the name of a node, or of the coordinator, for people.
func lane(d *spacetime.Diagram, v int32) string { return label.Short(d.Lane(v), nameLength) }

// other is the node at the other end of an event's arrow, with the channel's id.
func other(d *spacetime.Diagram, e *spacetime.Event) string {
	if e.Kind == spacetime.ControlSent || e.Kind == spacetime.ControlReceived {
		switch {
		case e.Node != d.Coordinator:
			return lane(d, d.Coordinator)
		case e.Peer != spacetime.None:
			return lane(d, d.Events[e.Peer].Node)
		}
		return "a task" // which of them is known where it comes
	}
	ch := d.Graph.Channels[e.Channel]
	far := ch.To
	if e.Kind.Receives() || e.Kind == spacetime.Block || e.Kind == spacetime.Unblock {
		far = ch.From
	}
	return fmt.Sprintf("%s on #%d", lane(d, far), e.Channel)
}

// say is an event in a few words.
func say(d *spacetime.Diagram, e *spacetime.Event) string {
	switch e.Kind {
	case spacetime.Send:
		return fmt.Sprintf("send message %d to %s", e.Number, other(d, e))
	case spacetime.Process:
		return fmt.Sprintf("process message %d from %s", e.Number, other(d, e))
	case spacetime.Drop:
		return fmt.Sprintf("drop message %d from %s, which had come before", e.Number, other(d, e))
	case spacetime.External:
		return fmt.Sprintf("process record %d from outside", e.Number)
	case spacetime.Emit:
		return fmt.Sprintf("emit record %d", e.Number)
	case spacetime.Timer:
		return fmt.Sprintf("timer %d goes off", e.Number)
	case spacetime.Close:
		return "send the end of the stream to " + other(d, e)
	case spacetime.Ended:
		return "receive the end of the stream from " + other(d, e)
	case spacetime.MarkerSent:
		return fmt.Sprintf("send marker %d to %s", e.Snapshot, other(d, e))
	case spacetime.Marker:
		return fmt.Sprintf("receive marker %d from %s", e.Snapshot, other(d, e))
	case spacetime.Block:
		return fmt.Sprintf("block the input from %s for snapshot %d", other(d, e), e.Snapshot)
	case spacetime.Unblock:
		return fmt.Sprintf("unblock the input from %s for snapshot %d", other(d, e), e.Snapshot)
	case spacetime.Lost, spacetime.Doubled:
		return sayUnreliable(d, e)
	case spacetime.ControlSent:
		return fmt.Sprintf("send %s%s to %s", e.Word, ofSnapshot(e), other(d, e))
	case spacetime.ControlReceived:
		return fmt.Sprintf("receive %s%s from %s", e.Word, ofSnapshot(e), other(d, e))
	case spacetime.Fact:
		return e.Word + ofSnapshot(e)
	}
	return sayOfNode(e)
}

// sayOfNode is an event that is about the whole node.
func sayOfNode(e *spacetime.Event) string {
	switch e.Kind {
	case spacetime.Initiate:
		return fmt.Sprintf("initiate snapshot %d", e.Snapshot)
	case spacetime.Record:
		return fmt.Sprintf("record snapshot %d", e.Snapshot)
	case spacetime.Done:
		return fmt.Sprintf("finish its part of snapshot %d", e.Snapshot)
	case spacetime.Crash:
		return "crash"
	case spacetime.Restored:
		if e.Snapshot == 0 {
			return "restored to the beginning"
		}
		return fmt.Sprintf("restored to snapshot %d", e.Snapshot)
	}
	return e.Kind.String()
}

func sayUnreliable(d *spacetime.Diagram, e *spacetime.Event) string {
	what := fmt.Sprintf("message %d", e.Number)
	if e.Snapshot != 0 {
		what = fmt.Sprintf("marker %d", e.Snapshot)
	}
	if e.Kind == spacetime.Lost {
		return fmt.Sprintf("%s to %s is lost", what, other(d, e))
	}
	return fmt.Sprintf("%s to %s will come twice", what, other(d, e))
}

func ofSnapshot(e *spacetime.Event) string {
	if e.Snapshot == 0 {
		return ""
	}
	return fmt.Sprintf(" of snapshot %d", e.Snapshot)
}

// run is what a file calls a run.
func run(d *spacetime.Diagram) string {
	return fmt.Sprintf("%s, %s, seed %d", label.Short(d.Result.Scenario, nameLength), d.Result.Algorithm, d.Result.Seed)
}

// verdict is the verdict on a run in a sentence or two.
func verdict(d *spacetime.Diagram) string {
	if len(d.Violations) == 0 {
		return d.Result.Verdict
	}
	v := d.Violations[0].Result
	return fmt.Sprintf("%s: %s: %s", d.Result.Verdict, v.Invariant, v.Detail)
}

// asJSON is a value as JSON, in which channels are named a->b.
func asJSON(value any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil { // it is made of texts, numbers and maps of them
		panic("export: what was to be written is no JSON: " + err.Error())
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

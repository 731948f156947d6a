package report

import (
	"encoding/binary"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"simrun/scenarios/spacetime"
	"simrun/sim"
)

// reader reads the columns of a run back, as model.js does: what is foretold it works out
// by itself, from the events that it has read so far.
type reader struct {
	t       testing.TB
	h       *headRun
	data    []byte
	columns map[string][]byte
	news    map[string]int
	events  []spacetime.Event
	sends   map[[2]int32][]int32 // by channel and kind of the receipt: what has been sent and has not come
}

func readRun(t testing.TB, h *headRun, columns []byte) *reader {
	r := &reader{t: t, h: h, data: columns, columns: map[string][]byte{}, news: map[string]int{}, sends: map[[2]int32][]int32{}}
	for name, at := range h.Columns {
		r.columns[name] = columns[at[0] : at[0]+at[1]]
	}
	for range h.Events {
		r.event()
	}
	return r
}

func (r *reader) next(column string) int64 {
	n, size := binary.Uvarint(r.columns[column])
	if size <= 0 {
		r.t.Fatalf("the column %s is too short", column)
	}
	r.columns[column] = r.columns[column][size:]
	return int64(n)
}

func (r *reader) signed(column string) int64 {
	n := r.next(column)
	return n>>1 ^ -(n & 1)
}

// latest is the last event before this one of which something is true, or the zero Event.
func (r *reader) latest(is func(*spacetime.Event) bool) (e spacetime.Event) {
	for _, one := range slices.Backward(r.events) {
		if is(&one) {
			return one
		}
	}
	return e
}

func (r *reader) event() {
	i := int32(len(r.events))
	var before spacetime.Event
	if i > 0 {
		before = r.events[i-1]
	}
	e := spacetime.Event{Kind: spacetime.Kind(r.columns["kind"][i]), Channel: spacetime.None, Peer: spacetime.None, Undone: spacetime.None}
	e.Incarnation = uint8(int64(before.Incarnation) + r.signed("incarnation"))
	e.Node = before.Node + int32(r.signed("node"))
	e.At = before.At + r.signed("at")
	if place := r.next("channel"); place > 0 {
		e.Channel = r.incident(e.Node)[place-1]
	}
	r.tie(&e, i)
	own := r.latest(func(o *spacetime.Event) bool {
		return o.Kind == e.Kind && o.Channel == e.Channel && (e.Channel != spacetime.None || o.Node == e.Node)
	})
	like, about := r.latest(func(o *spacetime.Event) bool { return o.Node == e.Node && o.Kind <= spacetime.Emit }), sim.SnapshotID(0)
	number := int64(own.Number)
	if e.Kind <= spacetime.Drop {
		number++
	} else if e.Kind == spacetime.Lost || e.Kind == spacetime.Doubled {
		number = int64(before.Number)
	}
	if !e.Kind.Application() {
		about = r.latest(func(o *spacetime.Event) bool { return o.Snapshot != 0 }).Snapshot
	}
	if e.Kind.Receives() && e.Peer != spacetime.None {
		like = r.events[e.Peer]
		number, about = int64(like.Number), like.Snapshot
	}
	if e.Kind > spacetime.Emit {
		like = spacetime.Event{}
	}
	e.Number = uint32(number + r.signed("number"))
	e.Snapshot = sim.SnapshotID(int64(about) + r.signed("snapshot"))
	e.Message.Key, e.Message.Value, e.Message.Aux = r.word("key", like.Message.Key), int64(r.word("value", uint64(like.Message.Value))), r.word("aux", like.Message.Aux)
	undone := spacetime.None
	if j := slices.IndexFunc(r.events, func(o spacetime.Event) bool { return o.Node == e.Node }); j >= 0 {
		undone = r.latest(func(o *spacetime.Event) bool { return o.Node == e.Node }).Undone
	}
	e.Undone = undone + int32(r.signed("undone"))
	e.Word = r.h.Words[r.next("word")]
	r.events = append(r.events, e)
}

// incident is the channels of a node, those out of it first.
func (r *reader) incident(v int32) (channels []int32) {
	for end := range 2 {
		for c, ch := range r.h.Channels {
			if ch[end].(float64) == float64(v) {
				channels = append(channels, int32(c))
			}
		}
	}
	return channels
}

// receipt is the kind of event at which what an event sends comes.
var receipt = map[spacetime.Kind]spacetime.Kind{spacetime.Send: spacetime.Process, spacetime.Drop: spacetime.Process, spacetime.MarkerSent: spacetime.Marker, spacetime.Close: spacetime.Ended}

// tie gives an event that receives its Peer, and its peer this one.
func (r *reader) tie(e *spacetime.Event, i int32) {
	kind := e.Kind
	if k, ok := receipt[kind]; ok {
		kind = k
	}
	line := [2]int32{e.Channel, int32(kind)}
	switch {
	case e.Kind == spacetime.ControlSent:
	case e.Kind.Sends():
		r.sends[line] = append(r.sends[line], i)
	case e.Kind.Receives():
		switch code := r.next("peer"); code {
		case peerNext:
			e.Peer = r.sends[line][0]
		case peerNone:
			return
		default:
			e.Peer = i - int32(code-peerBack)
		}
		r.sends[line] = slices.DeleteFunc(r.sends[line], func(send int32) bool { return send <= e.Peer })
		if from := &r.events[e.Peer]; from.Peer == spacetime.None {
			from.Peer = i
		}
	}
}

func (r *reader) word(name string, guess uint64) (word uint64) {
	if r.columns[name] == nil {
		return guess // all are 0
	}
	place := r.next(name) - places
	switch {
	case place == foretold-places:
		return guess
	case place == newWord-places:
		place = int64(r.news[name])
		r.news[name]++
	}
	planes := r.columns[name+"s"]
	for k := range 8 {
		word |= uint64(planes[k*len(planes)/8+int(place)]) << (8 * k)
	}
	return word
}

// busy reads the spans of service.
func (r *reader) busy() (spans []spacetime.Busy) {
	at := int64(0)
	for range r.h.Busy {
		at += r.signed("busyEvent")
		var begins spacetime.Event
		if len(r.events) > 0 {
			begins = r.events[at]
		}
		one := spacetime.Busy{Node: begins.Node + int32(r.signed("busyNode")), From: begins.At + r.signed("busyFrom")}
		one.Until = one.From + r.signed("busyLength")
		spans = append(spans, one)
	}
	return spans
}

// states reads the states: by event, what its node was after it.
func (r *reader) states() map[int32]any {
	now := make([]any, len(r.h.Nodes))
	for v, text := range r.h.Initial {
		now[v] = parse(text)
	}
	states, event := map[int32]any{}, int32(0)
	for line := range strings.Lines(string(r.columns["changes"])) {
		event += int32(r.next("state"))
		v := r.events[event].Node
		now[v] = applied(now[v], parse([]byte(line)))
		states[event] = now[v]
	}
	return states
}

// applied is a value with a change.
func applied(value, change any) any {
	switch c := change.(type) {
	case map[string]any:
		if len(c) == 0 {
			return value
		}
		out := map[string]any{}
		for key, old := range value.(map[string]any) {
			out[key] = old
		}
		for key, own := range c {
			if own == json.Number("0") {
				delete(out, key)
			} else {
				out[key] = applied(out[key], own)
			}
		}
		return out
	case []any:
		if len(c) == 1 {
			return c[0]
		}
		out := make([]any, number(c[0]))
		copy(out, value.([]any))
		for k := 1; k < len(c); k += 2 {
			out[number(c[k])] = applied(out[number(c[k])], c[k+1])
		}
		return out
	}
	panic("no change")
}

func number(n any) int64 {
	out, err := n.(json.Number).Int64()
	if err != nil {
		panic(err)
	}
	return out
}

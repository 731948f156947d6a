package report

import (
	"slices"
	"sort"

	"simrun/scenarios/spacetime"
)

// eventColumns writes the events as columns. Most of what an event says can be foretold
// from those before it: a receipt says what was sent, the numbers of a channel follow each
// other, what is sent is about what was just read. So a column has the differences from
// what is foretold, nearly all of them 0. model.js foretells in the same way; whoever
// changes one changes the other, and TestPageReadsBack compares.
func eventColumns(d *spacetime.Diagram, aux bool, c *columns) (wordList []string) {
	e := newEncoder(d)
	for i := range d.Events {
		e.event(int32(i))
	}
	c.put("kind", e.kind)
	for _, column := range []struct {
		name string
		varints
	}{
		{"incarnation", e.incarnation}, {"node", e.node}, {"channel", e.channel}, {"peer", e.peer}, {"number", e.number},
		{"snapshot", e.snapshot}, {"undone", e.undone}, {"at", e.at}, {"word", e.word},
	} {
		c.put(column.name, column.varints)
	}
	e.key.put("key", c)
	e.value.put("value", c)
	if aux {
		e.aux.put("aux", c)
	}
	busyColumns(d, c)
	return e.wordList
}

// encoder has the columns, and what foretells them.
type encoder struct {
	d       *spacetime.Diagram
	lanes   int
	ends    []ends   // by channel: its place among the channels of each end
	chains  []chain  // by channel, for each kind of arrow
	numbers []uint32 // by kind, then by channel or lane: the last number
	last    []int32  // by lane: the last event; None
	spoken  []int32  // by lane: the last event with a message; None
	recent  uint32   // the last snapshot that an event was about

	kind                                                                 []byte
	incarnation, node, channel, peer, number, snapshot, undone, at, word varints
	key, value, aux                                                      words
	wordList                                                             []string
	wordPlace                                                            map[string]int
}

func newEncoder(d *spacetime.Diagram) *encoder {
	lanes := len(d.Graph.Nodes) + 1
	e := &encoder{d: d, lanes: lanes, ends: channelPlaces(d), chains: make([]chain, arrows*len(d.Graph.Channels)),
		numbers: make([]uint32, len(spacetime.Kinds())*(lanes+len(d.Graph.Channels))),
		last:    slices.Repeat([]int32{spacetime.None}, lanes), spoken: slices.Repeat([]int32{spacetime.None}, lanes),
		wordList: []string{""}, wordPlace: map[string]int{"": 0}}
	return e
}

// ends are the places of a channel among those of its sender and of its receiver. A node
// has its outputs first, and both count from 1.
type ends struct{ from, to int }

func channelPlaces(d *spacetime.Diagram) []ends {
	places := make([]ends, len(d.Graph.Channels))
	degree := make([]int, len(d.Graph.Nodes))
	for c, ch := range d.Graph.Channels {
		degree[ch.From]++
		places[c].from = degree[ch.From]
	}
	for c, ch := range d.Graph.Channels {
		degree[ch.To]++
		places[c].to = degree[ch.To]
	}
	return places
}

// place is the place of an event's channel among those of its node; 0: it has none.
func (e *encoder) place(ev *spacetime.Event) uint64 {
	switch {
	case ev.Channel == spacetime.None:
		return 0
	case e.d.Graph.Channels[ev.Channel].From == ev.Node:
		return uint64(e.ends[ev.Channel].from)
	}
	return uint64(e.ends[ev.Channel].to)
}

// event adds an event to every column.
func (e *encoder) event(i int32) {
	ev := &e.d.Events[i]
	before := &spacetime.Event{}
	if i > 0 {
		before = &e.d.Events[i-1]
	}
	e.kind = append(e.kind, byte(ev.Kind))
	e.incarnation.signed(int64(ev.Incarnation) - int64(before.Incarnation))
	e.node.signed(int64(ev.Node) - int64(before.Node))
	e.at.signed(ev.At - before.At)
	e.channel.add(e.place(ev))
	e.tie(ev, i)
	e.say(ev, i)

	undone := spacetime.None
	if p := e.last[ev.Node]; p != spacetime.None {
		undone = e.d.Events[p].Undone
	}
	e.undone.signed(int64(ev.Undone) - int64(undone))
	e.last[ev.Node] = i

	place, ok := e.wordPlace[ev.Word]
	if !ok {
		place = len(e.wordList)
		e.wordPlace[ev.Word] = place
		e.wordList = append(e.wordList, ev.Word)
	}
	e.word.add(uint64(place))
}

// tie adds which event sent what is received. Those of the events that send follow.
func (e *encoder) tie(ev *spacetime.Event, i int32) {
	if !ev.Kind.Sends() && !ev.Kind.Receives() {
		return
	}
	var own *chain // of control messages there is none
	if ev.Channel != spacetime.None {
		own = &e.chains[arrows*int(ev.Channel)+arrowOf(ev.Kind)]
	}
	if ev.Kind.Sends() {
		if own != nil {
			own.sends = append(own.sends, i)
		}
		return
	}
	switch guess := own.next(); {
	case ev.Peer == spacetime.None:
		e.peer.add(peerNone)
	case ev.Peer == guess:
		e.peer.add(peerNext)
	default:
		e.peer.add(uint64(peerBack + i - ev.Peer))
	}
	own.came(ev.Peer)
}

// The codes of the column peer; those from peerBack on say by how many events.
const (
	peerNext = iota // what was sent next
	peerNone
	peerBack
)

// chain is what was sent on a channel with one kind of arrow.
type chain struct {
	sends []int32 // events, ascending
	head  int     // what is before it has come
}

// arrows is how many kinds of arrow a channel has.
const arrows = 3

// arrowOf is the kind of arrow that begins or ends at an event of this kind: that of a
// message, of a marker, of the end of a stream.
func arrowOf(k spacetime.Kind) int {
	switch k {
	case spacetime.Send, spacetime.Process, spacetime.Drop:
		return 0
	case spacetime.MarkerSent, spacetime.Marker:
		return 1
	}
	return 2
}

// next is what comes next if nothing is lost or overtaken; None: nothing is under way.
func (c *chain) next() int32 {
	if c == nil || c.head == len(c.sends) {
		return spacetime.None
	}
	return c.sends[c.head]
}

func (c *chain) came(send int32) {
	if c == nil || send == spacetime.None {
		return
	}
	place := sort.Search(len(c.sends), func(k int) bool { return c.sends[k] >= send })
	c.head = max(c.head, place+1)
}

// say adds the number, the snapshot and the message of an event.
func (e *encoder) say(ev *spacetime.Event, i int32) {
	from := spacetime.None // the event that says the same
	if ev.Kind.Receives() {
		from = ev.Peer
	}
	e.number.signed(int64(ev.Number) - e.numberGuess(ev, from, i))

	snapshot := uint32(0)
	switch {
	case from != spacetime.None:
		snapshot = uint32(e.d.Events[from].Snapshot)
	case !ev.Kind.Application():
		snapshot = e.recent
	}
	e.snapshot.signed(int64(ev.Snapshot) - int64(snapshot))
	if ev.Snapshot != 0 {
		e.recent = uint32(ev.Snapshot)
	}

	if !speaks(ev.Kind) {
		from = spacetime.None
	} else if from == spacetime.None {
		from = e.spoken[ev.Node]
	}
	var guess spacetime.Event
	if from != spacetime.None {
		guess = e.d.Events[from]
	}
	e.key.add(ev.Message.Key, guess.Message.Key)
	e.value.add(uint64(ev.Message.Value), uint64(guess.Message.Value))
	e.aux.add(ev.Message.Aux, guess.Message.Aux)
	if speaks(ev.Kind) {
		e.spoken[ev.Node] = i
	}
}

// speaks says whether events of a kind have a message.
func speaks(k spacetime.Kind) bool { return k <= spacetime.Emit }

// numberGuess is what the number of an event should be: that of what was sent, or the next.
func (e *encoder) numberGuess(ev *spacetime.Event, from, i int32) int64 {
	slot := int(ev.Kind)*(e.lanes+len(e.d.Graph.Channels)) + int(ev.Node)
	if ev.Channel != spacetime.None {
		slot += e.lanes - int(ev.Node) + int(ev.Channel)
	}
	last := e.numbers[slot]
	e.numbers[slot] = ev.Number
	switch {
	case from != spacetime.None:
		return int64(e.d.Events[from].Number)
	case ev.Kind <= spacetime.Drop:
		return int64(last) + 1
	case i > 0 && (ev.Kind == spacetime.Lost || ev.Kind == spacetime.Doubled):
		return int64(e.d.Events[i-1].Number)
	}
	return int64(last)
}

// busyColumns writes the spans of service: how many events later than the one before each
// begins, how much later than its event, at which node, and how long it is.
func busyColumns(d *spacetime.Diagram, c *columns) {
	var event, node, from, length varints
	previous := 0
	for _, b := range d.Busy {
		i := max(0, sort.Search(len(d.Events), func(k int) bool { return d.Events[k].At > b.From })-1)
		var begins spacetime.Event
		if len(d.Events) > 0 {
			begins = d.Events[i]
		}
		event.signed(int64(i - previous))
		node.signed(int64(b.Node) - int64(begins.Node))
		from.signed(b.From - begins.At)
		length.signed(b.Until - b.From)
		previous = i
	}
	c.put("busyEvent", event)
	c.put("busyNode", node)
	c.put("busyFrom", from)
	c.put("busyLength", length)
}

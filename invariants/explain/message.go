package explain

import (
	"fmt"
	"slices"

	"simrun/invariants"
	"simrun/sim"
)

// Message is one message and where a snapshot's cut is to it.
type Message struct {
	Channel   string `json:"channel"`
	Number    uint32 `json:"number"`
	From      string `json:"from"`
	To        string `json:"to"`
	Sent      *Event `json:"sent"`      // nil: never
	Processed *Event `json:"processed"` // nil: never
	Case      string `json:"case"`      // one of the four; "" if there is no cut or it was never sent
	Recorded  int    `json:"recorded"`  // how often the channel's recorded state has it
}

// crossing is what is known of one message and one snapshot.
type crossing struct {
	*Explainer
	s        *sim.Snapshot
	t        *traffic
	ch       int32
	n        uint32
	sent     int // row; -1: never
	did      int // the row in which it was processed; -1: never
	from, to string
}

func (x *Explainer) crossing(s *sim.Snapshot, t *traffic, n uint32) *crossing {
	c := &crossing{Explainer: x, s: s, t: t, ch: t.channel, n: n, sent: -1, did: -1,
		from: x.name(x.run.Graph.From[t.channel]), to: x.name(x.run.Graph.To[t.channel])}
	if row, ok := find(t.sent, n); ok {
		c.sent = row
	}
	if row, ok := find(t.processed, n); ok {
		c.did = row
	}
	return c
}

// message is the crossing as a value.
func (c *crossing) message() *Message {
	m := &Message{Channel: c.link(c.ch), Number: c.n, From: c.from, To: c.to}
	if c.sent >= 0 {
		e := c.eventAt(c.sent)
		m.Sent = &e
	}
	if c.did >= 0 {
		e := c.eventAt(c.did)
		m.Processed = &e
	}
	if c.t.cut {
		m.Case = c.t.place(c.n)
	}
	if c.s != nil {
		m.Recorded = len(c.saved())
	}
	return m
}

// saved is what the recorded state of the channel has under this number.
func (c *crossing) saved() (list []*sim.Recorded) {
	recorded := at(c.s.Channels, c.ch)
	for i := range recorded {
		if recorded[i].Number == c.n {
			list = append(list, &recorded[i])
		}
	}
	return list
}

// ofCut explains a violation about messages of a channel and a cut.
func (x *Explainer) ofCut(v *invariants.Violation, out *Violation) {
	s := x.snapshot(v.Snapshot)
	t := x.traffic(x.world(int(s.Incarnation)), s, v.Channel)
	c := x.crossing(s, t, v.Numbers[0])
	out.Message = c.message()
	out.Chain = c.chain()
	switch place := out.Message.Case; {
	case t.cut && c.miscounted(out):
	case !t.cut:
		out.say("%s or %s never recorded snapshot %d, so there is no cut to compare with", c.from, c.to, s.ID)
	case place == "" && v.Node >= 0:
		out.say("The state that %s recorded has made the step that produced message %d, but the message left only later: it is neither in the state nor in the channel nor among what the node attached", c.from, c.n)
	case place == "":
		out.say("%s never sent a message %d on this channel", c.from, c.n)
	case place == AfterBefore:
		c.orphan(out)
	case place == BeforeAfter && v.Invariant == "abs-staged":
		out.say("It is in flight across the cut, and under aligned barriers only back-edges may have something in flight")
		out.Should = c.shouldWait()
	case place == BeforeAfter && out.Message.Recorded == 0:
		c.missing(out)
	case place == BeforeAfter:
		c.wrongly(out)
	case v.Node >= 0:
		out.say("The state that %s recorded has made the step that produced it, but it left only at %s, outside the cut, and is not attached: after a restore it would be lost", c.from, c.its(c.sent))
	default:
		c.extra(out, place)
	}
	rest := slices.Clone(v.Numbers[1:])
	slices.Sort(rest)
	for _, n := range slices.Compact(rest) {
		out.Also.add(n)
	}
}

// miscounted says so if the counters of the cut are not the numbers of messages that
// crossed it: some were processed twice or left out before. The checker compares
// counters, so what it says follows from that.
func (c *crossing) miscounted(out *Violation) bool {
	sent, processed := uint32(0), uint32(0)
	for _, e := range c.t.sent {
		if e.row < c.t.from {
			sent = max(sent, e.number)
		}
	}
	for _, e := range c.t.processed {
		if e.row < c.t.to {
			processed++
		}
	}
	if counted := int(at(c.s.Processed, c.ch)) - len(at(c.s.Gaps, c.ch)); counted != int(processed) {
		out.say("%s had processed %s here when it recorded, of them %d different ones: the run had stopped being a legal one before, and this follows from it", c.to, number(counted, "message"), processed)
		return true
	}
	return at(c.s.Sent, c.ch) != sent
}

// messages words message numbers.
func messages(r Ranges) string {
	if r.count() == 1 {
		return "message " + r.String()
	}
	return "messages " + r.String()
}

// chain is the events that the case follows from: at each end of the channel, in the
// order of that node, the recording and what was done with the message.
func (c *crossing) chain() []Event {
	sender, receiver := []int{c.sent}, []int{c.did}
	if c.t.cut {
		sender, receiver = append(sender, c.t.from), append(receiver, c.t.to)
	}
	if g := &c.run.Graph; g.From[c.ch] == g.To[c.ch] {
		return c.events(append(sender, receiver...))
	}
	return append(c.events(sender), c.events(receiver)...)
}

// events is the events of these rows, in order; -1 is no row.
func (x *index) events(rows []int) []Event {
	slices.Sort(rows)
	chain := []Event{}
	for _, row := range slices.Compact(rows) {
		if row >= 0 && row < len(x.node) && x.node[row] >= 0 {
			chain = append(chain, x.eventAt(row))
		}
	}
	return chain
}

func (c *crossing) orphan(out *Violation) {
	out.say("So the cut has an effect without its cause: no system was ever in this state")
	out.Should = c.shouldPrecede()
}

func (c *crossing) missing(out *Violation) {
	out.say("The recorded state of the channel does not have it: after a restore it would be lost")
	switch {
	case c.failed(c.losses, c.sent):
		out.say("The channel lost it; the algorithm is made for channels that lose nothing")
	case c.logged():
		out.Should = c.shouldReplay()
	case c.run.Aligned && !c.backEdge(c.ch):
		out.Should = c.shouldWait()
	case c.run.Aligned:
		out.Should = c.shouldStore("belongs in the backup log")
	default:
		out.Should = c.shouldStore("is the state of the channel")
	}
}

// logged says whether the restore that this incarnation began with gave the message to
// the algorithm, to be processed first.
func (c *crossing) logged() bool {
	k := int(c.s.Incarnation) - 1
	if k < 0 || k >= len(c.h.Restores) {
		return false
	}
	return slices.ContainsFunc(at(c.h.Restores[k].Logged, c.ch), func(r sim.Recorded) bool { return r.Number == c.n })
}

// wrongly is about a message that is in the recorded state, as it should be, and
// not as it should be.
func (c *crossing) wrongly(out *Violation) {
	copies := c.saved()
	if len(copies) > 1 {
		out.say("The recorded state of the channel has it %d times: after a restore it would be processed as often", len(copies))
		c.duplicated(out)
		return
	}
	if c.foreign(out, copies[0]) {
		return
	}
	if sender := c.incarnation(c.sent); int(copies[0].Incarnation) != sender {
		out.say("It is recorded as sent in incarnation %d, but it was sent in %d", copies[0].Incarnation, sender)
		return
	}
	out.say("It is recorded, but the messages are not in the order in which they were sent: %s", orderOf(at(c.s.Channels, c.ch)))
}

// duplicated says so if the channel brought the message twice.
func (c *crossing) duplicated(out *Violation) {
	if c.failed(c.copies, c.sent) {
		out.say("The channel brought it twice; the algorithm is made for channels that bring each message once")
	}
}

// orderOf lists the numbers of a recorded channel state as they stand.
func orderOf(recorded []sim.Recorded) string {
	text := ""
	for i := range recorded[:min(len(recorded), 10)] {
		text += fmt.Sprintf(", %d", recorded[i].Number)
	}
	if more := len(recorded) - 10; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text[2:]
}

// foreign says so if what is recorded under this number is not what the channel's
// message of that number said.
func (c *crossing) foreign(out *Violation, m *sim.Recorded) bool {
	t := c.truth(int(c.s.Incarnation))
	really, known := t.message(c.ch, c.n)
	if !known || really.Equal(m.Message) {
		return false
	}
	if other := t.origin(c.ch, m); other >= 0 {
		out.say("What is recorded here as message %d is message %d of %s: it was saved as the state of a channel that it did not come on", c.n, m.Number, c.link(other))
	} else {
		out.say("What is recorded here as message %d does not say what that message said (recorded %s, sent %s)", c.n, content(m.Message), content(really))
	}
	return true
}

// content shows a message.
func content(m sim.Message) string {
	return fmt.Sprintf("key %d, value %d, aux %d", m.Key, m.Value, m.Aux)
}

// extra is about a message that is in the recorded state and should not be.
func (c *crossing) extra(out *Violation, place string) {
	copies := c.saved()
	if len(copies) == 0 {
		out.say("The recorded state does not have it, and need not")
		return
	}
	if c.foreign(out, copies[0]) {
		return
	}
	c.duplicated(out)
	if place == BeforeBefore {
		out.say("%s had processed it before it recorded, so its effect is in the recorded state of %s already: with the channel's state it would count twice after a restore", c.to, c.to)
		out.Should = fmt.Sprintf("What %s processes before it records (%s) is no channel's state", c.to, c.its(c.t.to))
		return
	}
	out.say("%s sent it after it recorded, so it is outside the cut: after a restore %s would send it once more, and it would be processed twice", c.from, c.from)
	out.Should = c.shouldEnd()
}

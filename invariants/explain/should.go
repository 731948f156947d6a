package explain

import (
	"fmt"
	"slices"

	"simrun/sim"
)

// This file says which marker should have come first, and what became of it.

// marks is a snapshot's marker on the channel of a crossing.
type marks struct {
	sent, came *note  // nil: never
	known      bool   // somebody watched
	lost       string // "", or that the channel lost it
}

func (c *crossing) marks() marks {
	lost := ""
	if slices.Contains(c.s.LostOn, c.ch) {
		lost = ": the channel lost it"
	}
	return marks{
		lost:  lost,
		sent:  c.notes.marker(sim.EventMarkerSent, c.ch, c.s.ID),
		came:  c.notes.marker(sim.EventMarker, c.ch, c.s.ID),
		known: c.notes != nil,
	}
}

// its names the marker: the barrier of snapshot 1 on a->b#0.
func (c *crossing) itsMarker() string {
	return fmt.Sprintf("the %s of snapshot %d on %s", c.marker(), c.s.ID, c.link(c.ch))
}

// shouldPrecede is for an orphan: its marker should have been put on the channel
// before it, and its receiver should have recorded before it took the message.
func (c *crossing) shouldPrecede() string {
	m := c.marks()
	text := fmt.Sprintf("%s should have been sent when %s recorded (%s), in front of message %d", capital(c.itsMarker()), c.from, c.its(c.t.from), c.n)
	switch {
	case !m.known:
		return fmt.Sprintf("%s, and %s should have recorded before it processed what is behind it", text, c.to)
	case m.sent == nil:
		return text + "; it was never sent"
	case m.sent.row > c.sent:
		return fmt.Sprintf("%s; it was sent behind it, %s", text, c.behind(m.sent, c.run.Graph.From[c.ch]))
	case m.came == nil:
		return fmt.Sprintf("%s; it was, but it never reached %s%s", text, c.to, m.lost)
	case m.came.row > c.did:
		return fmt.Sprintf("%s; it was, but message %d overtook it: the channel is not first in, first out", text, c.n)
	}
	text = fmt.Sprintf("%s was sent in front of message %d and reached %s before it, %s", capital(c.itsMarker()), c.n, c.to, c.behind(m.came, c.run.Graph.To[c.ch]))
	if c.run.Aligned && !c.backEdge(c.ch) {
		return fmt.Sprintf("%s; from then on %s should have kept the channel blocked until it recorded, but it recorded only at %s", text, c.to, c.its(c.t.to))
	}
	return fmt.Sprintf("%s; %s should have recorded then, before anything else, but it recorded only at %s", text, c.to, c.its(c.t.to))
}

// shouldWait is for a message in flight where barriers are aligned: its receiver
// recorded too early.
func (c *crossing) shouldWait() string {
	text := fmt.Sprintf("%s should have recorded only when the %s had come on every input that is no back-edge, and so behind message %d", c.to, c.marker(), c.n)
	m := c.marks()
	switch {
	case !m.known:
		return text
	case m.sent == nil:
		return fmt.Sprintf("%s; %s was never sent, and %s recorded at %s", text, c.itsMarker(), c.to, c.its(c.t.to))
	case m.sent.row <= c.sent:
		return fmt.Sprintf("%s should have been sent when %s recorded (%s), behind message %d; it was sent in front of it, %s",
			capital(c.itsMarker()), c.from, c.its(c.t.from), c.n, c.behind(m.sent, c.run.Graph.From[c.ch]))
	case m.came == nil:
		return fmt.Sprintf("%s; %s never reached it%s, and it recorded at %s", text, c.itsMarker(), m.lost, c.its(c.t.to))
	case m.came.row > c.t.to:
		return fmt.Sprintf("%s; it recorded at %s, and %s came later, %s",
			text, c.its(c.t.to), c.itsMarker(), c.behind(m.came, c.run.Graph.To[c.ch]))
	}
	if at(c.run.Unreliable, c.ch).Reorder {
		return fmt.Sprintf("%s; %s had come when it recorded (%s), because it overtook the message: the channel is not first in, first out", text, c.itsMarker(), c.its(c.t.to))
	}
	return fmt.Sprintf("%s; %s had come when it recorded (%s), but message %d had not been processed", text, c.itsMarker(), c.its(c.t.to), c.n)
}

// shouldStore is for a message that a snapshot should have and has not.
func (c *crossing) shouldStore(belongs string) string {
	text := fmt.Sprintf("What %s processes from this channel between its recording (%s) and the channel's own %s %s", c.to, c.its(c.t.to), c.marker(), belongs)
	m := c.marks()
	switch {
	case !m.known:
		return text
	case m.sent != nil && m.sent.row <= c.sent:
		return fmt.Sprintf("%s should have been sent when %s recorded (%s), behind message %d; it was sent in front of it, %s, so that %s could not know that the message belongs to the snapshot",
			capital(c.itsMarker()), c.from, c.its(c.t.from), c.n, c.behind(m.sent, c.run.Graph.From[c.ch]), c.to)
	case m.came == nil:
		return fmt.Sprintf("%s; that %s never came%s, and message %d was not stored", text, c.marker(), m.lost, c.n)
	case c.did >= 0 && m.came.row <= c.did:
		return fmt.Sprintf("%s; the %s overtook message %d, it came first, %s", text, c.marker(), c.n, c.behind(m.came, c.run.Graph.To[c.ch]))
	case c.did < 0:
		return fmt.Sprintf("%s; message %d was never processed, and not stored", text, c.n)
	}
	if done := c.notes.done(c.run.Graph.To[c.ch], c.s.ID); done != nil && done.row <= c.did {
		return fmt.Sprintf("%s; message %d came in front of the %s, but %s had ended its part of the snapshot before, %s",
			text, c.n, c.marker(), c.to, c.behind(done, c.run.Graph.To[c.ch]))
	}
	return fmt.Sprintf("%s; the %s came behind message %d, %s, and the message was not stored", text, c.marker(), c.n, c.behind(m.came, c.run.Graph.To[c.ch]))
}

// shouldEnd is for a message that was stored although it was sent after the cut.
func (c *crossing) shouldEnd() string {
	m := c.marks()
	text := fmt.Sprintf("%s ends the recording of the channel", capital(c.itsMarker()))
	switch {
	case !m.known:
		return text
	case m.sent == nil:
		return text + "; it was never sent"
	case m.sent.row > c.sent:
		return fmt.Sprintf("%s; it should have been sent when %s recorded (%s), and was sent behind message %d, %s",
			text, c.from, c.its(c.t.from), c.n, c.behind(m.sent, c.run.Graph.From[c.ch]))
	case m.came == nil:
		return fmt.Sprintf("%s; it was sent in front of message %d and never reached %s%s", text, c.n, c.to, m.lost)
	}
	return fmt.Sprintf("%s; it was sent in front of message %d and reached %s before it, %s, but the recording went on",
		text, c.n, c.to, c.behind(m.came, c.run.Graph.To[c.ch]))
}

// shouldReplay is for a message of the backup log that was not processed in time.
func (c *crossing) shouldReplay() string {
	text := fmt.Sprintf("Recovery %d gave it to %s with the backup log, to be processed before anything else; %s", c.s.Incarnation, c.to, c.to)
	if c.did < 0 {
		return text + " never did"
	}
	return fmt.Sprintf("%s did so only at %s", text, c.its(c.did))
}

// shouldCome is for a snapshot that is pending: it finds a marker that its sender, who
// has recorded, should have sent, and that never came.
func (x *Explainer) shouldCome(s *sim.Snapshot) string {
	for ch := range int32(len(x.run.Graph.From)) {
		from := x.run.Graph.From[ch]
		row, recorded := x.recordedAt(s, from)
		if !recorded || at(s.Marked, ch) || x.notes == nil {
			continue
		}
		text := fmt.Sprintf("The %s of snapshot %d on %s should have been sent when %s recorded (%s); ", x.marker(), s.ID, x.link(ch), x.name(from), x.its(row))
		switch {
		case x.notes.marker(sim.EventMarkerSent, ch, s.ID) == nil:
			return text + "it was never sent"
		case slices.Contains(s.LostOn, ch):
			return text + "it was, and the channel lost it"
		case at(x.h.Final.Blocked, ch) != 0:
			return text + fmt.Sprintf("it was, and it still stands in the channel, which %s keeps blocked", x.name(x.run.Graph.To[ch]))
		}
	}
	return ""
}

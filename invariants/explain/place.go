package explain

import (
	"fmt"
	"strings"

	"simrun/sim"
)

// The four cases, by the cuts of the sender and the receiver. Sent and processed
// before: inside the cut. Sent before, processed after or never: in flight.
const (
	BeforeBefore = "before/before"
	BeforeAfter  = "before/after"
	AfterBefore  = "after/before"
	AfterAfter   = "after/after"
)

// Ranges is message numbers: the first and the last of each run of them.
type Ranges [][2]uint32

func (r *Ranges) add(n uint32) {
	if last := len(*r) - 1; last >= 0 && (*r)[last][1]+1 == n {
		(*r)[last][1] = n
		return
	}
	*r = append(*r, [2]uint32{n, n})
}

// count is how many numbers there are.
func (r Ranges) count() (n int) {
	for _, run := range r {
		n += int(run[1]-run[0]) + 1
	}
	return n
}

// rangesMax is how many runs of numbers a text lists.
const rangesMax = 5

// String is the numbers for people: 1-4, 7.
func (r Ranges) String() string {
	if len(r) == 0 {
		return "-"
	}
	var parts []string
	for i, run := range r {
		switch {
		case i == rangesMax:
			return strings.Join(parts, ", ") + fmt.Sprintf(" and %d more", r[i:].count())
		case run[0] == run[1]:
			parts = append(parts, fmt.Sprint(run[0]))
		default:
			parts = append(parts, fmt.Sprintf("%d-%d", run[0], run[1]))
		}
	}
	return strings.Join(parts, ", ")
}

// traffic is the messages of one channel in a world, and where the cut of a snapshot
// goes through them.
type traffic struct {
	channel         int32
	sent, processed []entry
	from, to        int // the rows in which its ends recorded
	cut             bool
}

func (x *index) traffic(w world, s *sim.Snapshot, ch int32) *traffic {
	t := &traffic{channel: ch, sent: x.entries(w, x.sends[ch]), processed: x.entries(w, x.processes[ch])}
	if s == nil {
		return t
	}
	var sender, receiver bool
	t.from, sender = x.recordedAt(s, x.run.Graph.From[ch])
	t.to, receiver = x.recordedAt(s, x.run.Graph.To[ch])
	t.cut = sender && receiver
	return t
}

// place is the case of a message, and "" if it was never sent.
func (t *traffic) place(n uint32) string {
	send, ok := find(t.sent, n)
	if !ok {
		return ""
	}
	process, ok := find(t.processed, n)
	before := ok && process < t.to
	switch {
	case send < t.from && before:
		return BeforeBefore
	case send < t.from:
		return BeforeAfter
	case before:
		return AfterBefore
	}
	return AfterAfter
}

// Quadrants is every message of a channel in its case.
type Quadrants struct {
	Inside   Ranges `json:"before_before"`
	InFlight Ranges `json:"before_after"`
	Orphans  Ranges `json:"after_before"`
	Later    Ranges `json:"after_after"`
}

func (t *traffic) quadrants() Quadrants {
	q := Quadrants{Ranges{}, Ranges{}, Ranges{}, Ranges{}}
	for _, e := range t.sent {
		switch t.place(e.number) {
		case BeforeBefore:
			q.Inside.add(e.number)
		case BeforeAfter:
			q.InFlight.add(e.number)
		case AfterBefore:
			q.Orphans.add(e.number)
		default:
			q.Later.add(e.number)
		}
	}
	return q
}

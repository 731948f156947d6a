package twin

import (
	"bytes"
	"slices"

	"simrun/sim"
)

// snapshot decides about a complete snapshot.
func (j *judge) snapshot(s *sim.Snapshot, verdict *Verdict) {
	if !j.whole(s) {
		verdict.add(Malformed)
		return
	}
	for v := range s.Recordings {
		if s.Recordings[v].Seq == 0 {
			verdict.add(Unrecorded)
		}
		if j.legal < len(j.h.Rows) && s.Recordings[v].Row > j.legal {
			verdict.add(Illegal)
		}
	}
	if len(verdict.Reasons) > 0 {
		return
	}
	k := j.incarnation(s.Recordings[0].Row)
	for v := range s.Recordings {
		if !j.isRecording(s, int32(v)) || j.incarnation(s.Recordings[v].Row) != k {
			verdict.add(NoRow)
			return
		}
	}
	if len(s.Twice) > 0 {
		verdict.add(Twice)
	}
	var inside []event
	for _, e := range j.stitched[k] {
		if e.row < s.Recordings[e.node].Row {
			inside = append(inside, e)
		}
	}
	j.consistent(inside, verdict)
	for ch := range int32(len(s.Channels)) {
		j.channel(s, ch, inside, verdict)
	}
	for v := range int32(len(s.States)) {
		j.state(s, v, inside, verdict)
	}
}

// consistent looks for an event inside the cut that has a cause outside it.
func (j *judge) consistent(inside []event, verdict *Verdict) {
	count := make([]int, j.run.Graph.Nodes)
	for _, e := range inside {
		count[e.node]++
	}
	for _, e := range inside {
		for v := range count {
			if e.clock[v] > count[v] {
				verdict.add(Orphan)
			}
		}
	}
}

// channel compares what is recorded of a channel with what was in flight in it.
func (j *judge) channel(s *sim.Snapshot, ch int32, inside []event, verdict *Verdict) {
	var sent, inFlight []event
	var wasSent, wasProcessed tally
	highest, orphans := uint32(0), 0
	for _, e := range inside {
		switch {
		case e.channel != ch:
		case e.kind == sim.RowSend:
			sent = append(sent, e)
			wasSent.add(e.number)
		case e.kind == sim.RowProcess:
			highest = max(highest, e.number)
			wasProcessed.add(e.number)
		}
	}
	for _, e := range sent {
		if wasProcessed.of(e.number) == 0 {
			inFlight = append(inFlight, e)
		}
	}
	for number := range uint32(len(wasProcessed)) {
		if wasProcessed.of(number) > 0 && wasSent.of(number) == 0 {
			orphans++
		}
	}
	var passedOver []uint32
	for number := uint32(1); number < highest; number++ {
		if wasProcessed.of(number) == 0 {
			passedOver = append(passedOver, number)
		}
	}
	if len(sent) != int(s.Sent[ch]) || highest != s.Processed[ch] || !slices.Equal(passedOver, gaps(s, ch)) {
		verdict.add(WrongCount)
	}
	ordered := j.reliable(ch) || !j.run.Unreliable[ch].Reorder
	compare(s.Channels[ch], inFlight, ordered, verdict)
	if !j.reliable(ch) {
		return // nobody promises to align these
	}
	backEdge := int(ch) < len(j.run.BackEdge) && j.run.BackEdge[ch]
	if j.run.Aligned && !backEdge && len(inFlight)+orphans+len(s.Channels[ch]) > 0 {
		verdict.add(NotAligned)
	}
}

// gaps is the numbers that the noted cut says were passed over.
func gaps(s *sim.Snapshot, ch int32) []uint32 {
	if int(ch) >= len(s.Gaps) {
		return nil
	}
	return s.Gaps[ch]
}

// compare compares recorded messages with those that should be.
func compare(recorded []sim.Recorded, want []event, ordered bool, verdict *Verdict) {
	var wanted, there tally
	for _, e := range want {
		wanted.add(e.number)
	}
	exact := true
	for _, r := range recorded {
		if wanted.of(r.Number) == there.of(r.Number) { // never, or not once more
			verdict.add(Extra)
			exact = false
			continue
		}
		there.add(r.Number)
		for _, e := range want {
			if e.number == r.Number && (!r.Message.Equal(e.message) || int(r.Incarnation) != e.incarnation) {
				verdict.add(Altered)
			}
		}
	}
	for _, e := range want {
		if there.of(e.number) == 0 {
			verdict.add(Missing)
			exact = false
		}
	}
	for i := 0; exact && ordered && i < len(want); i++ {
		if recorded[i].Number != want[i].number {
			verdict.add(Reordered)
		}
	}
}

// state does a node's part of the cut again and compares what comes of it.
func (j *judge) state(s *sim.Snapshot, v int32, inside []event, verdict *Verdict) {
	a := j.alone(v, inside)
	recording := &s.Recordings[v]
	if !bytes.Equal(a.app.Save(nil), s.States[v]) {
		verdict.add(WrongState)
	}
	read, emitted := 0, 0
	sent := make([]int, len(a.outputs))
	for _, e := range inside {
		switch {
		case e.node != v:
		case e.kind == sim.RowExternal:
			read++
		case e.kind == sim.RowEmit:
			emitted++
		case e.kind == sim.RowSend:
			sent[slices.Index(a.outputs, e.channel)]++
		}
	}
	if recording.Offset != j.offset(v, read, recording.Row) {
		verdict.add(WrongOffset)
	}
	var timers []uint32
	for _, t := range recording.Timers {
		timers = append(timers, t.ID)
	}
	if !slices.Equal(timers, a.armed) {
		verdict.add(WrongTimers)
	}
	held := len(a.emitted) > emitted
	for i := range sent {
		held = held || len(a.produced[i]) > sent[i]
	}
	if held && (int(v) >= len(s.Attached) || s.Attached[v] == nil) {
		verdict.add(Unattached)
	}
}

package properties_test

import (
	"slices"

	"simrun/sim"
)

// damaged changes one thing in a history and says what; nothing if it found nothing to
// change. Rows that other parts of a history point at stay where they are.
func damaged(word *sim.Word, h *sim.History) string {
	s := someComplete(word, h)
	if len(h.Rows) == 0 || s == nil {
		return ""
	}
	kinds := []struct {
		name string
		do   func(word *sim.Word, h *sim.History, s *sim.Snapshot) bool
	}{
		{"rows swapped", swapRows},
		{"a row with another content", changeHash},
		{"a row with another number", changeNumber},
		{"a row of another place", moveRow},
		{"an earlier crash", crashEarlier},
		{"a state", changeState},
		{"a message altered", changeMessage},
		{"a message left out", dropMessage},
		{"a message twice", repeatMessage},
		{"messages swapped", swapMessages},
		{"an offset", changeOffset},
		{"a timer", changeTimers},
		{"a counter", changeCounter},
		{"a recording without its row", misplaceRecording},
		{"an attachment", dropAttachment},
		{"recorded twice", recordTwice},
		{"what a restore put back", changeRestore},
	}
	kind := kinds[word.Below(len(kinds))]
	if !kind.do(word, h, s) {
		return ""
	}
	return kind.name
}

// someComplete is a complete snapshot, nil if there is none.
func someComplete(word *sim.Word, h *sim.History) *sim.Snapshot {
	var complete []*sim.Snapshot
	for _, s := range h.Snapshots {
		if s.Status == sim.Complete {
			complete = append(complete, s)
		}
	}
	if len(complete) == 0 {
		return nil
	}
	return complete[word.Below(len(complete))]
}

// free says whether nothing points at a row.
func free(r sim.Row) bool {
	return r.Kind() != sim.RowRecord && r.Kind() != sim.RowCrash && r.Kind() != sim.RowRestore
}

// swapRows lets two rows change places, which may be harmless.
func swapRows(word *sim.Word, h *sim.History, _ *sim.Snapshot) bool {
	i := word.Below(len(h.Rows))
	j := min(i+1+word.Below(3), len(h.Rows)-1)
	if i == j || slices.ContainsFunc(h.Rows[i:j+1], func(r sim.Row) bool { return !free(r) }) {
		return false
	}
	h.Rows[i], h.Rows[j] = h.Rows[j], h.Rows[i]
	return true
}

func changeHash(word *sim.Word, h *sim.History, _ *sim.Snapshot) bool {
	i := word.Below(len(h.Rows))
	r := h.Rows[i]
	if !free(r) || r.Kind() == sim.RowTimer {
		return false
	}
	h.Rows[i] = sim.NewRow(r.Kind(), r.Entity(), r.Number, r.Hash^1)
	return true
}

func changeNumber(word *sim.Word, h *sim.History, _ *sim.Snapshot) bool {
	i := word.Below(len(h.Rows))
	r := h.Rows[i]
	if !free(r) {
		return false
	}
	h.Rows[i] = sim.NewRow(r.Kind(), r.Entity(), r.Number+1, r.Hash)
	return true
}

func moveRow(word *sim.Word, h *sim.History, _ *sim.Snapshot) bool {
	i := word.Below(len(h.Rows))
	r := h.Rows[i]
	if !free(r) {
		return false
	}
	h.Rows[i] = sim.NewRow(r.Kind(), r.Entity()+1, r.Number, r.Hash)
	return true
}

// crashEarlier lets a node crash before what comes before, which it may have done.
func crashEarlier(word *sim.Word, h *sim.History, _ *sim.Snapshot) bool {
	var crashes []int
	for i, r := range h.Rows {
		if r.Kind() == sim.RowCrash && i > 0 && free(h.Rows[i-1]) {
			crashes = append(crashes, i)
		}
	}
	if len(crashes) == 0 {
		return false
	}
	i := crashes[word.Below(len(crashes))]
	h.Rows[i-1], h.Rows[i] = h.Rows[i], h.Rows[i-1]
	return true
}

func changeState(word *sim.Word, _ *sim.History, s *sim.Snapshot) bool {
	v := word.Below(len(s.States))
	if len(s.States[v]) == 0 {
		return false
	}
	s.States[v] = slices.Clone(s.States[v])
	s.States[v][word.Below(len(s.States[v]))]++
	return true
}

// someState is a recorded channel state that is not empty, or nil.
func someState(word *sim.Word, s *sim.Snapshot, least int) *[]sim.Recorded {
	var found []*[]sim.Recorded
	for ch := range s.Channels {
		if len(s.Channels[ch]) >= least {
			found = append(found, &s.Channels[ch])
		}
	}
	if len(found) == 0 {
		return nil
	}
	list := found[word.Below(len(found))]
	*list = slices.Clone(*list)
	return list
}

func changeMessage(word *sim.Word, _ *sim.History, s *sim.Snapshot) bool {
	list := someState(word, s, 1)
	if list == nil {
		return false
	}
	m := &(*list)[word.Below(len(*list))]
	switch word.Below(4) {
	case 0:
		m.Message.Key++
	case 1:
		m.Message.Value++
	case 2:
		m.Number++
	case 3:
		m.Incarnation++
	}
	return true
}

func dropMessage(word *sim.Word, _ *sim.History, s *sim.Snapshot) bool {
	list := someState(word, s, 1)
	if list == nil {
		return false
	}
	i := word.Below(len(*list))
	*list = slices.Delete(*list, i, i+1)
	return true
}

func repeatMessage(word *sim.Word, _ *sim.History, s *sim.Snapshot) bool {
	list := someState(word, s, 1)
	if list == nil {
		return false
	}
	i := word.Below(len(*list))
	*list = slices.Insert(*list, i, (*list)[word.Below(len(*list))])
	return true
}

func swapMessages(word *sim.Word, _ *sim.History, s *sim.Snapshot) bool {
	list := someState(word, s, 2)
	if list == nil {
		return false
	}
	i := word.Below(len(*list) - 1)
	(*list)[i], (*list)[i+1] = (*list)[i+1], (*list)[i]
	return true
}

func changeOffset(word *sim.Word, _ *sim.History, s *sim.Snapshot) bool {
	s.Recordings[word.Below(len(s.Recordings))].Offset++
	return true
}

func changeTimers(word *sim.Word, _ *sim.History, s *sim.Snapshot) bool {
	r := &s.Recordings[word.Below(len(s.Recordings))]
	if len(r.Timers) > 0 && word.Below(2) == 0 {
		r.Timers = r.Timers[1:]
	} else {
		r.Timers = append(slices.Clone(r.Timers), sim.ArmedTimer{ID: 1 << 20})
	}
	return true
}

func changeCounter(word *sim.Word, _ *sim.History, s *sim.Snapshot) bool {
	if len(s.Sent) == 0 {
		return false
	}
	list := [][]uint32{s.Sent, s.Processed}[word.Below(2)]
	list[word.Below(len(list))]++
	return true
}

func misplaceRecording(word *sim.Word, h *sim.History, s *sim.Snapshot) bool {
	s.Recordings[word.Below(len(s.Recordings))].Row = word.Below(len(h.Rows)+2) - 1
	return true
}

func dropAttachment(_ *sim.Word, _ *sim.History, s *sim.Snapshot) bool {
	for v := range s.Attached {
		if s.Attached[v] != nil {
			s.Attached[v] = nil
			return true
		}
	}
	return false
}

func recordTwice(word *sim.Word, _ *sim.History, s *sim.Snapshot) bool {
	s.Twice = append(s.Twice, int32(word.Below(len(s.Recordings))))
	return true
}

func changeRestore(word *sim.Word, h *sim.History, _ *sim.Snapshot) bool {
	if len(h.Restores) == 0 {
		return false
	}
	r := &h.Restores[word.Below(len(h.Restores))]
	v := word.Below(len(r.States))
	switch word.Below(4) {
	case 0:
		r.States[v] = append(slices.Clone(r.States[v]), 1)
	case 1:
		r.Offsets[v]++
	case 2:
		r.Timers[v] = append(slices.Clone(r.Timers[v]), sim.ArmedTimer{ID: 1 << 20})
	case 3:
		if len(r.Requeued) == 0 {
			return false
		}
		ch := word.Below(len(r.Requeued))
		r.Requeued[ch] = append(slices.Clone(r.Requeued[ch]), sim.Recorded{Number: 1})
	}
	return true
}

package invariants

import "simrun/sim"

// window is what Chandy and Lamport's theorem (paper, section 4) is about: the rows
// from the first recording of a snapshot to its last, and the global state S0 at its
// beginning, as far as these rows touch it. When the replay has come to the window's
// end, the events in it are carried out again in another order (see permute).
//
// What is kept of S0 is read ahead: the rows of the window say which nodes and
// channels they will touch, so that the replay has nothing to do at each row.
type window struct {
	s           *sim.Snapshot
	first, last int // the rows of the first recording and the last
	pre, post   []windowEvent
	swaps       int64 // see Witness
	nodes       []windowNode
	channels    []windowChannel
	entries     []entry // the messages of all channels; the first is none
	states      []byte  // of all Apps
}

// windowEvent is a row in a window, and the node at which it happened.
type windowEvent struct {
	row  int32 // from the window's first row on
	node int32
}

// windowNode is a node in a window.
type windowNode struct {
	id       int32
	app      sim.App // nil until it has to step
	from, to int     // its state in S0, in window.states
	position
}

// windowChannel is a channel in a window: of the messages that its sender has
// produced, the first `sent` were sent and the first `processed` were processed.
type windowChannel struct {
	id                        int32
	produced, sent, processed uint32
	head, unsent, tail        int32   // entries: message processed+1, message sent+1, the last; 0: none
	taken                     []uint8 // of an unreliable channel: see loose
}

// windows is the windows that the replay is in, and the memory of those that it has
// left.
type windows struct {
	open, spare []*window
	// The places of nodes and channels in the lists of the window that is being
	// worked on, from 1; 0: not touched.
	node, channel []int32

	apps    []sim.App // by node, to step in windows; nil until needed
	current *windowNode
	fx      sim.Effects
	arm     func(id uint32, after int64)
	buf     []byte
}

// reset makes room for a graph.
func (ws *windows) reset(nodes, channels int) {
	for len(ws.open) > 0 {
		ws.give(ws.open[0])
	}
	clear(ws.apps) // of the last run
	ws.node, ws.channel = resize(ws.node, nodes), resize(ws.channel, channels)
	ws.apps = resize(ws.apps, nodes)
	clear(ws.node)
	clear(ws.channel)
	clear(ws.apps)
	if ws.arm == nil {
		ws.arm = func(id uint32, _ int64) { ws.current.timers = withTimer(ws.current.timers, armed{id: id}) }
	}
}

// take is an empty window.
func (ws *windows) take() *window {
	w := new(window)
	if n := len(ws.spare); n > 0 {
		w, ws.spare = ws.spare[n-1], ws.spare[:n-1]
	}
	w.nodes, w.channels, w.states = w.nodes[:0], w.channels[:0], w.states[:0]
	w.pre, w.post, w.swaps = w.pre[:0], w.post[:0], 0
	w.entries = append(w.entries[:0], entry{})
	ws.open = append(ws.open, w)
	return w
}

// give takes a window back.
func (ws *windows) give(w *window) {
	for i := range ws.open {
		if ws.open[i] == w {
			ws.open = append(ws.open[:i], ws.open[i+1:]...)
			break
		}
	}
	w.s = nil
	for i := range w.nodes {
		w.nodes[i].app = nil
	}
	ws.spare = append(ws.spare, w)
}

// windowAt is called at every recording of a complete snapshot: its window begins
// with the first and ends with the last.
func (r *replay) windowAt(s *sim.Snapshot) {
	if r.c.off[reachability] || r.c.run.spared(s) {
		return
	}
	if r.recorded[s.ID-1] == 1 {
		if last, why := r.windowEnd(s); why == "" {
			r.openWindow(s, last)
		}
	}
	for _, w := range r.windows.open {
		if w.last == r.at {
			r.closeWindow(w)
			return
		}
	}
}

// windowEnd is the row of a snapshot's last recording; why says if there is none that
// the replay could come to from where it stands.
func (r *replay) windowEnd(s *sim.Snapshot) (last int, why string) {
	first := len(r.rows)
	for v := range s.Recordings {
		rec := &s.Recordings[v]
		if rec.Seq == 0 {
			return 0, r.c.run.node(int32(v)) + " never recorded it"
		}
		if !r.isRecord(rec.Row, int32(v), s.ID) {
			return 0, "the recording of " + r.c.run.node(int32(v)) + " has no row"
		}
		first, last = min(first, rec.Row), max(last, rec.Row)
	}
	for k := range r.c.h.Restores {
		if row := r.c.h.Restores[k].Row; first < row && row < last {
			return 0, "the system is restored between two recordings of it"
		}
	}
	return last, ""
}

// openWindow keeps, of the state in which the replay stands, what the rows up to the
// last will touch.
func (r *replay) openWindow(s *sim.Snapshot, last int) {
	w := r.windows.take()
	w.s, w.first, w.last = s, r.at, last
	for i := w.first + 1; i < w.last; i++ {
		row := r.rows[i]
		v := r.c.run.eventAt(row)
		if v < 0 {
			continue // no event, or one that ends the replay
		}
		if e := (windowEvent{int32(i - w.first), v}); i < s.Recordings[v].Row {
			w.pre = append(w.pre, e)
			w.swaps += int64(len(w.post))
		} else {
			w.post = append(w.post, e)
		}
		if r.windows.node[v] == 0 {
			r.keepNode(w, v)
		}
		if row.Kind() == sim.RowProcess {
			r.keepChannel(w, row.Entity())
		}
	}
	r.windows.leave(w)
}

// keepNode adds a node to what a window keeps.
func (r *replay) keepNode(w *window, v int32) {
	ws := &r.windows
	w.nodes = extend(w.nodes)
	ws.node[v] = int32(len(w.nodes))
	n := &w.nodes[len(w.nodes)-1]
	n.id, n.app, n.from = v, nil, len(w.states)
	w.states = r.nodes[v].app.Save(w.states)
	n.to = len(w.states)
	r.nodes[v].position.copyTo(&n.position)
	for _, id := range r.outs[r.outStart[v]:r.outStart[v+1]] {
		r.keepChannel(w, id) // for what its App may produce
	}
}

// keepChannel adds a channel to what a window keeps, unless it is there.
func (r *replay) keepChannel(w *window, id int32) {
	ws := &r.windows
	if ws.channel[id] != 0 {
		return
	}
	ch := &r.channels[id]
	w.channels = extend(w.channels)
	ws.channel[id] = int32(len(w.channels))
	kept := &w.channels[len(w.channels)-1]
	*kept = windowChannel{id: id, sent: ch.sent, processed: ch.processed, produced: ch.processed, taken: kept.taken}
	if ch.loose > 0 {
		r.keepLoose(kept, ch)
		return
	}
	for i := ch.next; i != 0; i = r.queues.entries[i].next {
		w.push(kept, r.queues.entries[i])
	}
}

// push adds what a sender has produced.
func (w *window) push(ch *windowChannel, e entry) {
	i := int32(len(w.entries))
	e.next = 0
	w.entries = append(w.entries, e)
	ch.produced++
	if ch.head == 0 {
		ch.head = i
	} else {
		w.entries[ch.tail].next = i
	}
	ch.tail = i
	if ch.unsent == 0 && ch.produced > ch.sent {
		ch.unsent = i
	}
}

// enter notes the places of what a window keeps, and leave forgets them.
func (ws *windows) enter(w *window) {
	for i := range w.nodes {
		ws.node[w.nodes[i].id] = int32(i + 1)
	}
	for i := range w.channels {
		ws.channel[w.channels[i].id] = int32(i + 1)
	}
}

func (ws *windows) leave(w *window) {
	for i := range w.nodes {
		ws.node[w.nodes[i].id] = 0
	}
	for i := range w.channels {
		ws.channel[w.channels[i].id] = 0
	}
}

// extend makes a slice one longer, and keeps what memory the new element has.
func extend[T any](s []T) []T {
	if len(s) < cap(s) {
		return s[:len(s)+1]
	}
	var none T
	return append(s, none)
}

package explore

// choose is steps, by their places among all enabled ones, that are enough to take: a
// persistent set. The smallest that is found from any one step, the first of them.
func (r *reduction) choose(row []uint32, enabled []enabledStep) []int {
	clear(r.enabled)
	for i := range enabled {
		r.enabled[enabled[i].node] |= 1 << enabled[i].port()
	}
	r.best = r.best[:0]
	for i := range enabled {
		if r.from(row, enabled, i); len(r.best) == 0 || len(r.some) < len(r.best) {
			r.best, r.some = r.some, r.best
			if len(r.best) == 1 {
				break
			}
		}
	}
	return r.best
}

// port is the port at which a step comes in.
func (s *enabledStep) port() uint16 {
	if s.input >= 0 {
		return uint16(s.input)
	}
	return s.own.port
}

// from builds a persistent set around one step. Whatever the steps outside of it do, in
// whatever order, they leave those inside as they are:
//
//   - at a node of which all steps are inside nothing else can happen, unless something
//     comes on an input that is empty now; so all steps of a node that may put something
//     there are inside, too;
//   - at a node of which only some are, no step that conflicts with one of them can happen.
func (r *reduction) from(row []uint32, enabled []enabledStep, i int) {
	clear(r.ports)
	clear(r.whole)
	r.agenda = r.agenda[:0]
	s := &enabled[i]
	r.addPorts(row, enabled, s.node, 1<<s.port())
	for len(r.agenda) > 0 {
		v := r.agenda[len(r.agenda)-1]
		r.agenda = r.agenda[:len(r.agenda)-1]
		r.senders(row, v)
	}
	r.some = r.some[:0]
	for i := range enabled {
		if s := &enabled[i]; r.whole[s.node] || r.ports[s.node]>>s.port()&1 != 0 {
			r.some = append(r.some, i)
		}
	}
}

// addPorts adds the steps at some ports of a node, with all that conflicts with them.
func (r *reduction) addPorts(row []uint32, enabled []enabledStep, v int32, ports uint64) {
	if r.weak {
		r.makeWhole(v)
		return
	}
	n := r.x.nodes[v]
	at := int32(row[v])
	for todo := ports &^ r.ports[v]; todo != 0 && !r.whole[v]; todo = ports &^ r.ports[v] {
		r.ports[v] |= todo
		for i := range enabled {
			s := &enabled[i]
			if s.node != v || todo>>s.port()&1 == 0 {
				continue
			}
			ports |= r.conflict(n, at, n.parts[at].place(s.port(), r.itemOf(row, n, s)))
		}
		r.addDisabled(row, v, todo&^r.enabled[v])
	}
}

// itemOf is what a step delivers, 0 if nothing.
func (r *reduction) itemOf(row []uint32, n *node, s *enabledStep) int32 {
	if s.input < 0 {
		return 0
	}
	return r.x.contents[row[len(r.x.nodes)+int(n.inputs[s.input])]].head
}

// addDisabled sees to it that nothing happens at ports where nothing can happen now. What
// makes that possible is an item on an empty channel, or a step of the node itself.
func (r *reduction) addDisabled(row []uint32, v int32, ports uint64) {
	n := r.x.nodes[v]
	p := &n.parts[row[v]]
	for i, c := range n.inputs {
		if ports>>i&1 == 0 {
			continue
		}
		ports &^= 1 << i
		if row[len(r.x.nodes)+int(c)] != 0 || p.shut[i] {
			r.makeWhole(v)
		} else {
			r.silence(row, c)
		}
	}
	if ports != 0 {
		r.makeWhole(v)
	}
}

// makeWhole adds all steps of a node.
func (r *reduction) makeWhole(v int32) {
	if !r.whole[v] {
		r.whole[v] = true
		r.agenda = append(r.agenda, v)
	}
}

// senders sees to it that nothing comes on the inputs of a node that are empty now.
func (r *reduction) senders(row []uint32, v int32) {
	n := r.x.nodes[v]
	for i, c := range n.inputs {
		if row[len(r.x.nodes)+int(c)] == 0 && !n.parts[row[v]].shut[i] {
			r.silence(row, c)
		}
	}
}

// silence adds the steps of the node that may put something on a channel.
func (r *reduction) silence(row []uint32, c int32) {
	if u := r.x.cfg.Graph.From[c]; r.mayPutOn(u, int32(row[u]), c) {
		r.makeWhole(u)
	}
}

// mayPutOn says whether a node may put something on a channel, now or later.
func (r *reduction) mayPutOn(v, from, c int32) bool {
	if r.weak {
		p := &r.x.nodes[v].parts[from]
		return len(p.shut) > 0 || len(p.steps) > 0
	}
	return r.mayPut(v, from)>>c&1 != 0
}

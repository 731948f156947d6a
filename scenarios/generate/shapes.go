package generate

// shapes is what a graph can look like; nil is a plan of operators. The weights are
// such that mistakes which need a loop, a join or overlapping barriers in a loop are
// about as likely to show as the others.
var shapes = []weighted[func(*dice, *sketch)]{
	{8, pair},
	{8, ring},
	{12, complete},
	{14, strong},
	{14, acyclic},
	{10, join},
	{10, diamond},
	{18, loop},
	{8, anything},
	{8, nil},
}

// family is shapes of which some are of a kind, and one that is so for sure.
type family struct {
	shapes []weighted[func(*dice, *sketch)]
	sure   func(*dice, *sketch)
}

func (s *Settings) family() family {
	switch s.kind() {
	case Strong:
		return family{[]weighted[func(*dice, *sketch)]{{8, pair}, {8, ring}, {12, complete}, {14, strong}}, ring}
	case Acyclic:
		return family{[]weighted[func(*dice, *sketch)]{{14, acyclic}, {10, join}, {10, diamond}, {8, nil}}, acyclic}
	}
	return family{shapes, anything}
}

// pair is two nodes, with up to two channels in each direction.
func pair(d *dice, s *sketch) {
	a, b := s.node(), s.node()
	for range d.between(1, 2) {
		s.connect(a, b)
	}
	for range d.between(0, 2) {
		s.connect(b, a)
	}
	if d.chance(25) {
		s.connect(b, b)
	}
}

// ring has one node, with a channel to itself, or more, in one or both directions.
func ring(d *dice, s *sketch) {
	n, both := s.size(d, 1, 8), d.chance(40)
	for range n {
		s.node()
	}
	for v := range n {
		s.connect(v, (v+1)%n)
		if both {
			s.connect((v+1)%n, v)
		}
	}
}

// complete has a channel from every node to every other.
func complete(d *dice, s *sketch) {
	n := s.size(d, 2, 5)
	if s.wanted != nil {
		n = min(n, max(5, s.wanted.Min)) // it has many channels
	}
	for range n {
		s.node()
	}
	for v := range n {
		for w := range n {
			if v != w {
				s.connect(v, w)
			}
		}
	}
}

// strong is a ring with chords, some of them from a node to itself.
func strong(d *dice, s *sketch) {
	n := s.size(d, 2, 12)
	for range n {
		s.node()
	}
	for v := range n {
		s.connect(v, (v+1)%n)
	}
	for range d.between(1, n) {
		s.connect(d.below(n), d.below(n))
	}
}

// acyclic has channels from lower to higher nodes only; a node has up to three
// inputs, and some have none.
func acyclic(d *dice, s *sketch) {
	n, sources := s.size(d, 2, 12), d.between(1, 3)
	for v := range n {
		s.node()
		if v < sources && v < n-1 {
			continue
		}
		for range d.between(1, min(v, 3)) {
			s.connect(d.below(v), v)
		}
	}
}

// join is two to four sources, a node that joins them, and some nodes below it.
func join(d *dice, s *sketch) {
	sources := d.between(2, 4)
	for range sources {
		s.node()
	}
	at := s.node()
	for v := range sources {
		s.connect(v, at)
	}
	below(d, s, at)
}

// diamond is one or two sources, branches, a join, and some nodes below it.
func diamond(d *dice, s *sketch) {
	sources, branches := d.between(1, 2), d.between(2, 3)
	for range sources + branches {
		s.node()
	}
	at := s.node()
	for b := range branches {
		for v := range sources {
			s.connect(v, sources+b)
		}
		s.connect(sources+b, at)
	}
	below(d, s, at)
}

// below adds nodes below a join, one after the other or beside each other.
func below(d *dice, s *sketch, at int) {
	chain := d.chance(50)
	for range d.between(0, 3) {
		v := s.node()
		s.connect(at, v)
		if chain {
			at = v
		}
	}
}

// loop is sources, a head, a body, one to three back-edges into the head, and perhaps
// a source that joins at the loop's tail, and a sink.
func loop(d *dice, s *sketch) {
	sources := d.between(1, 2)
	for range sources {
		s.node()
	}
	head := s.node()
	for v := range sources {
		s.connect(v, head)
	}
	tail := head
	for range d.between(0, 3) {
		v := s.node()
		s.connect(tail, v)
		tail = v
	}
	for i := range d.between(1, 3) {
		from := tail
		if i > 0 {
			from = d.between(head, tail)
		}
		s.connect(from, head)
	}
	if tail != head && d.chance(60) {
		side := d.below(sources)
		if d.chance(50) {
			side = s.node()
		}
		s.connect(side, tail)
	}
	if d.chance(60) {
		s.connect(d.between(head, tail), s.node())
	}
}

// anything is a graph without a plan: every node but the first has an input from a
// lower one, most of the time, and the rest is drawn.
func anything(d *dice, s *sketch) {
	n := s.size(d, 1, 12)
	for v := range n {
		s.node()
		if v > 0 && d.chance(90) {
			s.connect(d.below(v), v)
		}
	}
	for range d.between(0, n) {
		s.connect(d.below(n), d.below(n))
	}
}

package sim_test

import (
	"math/bits"

	"simrun/sim"
)

// The yardsticks: the least that any simulator of the token workload must do,
// without interfaces, identities, digests or an order among ties. The engine's
// speed is given as a ratio to them, measured in the same run.

type bareMessage struct {
	due   int64
	value int32
	next  int32
}

type bareChannel struct {
	last       int64
	head, tail int32
	link, to   int32
}

type bareNode struct {
	held     int64
	received uint64
}

// bareWheel is a loop over a timing wheel of 2,048 slots with a bitmap, in which
// only channel heads wait.
type bareWheel struct {
	nodes       []bareNode
	channels    []bareChannel // channel 0 is unused
	pool        []bareMessage
	free        int32
	degree      int
	random      sim.Word
	now         int64
	first, last [2048]int32
	full        [32]uint64
	summary     uint32
	digest      uint64
}

func newBareWheel(g sim.Graph, degree int) *bareWheel {
	b := &bareWheel{
		nodes: make([]bareNode, g.Nodes), channels: make([]bareChannel, len(g.To)+1),
		pool: make([]bareMessage, 1, g.Nodes+2), degree: degree, random: 1,
	}
	for c, v := range g.To {
		b.channels[c+1].to = v
	}
	for v := range g.Nodes {
		b.send(int32(v))
	}
	return b
}

func (b *bareWheel) send(v int32) {
	r := b.random.Next()
	c := v*int32(b.degree) + int32((r>>32)*uint64(b.degree)>>32) + 1
	ch := &b.channels[c]
	due := max(b.now+1+int64(r&1023), ch.last)
	ch.last = due
	i := b.free
	if i != 0 {
		b.free = b.pool[i].next
		b.pool[i] = bareMessage{due: due, value: 1}
	} else {
		i = int32(len(b.pool))
		b.pool = append(b.pool, bareMessage{due: due, value: 1})
	}
	if ch.head == 0 {
		ch.head, ch.tail = i, i
		b.file(c, due)
		return
	}
	b.pool[ch.tail].next = i
	ch.tail = i
}

func (b *bareWheel) file(c int32, due int64) {
	s := due & 2047
	b.channels[c].link = 0
	if b.first[s] == 0 {
		b.first[s] = c
	} else {
		b.channels[b.last[s]].link = c
	}
	b.last[s] = c
	b.full[s>>6] |= 1 << (s & 63)
	b.summary |= 1 << (s >> 6)
}

func (b *bareWheel) run(deliveries int) {
	for range deliveries {
		s := b.now & 2047
		c := b.first[s]
		if c == 0 {
			w := s >> 6
			if x := b.full[w] >> (s & 63); x != 0 {
				b.now += int64(bits.TrailingZeros64(x))
			} else {
				ahead := int64(bits.TrailingZeros32(bits.RotateLeft32(b.summary, -int(w)-1))) + 1
				b.now += ahead*64 - s&63 + int64(bits.TrailingZeros64(b.full[(w+ahead)&31]))
			}
			s = b.now & 2047
			c = b.first[s]
		}
		ch := &b.channels[c]
		if b.first[s] = ch.link; ch.link == 0 {
			if b.full[s>>6] &^= 1 << (s & 63); b.full[s>>6] == 0 {
				b.summary &^= 1 << (s >> 6)
			}
		}
		i := ch.head
		m := &b.pool[i]
		value := int64(m.value)
		ch.head = m.next
		m.next, b.free = b.free, i
		if ch.head != 0 {
			b.file(c, b.pool[ch.head].due)
		}
		n := &b.nodes[ch.to]
		n.held += value
		n.received++
		b.digest = (b.digest ^ (uint64(b.now)<<24 | uint64(c))) * 0x100000001b3
		n.held -= value
		b.send(ch.to)
	}
}

// bareReady is a loop in which a uniformly random non-empty channel delivers.
type bareReady struct {
	nodes    []bareNode
	channels []bareChannel
	pool     []bareMessage
	free     int32
	ready    []int32
	degree   int
	random   sim.Word
	digest   uint64
}

func newBareReady(g sim.Graph, degree int) *bareReady {
	b := &bareReady{
		nodes: make([]bareNode, g.Nodes), channels: make([]bareChannel, len(g.To)),
		pool: make([]bareMessage, 1, g.Nodes+2), degree: degree, random: 1,
	}
	for c, v := range g.To {
		b.channels[c].to = v
	}
	for v := range g.Nodes {
		b.send(int32(v))
	}
	return b
}

func (b *bareReady) send(v int32) {
	r := b.random.Next()
	c := v*int32(b.degree) + int32((r>>32)*uint64(b.degree)>>32)
	ch := &b.channels[c]
	i := b.free
	if i != 0 {
		b.free = b.pool[i].next
		b.pool[i] = bareMessage{value: 1}
	} else {
		i = int32(len(b.pool))
		b.pool = append(b.pool, bareMessage{value: 1})
	}
	if ch.head == 0 {
		ch.head = i
		b.ready = append(b.ready, c)
	} else {
		b.pool[ch.tail].next = i
	}
	ch.tail = i
}

func (b *bareReady) run(deliveries int) {
	for e := range deliveries {
		i := int(b.random.Next() >> 32 * uint64(len(b.ready)) >> 32)
		c := b.ready[i]
		ch := &b.channels[c]
		m := &b.pool[ch.head]
		value := int64(m.value)
		taken := ch.head
		ch.head = m.next
		m.next, b.free = b.free, taken
		if ch.head == 0 {
			last := len(b.ready) - 1
			b.ready[i] = b.ready[last]
			b.ready = b.ready[:last]
		}
		n := &b.nodes[ch.to]
		n.held += value
		n.received++
		b.digest = (b.digest ^ (uint64(e)<<24 | uint64(c))) * 0x100000001b3
		n.held -= value
		b.send(ch.to)
	}
}

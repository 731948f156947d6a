package sim

// channel is the engine's record of one FIFO channel: 32 bytes, because at a
// million nodes the bytes per channel decide. When the last message is due stands
// in the tail message; when the channel is empty, that instant has passed.
type channel struct {
	head, tail int32 // indexes into the pool; 0: none
	position   int32 // in the ready set of chosen order
	to         int32
	sent       uint32 // number of the last application message put on
	processed  uint32 // number of messages that the receiver's App has stepped on
	input      int32  // index among the receiver's inputs
	dist       uint8  // index into Config.Delays
	flags      uint8
}

const (
	blocked    uint8 = 1 << iota // by the receiver's algorithm
	dead                         // its receiver is down
	parked                       // its head is due, and in no queue: the channel is blocked, dead or refused
	guarded                      // its receiver's App chooses what it reads
	unreliable                   // what is on the way is in Engine.loose
	closed                       // its sender has ended it, in this incarnation
)

// envelope is a message in flight: 40 bytes without pointers.
type envelope struct {
	when   uint64 // due<<8 | incarnation that sent it
	key    uint64
	value  int64
	aux    uint64
	number uint32
	tail   uint32 // kind<<28 | index of the next message in its channel or in the free list
}

const indexMask = 1<<28 - 1

func (m *envelope) due() int64  { return int64(m.when >> 8) }
func (m *envelope) next() int32 { return int32(m.tail & indexMask) }
func (m *envelope) kind() Kind  { return Kind(m.tail >> 28) }

func (m *envelope) message() Message {
	return Message{Key: m.key, Value: m.value, Aux: m.aux,
		tag: uint64(m.tail>>28)<<kindShift | m.when&255<<incarnationShift | uint64(m.number)}
}

// hold puts a message with its identity into an envelope of its own.
func (m *envelope) hold(held *Message, due int64) {
	*m = envelope{
		when: uint64(due)<<8 | uint64(held.incarnation()), key: held.Key, value: held.Value, aux: held.Aux,
		number: held.number(), tail: uint32(held.Kind()) << 28,
	}
}

// pool holds every message in flight, linked by index. Index 0 is no message.
type pool struct {
	slots []envelope
	free  int32
}

// take returns the index of an unused slot.
func (p *pool) take() int32 {
	if i := p.free; i != 0 {
		p.free = p.slots[i].next()
		return i
	}
	if len(p.slots) > indexMask {
		panic("sim: more than 268,435,455 messages in flight")
	}
	p.slots = append(p.slots, envelope{})
	return int32(len(p.slots) - 1)
}

// reset empties the pool. A first reservation for as many messages as there are
// channels costs address space only, until it is used.
func (p *pool) reset(channels int) {
	if p.slots == nil {
		p.slots = make([]envelope, 0, channels+1)
	}
	p.slots, p.free = append(p.slots[:0], envelope{}), 0
}

// put appends a message to a channel. The caller decides number and due; FIFO
// holds because due never falls along a channel.
func (e *Engine) put(c int32, ch *channel, m *Message, number uint32, due int64, incarnation uint8) {
	i := e.pool.take()
	slot := &e.pool.slots[i]
	slot.when = uint64(due)<<8 | uint64(incarnation)
	slot.key, slot.value, slot.aux = m.Key, m.Value, m.Aux
	slot.number, slot.tail = number, uint32(m.Kind())<<28
	if ch.head != 0 {
		e.pool.slots[ch.tail].tail |= uint32(i)
		ch.tail = i
		return
	}
	ch.head, ch.tail = i, i
	e.expose(c, ch, due)
}

// pop takes the head out of a channel and exposes the one behind it.
func (e *Engine) pop(c int32, ch *channel) Message {
	i := ch.head
	slot := &e.pool.slots[i]
	m := slot.message()
	next := slot.next()
	ch.head = next
	slot.tail = uint32(e.pool.free) // release, without looking the slot up again
	e.pool.free = i
	if next != 0 {
		e.expose(c, ch, e.pool.slots[next].due())
	}
	return m
}

// expose makes a channel's new head a candidate for delivery.
func (e *Engine) expose(c int32, ch *channel, due int64) {
	switch {
	case ch.flags&(blocked|dead|guarded) != 0 && e.shut(ch):
		ch.flags |= parked
	case e.chosen:
		e.ready.add(e, e.channelEntity(c))
	case due >= e.now:
		e.wheel.insert(e, e.channelEntity(c), due)
	default:
		e.wait(ch.to, waiter{due: due, class: StepDeliver, entity: c})
	}
}

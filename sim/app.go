package sim

// App is the computation that is being snapshotted, on one node. It is
// deterministic, knows nothing of snapshots, reads no clock, and draws its
// randomness from a word in its own state. Everything it does is the answer to
// one input: a channel's message, the next External record, or a timer of its
// own.
type App interface {
	// Step answers one input. What it wants done goes into fx.
	Step(in Input, m Message, fx *Effects)
	// Save appends the whole state to buf, canonically: equal states give
	// equal bytes. Timers and the External offset are the engine's to save.
	Save(buf []byte) []byte
	// Load replaces the state with one that Save wrote. It must not keep state.
	Load(state []byte) error
}

// Describer is an App that can show its state to people: a value that
// encoding/json marshals. Traces and reports use it.
type Describer interface{ Describe() any }

// Conserving is an App in whose runs something is neither made nor lost, such
// as money. Amount is what people see; Weight, from random 64-bit numbers and
// with wrap-around, makes it unlikely that two errors cancel.
type Conserving interface {
	// Holding is what the state holds.
	Holding() (amount int64, weight uint64)
	// Carried is what a message in flight holds.
	Carried(m Message) (amount int64, weight uint64)
}

// Source is the outside world of one node, and a pure function: record k (from
// 0) has this content and is released at this time (ns) or later, however often
// it is asked for. Release times do not fall with k. ok is false from the first
// k that does not exist. In chosen order the time is not looked at.
type Source interface {
	Record(k uint64) (m Message, at int64, ok bool)
}

// Effects records what an App wants in answer to one input, in order.
type Effects struct {
	sends  []Send // of which n are recorded; the others are memory for more
	n      int
	timers []timerOrder
	extra  int // how many more than entriesMax n may be
}

type timerOrder struct {
	id    uint32
	after int64
}

// Send puts a message on the output channel with this index.
func (fx *Effects) Send(output int32, key uint64, value int64, aux uint64) {
	n := fx.n
	if n >= len(fx.sends) {
		if n >= entriesMax+fx.extra {
			panic(endless)
		}
		fx.sends = append(fx.sends, make([]Send, n+4)...)
	}
	s := &fx.sends[n] // filled in where it stands
	fx.n = n + 1
	s.Message, s.Output = Message{Key: key, Value: value, Aux: aux}, output
}

// Emit lets a record leave the system: this node is a sink for it.
func (fx *Effects) Emit(key uint64, value int64, aux uint64) { fx.Send(Sink, key, value, aux) }

// SetTimer arms the App's timer id, to fire after this many nanoseconds of
// virtual time (at least 1); arming it again replaces it. In chosen order it
// fires at any step after this one.
func (fx *Effects) SetTimer(id uint32, after int64) {
	if len(fx.timers) >= entriesMax+fx.extra {
		panic(endless)
	}
	fx.timers = append(fx.timers, timerOrder{id, min(max(after, 1), MaxTime)})
}

// Sends is what was sent since the last Reset, in order; it is valid until then.
func (fx *Effects) Sends() []Send { return fx.sends[:fx.n] }

// Timers calls f for every timer armed since the last Reset, in order.
func (fx *Effects) Timers(f func(id uint32, after int64)) {
	for _, t := range fx.timers {
		f(t.id, t.after)
	}
}

// Reset forgets what was recorded and keeps the memory.
func (fx *Effects) Reset() {
	fx.n = 0
	fx.timers = fx.timers[:0]
}

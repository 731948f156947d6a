package sim

// Purpose names a stream of random draws. A draw is a pure function of (seed,
// purpose, entity, incarnation, counter): one more draw here shifts nothing
// there.
type Purpose uint64

// The streams of the engine and of the layers above it. Their numbers are part
// of the digest contract: never change one.
const (
	ForDelay    Purpose = 1 // entity: channel, counter: the message's number
	ForService  Purpose = 2 // entity: node, counter: inputs served
	ForWrite    Purpose = 3 // entity: node, counter: snapshot id
	ForSchedule Purpose = 4 // counter: step
	ForApp      Purpose = 5 // entity: node: the App's own random word
	ForSource   Purpose = 6 // entity: node, counter: record
	ForGraph    Purpose = 7 // counter: draws of a generator
	ForScenario Purpose = 8 // counter: draws of a scenario generator

	// Of unreliable channels. Entity: channel, counter: the message's number, or
	// 1<<32 with a marker's snapshot id.
	ForLoss      Purpose = 9
	ForDuplicate Purpose = 10
	ForCopyDelay Purpose = 11

	// Of a run with a coordinator. Entity: control channel, counter: the message's
	// number (1<<32 with it for a copy); a marker stands for its snapshot.
	ForControl      Purpose = 12
	ForControlLoss  Purpose = 13
	ForControlCopy  Purpose = 14
	ForRead         Purpose = 15
	ForWriteFailure Purpose = 16 // entity: node

	// Of the coordinator's store. Entity: node, counter: 1<<32 with the snapshot's id;
	// 2<<32 with it for how much is left of a torn part.
	ForTornPart Purpose = 17
	ForLostPart Purpose = 18

	// Of strategies that choose the order. Entity: that of the step, counter: its kind
	// and index, or which of several draws.
	ForPriority    Purpose = 19
	ForChangePoint Purpose = 20
	ForOpenChoice  Purpose = 21
)

const (
	mixEntity  = 0x9e3779b97f4a7c15
	mixCounter = 0xd1342543de82ef95
)

// Stream is the part of a draw that stays the same for a purpose and an
// incarnation: for those who draw often.
type Stream uint64

// NewStream is the stream of a purpose.
func NewStream(seed uint64, p Purpose, incarnation uint8) Stream {
	return Stream(mix(mix(seed^0x5851f42d4c957f2d) + uint64(p)<<8 + uint64(incarnation)))
}

// Draw is 64 random bits of a stream.
func (s Stream) Draw(entity int32, counter uint64) uint64 {
	return mix(uint64(s) + uint64(uint32(entity))*mixEntity + counter*mixCounter)
}

// Draw is 64 random bits for one purpose.
func Draw(seed uint64, p Purpose, entity int32, incarnation uint8, counter uint64) uint64 {
	return NewStream(seed, p, incarnation).Draw(entity, counter)
}

// mix is a bijection that spreads every input bit over the output (the finaliser
// of splitmix64).
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Word is a small generator for an App's state: eight bytes that are saved and
// loaded with it. The zero Word is a generator like any other.
type Word uint64

// Next is the next 64 random bits.
func (w *Word) Next() uint64 {
	*w += mixEntity
	return mix(uint64(*w))
}

// Below is a number in [0, n), for n of at least 1.
func (w *Word) Below(n int) int { return int(Scale(w.Next(), uint64(n))) }

package sim_test

import (
	"encoding/binary"
	"errors"

	"simrun/sim"
)

// dawdler is an App with every kind of input and effect: it forwards some tokens
// at once, keeps others until a timer fires, and lets a few leave the system.
// It rests once its sources are dry, because a token loses value at every hop.
type dawdler struct {
	random  sim.Word
	kept    [4]int64 // by timer
	seen    uint64
	outputs int32
}

func (a *dawdler) Step(in sim.Input, m sim.Message, fx *sim.Effects) {
	a.seen++
	value := m.Value - 1
	if in == sim.Timer {
		value, a.kept[m.Key] = a.kept[m.Key]-1, 0
	}
	switch {
	case value <= 0 || a.outputs == 0:
		fx.Emit(m.Key, value, a.seen)
	case in != sim.Timer && a.random.Below(3) == 0:
		id := uint32(a.random.Below(len(a.kept)))
		a.kept[id] += value
		fx.SetTimer(id, 1+int64(a.random.Below(5000)))
	default:
		fx.Send(int32(a.random.Below(int(a.outputs))), m.Key, value, a.seen)
	}
}

func (a *dawdler) Save(buf []byte) []byte {
	buf = binary.LittleEndian.AppendUint64(buf, uint64(a.random))
	buf = binary.LittleEndian.AppendUint64(buf, a.seen)
	for _, k := range a.kept {
		buf = binary.LittleEndian.AppendUint64(buf, uint64(k))
	}
	return buf
}

func (a *dawdler) Load(state []byte) error {
	if len(state) != 48 {
		return errors.New("a state of dawdler has 48 bytes")
	}
	a.random = sim.Word(binary.LittleEndian.Uint64(state))
	a.seen = binary.LittleEndian.Uint64(state[8:])
	for i := range a.kept {
		a.kept[i] = int64(binary.LittleEndian.Uint64(state[16+8*i:]))
	}
	return nil
}

// drip releases a number of tokens, one every so often.
type drip struct {
	seed  uint64
	node  int32
	count uint64
	every int64
}

func (d drip) Record(k uint64) (sim.Message, int64, bool) {
	r := sim.Draw(d.seed, sim.ForSource, d.node, 0, k)
	at := int64(k)*d.every + int64(sim.Scale(r, uint64(d.every)))
	return sim.Message{Key: k, Value: 2 + int64(r%9)}, at, k < d.count
}

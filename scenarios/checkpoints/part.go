package checkpoints

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"simrun/sim"
)

// A part is what one task has in a checkpoint: its state and what was noted when it
// recorded, its log, the contents of its input channels and the counters at its end of
// each channel. docs/checkpoints.md has the layout.

// appendPart appends the part of task v. ins and outs are its channels.
func appendPart(buf []byte, s *sim.Snapshot, v int32, ins, outs []int32) []byte {
	buf = appendBytes(buf, s.States[v])
	buf = appendBytes(buf, s.Attached[v])
	r := &s.Recordings[v]
	buf = binary.AppendUvarint(buf, uint64(r.Seq))
	buf = binary.AppendVarint(buf, r.At)
	buf = binary.AppendUvarint(buf, r.Offset)
	buf = binary.AppendVarint(buf, s.DoneAt[v])
	buf = appendFlag(buf, s.Durable[v])
	buf = binary.AppendUvarint(buf, uint64(len(r.Timers)))
	for _, t := range r.Timers {
		buf = binary.AppendUvarint(buf, uint64(t.ID))
		buf = binary.AppendVarint(buf, t.Due)
	}
	buf = binary.AppendUvarint(buf, uint64(len(ins)))
	for _, c := range ins {
		buf = appendInput(buf, s, c)
	}
	buf = binary.AppendUvarint(buf, uint64(len(s.Logs[v])))
	for _, l := range s.Logs[v] {
		buf = binary.AppendUvarint(buf, uint64(l.Channel))
		buf = binary.AppendUvarint(buf, uint64(l.Index))
	}
	buf = binary.AppendUvarint(buf, uint64(len(outs)))
	for _, c := range outs {
		buf = binary.AppendUvarint(buf, uint64(c))
		buf = binary.AppendUvarint(buf, uint64(s.Sent[c]))
	}
	var committed []sim.SnapshotID
	if k := s.Coordinated; k != nil && k.Committed != nil {
		committed = k.Committed[v]
	}
	buf = binary.AppendUvarint(buf, uint64(len(committed)))
	for _, id := range committed {
		buf = binary.AppendUvarint(buf, uint64(id))
	}
	return buf
}

// appendInput appends the receiver's side of a channel.
func appendInput(buf []byte, s *sim.Snapshot, c int32) []byte {
	buf = binary.AppendUvarint(buf, uint64(c))
	buf = binary.AppendUvarint(buf, uint64(s.Processed[c]))
	buf = appendFlag(buf, s.Marked[c])
	var gaps []uint32
	if s.Gaps != nil {
		gaps = s.Gaps[c]
	}
	buf = binary.AppendUvarint(buf, uint64(len(gaps)))
	for _, n := range gaps {
		buf = binary.AppendUvarint(buf, uint64(n))
	}
	buf = binary.AppendUvarint(buf, uint64(len(s.Channels[c])))
	for i := range s.Channels[c] {
		m := &s.Channels[c][i]
		buf = sim.AppendMessage(buf, m.Message)
		buf = binary.AppendUvarint(buf, uint64(m.Number))
		buf = binary.AppendUvarint(buf, uint64(m.Incarnation))
		buf = appendFlag(buf, m.Logged)
	}
	return buf
}

// appendBytes appends a byte string; nil and empty stay apart.
func appendBytes(buf, data []byte) []byte {
	if data == nil {
		return append(buf, 0)
	}
	buf = binary.AppendUvarint(buf, uint64(len(data))+1)
	return append(buf, data...)
}

func appendFlag(buf []byte, yes bool) []byte {
	if yes {
		return append(buf, 1)
	}
	return append(buf, 0)
}

var errShort = errors.New("it ends too early")

// partReader reads a part. After an error it reads zeros.
type partReader struct {
	data []byte
	err  error
}

// number reads a number from 0 to most.
func (r *partReader) number(most uint64) uint64 {
	n, size := binary.Uvarint(r.data)
	if size <= 0 || n > most {
		r.fail(errShort)
		return 0
	}
	r.data = r.data[size:]
	return n
}

// count reads how many entries follow, of which each takes at least so many bytes.
func (r *partReader) count(bytes int) int { return int(r.number(uint64(len(r.data) / bytes))) }

func (r *partReader) signed() int64 {
	n, size := binary.Varint(r.data)
	if size <= 0 {
		r.fail(errShort)
		return 0
	}
	r.data = r.data[size:]
	return n
}

func (r *partReader) bytes() []byte {
	n := r.count(1)
	if n == 0 {
		return nil
	}
	if n-1 > len(r.data) {
		r.fail(errShort)
		return nil
	}
	data := r.data[: n-1 : n-1]
	r.data = r.data[n-1:]
	return data
}

func (r *partReader) flag() bool { return r.number(1) == 1 }

func (r *partReader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
	r.data = nil
}

// filling is a snapshot that is being read, and which channels have been.
type filling struct {
	*sim.Snapshot
	in, out []bool // by channel
}

func newFilling(tasks, channels int) *filling {
	return &filling{
		Snapshot: &sim.Snapshot{
			States: make([][]byte, tasks), Attached: make([][]byte, tasks), Logs: make([][]sim.LogEntry, tasks),
			DoneAt: make([]int64, tasks), Durable: make([]bool, tasks), Recordings: make([]sim.Recording, tasks),
			Channels: make([][]sim.Recorded, channels), Sent: make([]uint32, channels), Processed: make([]uint32, channels),
			Marked: make([]bool, channels),
		},
		in: make([]bool, channels), out: make([]bool, channels),
	}
}

// readPart reads the part of task v. The snapshot keeps slices of data.
func (f *filling) readPart(v int, data []byte) error {
	r := &partReader{data: data}
	f.States[v], f.Attached[v] = r.bytes(), r.bytes()
	recording := &f.Recordings[v]
	*recording = sim.Recording{Seq: uint32(r.number(math.MaxUint32)), Row: -1, At: r.signed(), Offset: r.number(math.MaxUint32)}
	f.DoneAt[v], f.Durable[v] = r.signed(), r.flag()
	for range r.count(2) {
		recording.Timers = append(recording.Timers, sim.ArmedTimer{ID: uint32(r.number(math.MaxUint32)), Due: r.signed()})
	}
	for range r.count(5) {
		f.readInput(r)
	}
	for range r.count(2) {
		l := sim.LogEntry{Channel: f.channel(r), Index: int32(r.number(math.MaxInt32))}
		f.Logs[v] = append(f.Logs[v], l)
	}
	for range r.count(2) {
		c := f.channel(r)
		f.once(r, f.out, c)
		if n := uint32(r.number(math.MaxUint32)); r.err == nil {
			f.Sent[c] = n
		}
	}
	for range r.count(1) {
		f.committed(r, v)
	}
	if r.err == nil && len(r.data) > 0 {
		r.err = fmt.Errorf("%d bytes follow its end", len(r.data))
	}
	return r.err
}

// committed reads a transaction of task v that had left.
func (f *filling) committed(r *partReader, v int) {
	k := f.Coordinated
	if k == nil {
		r.fail(errors.New("it has transactions, and there was no coordinator"))
		return
	}
	if k.Committed == nil {
		k.Committed = make([][]sim.SnapshotID, len(f.States))
	}
	k.Committed[v] = append(k.Committed[v], sim.SnapshotID(r.number(math.MaxUint32)))
}

// channel reads the id of a channel.
func (f *filling) channel(r *partReader) int32 {
	if len(f.in) == 0 {
		r.fail(errors.New("it is of a channel, and there are none"))
		return 0
	}
	return int32(r.number(uint64(len(f.in) - 1)))
}

// once notes that a channel's side was read.
func (f *filling) once(r *partReader, read []bool, c int32) {
	if r.err != nil {
		return
	}
	if read[c] {
		r.fail(fmt.Errorf("channel %d is there twice", c))
		return
	}
	read[c] = true
}

func (f *filling) readInput(r *partReader) {
	c := f.channel(r)
	f.once(r, f.in, c)
	if r.err != nil {
		return
	}
	f.Processed[c], f.Marked[c] = uint32(r.number(math.MaxUint32)), r.flag()
	for range r.count(1) {
		if f.Gaps == nil {
			f.Gaps = make([][]uint32, len(f.in))
		}
		f.Gaps[c] = append(f.Gaps[c], uint32(r.number(math.MaxUint32)))
	}
	for range r.count(35) {
		m, rest, ok := sim.ReadMessage(r.data)
		if !ok {
			r.fail(errShort)
			return
		}
		r.data = rest
		f.Channels[c] = append(f.Channels[c], sim.Recorded{
			Message: m, Number: uint32(r.number(math.MaxUint32)), Incarnation: uint8(r.number(math.MaxUint8)), Logged: r.flag(),
		})
	}
}

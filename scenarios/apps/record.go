package apps

import (
	"encoding/binary"
	"errors"
)

// recordBits is how much of a record's id is its number at its source.
const recordBits = 40

// RecordID is the id that External record k (from 0) of a source carries in Aux,
// and everything that is made of it. It is never 0.
func RecordID(source int32, k uint64) uint64 {
	return uint64(source)<<recordBits | k + 1
}

// RecordOf takes a RecordID apart.
func RecordOf(id uint64) (source int32, k uint64) {
	return int32(id >> recordBits), id&(1<<recordBits-1) - 1
}

// appendWord writes a fixed-width number of a saved state.
func appendWord(buf []byte, n uint64) []byte { return binary.LittleEndian.AppendUint64(buf, n) }

var errState = errors.New("the saved state does not belong to this app on this node")

// stateReader takes a saved state apart. After a read that fails everything reads
// as 0, and end reports it.
type stateReader struct {
	rest   []byte
	failed bool
}

// word reads what appendWord wrote.
func (r *stateReader) word() uint64 {
	if len(r.rest) < 8 {
		r.fail()
		return 0
	}
	n := binary.LittleEndian.Uint64(r.rest)
	r.rest = r.rest[8:]
	return n
}

// uvarint reads what binary.AppendUvarint wrote.
func (r *stateReader) uvarint() uint64 {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 {
		r.fail()
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

func (r *stateReader) fail() { r.rest, r.failed = nil, true }

// end is the error if a read failed or something is left over.
func (r *stateReader) end() error {
	if r.failed || len(r.rest) > 0 {
		return errState
	}
	return nil
}

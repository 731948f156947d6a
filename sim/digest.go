package sim

import (
	"encoding/binary"
	"math/bits"
)

// fold adds one event, two words of it, to a running digest.
func fold(digest, what, hash uint64) uint64 {
	return (bits.RotateLeft64(digest^what, 23) + hash) * 0x9fb21c651e98df25
}

// ApplicationDigest computes a run's digest of application events from its rows:
// a fold of the send, process, external, timer and emit rows, in order.
func ApplicationDigest(rows []Row) uint64 {
	digest := uint64(0)
	for _, r := range rows {
		switch r.Kind() {
		case RowSend, RowProcess, RowExternal, RowTimer, RowEmit:
			digest = fold(digest, uint64(r.head)<<32|uint64(r.Number), r.Hash)
		}
	}
	return mix(digest)
}

// note writes an application event into the history. Its head is the kind's head
// with the entity added.
func (e *Engine) note(head, number uint32, hash uint64) {
	what := uint64(head)<<32 | uint64(number)
	e.appDigest = fold(e.appDigest, what, hash)
	e.digest = fold(e.digest, what+uint64(e.now)*mixEntity, hash)
	if e.cfg.Rows {
		e.history.Rows = append(e.history.Rows, Row{head, number, hash})
	}
}

// noteControl writes an event that is not the application's into the history.
func (e *Engine) noteControl(kind RowKind, entity int32, number uint32) {
	row := NewRow(kind, entity, number, 0)
	e.digest = fold(e.digest, uint64(row.head)<<32|uint64(number), uint64(e.now))
	if e.cfg.Rows {
		e.history.Rows = append(e.history.Rows, row)
	}
}

// foldControl adds an event that has no row to the digest of all events.
func (e *Engine) foldControl(kind EventKind, entity int32, what uint64) {
	e.digest = fold(e.digest, 0xf<<60|uint64(kind)<<32|uint64(uint32(entity)), what^uint64(e.now)*mixEntity)
}

// foldBytes adds bytes, and how many there are, to a digest.
func foldBytes(digest uint64, data []byte) uint64 {
	digest = fold(digest, uint64(len(data)), 0)
	for len(data) >= 8 {
		digest = fold(digest, binary.LittleEndian.Uint64(data), 0)
		data = data[8:]
	}
	var rest [8]byte
	copy(rest[:], data)
	return fold(digest, binary.LittleEndian.Uint64(rest[:]), 0)
}

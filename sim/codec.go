package sim

import (
	"encoding/binary"
	"errors"
)

// codec walks over the engine's state in one fixed order, writing or reading: one
// description serves both, so they cannot disagree.
type codec struct {
	buf     []byte // what is written, or what is left to read
	loading bool
	err     error
}

var errTruncated = errors.New("sim: a saved engine ends too early, or is damaged")

func word[T ~uint64 | ~int64 | ~uint32 | ~int32 | ~uint8 | ~int](x *codec, p *T) {
	if !x.loading {
		x.buf = binary.AppendVarint(x.buf, int64(*p))
		return
	}
	v, n := binary.Varint(x.buf)
	if n <= 0 {
		x.err, x.buf = errTruncated, nil
		return
	}
	*p, x.buf = T(v), x.buf[n:]
}

func (x *codec) flag(p *bool) {
	v := uint8(0)
	if *p {
		v = 1
	}
	word(x, &v)
	*p = v != 0
}

// bytes codes a byte string; nil and empty stay apart.
func (x *codec) bytes(p *[]byte) {
	n := len(*p) + 1
	if *p == nil {
		n = 0
	}
	word(x, &n)
	switch {
	case !x.loading:
		x.buf = append(x.buf, *p...)
	case n == 0:
		*p = nil
	case n < 0 || n-1 > len(x.buf):
		x.err, x.buf = errTruncated, nil
	default:
		*p = append([]byte{}, x.buf[:n-1]...)
		x.buf = x.buf[n-1:]
	}
}

// list codes a slice, entry by entry; nil and empty stay apart.
func list[T any](x *codec, p *[]T, entry func(*codec, *T)) {
	n := len(*p) + 1
	if *p == nil {
		n = 0
	}
	word(x, &n)
	if x.loading {
		*p = nil
		if n < 0 {
			x.err, x.buf = errTruncated, nil
			return
		}
		if n > 0 {
			*p = make([]T, 0, min(n-1, len(x.buf)))
		}
		for range n - 1 {
			if x.err != nil {
				return
			}
			var t T
			entry(x, &t)
			*p = append(*p, t)
		}
		return
	}
	for i := range *p {
		entry(x, &(*p)[i])
	}
}

// part codes an App or a Node by its own Save and Load.
func (x *codec) part(save func([]byte) []byte, load func([]byte) error) {
	var state []byte
	if !x.loading {
		state = save([]byte{})
	}
	x.bytes(&state)
	if x.loading && x.err == nil {
		x.err = load(state)
	}
}

func codeMessage(x *codec, m *Message) {
	word(x, &m.Key)
	word(x, &m.Value)
	word(x, &m.Aux)
	word(x, &m.tag)
}

func codeRecorded(x *codec, r *Recorded) {
	codeMessage(x, &r.Message)
	word(x, &r.Number)
	word(x, &r.Incarnation)
	x.flag(&r.Logged)
}

func codeNumbers(x *codec, numbers *[]uint32) { list(x, numbers, word) }

func codeContents(x *codec, r *[]Recorded) { list(x, r, codeRecorded) }

func codeTimer(x *codec, t *ArmedTimer) {
	word(x, &t.ID)
	word(x, &t.Due)
}

func codeTimers(x *codec, t *[]ArmedTimer) { list(x, t, codeTimer) }

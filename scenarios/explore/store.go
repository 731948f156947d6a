package explore

// store keeps every state that was found, whole: a state is a row of small numbers, one
// for the part of each node and one for the content of each channel. Nothing is lost, so
// two states that differ are never taken for one.
type store struct {
	width  int // of a row
	blocks [][]uint32
	from   [][]uint32 // by block: where each state was found first
	by     [][]uint16 // by block: which of the steps enabled there led to it
	n      int
	table  []uint32 // of numbers, plus 1; open addressing
}

const (
	blockBits = 14
	blockSize = 1 << blockBits
)

func newStore(width int) *store { return &store{width: width, table: make([]uint32, 1<<12)} }

// row is the state with a number. It must not be changed.
func (s *store) row(i uint32) []uint32 {
	at := int(i&(blockSize-1)) * s.width
	return s.blocks[i>>blockBits][at : at+s.width : at+s.width]
}

// origin is where a state was found first, and by which step there.
func (s *store) origin(i uint32) (from uint32, by int) {
	return s.from[i>>blockBits][i&(blockSize-1)], int(s.by[i>>blockBits][i&(blockSize-1)])
}

// add keeps a state if it is new, and says which number it has.
func (s *store) add(row []uint32, from uint32, by int) (number uint32, isNew bool) {
	if 3*len(s.table) < 4*(s.n+1) {
		s.grow()
	}
	mask := uint64(len(s.table) - 1)
	slot := hash(row) & mask
	for ; s.table[slot] != 0; slot = (slot + 1) & mask {
		if equal(s.row(s.table[slot]-1), row) {
			return s.table[slot] - 1, false
		}
	}
	i := s.n
	if i&(blockSize-1) == 0 {
		s.blocks = append(s.blocks, make([]uint32, blockSize*s.width))
		s.from = append(s.from, make([]uint32, blockSize))
		s.by = append(s.by, make([]uint16, blockSize))
	}
	b, k := i>>blockBits, i&(blockSize-1)
	copy(s.blocks[b][k*s.width:], row)
	s.from[b][k], s.by[b][k] = from, uint16(by)
	s.n++
	s.table[slot] = uint32(s.n)
	return uint32(i), true
}

// grow doubles the table.
func (s *store) grow() {
	s.table = make([]uint32, 2*len(s.table))
	mask := uint64(len(s.table) - 1)
	for i := range uint32(s.n) {
		slot := hash(s.row(i)) & mask
		for s.table[slot] != 0 {
			slot = (slot + 1) & mask
		}
		s.table[slot] = i + 1
	}
}

// bytes is the memory that the states take, with all that is kept to find them.
func (s *store) bytes() int64 {
	return int64(len(s.blocks))*blockSize*int64(4*s.width+4+2) + 4*int64(len(s.table))
}

// hash is a hash of a row: it decides where a state is looked for, and nothing else.
func hash(row []uint32) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, v := range row {
		h = (h ^ uint64(v)) * 0xd6e8feb86659fd93
		h ^= h >> 32
	}
	return h
}

func equal(a, b []uint32) bool {
	for i, v := range a {
		if v != b[i] {
			return false
		}
	}
	return true
}

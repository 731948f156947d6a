package report

import (
	"bytes"
	"encoding/binary"
)

// columns are the binary columns behind the head of the data, each known by its name.
type columns struct {
	data  bytes.Buffer
	index map[string][2]int // where a column begins, and how many bytes it has
}

// put adds a column.
func (c *columns) put(name string, column []byte) {
	if c.index == nil {
		c.index = map[string][2]int{}
	}
	c.index[name] = [2]int{c.data.Len(), len(column)}
	c.data.Write(column)
}

// varints is a column of numbers of seven bits a byte, the low ones first; the eighth bit
// says that there is more.
type varints []byte

func (v *varints) add(n uint64) { *v = binary.AppendUvarint(*v, n) }

// signed adds a number that may be negative: 0, -1, 1, -2, 2 and so on are 0, 1, 2, 3, 4.
func (v *varints) signed(n int64) { *v = binary.AppendVarint(*v, n) }

// words is a column of 64-bit words, of which many are foretold by other events and many
// come again. Of each it has a code: foretold, new, or the place of a word that was new.
type words struct {
	codes varints
	known map[uint64]int
	news  []uint64
}

// The codes below those of places.
const (
	foretold = iota
	newWord
	places
)

func (w *words) add(word, guess uint64) {
	if word == guess {
		w.codes.add(foretold)
		return
	}
	if place, ok := w.known[word]; ok {
		w.codes.add(uint64(places + place))
		return
	}
	if w.known == nil {
		w.known = map[uint64]int{}
	}
	w.known[word] = len(w.news)
	w.news = append(w.news, word)
	w.codes.add(newWord)
}

// put adds the columns: the codes, and the new words with their first bytes together,
// then their second ones, and so on, as compression likes it. Where every word is 0 there
// are no columns.
func (w *words) put(name string, c *columns) {
	if len(w.news) == 0 {
		return
	}
	c.put(name, w.codes)
	planes := make([]byte, 0, 8*len(w.news))
	for shift := 0; shift < 64; shift += 8 {
		for _, word := range w.news {
			planes = append(planes, byte(word>>shift))
		}
	}
	c.put(name+"s", planes)
}

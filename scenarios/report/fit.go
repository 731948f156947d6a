package report

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"math"

	"simrun/scenarios/spacetime"
)

// A page of so many events as usual has at most pageBytes, one of more has eventBytes for
// each. What makes it larger is left out, and noted: first the words aux, if they are
// random, and then states after steps, from the last one on.
const (
	pageBytes  = 1_000_000
	eventBytes = 10
)

// most is the most bytes that the page may have.
func (p *Page) most() int {
	events := 0
	for i := range p.Runs {
		events += len(p.Runs[i].Diagram.Events)
	}
	return max(pageBytes, eventBytes*events)
}

// keep is what is kept of the runs of a page.
type keep struct {
	aux   bool
	steps []int // by run: so many states after steps
}

// fit is the data of the page in so many bytes at the most, if that can be. It adds to the
// notes of the runs what it leaves out.
func (p *Page) fit(most int) ([]byte, error) {
	k := &keep{aux: true, steps: make([]int, len(p.Runs))}
	for i := range k.steps {
		k.steps[i] = math.MaxInt
	}
	data, h, err := p.data(k)
	if err == nil && len(data) > most && p.auxBytes() > most/8 {
		k.aux = false
		data, h, err = p.data(k)
	}
	if err == nil && len(data) > most {
		data, h, err = p.fewerStates(k, len(data), most)
	}
	if err != nil {
		return nil, err
	}
	for i := range p.Runs {
		p.Runs[i].Notes = h.Runs[i].Notes
	}
	return data, nil
}

// auxBytes is how many bytes of words aux there are that cannot be packed.
func (p *Page) auxBytes() (bytes int) {
	for i := range p.Runs {
		bytes += auxBytes(p.Runs[i].Diagram)
	}
	return bytes
}

func auxBytes(d *spacetime.Diagram) int {
	known := map[uint64]bool{}
	for i := range d.Events {
		known[d.Events[i].Message.Aux] = true
	}
	return 8 * len(known)
}

// fewerStates leaves out states after steps until the data, which have so many bytes, fit.
func (p *Page) fewerStates(k *keep, size, most int) ([]byte, *head, error) {
	clear(k.steps)
	data, h, err := p.data(k)
	if err != nil || len(data) >= most {
		return data, h, err
	}
	for share := 0.95 * float64(most-len(data)) / float64(size-len(data)); ; share *= 0.9 {
		for i := range k.steps {
			k.steps[i] = int(share * float64(stepStates(p.Runs[i].Diagram)))
		}
		if data, h, err = p.data(k); err != nil || len(data) <= most {
			return data, h, err
		}
	}
}

// data is the data: the length of the head, the head, the columns, and all of it packed.
// The head comes once more as it is.
func (p *Page) data(k *keep) ([]byte, *head, error) {
	h := &head{Version: dataVersion, Tool: p.Tool, Title: p.Title, Replay: p.Replay, Runs: []headRun{},
		Comparison: p.Comparison, Series: p.Series, Plots: append([]Plot{}, p.Plots...)}
	var c columns
	for i := range p.Runs {
		h.Runs = append(h.Runs, headOf(&p.Runs[i], k.aux, k.steps[i], &c))
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // nothing of it is HTML: it is packed
	if err := encoder.Encode(h); err != nil {
		return nil, nil, err
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	for _, part := range [][]byte{binary.LittleEndian.AppendUint32(nil, uint32(text.Len())), text.Bytes(), c.data.Bytes()} {
		if _, err := z.Write(part); err != nil {
			return nil, nil, err
		}
	}
	err := z.Close()
	return packed.Bytes(), h, err
}

package apps

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"simrun/scenarios/units"
	"simrun/sim"
	"simrun/topology"
)

// WordCount is the parameters of wordcount: sources read a text and send its
// words on, every node behind them counts the words that reach it and passes each
// on with its count, and a node without outputs lets them leave the system. A
// word takes the output that its hash picks, so that with equal outputs
// everywhere one counter sees all of its occurrences.
type WordCount struct {
	Text    string         `yaml:"text,omitempty" doc:"path of the text that is read"`
	Lines   []string       `yaml:"lines,omitempty" doc:"the text itself, line by line; with neither a short one is read"`
	Repeat  int64          `yaml:"repeat" doc:"how often the text is read"`
	Sources []string       `yaml:"sources,omitempty" doc:"nodes that read; none: those without input"`
	Every   units.Duration `yaml:"every" doc:"time between two words at each source"`
}

// NewWordCount is wordcount with the default parameters.
func NewWordCount() *WordCount { return &WordCount{Repeat: 1, Every: 1_000_000} }

// defaultText is read when a scenario gives no text.
var defaultText = []string{
	"A river does not stop so that a painter can paint it.",
	"The painter looks at one bend and paints it, then at the next bend,",
	"and while he looks at the next bend the boats on the first bend go on.",
	"If a boat is on both bends of the painting, the painting is wrong.",
	"If a boat is on no bend of the painting, the painting is wrong too,",
	"unless the painter wrote in a list beside it that the boat was on its way.",
	"The list and the bends together are a picture of a river",
	"that never was, and that could have been.",
}

// Build implements Builder.
func (p *WordCount) Build(env *Env) (*Workload, error) {
	text, err := p.read(env)
	if err == nil {
		err = acyclic(env.Graph, "wordcount")
	}
	if err == nil {
		err = text.assign(p.Sources, env.Graph)
	}
	if err == nil {
		err = within("repeat", p.Repeat, 1, mostRecords/int64(len(text.words)))
	}
	if err == nil {
		err = fits(p.Every, p.Repeat*int64(len(text.words)))
	}
	if err != nil {
		return nil, err
	}
	text.every, text.length = int64(p.Every), uint64(p.Repeat)*uint64(len(text.words))
	routes := newRoutes(env.Graph, func(s topology.Strategy) rule { return ruleOf(s, byKey) })
	return &Workload{
		NewApp: func(_ uint64, node int32) sim.App {
			return &wordCounter{text: text, routes: routes, node: node, counts: counts{size: len(text.vocabulary)}}
		},
		NewSource: func(_ uint64, node int32) sim.Source {
			if text.place[node] < 0 {
				return nil
			}
			return &reader{text, node}
		},
	}, nil
}

// text is what is read, and by whom. Word i of all goes to the source whose place
// is i modulo the number of sources.
type text struct {
	vocabulary []string // sorted
	words      []int32  // indexes into it, in reading order
	length     uint64   // words to read, repetitions included
	place      []int32  // by node: its place among the sources, -1 if it is none
	sources    uint64
	every      int64
}

// Embed implements Embedder.
func (p *WordCount) Embed(read func(path string) ([]byte, error)) (Builder, error) {
	own := *p
	if p.Text == "" {
		return &own, nil
	}
	data, err := read(p.Text)
	if err != nil {
		return nil, err
	}
	own.Text, own.Lines = "", strings.Split(strings.TrimRight(string(data), "\n"), "\n")
	return &own, nil
}

// read finds the text and turns it into a vocabulary and indexes.
func (p *WordCount) read(env *Env) (*text, error) {
	name, content := "lines", strings.Join(p.Lines, "\n")
	switch {
	case p.Text != "" && len(p.Lines) > 0:
		return nil, &ParameterError{Parameter: "text", Problem: "there are lines as well", Right: "give text or lines, not both"}
	case p.Text != "":
		data, err := env.ReadFile(p.Text)
		if err != nil {
			return nil, &ParameterError{Parameter: "text", Problem: err.Error(), Right: "write the path of a text file", Err: err}
		}
		name, content = "text", string(data)
	case len(p.Lines) == 0:
		content = strings.Join(defaultText, "\n")
	}
	if !utf8.ValidString(content) || strings.ContainsRune(content, 0) {
		return nil, &ParameterError{Parameter: name, Problem: "it is not text in UTF-8", Right: "give a plain text"}
	}
	words := strings.FieldsFunc(strings.ToLower(content), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(words) == 0 {
		return nil, &ParameterError{Parameter: name, Problem: "there is no word in it", Right: "give a text of at least one word"}
	}
	t := &text{vocabulary: slices.Clone(words), words: make([]int32, len(words))}
	slices.Sort(t.vocabulary)
	t.vocabulary = slices.Compact(t.vocabulary)
	if len(t.vocabulary) > mostKeys || len(words) > mostRecords {
		return nil, &ParameterError{Parameter: name, Problem: fmt.Sprintf("it has %d words, %d different ones", len(words), len(t.vocabulary)),
			Right: fmt.Sprintf("give a text of at most %d different words", mostKeys)}
	}
	for i, word := range words {
		index, _ := slices.BinarySearch(t.vocabulary, word)
		t.words[i] = int32(index)
	}
	return t, nil
}

// assign gives every source its place.
func (t *text) assign(names []string, g *topology.Graph) error {
	source := defaultSources(g)
	if len(names) > 0 {
		clear(source)
	}
	for _, name := range names {
		v, ok := g.Node(name)
		if !ok {
			return &ParameterError{Parameter: "sources", Problem: fmt.Sprintf("there is no node %q", units.Short(name)), Right: "name nodes of the graph"}
		}
		if source[v] {
			return &ParameterError{Parameter: "sources", Problem: fmt.Sprintf("%q is named twice", units.Short(name)), Right: "name each source once"}
		}
		source[v] = true
	}
	t.place = make([]int32, len(source))
	for v := range source {
		t.place[v] = -1
		if source[v] {
			t.place[v] = int32(t.sources)
			t.sources++
		}
	}
	return nil
}

// reader is the outside world of one source. A record is a word: its index in the
// vocabulary in Key, its id in Aux.
type reader struct {
	text *text
	node int32
}

// Record implements sim.Source.
func (r *reader) Record(k uint64) (m sim.Message, at int64, ok bool) {
	t := r.text
	if k >= t.length {
		return sim.Message{}, 0, false // also keeps the product below from wrapping
	}
	i := k*t.sources + uint64(t.place[r.node])
	if i >= t.length {
		return sim.Message{}, 0, false
	}
	word := t.words[i%uint64(len(t.words))]
	return sim.Message{Key: uint64(word), Value: 1, Aux: RecordID(r.node, k)}, int64(k) * t.every, true
}

// wordCounter is the app on one node. On a channel, Value is the count at the
// node that sent the word, 1 from a source.
type wordCounter struct {
	text   *text
	routes *routes
	node   int32
	turn   uint64 // records handled
	counts counts
}

// Step implements sim.App. A source that has outputs only reads; everybody else
// counts.
func (a *wordCounter) Step(in sim.Input, m sim.Message, fx *sim.Effects) {
	turn, sink := a.turn, len(a.routes.of(a.node)) == 0
	a.turn++
	if in != sim.External || sink {
		m.Value = int64(a.counts.add(m.Key))
	}
	if sink {
		fx.Emit(m.Key, m.Value, m.Aux)
		return
	}
	a.routes.send(fx, a.node, turn, m)
}

// Save implements sim.App.
func (a *wordCounter) Save(buf []byte) []byte { return a.counts.save(appendWord(buf, a.turn)) }

// Load implements sim.App.
func (a *wordCounter) Load(state []byte) error {
	r := stateReader{rest: state}
	a.turn = r.word()
	a.counts.load(&r)
	return r.end()
}

// WordCountState is what wordcount shows of a node: how many records it handled,
// and the words that it counted in alphabetical order.
type WordCountState struct {
	Handled uint64    `json:"handled"`
	Words   []Counted `json:"words"`
}

// Describe implements sim.Describer.
func (a *wordCounter) Describe() any {
	return WordCountState{a.turn, a.counts.describe(func(key int) string { return a.text.vocabulary[key] })}
}

package scenarios

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"simrun/scenarios/units"
)

// MaxFileSize is the size, in bytes, beyond which a scenario file is refused. A
// graph that needs more belongs in a file of its own.
const MaxFileSize = 1 << 20

// document is a YAML file, parsed, with the way back from a value to its
// position. A nil document is that of a scenario made by hand: it knows no
// positions.
type document struct {
	file    string
	data    []byte
	root    ast.Node
	anchors map[string]ast.Node
	// settings is how messages begin where values stand in place of those of the file;
	// nodes of such a value have the position 0:0.
	settings string
}

// parseDocument reads YAML. What it refuses it refuses with a position.
func parseDocument(file string, data []byte) (*document, error) {
	d := &document{file: file, data: withLineFeeds(bytes.TrimPrefix(data, []byte("\ufeff")))}
	if err := d.refuse(); err != nil {
		return nil, err
	}
	tokens := lexer.Tokenize(string(d.data))
	if err := d.refuseTokens(tokens); err != nil {
		return nil, err
	}
	parsed, err := parser.Parse(tokens, 0)
	if err != nil {
		return nil, d.syntaxError(err)
	}
	for _, doc := range parsed.Docs {
		_, directive := doc.Body.(*ast.DirectiveNode) // the parser makes a document of its own of "%YAML 1.2"
		switch {
		case doc.Body == nil || directive:
		case d.root != nil:
			return nil, d.at(start(doc.Body), "the file holds a second YAML document", "a scenario file holds one")
		default:
			d.root = doc.Body
		}
	}
	if d.root == nil {
		return nil, d.empty()
	}
	return d, d.collectAnchors()
}

// withLineFeeds is a text in which a line feed ends every line: YAML knows lines
// that end with a carriage return, with or without a line feed behind it, and
// positions are counted in one way.
func withLineFeeds(data []byte) []byte {
	if bytes.IndexByte(data, '\r') < 0 {
		return data
	}
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte{'\n'})
	return bytes.ReplaceAll(data, []byte{'\r'}, []byte{'\n'})
}

func (d *document) empty() error {
	return &Error{File: d.file, Message: "the file is empty", Right: "the shortest scenario is \"version: 1\""}
}

// refuse finds what cannot be a scenario before any parser sees it.
func (d *document) refuse() error {
	if len(d.data) > MaxFileSize {
		return &Error{File: d.file,
			Message: fmt.Sprintf("the file is larger than %d bytes, the most that a scenario may have", MaxFileSize),
			Right:   "keep a large graph in a file of its own and name it with graph: {file: ...}"}
	}
	if len(bytes.TrimSpace(d.data)) == 0 {
		return d.empty()
	}
	for i := 0; i < len(d.data); {
		r, size := utf8.DecodeRune(d.data[i:])
		if r == utf8.RuneError && size == 1 || r < ' ' && r != '\n' && r != '\t' {
			before := d.data[:i]
			start := bytes.LastIndexByte(before, '\n') + 1
			return d.positioned(bytes.Count(before, []byte{'\n'})+1, utf8.RuneCount(before[start:])+1,
				fmt.Sprintf("this is not text: byte 0x%02x", d.data[i]), "a scenario is YAML in UTF-8")
		}
		i += size
	}
	return nil
}

func (d *document) syntaxError(err error) error {
	var y yaml.Error
	if errors.As(err, &y) && y.GetToken() != nil {
		return d.at(y.GetToken(), "this is not YAML: "+y.GetMessage(), "")
	}
	return &Error{File: d.file, Message: "this is not YAML: " + err.Error()}
}

// positioned is an error at a line and column.
func (d *document) positioned(line, column int, message, right string) *Error {
	text := d.data
	for range line - 1 {
		_, text, _ = bytes.Cut(text, []byte{'\n'})
	}
	text, _, _ = bytes.Cut(text, []byte{'\n'})
	return &Error{File: d.file, Line: line, Column: column, Message: message, Right: right,
		Source: string(text)}
}

// at is an error at a token.
func (d *document) at(t *token.Token, message, right string) *Error {
	if d == nil {
		return &Error{Message: message, Right: right}
	}
	message = d.settings + message
	if t == nil || t.Position.Line == 0 {
		return &Error{File: d.file, Message: message, Right: right}
	}
	return d.positioned(t.Position.Line, t.Position.Column, message, right)
}

// anchorCollector finds the values that aliases stand for.
type anchorCollector struct {
	doc *document
	err error
}

// Visit implements ast.Visitor.
func (c *anchorCollector) Visit(n ast.Node) ast.Visitor {
	if a, ok := n.(*ast.AnchorNode); ok {
		c.doc.anchors[a.Name.GetToken().Value] = a.Value
	}
	if t, ok := n.(*ast.TagNode); ok && c.err == nil {
		c.err = c.doc.at(t.GetToken(), "a YAML tag", "scenarios use none: leave it out")
	}
	return c
}

func (d *document) collectAnchors() error {
	d.anchors = make(map[string]ast.Node)
	c := &anchorCollector{doc: d}
	ast.Walk(c, d.root)
	if c.err != nil {
		return c.err
	}
	return nil
}

// plain is what a node says, with anchors and aliases followed. It is nil for an
// alias that stands for nothing.
func (d *document) plain(n ast.Node) ast.Node {
	for range maxDepth {
		switch x := n.(type) {
		case *ast.AnchorNode:
			n = x.Value
		case *ast.AliasNode:
			n = d.anchors[x.Value.GetToken().Value]
		default:
			return n
		}
	}
	return nil
}

// entry is a key of a mapping with its value.
type entry struct {
	key   string
	at    *token.Token // of the key
	value ast.Node
}

// errNoMapping is the answer of mapping about a node that is something else.
var errNoMapping = errors.New("this is no mapping")

// mapping is a mapping's keys and values, those merged in with "<<" last.
func (d *document) mapping(n ast.Node) ([]entry, error) {
	var list []entry
	for merges := 0; ; merges++ {
		m, ok := d.plain(n).(ast.MapNode)
		if !ok {
			return nil, errNoMapping
		}
		var from *entry
		for it := m.MapRange(); it.Next(); {
			t := it.Key().GetToken()
			switch e := (entry{t.Value, t, it.Value()}); {
			case it.Key().IsMergeKey():
				from = &e
			case d.entry(list, e.key) == nil:
				list = append(list, e)
			}
		}
		if from == nil {
			return list, nil
		}
		if err := d.checkMerge(from, merges); err != nil {
			return nil, err
		}
		n = from.value
	}
}

// checkMerge refuses what "<<" cannot merge. The parser has seen to it that a
// mapping has at most one such key.
func (d *document) checkMerge(from *entry, merges int) error {
	const right = "name one mapping: \"<<: *name\""
	switch value := d.plain(from.value).(type) {
	case nil:
		return d.at(start(from.value), "an alias that stands for nothing", "an anchor with its name must be somewhere in the file")
	case ast.MapNode:
		if merges == maxDepth {
			return d.at(from.at, fmt.Sprintf("a mapping that merges itself, or merges through more than %d others", maxDepth), right)
		}
	default:
		return d.at(start(from.value), "<< merges "+describe(value), right)
	}
	return nil
}

// entries is a mapping's keys and values, as far as they are known to be right.
func (d *document) entries(n ast.Node) []entry {
	list, _ := d.mapping(n)
	return list
}

func (d *document) entry(list []entry, key string) *entry {
	for i := range list {
		if list[i].key == key {
			return &list[i]
		}
	}
	return nil
}

// find is the token of the value at a path of keys (strings) and indexes (ints),
// or of the part of the path that is there. It is nil where there is no document.
func (d *document) find(path ...any) *token.Token {
	if d == nil || d.root == nil {
		return nil
	}
	n, at := d.root, d.root.GetToken()
	for _, step := range path {
		switch step := step.(type) {
		case string:
			e := d.entry(d.entries(n), step)
			if e == nil {
				return at
			}
			n, at = e.value, e.at
		case int:
			s, ok := d.plain(n).(*ast.SequenceNode)
			if !ok || step >= len(s.Values) {
				return at
			}
			n = s.Values[step]
		}
		// An empty value has no place of its own: its key is the place.
		if p := d.plain(n); p != nil && p.Type() != ast.NullType {
			at = start(n)
		}
	}
	return at
}

// absent says that the document has nothing at a path of keys.
func (d *document) absent(path ...string) bool {
	if d == nil {
		return true
	}
	n := d.root
	for _, key := range path {
		e := d.entry(d.entries(n), key)
		if e == nil {
			return true
		}
		n = e.value
	}
	p := d.plain(n)
	return p == nil || p.Type() == ast.NullType
}

// start is the token at which a value begins. A block mapping's own token is its
// first colon; its first key is where people look.
func start(n ast.Node) *token.Token {
	if m, ok := n.(*ast.MappingNode); ok && !m.IsFlowStyle && len(m.Values) > 0 {
		return m.Values[0].Key.GetToken()
	}
	if m, ok := n.(*ast.MappingValueNode); ok {
		return m.Key.GetToken()
	}
	return n.GetToken()
}

// fail is an error at the value at a path.
func (d *document) fail(message, right string, path ...any) error {
	return d.at(d.find(path...), message, right)
}

// quote is a value as it stands in a message, cut if it is long.
func quote(text string) string { return strconv.Quote(units.Short(text)) }

package scenarios

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// Setting is a value in place of the one that a scenario file has, or does not have, at one
// of its parameters. The parameter is its keys with dots between them, and the numbers of
// entries in lists, from 0 on: snapshots.every, network.channels.a->b.delay, faults.0.at. A
// key that holds a dot itself stands in double quotes, unless the file has it.
type Setting struct{ Parameter, Value string }

// None is the value that takes a key out of the file.
const None = "none"

// periods is the parameters where a key that is left out stands for a period: there None
// is a period that never ends.
var periods = []string{"snapshots.every", "coordinator.interval"}

// ParseSetting reads PARAMETER=VALUE.
func ParseSetting(text string) (Setting, error) {
	parameter, value, given := strings.Cut(text, "=")
	switch {
	case !given:
		return Setting{}, fmt.Errorf("%s has no value; write PARAMETER=VALUE, such as snapshots.every=20ms", quote(text))
	case parameter == "":
		return Setting{}, fmt.Errorf("%s names no parameter; write PARAMETER=VALUE, such as snapshots.every=20ms", quote(text))
	}
	return Setting{parameter, value}, nil
}

// String is the setting as ParseSetting reads it.
func (x Setting) String() string { return x.Parameter + "=" + x.Value }

// With is the scenario of the same file with another value at a parameter. It is read as
// strictly as the file: a parameter that there is not, or a value that it does not take, is
// an error that says what would be right. What the caller has changed in the Scenario since
// it was read is not in the new one.
func (s *Scenario) With(c Catalogue, x Setting) (*Scenario, error) {
	if s.doc == nil {
		return nil, errors.New("scenarios: With needs a scenario that was read")
	}
	doc, err := s.doc.with(x)
	if err != nil {
		return nil, err
	}
	out, err := decoded(c, s.Name, s.Dir, doc)
	if err != nil {
		return nil, err
	}
	out.settings = append(slices.Clone(s.settings), x)
	return out, nil
}

// decoded is the scenario in a document.
func decoded(c Catalogue, name, dir string, doc *document) (*Scenario, error) {
	s := &Scenario{Version: 1, Name: name, Dir: dir, doc: doc}
	d := &decoder{doc: doc, catalogue: c, left: maxValues}
	if err := d.decode(doc.root, reflect.ValueOf(s).Elem(), "a scenario"); err != nil {
		return nil, err
	}
	return s, nil
}

// with is the document with another value at a parameter. The nodes of this one are not
// changed; where an alias is on the way only this use of its anchor becomes another.
func (d *document) with(x Setting) (*document, error) {
	own := *d
	own.settings = d.settings + "with " + x.String() + ": "
	value, err := own.value(x)
	if err != nil {
		return nil, err
	}
	own.root, err = d.replaced(d.root, x.Parameter, value)
	if err != nil {
		return nil, &Error{File: d.file, Message: own.settings + err.Error()}
	}
	return &own, nil
}

// value is the node that a value stands for, without a position in the file.
func (d *document) value(x Setting) (ast.Node, error) {
	text := x.Value
	if text == None {
		if text = "~"; slices.Contains(periods, x.Parameter) {
			text = "0ns"
		}
	}
	if strings.TrimSpace(text) == "" {
		return nil, &Error{File: d.file, Message: d.settings + "the value is empty", Right: "write a value, or " + None}
	}
	doc, err := parseDocument("", []byte(text))
	if err != nil {
		var e *Error
		if errors.As(err, &e) {
			err = &Error{File: d.file, Message: d.settings + e.Message, Right: e.Right}
		}
		return nil, err
	}
	ast.Walk(placeless{}, doc.root)
	return doc.root, nil
}

// placeless takes their positions from nodes that are not in the file.
type placeless struct{}

// Visit implements ast.Visitor.
func (placeless) Visit(n ast.Node) ast.Visitor {
	n.GetToken().Position = &token.Position{}
	return placeless{}
}

// replaced is a node with another value at a path. What is missing on the way is added; the
// decoder knows whether it may be there.
func (d *document) replaced(n ast.Node, path string, value ast.Node) (ast.Node, error) {
	if path == "" {
		return value, nil
	}
	if s, ok := d.plain(n).(*ast.SequenceNode); ok {
		key, rest, err := nextKey(nil, path)
		i, notNumber := strconv.ParseUint(key, 10, 31)
		switch {
		case err != nil:
			return nil, err
		case notNumber != nil || i >= uint64(len(s.Values)):
			return nil, fmt.Errorf("%s is no entry of the list, which has %s, numbered from 0 on", quote(key), pluralOf(int64(len(s.Values)), "entry", "entries"))
		}
		own := *s
		own.Values = slices.Clone(s.Values)
		own.Values[i], err = d.replaced(s.Values[i], rest, value)
		return &own, err
	}
	list := d.entries(n)
	key, rest, err := nextKey(list, path)
	if err != nil {
		return nil, err
	}
	if d.entry(list, key) == nil {
		list = append(list, entry{key, &token.Token{Type: token.StringType, Value: key, Position: &token.Position{}}, nil})
	}
	e := d.entry(list, key)
	if e.value, err = d.replaced(e.value, rest, value); err != nil {
		return nil, err
	}
	return mappingOf(list), nil
}

// mappingOf is a mapping with these entries.
func mappingOf(list []entry) *ast.MappingNode {
	var values []*ast.MappingValueNode
	for _, e := range list {
		values = append(values, ast.MappingValue(e.at, ast.String(e.at), e.value))
	}
	return ast.Mapping(list[0].at, false, values...)
}

// nextKey splits the first key off a path: the longest of those that are there, or what is
// in quotes, or what comes before the first dot.
func nextKey(there []entry, path string) (key, rest string, err error) {
	found := false
	for _, e := range there {
		if tail, ok := strings.CutPrefix(path, e.key); ok && (tail == "" || tail[0] == '.') && (!found || len(e.key) > len(key)) {
			key, rest, found = e.key, tail, true
		}
	}
	if !found {
		if path[0] == '"' {
			quoted, err := strconv.QuotedPrefix(path)
			if err != nil {
				return "", "", errors.New("a quotation mark in the parameter is not closed")
			}
			key, _ = strconv.Unquote(quoted)
			rest = path[len(quoted):]
		} else {
			key, rest = path, ""
			if dot := strings.IndexByte(path, '.'); dot >= 0 {
				key, rest = path[:dot], path[dot:]
			}
		}
	}
	if key == "" || rest == "." || rest != "" && rest[0] != '.' {
		return "", "", errors.New("the parameter is not keys with single dots between them, such as snapshots.every")
	}
	return key, strings.TrimPrefix(rest, "."), nil
}

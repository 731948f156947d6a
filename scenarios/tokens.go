package scenarios

import (
	"fmt"

	"github.com/goccy/go-yaml/token"
)

// What the parser is given. The format nests six deep, and the parser recurses; the
// time that it takes for a mapping grows with the square of its keys, and it copies
// every key once for each value below it.
const (
	maxDepth    = 32
	maxKeys     = 1000
	maxKeyBytes = 1024
)

// refuseTokens finds what the parser would take too long over: deep nesting,
// mappings with many keys or long ones, empty entries of lists, and keys that are not
// plain words.
func (d *document) refuseTokens(tokens token.Tokens) error {
	depth := 0   // of brackets
	entries := 0 // "- - - " on one line
	line := 0
	var mappings openMappings
	for _, t := range tokens {
		if n := mappings.keys(t); n > maxKeys {
			return d.at(t.Prev, fmt.Sprintf("a mapping with more than %d keys", maxKeys), "no mapping of a scenario needs as many")
		}
		if t.Position.Line != line {
			line, entries = t.Position.Line, 0
		}
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			depth++
		case token.SequenceEndType, token.MappingEndType:
			depth--
		case token.SequenceEntryType:
			entries++
			if before := t.Prev; before != nil && before.Type == t.Type && before.Position.Column >= t.Position.Column {
				return d.at(before, "an empty entry in a list", "give it a value or leave it out")
			}
		case token.MappingValueType:
			if key := t.Prev; key != nil && len(key.Value) > maxKeyBytes {
				return d.at(key, fmt.Sprintf("a key of %d bytes, %s", len(key.Value), quote(key.Value)), "no key of a scenario is that long; is a quote or a line break missing?")
			}
		case token.MappingKeyType:
			return d.at(t, "a key with a question mark", "write \"key: value\"")
		}
		if depth+entries+t.Position.IndentLevel > maxDepth {
			return d.at(t, fmt.Sprintf("values nest more than %d deep", maxDepth), "no part of a scenario is that deep")
		}
	}
	return nil
}

// openMappings counts the keys of the mappings around a token.
type openMappings []openMapping

type openMapping struct {
	column int // of its keys; 0 for brackets, in which columns mean nothing
	keys   int
}

// keys is how many keys the mapping has so far that a token adds one to, or 0 if it
// adds none.
func (m *openMappings) keys(t *token.Token) int {
	switch t.Type {
	case token.SequenceStartType, token.MappingStartType:
		*m = append(*m, openMapping{})
	case token.SequenceEndType, token.MappingEndType:
		m.close(func(o openMapping) bool { return o.column > 0 })
		*m = (*m)[:max(0, len(*m)-1)]
	case token.SequenceEntryType: // the mapping of the entry before it is over
		m.close(func(o openMapping) bool { return o.column > t.Position.Column })
	case token.MappingValueType:
		if t.Prev == nil {
			return 0
		}
		column := t.Prev.Position.Column
		m.close(func(o openMapping) bool { return o.column > column })
		if top := len(*m) - 1; top < 0 || (*m)[top].column > 0 && (*m)[top].column < column {
			*m = append(*m, openMapping{column: column})
		}
		top := &(*m)[len(*m)-1]
		top.keys++
		return top.keys
	}
	return 0
}

// close ends the innermost mappings, as long as over says so.
func (m *openMappings) close(over func(openMapping) bool) {
	for len(*m) > 0 && over((*m)[len(*m)-1]) {
		*m = (*m)[:len(*m)-1]
	}
}

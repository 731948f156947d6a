package topology

import "bytes"

// ParseEdgeList reads an edge list: one channel a line, as "FROM TO" or
// "FROM -> TO"; "FROM -- TO" is a link, that is two channels. A line with one
// name declares a node, which fixes its id; as soon as one node is declared so,
// every node must be, before its first channel. A name with spaces stands in
// double quotes, as does one with a comma or semicolon (so that a table with such
// separators is not taken for a list of nodes), inside which \" and \\ are a quote and a backslash. Empty lines
// and what follows a # are skipped.
func ParseEdgeList(file string, data []byte) (*Graph, error) {
	s, err := open(file, data, "one channel a line: FROM TO")
	if err != nil {
		return nil, err
	}
	r := edgeList{source: s, Builder: NewBuilder(baseName(file))}
	for start := 0; start < len(s.data); {
		end := len(s.data)
		if i := bytes.IndexByte(s.data[start:], '\n'); i >= 0 {
			end = start + i
		}
		if err := r.line(start, end); err != nil {
			return nil, err
		}
		start = end + 1
	}
	if len(r.graph.Nodes) == 0 {
		return nil, s.errorf("the file holds comments only; it should hold one channel a line: FROM TO")
	}
	return &r.graph, nil
}

type edgeList struct {
	*source
	*Builder
	declared bool // nodes are declared on lines of their own
	fields   []field
}

// field is a word of a line and where it begins.
type field struct {
	text   []byte
	offset int
	quoted bool
}

func (f field) is(arrow string) bool { return !f.quoted && string(f.text) == arrow }

func (r *edgeList) line(start, end int) *Error {
	if err := r.split(start, end); err != nil {
		return err
	}
	f := r.fields
	for _, word := range f {
		if i := bytes.IndexAny(word.text, ",;"); i >= 0 && !word.quoted {
			return r.errorAt(word.offset+i, "a %q outside quotes; the ends of a channel stand apart by spaces, FROM TO, and a name with this character stands in double quotes", word.text[i])
		}
	}
	link := false
	if len(f) == 3 && (f[1].is("->") || f[1].is("--")) {
		link = f[1].is("--")
		f = append(f[:1], f[2])
	}
	switch len(f) {
	case 0:
		return nil
	case 1:
		return r.declare(f[0])
	case 2:
		return r.connect(f[0], f[1], link)
	}
	return r.errorAt(f[2].offset, "a line of %d words; a channel is FROM TO or FROM -> TO, a link in both directions FROM -- TO, and a name with spaces stands in double quotes", len(f))
}

// declare adds a node that stands on a line of its own.
func (r *edgeList) declare(f field) *Error {
	if !r.declared && len(r.graph.Nodes) > 0 {
		return r.errorAt(f.offset, "a node is declared here, after channels between nodes that are not; declare every node before its first channel, or none")
	}
	r.declared = true
	if err := r.add(string(f.text)); err != nil {
		return r.at(f.offset, err)
	}
	return nil
}

func (r *edgeList) connect(from, to field, link bool) *Error {
	f, err := r.end(from)
	if err != nil {
		return err
	}
	t, err := r.end(to)
	if err != nil {
		return err
	}
	if err := r.channel(f, t); err != nil {
		return r.at(from.offset, err)
	}
	if link && f != t {
		if err := r.channel(t, f); err != nil {
			return r.at(from.offset, err)
		}
	}
	return nil
}

// end is the node at one end of a channel.
func (r *edgeList) end(f field) (int32, *Error) {
	// The look-up must not copy the name: most ends are known already.
	if v, ok := r.ids[string(f.text)]; ok {
		return v, nil
	}
	if r.declared {
		return 0, r.at(f.offset, r.unknown(string(f.text)))
	}
	v, err := r.node(string(f.text))
	if err != nil {
		return 0, r.at(f.offset, err)
	}
	return v, nil
}

// split cuts a line into fields.
func (r *edgeList) split(start, end int) *Error {
	r.fields = r.fields[:0]
	for i := start; i < end; {
		switch c := r.data[i]; {
		case c == '#':
			return nil
		case c == '"':
			text, next, err := r.unquote(i, end)
			if err != nil {
				return err
			}
			r.fields = append(r.fields, field{text, i, true})
			i = next
		case separates(c):
			i++
		default:
			next := i
			for next < end && !separates(r.data[next]) {
				next++
			}
			r.fields = append(r.fields, field{r.data[i:next], i, false})
			i = next
		}
	}
	return nil
}

// separates says that a byte ends a word without quotes.
func separates(c byte) bool {
	return c == ' ' || c == '\t' || c == '\r' || c == '#' || c == '"'
}

// unquote reads the name in quotes at start; next is what follows it.
func (r *edgeList) unquote(start, end int) (text []byte, next int, err *Error) {
	for i := start + 1; i < end; i++ {
		c := r.data[i]
		if c == '"' {
			return text, i + 1, nil
		}
		if c == '\\' {
			i++
			if i == end || r.data[i] != '"' && r.data[i] != '\\' {
				return nil, 0, r.errorAt(i-1, "a backslash in a quoted name; it may only stand before a quote or another backslash")
			}
			c = r.data[i]
		}
		text = append(text, c)
	}
	return nil, 0, r.errorAt(start, "a quoted name that does not end on its line; it needs a closing quote")
}

package topology

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/graph/formats/dot"
	"gonum.org/v1/gonum/graph/formats/dot/ast"
)

// Gonum's parser walks chains of edges and nested subgraphs by recursion, and a
// Go stack that overflows cannot be recovered from. These bounds keep it well
// away from that.
const (
	maxDOTArrows = 1 << 20
	maxDOTBraces = 1 << 16
	maxDOTDepth  = 100
)

// ParseDOT reads a graph in the DOT language. An edge of a digraph is a channel,
// and every further edge between the same nodes is one more, unless the graph is
// strict. A link of an undirected graph, or an edge with dir=both or none, is a channel
// in each direction, the written one first; dir=back turns a channel round.
// Nodes are numbered as they are first mentioned. Other attributes, ports and
// the grouping by subgraphs mean nothing here.
func ParseDOT(file string, data []byte) (*Graph, error) {
	s, err := open(file, data, "a graph in the DOT language")
	if err != nil {
		return nil, err
	}
	arrows := bytes.Count(s.data, []byte("->")) + bytes.Count(s.data, []byte("--"))
	if braces := bytes.Count(s.data, []byte("{")); arrows > maxDOTArrows || braces > maxDOTBraces {
		return nil, s.errorf("%d edges and %d braces; a DOT file may have %d and %d, an edge list is the format for more", arrows, braces, maxDOTArrows, maxDOTBraces)
	}
	graph, err := s.parseDOT()
	if err != nil {
		return nil, err
	}
	r := dotReader{source: s, Builder: NewBuilder(dotText(graph.ID)), directed: graph.Directed}
	if graph.ID == "" {
		r.graph.Name = baseName(file)
	}
	if graph.Strict {
		r.seen = make(map[Channel]bool)
	}
	scope := &dotScope{dir: "none"}
	if graph.Directed {
		scope.dir = "forward"
	}
	if err := r.statements(graph.Stmts, scope); err != nil {
		return nil, err
	}
	if len(r.graph.Nodes) == 0 {
		return nil, s.errorf("the graph has no node; it needs at least one")
	}
	return &r.graph, nil
}

// parseDOT is gonum's parser, with its failures told in our way.
func (s *source) parseDOT() (graph *ast.Graph, err *Error) {
	defer func() {
		if p := recover(); p != nil {
			graph, err = nil, s.errorf("this is not DOT: the parser gave up (%v)", p)
		}
	}()
	// The grammar wants a line break behind a comment, the last one included.
	parsed, failure := dot.ParseBytes(append(s.data[:len(s.data):len(s.data)], '\n'))
	if failure != nil {
		return nil, s.dotError(failure)
	}
	if len(parsed.Graphs) != 1 {
		return nil, s.errorf("%d graphs in the file; it should hold one", len(parsed.Graphs))
	}
	return parsed.Graphs[0], nil
}

// dotPosition is how gonum's parser begins the text of a syntax error.
var dotPosition = regexp.MustCompile(`^(\d+):(\d+): error: `)

// dotTokens puts the names of gonum's grammar into words.
var dotTokens = strings.NewReplacer("graphx", "graph", "␚", "the end of the file", "end-of-file", "the end of the file")

func (s *source) dotError(failure error) *Error {
	text := failure.Error()
	if m := dotPosition.FindStringSubmatch(text); m != nil {
		line, errLine := strconv.Atoi(m[1])
		column, errColumn := strconv.Atoi(m[2])
		if errors.Join(errLine, errColumn) == nil {
			return s.errorAtLine(line, s.untab(line, column), "this is not DOT: %s", cut(dotTokens.Replace(text[len(m[0]):]), 300))
		}
	}
	// The one thing that the parser checks beyond the syntax. It knows no
	// position then, but the first arrow is most likely the one.
	if i := bytes.Index(s.data, []byte("->")); i >= 0 {
		return s.errorAt(i, "an undirected graph with a directed edge; its links are written -- and a graph with -> begins with digraph")
	}
	return s.errorf("this is not DOT: %s", text)
}

// dotTab is how many columns a tab takes in gonum's positions.
const dotTab = 4

// untab is a column of gonum's, with tabs counted as one.
func (s *source) untab(line, column int) int {
	left := column - 1
	characters := 0
	for _, c := range string(s.line(line)) {
		if left <= 0 {
			break
		}
		if left--; c == '\t' {
			left -= dotTab - 1
		}
		characters++
	}
	return characters + 1
}

// dotReader turns the syntax tree into a graph. It does so itself because
// gonum's own builder leaves nodes that were mentioned before out of a subgraph
// that is the end of an edge, and so loses channels.
type dotReader struct {
	*source
	*Builder
	directed bool
	depth    int
	seen     map[Channel]bool // what a strict graph has already; nil if it is not strict
}

// dotScope is what holds inside one pair of braces.
type dotScope struct {
	dir   string  // the default of dir
	nodes []int32 // mentioned inside, in order, perhaps repeatedly
}

func (r *dotReader) statements(stmts []ast.Stmt, scope *dotScope) *Error {
	for _, stmt := range stmts {
		var err *Error
		switch stmt := stmt.(type) {
		case *ast.NodeStmt:
			_, err = r.vertex(stmt.Node, scope)
		case *ast.EdgeStmt:
			err = r.edges(stmt, scope)
		case *ast.AttrStmt:
			if stmt.Kind == ast.EdgeKind {
				scope.dir, err = r.dir(stmt.Attrs, scope.dir)
			}
		case *ast.Subgraph:
			_, err = r.vertex(stmt, scope)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// vertex is the nodes that stand at an end of an edge: one, or those of a
// subgraph, each once.
func (r *dotReader) vertex(v ast.Vertex, scope *dotScope) ([]int32, *Error) {
	first := len(scope.nodes)
	switch v := v.(type) {
	case *ast.Node:
		name := dotText(v.ID)
		node, err := r.node(name)
		if err != nil {
			return nil, r.at(max(bytes.Index(r.data, []byte(v.ID)), 0), err)
		}
		scope.nodes = append(scope.nodes, node)
	case *ast.Subgraph:
		if r.depth++; r.depth > maxDOTDepth {
			return nil, r.errorf("subgraphs nested more than %d deep", maxDOTDepth)
		}
		inner := dotScope{dir: scope.dir}
		if err := r.statements(v.Stmts, &inner); err != nil {
			return nil, err
		}
		r.depth--
		scope.nodes = append(scope.nodes, distinct(inner.nodes)...)
	}
	return scope.nodes[first:len(scope.nodes):len(scope.nodes)], nil
}

// edges adds the channels of a chain of edges.
func (r *dotReader) edges(stmt *ast.EdgeStmt, scope *dotScope) *Error {
	dir, err := r.dir(stmt.Attrs, scope.dir)
	if err != nil {
		return err
	}
	from, err := r.vertex(stmt.From, scope)
	if err != nil {
		return err
	}
	for next := stmt.To; next != nil; next = next.To {
		if r.directed && !next.Directed {
			return r.errorAt(max(bytes.Index(r.data, []byte("--")), 0), "a digraph with an undirected link; its edges are written ->, and a link in both directions a -> b [dir=both]")
		}
		to, err := r.vertex(next.Vertex, scope)
		if err != nil {
			return err
		}
		// Two large subgraphs make a product that must be refused before it
		// is computed.
		if err := r.room(2 * int64(len(from)) * int64(len(to))); err != nil {
			return r.errorf("%s", err.Msg)
		}
		for _, f := range from {
			for _, t := range to {
				r.link(f, t, dir)
			}
		}
		from = to
	}
	return nil
}

// link adds the channels of one edge.
func (r *dotReader) link(from, to int32, dir string) {
	if dir != "back" {
		r.once(from, to)
	}
	if dir == "back" || dir != "forward" && from != to {
		r.once(to, from)
	}
}

func (r *dotReader) once(from, to int32) {
	ch := Channel{from, to, NoEdge}
	if r.seen != nil {
		if r.seen[ch] {
			return
		}
		r.seen[ch] = true
	}
	r.graph.Channels = append(r.graph.Channels, ch)
}

// dir is the direction that the attributes of an edge give, or the default.
func (r *dotReader) dir(attrs []*ast.Attr, byDefault string) (string, *Error) {
	for _, a := range attrs {
		if dotText(a.Key) != "dir" {
			continue
		}
		switch dir := strings.ToLower(dotText(a.Val)); dir {
		case "forward", "back", "both", "none":
			byDefault = dir
		default:
			msg := fmt.Sprintf("dir=%s; it must be forward, back, both or none", short(a.Val))
			place := regexp.MustCompile(`dir\s*=\s*` + regexp.QuoteMeta(a.Val)).FindIndex(r.data)
			if place == nil {
				return "", r.errorf("%s", msg)
			}
			return "", r.errorAt(place[0], "%s", msg)
		}
	}
	return byDefault, nil
}

// dotText is the text of an identifier as DOT means it: in quotes, only \" and a
// backslash before a line break are special.
func dotText(id string) string {
	if len(id) < 2 || id[0] != '"' || id[len(id)-1] != '"' {
		return id
	}
	return dotEscapes.Replace(id[1 : len(id)-1])
}

var dotEscapes = strings.NewReplacer(`\"`, `"`, "\\\n", "", "\\\r\n", "")

// distinct is the nodes in order of first mention, each once.
func distinct(nodes []int32) []int32 {
	seen := make(map[int32]bool, len(nodes))
	kept := nodes[:0]
	for _, v := range nodes {
		if !seen[v] {
			seen[v] = true
			kept = append(kept, v)
		}
	}
	return kept
}

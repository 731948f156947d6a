package topology

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// arrows is a graph's channels in order, by name.
func arrows(g *Graph) []string {
	list := make([]string, len(g.Channels))
	for c, ch := range g.Channels {
		list[c] = g.Nodes[ch.From] + ">" + g.Nodes[ch.To]
	}
	return list
}

// checkWellFormed fails if the graph breaks a promise of Graph.
func checkWellFormed(t rapid.TB, g *Graph) {
	t.Helper()
	if len(g.Nodes) == 0 {
		t.Fatal("a graph without nodes")
	}
	seen := make(map[string]bool)
	for v, name := range g.Nodes {
		if seen[name] {
			t.Fatalf("two nodes named %q", name)
		}
		seen[name] = true
		if err := checkName(name); err != nil {
			t.Fatal(err)
		}
		if id, ok := g.Node(name); !ok || id != int32(v) {
			t.Fatalf("Node(%q) = %d, %v; want %d", name, id, ok, v)
		}
	}
	for c, ch := range g.Channels {
		if min(ch.From, ch.To) < 0 || int(max(ch.From, ch.To)) >= len(g.Nodes) {
			t.Fatalf("channel %d connects %d and %d of %d nodes", c, ch.From, ch.To, len(g.Nodes))
		}
		if ch.Edge != NoEdge && int(ch.Edge) >= len(g.Edges) || ch.Edge < NoEdge {
			t.Fatalf("channel %d has edge %d of %d", c, ch.Edge, len(g.Edges))
		}
	}
}

// wrong is an input that must be refused: where, and with which words.
type wrong struct {
	name         string
	input        string
	line, column int
	says         []string
}

func checkWrong(t *testing.T, parse func(string, []byte) (*Graph, error), cases []wrong) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			g, err := parse("dir/input.x", []byte(c.input))
			if err == nil {
				t.Fatalf("accepted as %v", arrows(g))
			}
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("%T: %v", err, err)
			}
			if e.File != "dir/input.x" || e.Line != c.line || e.Column != c.column {
				t.Errorf("at %s:%d:%d, want line %d column %d: %v", e.File, e.Line, e.Column, c.line, c.column, err)
			}
			for _, word := range c.says {
				if !strings.Contains(e.Msg, word) {
					t.Errorf("does not say %q: %v", word, err)
				}
			}
			if e.Line > 0 && !strings.Contains(e.Excerpt(), fmt.Sprintf("%d | ", e.Line)) {
				t.Errorf("excerpt %q", e.Excerpt())
			}
		})
	}
}

func equal[T comparable](t *testing.T, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n got %v\nwant %v", what, got, want)
	}
}

// testFile reads a graph file of the project.
func testFile(t testing.TB, name string) *Graph {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "testdata", "graphs", name))
	if err != nil {
		t.Fatal(err)
	}
	g, err := Read(name, data)
	if err != nil {
		t.Fatal(err)
	}
	checkWellFormed(t, g)
	return g
}

func generate(t testing.TB, spec Spec) *Graph {
	t.Helper()
	g, err := Generate(spec)
	if err != nil {
		t.Fatal(err)
	}
	checkWellFormed(t, g)
	return g
}

// randomGraph draws any multigraph, self-loops and isolated nodes included.
func randomGraph(t *rapid.T) *Graph {
	n := rapid.IntRange(1, 8).Draw(t, "nodes")
	g := &Graph{Nodes: numbered("n", n)}
	end := rapid.Int32Range(0, int32(n-1))
	for range rapid.IntRange(0, 16).Draw(t, "channels") {
		g.Channels = append(g.Channels, Channel{end.Draw(t, "from"), end.Draw(t, "to"), NoEdge})
	}
	return g
}

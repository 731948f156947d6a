package topology

import (
	"fmt"
	"strings"
	"testing"
)

func TestDOT(t *testing.T) {
	for _, c := range []struct {
		name, dot       string
		nodes, channels []string
	}{
		{"chain, attributes, ports and comments", "/* x */ DiGraph G { rankdir=LR; node [shape=box]; b; a:n -> b -> c [label=\"x\"] // end\n}\n# last",
			[]string{"b", "a", "c"}, []string{"a>b", "b>c"}},
		{"parallel channels and self-loops", `digraph { a -> b; a -> b; a -> a }`, []string{"a", "b"}, []string{"a>b", "a>b", "a>a"}},
		{"strict has each channel once", `strict digraph { a -> b; a -> b; a -> a; b -> a }`, []string{"a", "b"}, []string{"a>b", "a>a", "b>a"}},
		{"an undirected link is two channels", `graph { a -- b -- c; a -- b }`, []string{"a", "b", "c"},
			[]string{"a>b", "b>a", "b>c", "c>b", "a>b", "b>a"}},
		{"strict undirected", `strict graph { a -- b; b -- a }`, []string{"a", "b"}, []string{"a>b", "b>a"}},
		{"an undirected self-link is one channel", `graph { a -- a }`, []string{"a"}, []string{"a>a"}},
		{"dir", `digraph { a -> b [dir=both]; a -> b [dir="Back"]; a -> b [dir=none]; a -> b [dir=forward] }`, []string{"a", "b"},
			[]string{"a>b", "b>a", "b>a", "a>b", "b>a", "a>b"}},
		{"dir of a link", `graph { a -- b [dir=forward] }`, []string{"a", "b"}, []string{"a>b"}},
		{"a default holds from there on, inside its braces", `digraph { a -> b; subgraph s { edge [dir=back]; a -> b; {a -> b} } a -> b; edge [dir=both] a -> b }`,
			[]string{"a", "b"}, []string{"a>b", "b>a", "b>a", "a>b", "a>b", "b>a"}},
		{"subgraphs as ends, with nodes known before", `digraph { c; a; {a b a} -> {c; d} -> e }`, []string{"c", "a", "b", "d", "e"},
			[]string{"a>c", "a>d", "b>c", "b>d", "c>e", "d>e"}},
		{"edges inside an end", `digraph { {a -> b} -> c }`, []string{"a", "b", "c"}, []string{"a>b", "a>c", "b>c"}},
		{"quoting", `digraph "x \"y\"" { "a" -> a; "Los Angeles" -> "q\"q"; "c\d" }`, []string{"a", "Los Angeles", `q"q`, `c\d`},
			[]string{"a>a", `Los Angeles>q"q`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, err := ParseDOT("x.dot", []byte(c.dot))
			if err != nil {
				t.Fatal(err)
			}
			checkWellFormed(t, g)
			equal(t, "nodes", g.Nodes, c.nodes)
			equal(t, "channels", arrows(g), c.channels)
		})
	}
}

func TestDOTName(t *testing.T) {
	for dot, want := range map[string]string{`digraph "the lab" {a}`: "the lab", "graph {a}": "file"} {
		g, err := ParseDOT("dir/file.dot", []byte(dot))
		if err != nil {
			t.Fatal(err)
		}
		if g.Name != want {
			t.Errorf("%s is named %q, want %q", dot, g.Name, want)
		}
	}
}

func TestDOTWrong(t *testing.T) {
	many := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "n%d ", i)
		}
		return b.String()
	}
	checkWrong(t, ParseDOT, append(everyFormat(),
		wrong{"not DOT", "hello\nworld", 1, 1, []string{"not DOT", "expected", "digraph", "hello"}},
		wrong{"truncated", "digraph {\n a -> b;\n b ->", 4, 1, []string{"the end of the file"}},
		wrong{"truncated name", "digraph {\n a -> \"b;\n b }", 2, 7, []string{"not DOT"}},
		wrong{"hyphen", "digraph {\n\ta-b -> c\n}", 2, 3, []string{`"-b"`}},
		wrong{"directed edge in a graph", "graph {\n a -- b;\n a -> b }", 3, 4, []string{"digraph", "--"}},
		wrong{"undirected link in a digraph", "digraph {\n a -> b;\n b -- c }", 3, 4, []string{"digraph", "->"}},
		wrong{"no node", "digraph {}", 0, 0, []string{"no node"}},
		wrong{"two graphs", "digraph {a} digraph {b}", 0, 0, []string{"2 graphs", "one"}},
		wrong{"dir", "digraph {\n a -> b [dir = up]}", 2, 10, []string{"dir=up", "both"}},
		wrong{"default dir", "digraph {\n edge [color=red dir=\"\"]}", 2, 18, []string{"forward, back, both or none"}},
		wrong{"empty name", "digraph {\n \"\" -> b}", 2, 2, []string{"without a name"}},
		wrong{"line break in a name", "digraph { a -> \"b\nc\" }", 1, 16, []string{"U+000A"}},
		wrong{"deep", "digraph " + strings.Repeat("{", 200) + "a" + strings.Repeat("}", 200), 0, 0, []string{"nested", "100"}},
		wrong{"too many braces", "digraph " + strings.Repeat("{", 1<<17), 0, 0, []string{"braces", "edge list"}},
		wrong{"too many arrows", "digraph {a" + strings.Repeat("->a", 1<<20+1) + "}", 0, 0, []string{"edges", "edge list"}},
		wrong{"a product of subgraphs", "digraph {{" + many(12000) + "} -> {" + many(12000) + "}}", 0, 0, []string{"more than 20000000 nodes and channels together"}},
	))
}

func TestAbilene(t *testing.T) {
	g := testFile(t, "abilene.dot")
	if len(g.Nodes) != 11 || len(g.Channels) != 28 || g.Name != "abilene" {
		t.Errorf("%s has %d nodes and %d channels, want abilene with 11 and 28", g.Name, len(g.Nodes), len(g.Channels))
	}
	for _, c := range g.Channels {
		back := 0
		for _, d := range g.Channels {
			if d.From == c.To && d.To == c.From {
				back++
			}
		}
		if back != 1 {
			t.Errorf("%s to %s has %d channels back", g.Nodes[c.From], g.Nodes[c.To], back)
		}
	}
	if parts := g.Components(); len(parts) != 1 {
		t.Error("not strongly connected:", parts)
	}
}

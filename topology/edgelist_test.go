package topology

import (
	"strings"
	"testing"
)

func TestEdgeList(t *testing.T) {
	g, err := ParseEdgeList("dir/lab.edges", []byte("\ufeff# a comment\r\na -> b\r\n\n b c # another\n\"New \\\"York\\\"\" -- a\na b\nc -- c\nc\tc"))
	if err != nil {
		t.Fatal(err)
	}
	checkWellFormed(t, g)
	if g.Name != "lab" {
		t.Error("name", g.Name)
	}
	equal(t, "nodes", g.Nodes, []string{"a", "b", "c", `New "York"`})
	equal(t, "channels", arrows(g), []string{"a>b", "b>c", `New "York">a`, `a>New "York"`, "a>b", "c>c", "c>c"})
}

func TestEdgeListDeclaredNodes(t *testing.T) {
	g, err := ParseEdgeList("x", []byte("z\nlonely\na\n\na z\n"))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "nodes", g.Nodes, []string{"z", "lonely", "a"})
	equal(t, "channels", arrows(g), []string{"a>z"})
}

// binary and empty are wrong in every format.
func everyFormat() []wrong {
	return []wrong{
		{"empty", "", 0, 0, []string{"empty", "should hold"}},
		{"only spaces", " \n\t\n", 0, 0, []string{"empty"}},
		{"zero byte", "a b\nc \x00d\n", 2, 3, []string{"not text", "0x00", "UTF-8"}},
		{"not UTF-8", "a\xffb\x00", 1, 2, []string{"not text", "0xff"}},
		{"UTF-16", "\xff\xfea\x00 \x00b\x00", 1, 1, []string{"not text"}},
		{"huge", strings.Repeat("a b\n", MaxFileSize/4) + "c d\n", 0, 0, []string{"67108868 bytes", "64 MiB"}},
	}
}

func TestEdgeListWrong(t *testing.T) {
	checkWrong(t, ParseEdgeList, append(everyFormat(),
		wrong{"comments only", "# nothing\n", 0, 0, []string{"comments only", "FROM TO"}},
		wrong{"too many words", "a b\na b c\n", 2, 5, []string{"3 words", "FROM -> TO"}},
		wrong{"four words", "a -> b c\n", 1, 6, []string{"4 words"}},
		wrong{"quoted arrow", `a "->" b`, 1, 8, []string{"3 words"}},
		wrong{"duplicate node", "a\nb\na\n", 3, 1, []string{`"a" is declared twice`}},
		wrong{"unknown node", "a\nb\na b\n\ta  x\n", 4, 5, []string{`unknown node "x"`, "a, b"}},
		wrong{"unknown first node", "a\n x a\n", 2, 2, []string{`unknown node "x"`}},
		wrong{"truncated in a channel", "a b\nb a\na", 3, 1, []string{"declared here", "or none"}},
		wrong{"truncated in a name", "a b\na \"New Yo", 2, 3, []string{"closing quote"}},
		wrong{"truncated in an escape", "a \"b\\", 1, 5, []string{"backslash"}},
		wrong{"backslash", `a "b\n"`, 1, 5, []string{"backslash"}},
		wrong{"empty name", `a ""`, 1, 3, []string{"without a name"}},
		wrong{"control character", "a b\aell\n", 1, 3, []string{"U+0007"}},
		wrong{"commas", "a,b\nb,c\n", 1, 2, []string{"','", "FROM TO"}},
		wrong{"semicolons", "a b\nb; c\n", 2, 2, []string{"';'", "double quotes"}},
		wrong{"carriage returns", "a b\rb c d\r", 2, 5, []string{"3 words"}},
		wrong{"long name", "a " + strings.Repeat("b", 300), 1, 3, []string{"300 bytes"}},
	))
}

func TestReadGoesByTheEnding(t *testing.T) {
	for _, c := range []struct{ file, data string }{
		{"a.edges", "a b"}, {"a.TXT", "a b"}, {"a.dot", "digraph {a->b}"}, {"a.gv", "digraph {a->b}"},
		{"a.flinkplan.json", `{"nodes": [{"id": "1", "parallelism": 2, "description": "a"}]}`},
	} {
		g, err := Read(c.file, []byte(c.data))
		if err != nil {
			t.Error(err)
		} else if len(g.Nodes) != 2 || g.Name != "a" {
			t.Errorf("%s: %s with nodes %v", c.file, g.Name, g.Nodes)
		}
	}
	checkWrong(t, Read, []wrong{{"ending", "a b", 0, 0, []string{`".x"`, ".dot and .gv are DOT"}}})
}

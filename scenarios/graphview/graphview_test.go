package graphview

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"unicode"

	"simrun/scenarios"
	"simrun/topology"
)

func of(t *testing.T, scenario string) *Graph {
	t.Helper()
	s, err := scenarios.Parse(scenarios.Default(), "s.yaml", []byte(scenario))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := s.Resolve(scenarios.Default(), scenarios.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	return Of(plan)
}

func written(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func drawn(t *testing.T, g *Graph) (picture string, left []string) {
	t.Helper()
	return written(t, func(w io.Writer) (err error) {
		left, err = g.WriteSVG(w)
		return err
	}), left
}

// loop has a back-edge, a channel to itself, two with the same ends, a slow one and one
// that fails in every way.
const loop = `
algorithm: abs
graph: {nodes: [in, head, body, out], channels: [[in, head], [head, body], [body, head], [body, body], [head, out], [head, out]]}
app: {kind: loop, hops: 3, records: 5, every: 5ms}
network: {channels: {"5": {delay: {constant: 9ms}}, "2": {reorder: true, lose: 1%, duplicate: 1%}}}
`

// strange are names that a file can give a node.
var strange = []string{
	`<b>&amp;"x"</b>`, `'); alert(1) //`, "\u05e9\u05dc\u05d5\u05dd", "\u0645\u0631\u062d\u0628\u0627", `a->b`, `a--b`, `c\d`, `c\n`, `\N`, `q\q"q`, `]]>`, `{x|y}`, "end", "node", "graph",
	`"`, `""`, "#", "/* x", "// y", "1.5", "-", "\u65e5\u672c", strings.Repeat("W", 256), strings.Repeat(`"`, 255), "a b", " ", "&#0;", "%s%d", "\U0001f600",
}

func strangeGraph(t *testing.T) *Graph {
	names, err := json.Marshal(strange)
	if err != nil {
		t.Fatal(err)
	}
	var channels [][2]string
	for i := range strange {
		channels = append(channels, [2]string{strange[i], strange[(i+1)%len(strange)]}, [2]string{strange[i], strange[i]})
	}
	list, err := json.Marshal(channels)
	if err != nil {
		t.Fatal(err)
	}
	return of(t, fmt.Sprintf("graph: {nodes: %s, channels: %s}\napp: {kind: bank}", names, list))
}

// unseen has names that no file can give a node, but a program of one's own can: control
// characters, characters that turn the direction of writing, bytes that are no text, and
// labels of 10,000 characters.
func unseen(t *testing.T) *Graph {
	g := of(t, "graph: {generate: ring, nodes: 8}")
	for v, name := range []string{"a\x00b", "a\x01b", "x\ny", "\u202egnitirw", "\xff\xfe", strings.Repeat("<&\">", 2500), "ends with \\", `slash \" quote`} {
		g.topology.Nodes[v], g.Nodes[v].Name = name, name
	}
	for c, ends := range g.topology.Channels {
		g.Channels[c].From, g.Channels[c].To = g.topology.Nodes[ends.From], g.topology.Nodes[ends.To]
	}
	g.Name, g.Scenario = strings.Repeat("\"\n\\", 3000), "s\u202e\x1b[31m.yaml"
	return g
}

// TestDOTIsReadBack: the reader of DOT finds the same names and channels in the same order.
func TestDOTIsReadBack(t *testing.T) {
	for name, g := range map[string]*Graph{"loop": of(t, loop), "strange": strangeGraph(t), "large": of(t, "graph: {generate: ring, nodes: 10000}"), "one": of(t, "graph: {generate: line, nodes: 1}")} {
		text := written(t, g.WriteDOT)
		back, err := topology.ParseDOT("x.dot", []byte(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !slices.Equal(back.Nodes, g.topology.Nodes) {
			t.Errorf("%s: the nodes are %q, want %q", name, back.Nodes, g.topology.Nodes)
		}
		same := func(a, b topology.Channel) bool { return a.From == b.From && a.To == b.To }
		if !slices.EqualFunc(back.Channels, g.topology.Channels, same) {
			t.Errorf("%s: the channels are %v, want %v", name, back.Channels, g.topology.Channels)
		}
		if again := written(t, g.WriteDOT); again != text {
			t.Errorf("%s: other bytes the second time", name)
		}
	}
}

// TestDOTOfAnything: what cannot be written as it is makes a graph of the same shape all
// the same, with nodes that have names of their own.
func TestDOTOfAnything(t *testing.T) {
	g := unseen(t)
	g.Nodes[1].Name = "a\u2400b"            // what stands for the first one
	g.Nodes[5].Name = g.Nodes[5].Name[:250] // longer names are not read back
	back, err := topology.ParseDOT("x.dot", []byte(written(t, g.WriteDOT)))
	if err != nil {
		t.Fatal(err)
	}
	if len(back.Nodes) != len(g.Nodes) || len(back.Channels) != len(g.Channels) || back.Nodes[0] != "a\u2400b" || back.Nodes[1] != "a\u2400b (2)" {
		t.Errorf("%q, %v", back.Nodes, back.Channels)
	}
}

// TestDOTMarks: what is unusual stands in the line of its node or channel.
func TestDOTMarks(t *testing.T) {
	text := written(t, of(t, loop).WriteDOT)
	for _, want := range []string{
		`"in" [label="in", tooltip="in: initiates snapshots; records from outside", shape=cds, peripheries=2];`,
		`"head" [label="head", tooltip="head"];`,
		`"body" -> "head" [label="#2 reorders; loses; duplicates", style="dashed", constraint=false];`,
		`"body" -> "body" [label="#3", style="dashed", constraint=false];`,
		`"head" -> "out" [label="#4"];`,
		`"head" -> "out" [label="#5 delay 9ms", style="bold"];`,
	} {
		if !strings.Contains(text, "  "+want+"\n") {
			t.Errorf("no line %s in\n%s", want, text)
		}
	}
}

// TestGraphvizTakesIt: Graphviz itself reads what is written, and sees as much.
func TestGraphvizTakesIt(t *testing.T) {
	dot, err := exec.LookPath("dot")
	if err != nil {
		t.Skip("Graphviz is not installed: its reading of the DOT is not tested here")
	}
	for name, g := range map[string]*Graph{"loop": of(t, loop), "strange": strangeGraph(t), "unseen": unseen(t)} {
		cmd := exec.Command(dot, "-Tplain")
		cmd.Stdin, cmd.Stderr = strings.NewReader(written(t, g.WriteDOT)), os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		nodes, edges := strings.Count("\n"+string(out), "\nnode "), strings.Count(string(out), "\nedge ")
		if nodes != len(g.Nodes) || edges != len(g.Channels) {
			t.Errorf("%s: Graphviz sees %d nodes and %d channels of %d and %d", name, nodes, edges, len(g.Nodes), len(g.Channels))
		}
	}
}

// TestText: the list has everything.
func TestText(t *testing.T) {
	const want = `s.yaml: abs
inline: 4 nodes, 6 channels, 2 back-edges, 1 unreliable channel, 1 channel with own delay

in  (initiates snapshots; records from outside)
  -> head #0
head
  -> body #1
  -> out #4
  -> out #5  (delay 9ms)
body
  -> head #2  (back-edge; reorders; loses; duplicates)
  -> body #3  (back-edge)
out
`
	if got := written(t, of(t, loop).WriteText); got != want {
		t.Errorf("%s", got)
	}
	if got := written(t, of(t, "graph: {generate: ring}").WriteText); !strings.Contains(got, ", 1 back-edge (of which chandy-lamport takes no notice)\n") {
		t.Error(got)
	}
	checkSeen(t, "text", strings.ReplaceAll(written(t, unseen(t).WriteText), "\n", ""))
}

// checkSeen fails for characters that cannot be seen.
func checkSeen(t *testing.T, what, text string) {
	t.Helper()
	if i := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }); i >= 0 {
		t.Errorf("%s: %q", what, text[max(0, i-20):min(len(text), i+20)])
	}
}

// TestDrawingIsXML: every drawing is XML in which everything can be seen and nothing is
// executed, and has the same bytes each time.
func TestDrawingIsXML(t *testing.T) {
	for name, g := range map[string]*Graph{
		"loop": of(t, loop), "strange": strangeGraph(t), "unseen": unseen(t),
		"one": of(t, "graph: {generate: line, nodes: 1}"), "large": of(t, "graph: {generate: ring, nodes: 10000}"),
		"dense": of(t, "graph: {generate: complete, nodes: 60}\nsnapshots: {at: [1ms]}"),
	} {
		text, _ := drawn(t, g)
		if again, _ := drawn(t, g); again != text {
			t.Errorf("%s: other bytes the second time", name)
		}
		d := xml.NewDecoder(strings.NewReader(text))
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			switch token := token.(type) {
			case xml.CharData:
				checkSeen(t, name, strings.ReplaceAll(string(token), "\n", ""))
			case xml.StartElement:
				checkElement(t, name, token)
			}
		}
	}
}

// checkElement lets only the elements and attributes pass that draw.
func checkElement(t *testing.T, what string, e xml.StartElement) {
	t.Helper()
	if !slices.Contains([]string{"svg", "title", "style", "defs", "marker", "path", "rect", "g", "text", "circle"}, e.Name.Local) {
		t.Errorf("%s: an element %s", what, e.Name.Local)
	}
	for _, a := range e.Attr {
		if strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "href" {
			t.Errorf("%s: an attribute %s", what, a.Name.Local)
		}
	}
}

// TestDrawingIsComplete: every node, initiator, source and channel is there, and what is
// shortened is told in full by its title.
func TestDrawingIsComplete(t *testing.T) {
	for name, g := range map[string]*Graph{"loop": of(t, loop), "strange": strangeGraph(t), "200": of(t, "graph: {generate: random, nodes: 200, degree: 2}"),
		"ring": of(t, "graph: {generate: ring, nodes: 200}"), "complete": of(t, "graph: {generate: complete, nodes: 12}")} {
		text, left := drawn(t, g)
		if left != nil {
			t.Errorf("%s: %v", name, left)
		}
		initiators := 0
		for v := range g.Nodes {
			initiators += one(g.Nodes[v].Initiator)
			if title := "<title>" + escape(g.Nodes[v].describe()) + "</title>"; strings.Count(text, title) != 1 {
				t.Errorf("%s: %s is there %d times", name, title, strings.Count(text, title))
			}
		}
		back := 0
		for c := range g.Channels {
			back += one(g.Channels[c].BackEdge)
			if title := "<title>" + escape(g.Channels[c].describe()) + "</title>"; strings.Count(text, title) != 1 {
				t.Errorf("%s: %s is there %d times", name, title, strings.Count(text, title))
			}
		}
		if got := strings.Count(text, `class="frame"`); got != initiators {
			t.Errorf("%s: %d second frames of %d initiators", name, got, initiators)
		}
		if got := strings.Count(text, `class="line back`); got != back {
			t.Errorf("%s: %d dashed lines of %d back-edges", name, got, back)
		}
	}
}

// TestNothingOverlaps: no two nodes of a drawing overlap, no line of a channel that leads
// right begins behind its end, and everything is inside the drawing.
func TestNothingOverlaps(t *testing.T) {
	for name, g := range map[string]*Graph{"loop": of(t, loop), "strange": strangeGraph(t), "random": of(t, "graph: {generate: random, nodes: 60, degree: 3}"),
		"dataflow": of(t, "graph: {generate: dataflow}"), "grid": of(t, "graph: {generate: grid, width: 5, height: 5}")} {
		d := layered(g, drawnBends)
		d.place()
		r := d.route()
		for v := range g.Nodes {
			top, bottom := d.centre[v]-d.box[v].height/2, d.centre[v]+d.box[v].height/2
			if top < titleRoom || bottom > r.bottom || r.left[d.column[v]] < margin || r.right[d.column[v]] > r.width-margin {
				t.Errorf("%s: %s is outside", name, g.Nodes[v].Name)
			}
			for u := range v {
				if d.column[u] == d.column[v] && d.centre[u]-d.box[u].height/2 < bottom && top < d.centre[u]+d.box[u].height/2 {
					t.Errorf("%s: %s and %s overlap", name, g.Nodes[u].Name, g.Nodes[v].Name)
				}
			}
		}
		for c, ends := range g.topology.Channels {
			if !d.back[c] && d.column[ends.From] >= d.column[ends.To] {
				t.Errorf("%s: channel %d leads from column %d to %d", name, c, d.column[ends.From], d.column[ends.To])
			}
			if d.back[c] && r.lane[c] > r.height {
				t.Errorf("%s: channel %d is outside", name, c)
			}
		}
	}
}

// TestLargeGraphsAreDots: what is left out is said, by the result and in the drawing.
func TestLargeGraphsAreDots(t *testing.T) {
	for _, c := range []struct {
		nodes, dots, lines int
		says               []string
	}{
		{201, 201, 201, []string{"nodes are drawn as dots"}},
		{10_000, 10_000, 0, []string{"nodes are drawn as dots", "all 10000 channels are left out"}},
		{10_001, 10_000, 0, []string{"nodes are drawn as dots", "1 node left out, and their channels; the first 10000 are drawn", "all 10001 channels are left out"}},
	} {
		text, left := drawn(t, of(t, fmt.Sprintf("graph: {generate: ring, nodes: %d}", c.nodes)))
		if dots := strings.Count(text, `class="dot"`); dots != c.dots {
			t.Errorf("%d dots of %d nodes", dots, c.nodes)
		}
		if lines := strings.Count(text, `marker-end`); lines != c.lines {
			t.Errorf("%d lines of %d", lines, c.lines)
		}
		if len(left) != len(c.says) {
			t.Fatalf("%q, want %q", left, c.says)
		}
		for i, want := range c.says {
			if !strings.Contains(left[i], want) || !strings.Contains(text, escape(left[i])) {
				t.Errorf("%q is not said", want)
			}
		}
	}
}

package topology

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestGroupsWithoutPlanAreOne(t *testing.T) {
	g := &Graph{Nodes: []string{"a", "b"}, Channels: []Channel{{0, 1, NoEdge}, {0, 0, NoEdge}, {0, 1, NoEdge}}}
	if diff := cmp.Diff([]Group{{NoEdge, Any, []int32{0, 1, 2}}}, g.Outputs(0)); diff != "" {
		t.Error("outputs of a (-want +got):\n" + diff)
	}
	if diff := cmp.Diff([]Group{{NoEdge, Any, []int32{0}}}, g.Inputs(0)); diff != "" {
		t.Error("inputs of a (-want +got):\n" + diff)
	}
	if got := g.Outputs(1); got != nil {
		t.Error("a node without outputs has groups:", got)
	}
}

func TestGroupsFollowThePlan(t *testing.T) {
	// Two edges connect the same nodes, and their channels interleave.
	g := &Graph{
		Nodes:    []string{"a", "b", "c"},
		Edges:    []Edge{{"a", "b", Hash}, {"a", "c", Broadcast}},
		Channels: []Channel{{0, 2, 1}, {0, 1, 0}, {0, 2, 1}, {0, 1, 0}},
	}
	want := []Group{{1, Broadcast, []int32{0, 2}}, {0, Hash, []int32{1, 3}}}
	if diff := cmp.Diff(want, g.Outputs(0)); diff != "" {
		t.Error("outputs of a (-want +got):\n" + diff)
	}
	if diff := cmp.Diff([]Group{{0, Hash, []int32{0, 1}}}, g.Inputs(1)); diff != "" {
		t.Error("inputs of b (-want +got):\n" + diff)
	}
}

func TestSimHasTheSameChannels(t *testing.T) {
	g := generate(t, Spec{Kind: "random", Parallel: 3, SelfLoops: 2})
	s := g.Sim()
	if s.Nodes != len(g.Nodes) || len(s.From) != len(g.Channels) || len(s.To) != len(g.Channels) {
		t.Fatal("other sizes:", s.Nodes, len(s.From), len(s.To))
	}
	for c, ch := range g.Channels {
		if s.From[c] != ch.From || s.To[c] != ch.To {
			t.Errorf("channel %d is %d->%d, want %d->%d", c, s.From[c], s.To[c], ch.From, ch.To)
		}
	}
}

func TestListCountsTheRest(t *testing.T) {
	g := generate(t, Spec{Kind: "ring", Nodes: 12})
	if got := g.List([]int32{3, 5}); got != "n3, n5" {
		t.Error(got)
	}
	all := make([]int32, 12)
	for v := range all {
		all[v] = int32(v)
	}
	if got := g.List(all); got != "n0, n1, n2, n3, n4, n5, n6, n7 and 4 more" {
		t.Error(got)
	}
}

func TestBuilder(t *testing.T) {
	b := NewBuilder("inline")
	if _, err := b.Graph(); err == nil {
		t.Error("a graph without nodes is accepted")
	}
	for _, name := range []string{"a", "b"} {
		if err := b.AddNode(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.AddChannel("a", "b"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		says string
		err  error
	}{
		{`node "a" is declared twice`, b.AddNode("a")},
		{"without a name", b.AddNode("")},
		{"character U+0007", b.AddNode("bell\a")},
		{"name of 300 bytes", b.AddNode(strings.Repeat("x", 300))},
		{`unknown node "c"; the nodes are a, b`, b.AddChannel("a", "c")},
		{`unknown node "c"`, b.AddChannel("c", "a")},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.says) {
			t.Errorf("want %q, got %v", c.says, c.err)
		}
	}
	g, err := b.Graph()
	if err != nil {
		t.Fatal(err)
	}
	checkWellFormed(t, g)
	equal(t, "channels", arrows(g), []string{"a>b"})
}

func TestExcerptPutsTheCaretBelow(t *testing.T) {
	_, err := ParseEdgeList("x.edges", []byte("a b\n\té\tb # two\n \"c\n"))
	e, ok := err.(*Error)
	if !ok {
		t.Fatal(err)
	}
	want := "   3 |  \"c\n" + "        ^\n"
	if e.Excerpt() != want {
		t.Errorf("got\n%swant\n%s", e.Excerpt(), want)
	}
	if (&Error{Msg: "m"}).Excerpt() != "" {
		t.Error("an excerpt without a position")
	}
}

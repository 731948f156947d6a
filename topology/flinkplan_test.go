package topology

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// onePlan is a plan of one edge.
func onePlan(from, to int, ship string) string {
	return fmt.Sprintf(`{"plan": {"name": "two", "nodes": [
		{"id": "a", "parallelism": %d, "description": "A"},
		{"id": "b", "parallelism": %d, "description": "B", "inputs": [{"num": 0, "id": "a", "ship_strategy": %q}]}]}}`, from, to, ship)
}

func TestClickStream(t *testing.T) {
	g := testFile(t, "click-stream.flinkplan.json")
	want := []Edge{
		{"source-clicks", "parse-drop-bots", Forward},
		{"parse-drop-bots", "add-campaign", RoundRobin},
		{"source-campaigns", "add-campaign", Broadcast},
		{"add-campaign", "count-per-page", Hash},
		{"add-campaign", "sessions-per-user", Hash},
		{"count-per-page", "match-pages-sessions", Hash},
		{"sessions-per-user", "match-pages-sessions", Hash},
		{"sessions-per-user", "sink-archive", Rescale},
		{"match-pages-sessions", "sink-dashboard", Forward},
	}
	if diff := cmp.Diff(want, g.Edges); diff != "" {
		t.Error("edges (-want +got):\n" + diff)
	}
	channels := make([]int, len(g.Edges))
	for _, ch := range g.Channels {
		channels[ch.Edge]++
	}
	equal(t, "channels by edge", channels, []int{4, 16, 4, 16, 16, 16, 16, 4, 4})
	if len(g.Nodes) != 31 || g.Name != "click-stream" {
		t.Errorf("%s has %d subtasks, want click-stream with 31", g.Name, len(g.Nodes))
	}
	if got := g.List(DefaultInitiators(g)); got != "source-clicks-0, source-clicks-1, source-clicks-2, source-clicks-3, source-campaigns-0" {
		t.Error("initiators", got)
	}
	if !Acyclic(g, nil) {
		t.Error("the plan has a cycle")
	}
	user, _ := g.Node("sessions-per-user-3")
	groups := []Group{{6, Hash, []int32{0, 1, 2, 3}}, {7, Rescale, []int32{4}}}
	if diff := cmp.Diff(groups, g.Outputs(user)); diff != "" {
		t.Error("outputs of sessions-per-user-3 (-want +got):\n" + diff)
	}
}

// Every prefix of the real plan is refused as truncated, and nothing else.
func TestTruncatedPlan(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "testdata", "graphs", "click-stream.flinkplan.json"))
	if err != nil {
		t.Fatal(err)
	}
	whole := len(strings.TrimSpace(string(data)))
	for n := 1; n < whole; n += 7 {
		_, err := ParseFlinkPlan("x", data[:n])
		if err == nil || !strings.Contains(err.Error(), "truncated") {
			t.Fatalf("the first %d bytes: %v", n, err)
		}
	}
}

func TestShipStrategies(t *testing.T) {
	for _, c := range []struct {
		from, to int
		ship     string
		strategy Strategy
		channels string
	}{
		{3, 3, "FORWARD", Forward, "00 11 22"},
		{2, 3, "HASH", Hash, "00 01 02 10 11 12"},
		{2, 2, "BROADCAST", Broadcast, "00 01 10 11"},
		{1, 3, "REBALANCE", RoundRobin, "00 01 02"},
		{2, 1, "GLOBAL", RoundRobin, "00 10"},
		{2, 1, "", RoundRobin, "00 10"},
		{3, 3, "RESCALE", Rescale, "00 11 22"},
		{2, 4, "RESCALE", Rescale, "00 01 12 13"},
		{4, 2, "RESCALE", Rescale, "00 10 21 31"},
		{2, 5, "rescale", Rescale, "00 01 02 13 14"},
		{5, 2, "RESCALE", Rescale, "00 10 21 31 41"},
		{1, 2, "RESCALE", Rescale, "00 01"},
	} {
		g, err := ParseFlinkPlan("x", []byte(onePlan(c.from, c.to, c.ship)))
		if err != nil {
			t.Error(err)
			continue
		}
		checkWellFormed(t, g)
		got := strings.NewReplacer("a-", "", "b-", "", ">", "").Replace(strings.Join(arrows(g), " "))
		if got != c.channels || g.Edges[0].Strategy != c.strategy {
			t.Errorf("%d to %d by %s: %v %s, want %v %s", c.from, c.to, c.ship, g.Edges[0].Strategy, got, c.strategy, c.channels)
		}
	}
}

// RESCALE against its definition: every subtask of the larger side has exactly
// one partner, and the partners are blocks of nearly equal size, in order.
func TestRescaleIsBlockwise(t *testing.T) {
	for p := 1; p <= 9; p++ {
		for q := 1; q <= 9; q++ {
			g := (&plan{operators: []operator{{"a", p}, {"b", q}}, edges: []planEdge{{0, 1, Rescale}}}).expand()
			if len(g.Channels) != max(p, q) || cap(g.Channels) != len(g.Channels) {
				t.Fatalf("%d to %d: %d channels", p, q, len(g.Channels))
			}
			partners := make([]int, min(p, q))
			large := make([]int32, 0, max(p, q))
			for _, ch := range g.Channels {
				a, b := ch.From, ch.To-int32(p)
				if p < q {
					a, b = b, a
				}
				large = append(large, a)
				partners[b]++
			}
			if !slices.IsSorted(large) || len(slices.Compact(slices.Clone(large))) != max(p, q) {
				t.Errorf("%d to %d: subtasks %v of the larger side", p, q, large)
			}
			if slices.Max(partners)-slices.Min(partners) > 1 {
				t.Errorf("%d to %d: blocks of %v", p, q, partners)
			}
		}
	}
}

func TestOperatorNames(t *testing.T) {
	taken := make(map[string]bool)
	for _, c := range []struct{ description, id, want string }{
		{"Source: Socket Stream", "", "source-socket-stream"},
		{"Map -&gt; Filter", "", "map-filter"},
		{"Window(TumblingWindows(5000))<br/>+- Map<br/>", "", "window-tumblingwindows-5000"},
		{"Map", "", "map"},
		{"map<br/>", "", "map-2"},
		{"MAP!", "", "map-3"},
		{"map 2", "", "map-2-2"},
		{"Zähler für Größe", "", "zähler-für-größe"},
		{"<br/>Sink", "", "sink"},
		{"", "bc764cd8", "operator-bc764cd8"},
		{"&gt;", "?", "operator"},
		{"one two three four five six seven eight nine ten eleven", "", "one-two-three-four-five-six-seven-eight-nine-ten"},
		{strings.Repeat("x", 300), "", strings.Repeat("x", 48)},
	} {
		if got := operatorName(c.description, c.id, taken); got != c.want {
			t.Errorf("%q is named %q, want %q", c.description, got, c.want)
		}
	}
}

func TestFlinkPlanForms(t *testing.T) {
	bare := strings.TrimSuffix(strings.TrimPrefix(onePlan(2, 2, "HASH"), `{"plan": `), "}")
	for _, plan := range []string{
		onePlan(2, 2, "HASH"),
		bare,
		`{"jid": "x", "name": "job", "state": "RUNNING", "plan": ` + bare + `}`,
	} {
		g, err := ParseFlinkPlan("x", []byte(plan))
		if err != nil {
			t.Fatal(err)
		}
		if len(g.Channels) != 4 || g.Name != "two" {
			t.Errorf("%s with channels %v", g.Name, arrows(g))
		}
	}
	// Two inputs from one operator are two edges; a loop and an unconnected
	// operator are as good as any.
	g, err := ParseFlinkPlan("dir/plan.json", []byte(`{"nodes": [
		{"id": "a", "parallelism": 1, "description": "A", "optimizer_properties": "none", "inputs":
			[{"id": "b", "ship_strategy": "HASH"}, {"id": "b", "ship_strategy": "REBALANCE"}, {"id": "a", "ship_strategy": "FORWARD"}]},
		{"id": "b", "parallelism": 2, "description": "B"}, {"id": "c", "parallelism": 1}]}`))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "channels", arrows(g), []string{"b-0>a-0", "b-1>a-0", "b-0>a-0", "b-1>a-0", "a-0>a-0"})
	if g.Name != "plan" || g.Nodes[3] != "operator-c-0" {
		t.Error(g.Name, g.Nodes)
	}
}

func TestFlinkPlanWrong(t *testing.T) {
	node := func(line string) string { return "{\"plan\": {\"nodes\": [\n" + line + "\n]}}" }
	a := "{\"id\": \"a\", \"parallelism\": 2, \"description\": \"A\"},\n"
	checkWrong(t, ParseFlinkPlan, append(everyFormat(),
		wrong{"not JSON", "{\n \"plan\": nodes}", 2, 11, []string{"not JSON", "/jobs/:id/plan"}},
		wrong{"truncated", onePlan(1, 1, "HASH")[:100], 3, 12, []string{"truncated"}},
		wrong{"something behind", onePlan(1, 1, "HASH") + "}", 3, 115, []string{"not JSON"}},
		wrong{"another object", `{"jobs": []}`, 0, 0, []string{"without nodes", "/jobs/:id/plan"}},
		wrong{"an array", `[]`, 1, 1, []string{"a JSON array where an object belongs"}},
		wrong{"no nodes", `{"plan": {"nodes": []}}`, 0, 0, []string{"without nodes"}},
		wrong{"wrong type", node(`{"id": "a", "parallelism": "2"}`), 2, 30, []string{"a JSON string where a whole number belongs"}},
		wrong{"fraction", node(`{"id": "a", "parallelism": 2.5}`), 2, 30, []string{"where a whole number belongs"}},
		wrong{"nodes no array", `{"plan": {"nodes": {}}}`, 1, 20, []string{"an array belongs"}},
		wrong{"no id", node(`{"parallelism": 1}`), 2, 1, []string{"no id", "must be a string"}},
		wrong{"number as id", node(a + `{"id": 1, "parallelism": 1}`), 3, 8, []string{"operator 1 has no id"}},
		wrong{"execution plan", node(`{"id": 1, "pact": "Data Source", "parallelism": 1}`), 2, 1, []string{"getExecutionPlan", "/jobs/:id/plan"}},
		wrong{"duplicate id", node(a + `{"parallelism": 1, "id": "a"}`), 3, 26, []string{`"a" belongs to "a" already`}},
		wrong{"no parallelism", node(`{"id": "a"}`), 2, 1, []string{"parallelism 0", "between 1 and 32768"}},
		wrong{"negative parallelism", node(`{"id": "a", "parallelism": -3}`), 2, 28, []string{"parallelism -3"}},
		wrong{"huge parallelism", node(`{"id": "a", "parallelism": 100000}`), 2, 28, []string{"parallelism 100000"}},
		wrong{"unknown input", node(a + `{"id": "b", "parallelism": 1, "inputs": [{"num": 0, "id": "a"}, {"id": "c"}]}`), 3, 72,
			[]string{`unknown id "c"`, "in the plan"}},
		wrong{"unequal FORWARD", onePlan(2, 3, "FORWARD"), 3, 103, []string{"a with parallelism 2 to b with parallelism 3", "equal", "REBALANCE"}},
		wrong{"too many channels", onePlan(1<<15, 1<<15, "HASH"), 0, 0, []string{"1073741824 channels", "20000000 of both together"}},
		wrong{"deep", strings.Repeat(`{"plan":`, 20000), 1, 80001, []string{"not JSON", "depth"}},
	))
}

package export

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"simrun/scenarios/spacetime"
	"simrun/topology"
)

var (
	dotPlace = regexp.MustCompile(`(?m)^  (e[0-9]+|lane[0-9]+) \[.*pos="(-?[0-9]+),(-?[0-9]+)!"`)
	dotEdge  = regexp.MustCompile(`(?m)^  (e[0-9]+|lane[0-9]+) -> (e[0-9]+) \[(.*)\];$`)
)

// checkDOT refuses what is no DOT, a node without a place, two at one place, and an arrow
// that does not lead to the right.
func checkDOT(text string) error {
	g, err := topology.ParseDOT("x.dot", []byte(text))
	if err != nil {
		return err
	}
	type place struct{ x, y int }
	at, taken := map[string]place{}, map[place]string{}
	for _, m := range dotPlace.FindAllStringSubmatch(text, -1) {
		x, errX := strconv.Atoi(m[2])
		y, errY := strconv.Atoi(m[3])
		if errX != nil || errY != nil {
			return fmt.Errorf("the place of %s", m[1])
		}
		p := place{x, y}
		if other := taken[p]; other != "" {
			return fmt.Errorf("%s and %s are at one place", other, m[1])
		}
		at[m[1]], taken[p] = p, m[1]
	}
	if len(at) != len(g.Nodes) {
		return fmt.Errorf("%d nodes, of which %d have a place", len(g.Nodes), len(at))
	}
	edges := dotEdge.FindAllStringSubmatch(text, -1)
	if len(edges) != len(g.Channels) {
		return fmt.Errorf("%d edges of %d", len(edges), len(g.Channels))
	}
	for _, m := range edges {
		if cut := strings.Contains(m[3], "cut of snapshot"); !cut && at[m[1]].x >= at[m[2]].x {
			return fmt.Errorf("%s -> %s does not lead to the right", m[1], m[2])
		}
	}
	if !strings.Contains(text, "splines=line") {
		return fmt.Errorf("its lines are not straight")
	}
	return nil
}

func dotOf(t *testing.T, d *spacetime.Diagram) (string, []string) {
	t.Helper()
	return written(t, func(w io.Writer) ([]string, error) { return DOT(w, d) })
}

// TestDOT: the diagram of every scenario file is DOT, with a place for every event, every
// message that came as an arrow, and every cut as a line.
func TestDOT(t *testing.T) {
	cuts, left := 0, 0
	for _, file := range files(t) {
		d := diagram(load(t, file, ""), 400)
		text, out := dotOf(t, d)
		if err := checkDOT(text); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		received, joined := 0, 0
		for i := range d.Events {
			if d.Events[i].Kind.Receives() {
				received++
			}
		}
		for _, m := range dotEdge.FindAllStringSubmatch(text, -1) {
			switch {
			case strings.Contains(m[3], "cut of snapshot"):
				joined++
			case strings.Contains(m[3], "gray60"): // a lane
			default:
				received--
			}
		}
		recorded := 0
		for i := range d.Snapshots {
			n := -1
			for _, event := range d.Snapshots[i].Cut {
				if event != spacetime.None {
					n++
				}
			}
			recorded += max(0, n)
		}
		if received != 0 || joined != recorded {
			t.Errorf("%s: %d arrows are missing; %d lines of cuts, want %d", file, received, joined, recorded)
		}
		if (out != nil) == d.Whole() || d.Whole() == strings.Contains(text, "the first 400 of ") {
			t.Errorf("%s: left out is %q", file, out)
		}
		cuts += joined
		left += len(out)
	}
	if cuts == 0 || left == 0 {
		t.Errorf("%d lines of cuts, %d runs that were cut", cuts, left)
	}
}

// TestDOTStrange: names may be anything.
func TestDOTStrange(t *testing.T) {
	for _, d := range []*spacetime.Diagram{diagram(strange(t), DOTEvents), unseen(t)} {
		text, _ := dotOf(t, d)
		if err := checkDOT(text); err != nil {
			t.Error(err)
		}
	}
}

// TestGraphvizDrawsIt: Graphviz draws every event where it was put.
func TestGraphvizDrawsIt(t *testing.T) {
	neato, err := exec.LookPath("neato")
	if err != nil {
		t.Skip("Graphviz is not installed: its reading of the DOT is not tested here")
	}
	for _, d := range []*spacetime.Diagram{diagram(load(t, "in-transit.yaml", ""), DOTEvents), diagram(strange(t), DOTEvents), unseen(t)} {
		text, _ := dotOf(t, d)
		cmd := exec.Command(neato, "-n2", "-Tplain")
		cmd.Stdin, cmd.Stderr = strings.NewReader(text), os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(out), "\nnode e"); n != len(d.Events) {
			t.Errorf("Graphviz sees %d events of %d", n, len(d.Events))
		}
	}
}

// TestDOTCheckerRejects: the checker sees what would draw something else.
func TestDOTCheckerRejects(t *testing.T) {
	text, _ := dotOf(t, diagram(load(t, "in-transit.yaml", ""), DOTEvents))
	for _, c := range []struct{ what, old, by string }{
		{"no DOT", "digraph", "graph"},
		{"an open quote", `label="P1"`, `label="P1`},
		{"no place", `, pos="36,-90!"`, ""},
		{"a place that is taken", `pos="72,-90!"`, `pos="36,-90!"`},
		{"back in time", "  e1 -> e8 ", "  e8 -> e1 "},
		{"round lines", "splines=line", "splines=curved"},
	} {
		mustReject(t, c.what, text, c.old, c.by, checkDOT)
	}
}

package export

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"simrun/scenarios/spacetime"
)

// The lines of a sequence diagram. A text has nothing in it that could be something else.
var (
	mermaidPlain = `(?:[A-Za-z0-9_ .,()/]|[^\x00-\x7f]|#[0-9]+;)+`
	mermaidNamed = regexp.MustCompile(`^    participant (p[0-9]+) as ` + mermaidPlain + `$`)
	mermaidSent  = regexp.MustCompile(`^    (p[0-9]+)(->>|-->>|-x|--x|-\)|--\))(p[0-9]+): (` + mermaidPlain + `)$`)
	mermaidNote  = regexp.MustCompile(`^    Note over (p[0-9]+)(?:,(p[0-9]+))?: (` + mermaidPlain + `)$`)
	mermaidRect  = regexp.MustCompile(`^    rect rgba\([0-9, .]+\)$`)
	mermaidBare  = regexp.MustCompile(`(?i)\bend\b`)
)

// checkMermaid refuses what Mermaid does not draw, or would take for something else, and
// what is larger than it takes.
func checkMermaid(text string) error {
	if n := utf8.RuneCountInString(text); n > MermaidCharacters {
		return fmt.Errorf("%d characters", n)
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if lines[0] != "sequenceDiagram" {
		return fmt.Errorf("it begins with %q", lines[0])
	}
	known := map[string]bool{}
	messages, open := 0, 0
	for i, line := range lines[1:] {
		var used []string
		if m := mermaidNamed.FindStringSubmatch(line); m != nil && !known[m[1]] {
			known[m[1]] = true
		} else if m := mermaidSent.FindStringSubmatch(line); m != nil {
			messages++
			used = []string{m[1], m[3]}
		} else if m := mermaidNote.FindStringSubmatch(line); m != nil {
			used = slices.DeleteFunc([]string{m[1], m[2]}, func(s string) bool { return s == "" })
		} else if mermaidRect.MatchString(line) {
			open++
		} else if line == "    end" && open > 0 {
			open--
			continue
		} else if !strings.HasPrefix(line, "    %% ") || strings.Contains(line, "{") {
			return fmt.Errorf("line %d is %q", i+2, line)
		}
		if mermaidBare.MatchString(line) {
			return fmt.Errorf("line %d has the word that ends a rectangle: %q", i+2, line)
		}
		for _, name := range used {
			if !known[name] {
				return fmt.Errorf("line %d: %s is no participant", i+2, name)
			}
		}
	}
	switch {
	case messages > MermaidMessages:
		return fmt.Errorf("%d messages", messages)
	case open != 0:
		return fmt.Errorf("%d rectangles are open", open)
	}
	return nil
}

func mermaidOf(t *testing.T, d *spacetime.Diagram) (string, []string) {
	t.Helper()
	return written(t, func(w io.Writer) ([]string, error) { return Mermaid(w, d) })
}

// TestMermaid: the diagram of every scenario file keeps the rules, and says where it is cut.
func TestMermaid(t *testing.T) {
	seen := map[string]int{}
	cuts := 0
	for _, file := range files(t) {
		text, left := mermaidOf(t, diagram(load(t, file, ""), MermaidEvents))
		if err := checkMermaid(text); err != nil {
			t.Fatalf("%s: %v in\n%s", file, err, text)
		}
		if (left != nil) != strings.Contains(text, ": cut here, at event ") {
			t.Errorf("%s: left out is %q", file, left)
		}
		if left != nil {
			cuts++
		}
		for line := range strings.Lines(text) {
			if m := mermaidSent.FindStringSubmatch(strings.TrimSuffix(line, "\n")); m != nil {
				seen[m[2]]++
			}
			for _, word := range []string{"rect ", "recovery", "crash", "lost", "taken back"} {
				if strings.Contains(line, word) {
					seen[word]++
				}
			}
		}
	}
	for _, what := range []string{"->>", "-->>", "-x", "--x", "rect ", "recovery", "crash", "lost", "taken back"} {
		if seen[what] == 0 {
			t.Errorf("no diagram has %q", what)
		}
	}
	if cuts == 0 {
		t.Error("no diagram was cut")
	}
}

// TestMermaidHasEveryMessage: a short run is there in full.
func TestMermaidHasEveryMessage(t *testing.T) {
	text, left := mermaidOf(t, diagram(load(t, "in-transit.yaml", ""), MermaidEvents))
	const want = `    participant p0 as P1
    participant p1 as P2
    rect rgba(128, 128, 160, 0.15)
    Note over p0: initiate snapshot 1
    Note over p0: record snapshot 1
    p0->>p1: message 1
    p1->>p0: message 1
    p0-->>p1: marker 1
    Note over p1: record snapshot 1
    p0->>p1: message 2
    p1-->>p0: marker 1
    end
    p1->>p0: message 2
    p1->>p0: message 3
    p0->>p1: message 3
`
	if _, body, _ := strings.Cut(text, "holds\n"); body != want || left != nil {
		t.Errorf("%s%q", text, left)
	}
}

// TestMermaidOfAWindow: a diagram that begins in the middle of a run keeps the rules, too.
func TestMermaidOfAWindow(t *testing.T) {
	p := load(t, "partial-recovery.yaml", "")
	whole := diagram(p, 0)
	dropped := slices.IndexFunc(whole.Events, func(e spacetime.Event) bool { return e.Kind == spacetime.Drop })
	text, _ := mermaidOf(t, spacetime.Of(p, p.Seed, spacetime.Options{First: dropped - 100, Most: 200}))
	if err := checkMermaid(text); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, ", dropped\n") {
		t.Errorf("no message is dropped in\n%s", text)
	}
}

// TestMermaidStrange: texts are texts, whatever stands in them, and what is large is cut by
// its size.
func TestMermaidStrange(t *testing.T) {
	d := diagram(strange(t), MermaidEvents)
	text, _ := mermaidOf(t, d)
	if err := checkMermaid(text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"as #101;nd\n", "as #69;ND\n", "as endless\n", "as the #101;nd\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no participant %q", want)
		}
	}
	text, _ = mermaidOf(t, unseen(t))
	if err := checkMermaid(text); err != nil {
		t.Error(err)
	}
	d = diagram(parse(t, "graph: {generate: ring, nodes: 10000}\nstop: {at: 20ms}\nfaults: [{crash: n5, at: 10ms}]"), MermaidEvents)
	for v := range d.Graph.Nodes { // so that the names alone are too much
		d.Graph.Nodes[v] = strings.Repeat("#", 24)
	}
	text, left := mermaidOf(t, d)
	if err := checkMermaid(text); err != nil || left == nil || utf8.RuneCountInString(text) < MermaidCharacters-2*mermaidReserve {
		t.Errorf("%v, %d characters, %q", err, len(text), left)
	}
	d.Events, d.Total = nil, 0
	if text, left = mermaidOf(t, d); checkMermaid(text) != nil || left != nil {
		t.Errorf("without events: %s%q", text, left)
	}
}

// TestMermaidCheckerRejects: the checker sees what would break a diagram.
func TestMermaidCheckerRejects(t *testing.T) {
	text, _ := mermaidOf(t, diagram(load(t, "in-transit.yaml", ""), MermaidEvents))
	for _, c := range []struct{ what, old, by string }{
		{"another diagram", "sequenceDiagram", "graph TD"},
		{"the word that ends a rectangle", ": message 3", ": the End"},
		{"a name that ends a rectangle", "as P1", "as end"},
		{"a semicolon", ": message 3", ": a;b"},
		{"a character by which something begins", ": message 3", ": a<b"},
		{"nobody", "p1->>p0: message 3", "p1->>p7: message 3"},
		{"an arrow that there is not", "p1->>p0: message 3", "p1=>p0: message 3"},
		{"no text", ": message 3", ": "},
		{"a rectangle that does not end", "    end\n", ""},
		{"an end too many", "    end\n", "    end\n    end\n"},
		{"a directive", "%% ", "%%{init: x}%% "},
		{"too many messages", "    p1->>p0: message 3\n", strings.Repeat("    p1->>p0: message 3\n", MermaidMessages)},
		{"too many characters", "    p1->>p0: message 3\n", "    p1->>p0: " + strings.Repeat("x", MermaidCharacters) + "\n"},
	} {
		mustReject(t, c.what, text, c.old, c.by, checkMermaid)
	}
}

package picture

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"simrun/scenarios"
	"simrun/scenarios/spacetime"
)

func resolved(t *testing.T, s *scenarios.Scenario, err error, algorithm string) *scenarios.Plan {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Resolve(scenarios.Default(), scenarios.Overrides{Algorithm: algorithm})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func load(t *testing.T, file, algorithm string) *spacetime.Diagram {
	t.Helper()
	s, err := scenarios.Load(scenarios.Default(), filepath.Join("../../testdata/scenarios", file))
	p := resolved(t, s, err, algorithm)
	return spacetime.Of(p, p.Seed, Window())
}

func parse(t *testing.T, text string) *spacetime.Diagram {
	t.Helper()
	s, err := scenarios.Parse(scenarios.Default(), "s.yaml", []byte(text))
	p := resolved(t, s, err, "")
	return spacetime.Of(p, p.Seed, Window())
}

// TestPicture: the whole picture of a short run. The documentation has it.
func TestPicture(t *testing.T) {
	const want = `                P1                   P2
   1   1.048ms  |                    in 1, >1 P1
   2   4.528ms  in 1, >1 P2          |
   3       8ms  begin 1, [1], M1>P2  |
   4   9.528ms  1                    <1 P1
   5  11.048ms  <1 P2                |
   6      13ms  1                    <M1 P1, [1], M1>P1
   7  13.799ms  in 2, >2 P2          1
   8  17.635ms  1                    in 2, >2 P1
   9  18.799ms  1                    <2 P1
  10  20.087ms  1                    in 3, >3 P1
  11      23ms  <M1 P2               1
  12  26.674ms  in 3, >3 P2          1
  13  27.635ms  <2 P2                1
  14  30.087ms  <3 P2                1
  15  31.674ms  1                    <3 P1
cut [1], holds: P1 in row 3, P2 in row 6; recorded of channels: message 1 from P2 to P1
`
	if got := Of(load(t, "in-transit.yaml", "")); got != want {
		t.Errorf("%s", got)
	}
	if !strings.Contains(documentation(t), "```\n"+want+"```\n") {
		t.Error("docs/picture.md does not have it")
	}
}

func documentation(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/picture.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestCrash: a node that has crashed has an x until it is put back, all of a recovery is
// one row, and the lines go on as the cut that was restored has them.
func TestCrash(t *testing.T) {
	const want = `            n0                   n1
   1   0ns  in 1, >1 n1          |
   2   1ms  |                    <1 n0, out 1
   3   5ms  in 2, >2 n1          |
   4   6ms  |                    <2 n0, out 2
   5   7ms  begin 1, [1], M1>n1  |
   6   8ms  1                    <M1 n0, [1]
   7  10ms  in 3, >3 n1          1
   8  11ms  1                    <3 n0, out 3
   9  15ms  in 4, >4 n1          1
  10  16ms  1                    <4 n0, out 4
  11  17ms  1                    CRASH
  12  20ms  in 5, >5 n1          x
  13  21ms  to [1]               to [1]
  14  21ms  in 3, >3 n1          1
  15  21ms  in 4, >4 n1          1
  16  21ms  in 5, >5 n1          1
  17  22ms  1                    <3 n0, out 5
  18  22ms  1                    <4 n0, out 6
  19  22ms  1                    <5 n0, out 7
cut [1], holds: n0 in row 5, n1 in row 6
`
	got := Of(parse(t, "graph: {generate: line, nodes: 2}\napp: {kind: sums, every: 5ms}\nnetwork: {delay: {constant: 1ms}}\nsnapshots: {at: [7ms]}\nfaults: [{crash: n1, at: 17ms, down: 4ms}]\nstop: {at: 24ms}"))
	if got != want {
		t.Errorf("%s", got)
	}
}

// TestWords: every word occurs in some picture, and the documentation has it.
func TestWords(t *testing.T) {
	var all strings.Builder
	for _, run := range []struct{ file, algorithm string }{
		{"in-transit.yaml", ""}, {"lost-message.yaml", ""}, {"lost-marker.yaml", ""}, {"duplicated-messages.yaml", ""}, {"finished-source.yaml", ""},
		{"pending-timer.yaml", ""}, {"partial-recovery.yaml", ""}, {"aligned-back-edge.yaml", ""}, {"no-snapshot-yet.yaml", ""}, {"wordcount-crash.yaml", ""},
	} {
		s, err := scenarios.Load(scenarios.Default(), filepath.Join("../../testdata/scenarios", run.file))
		p := resolved(t, s, err, run.algorithm)
		whole := spacetime.Of(p, p.Seed, spacetime.Options{StateBytes: 1})
		for first := 0; first < whole.Total; first += 150 { // every part of the run, as pictures
			all.WriteString(Of(spacetime.Of(p, p.Seed, spacetime.Options{First: first, Most: 150, StateBytes: 1})))
		}
	}
	for _, word := range []string{"in 1", "<1 ", ">1 ", "drop ", "timer ", "begin 1", "[1]", "M1>", "<M1 ", "end>", "<end ", "block ", "unblock ", "out 1", "CRASH", "to [1]", "from the beginning", "lost on the way to ", "comes twice to "} {
		if !strings.Contains(all.String(), word) {
			t.Errorf("no picture has %q", word)
		}
		if told := "`" + strings.TrimRight(word, "1 "); !strings.Contains(documentation(t), told) {
			t.Errorf("docs/picture.md does not have %q", told)
		}
	}
}

// TestSize: a picture has so many rows and columns, as wide as they may be, and says what
// it leaves out.
func TestSize(t *testing.T) {
	d := load(t, "flink-plan.yaml", "")
	text := Of(d)
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if !strings.HasPrefix(lines[maxRows], fmt.Sprintf("%4d  ", maxRows)) || strings.Contains(text, fmt.Sprintf("\n%4d  ", maxRows+1)) {
		t.Errorf("not %d rows in\n%s", maxRows, text)
	}
	for _, want := range []string{" more events are not drawn)", fmt.Sprintf("(%d more nodes are not drawn, and what happens there)", len(d.Graph.Nodes)-maxNodes)} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	d = parse(t, "graph: {generate: star, nodes: 8}\nsnapshots: {at: [10ms]}\nstop: {at: 30ms}")
	if text := Of(d); !strings.Contains(text, "\u2026") || !strings.Contains(text, "(what ends in \u2026 is cut)\n") {
		t.Errorf("nothing is cut in\n%s", text)
	}
	if text := Of(parse(t, "graph: {generate: ring, nodes: 10000}\nstop: {at: 3ms}")); !strings.Contains(text, "(9992 more nodes are not drawn") {
		t.Error(text)
	}
}

// TestWidths: columns stand below each other, whatever characters the names have.
func TestWidths(t *testing.T) {
	d := load(t, "in-transit.yaml", "")
	d.Graph.Nodes = []string{"\u65e5\u672c \u05e9\u05dc\u05d5\u05dd\x1b[31m\n\u202e", strings.Repeat("<&\">", 2500)}
	text := Of(d)
	at := -1
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "cut") {
			break
		}
		runes := []rune(strings.TrimSuffix(line, "\n"))
		for _, r := range runes {
			if !unicode.IsPrint(r) {
				t.Fatalf("%q", line)
			}
		}
		if column := strings.LastIndex(string(runes), "  "); column >= 0 {
			if begin := len([]rune(string(runes)[:column])) + 2; at < 0 {
				at = begin
			} else if begin != at {
				t.Errorf("the second column begins at %d, not %d: %s", begin, at, line)
			}
		}
	}
}

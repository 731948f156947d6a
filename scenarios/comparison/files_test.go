package comparison

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"simrun/scenarios"
)

// TestEveryScenarioFile: every file can be compared, under its own algorithm, too, with
// one seed and with three; and what its runs say of themselves and what was observed is the
// same.
func TestEveryScenarioFile(t *testing.T) {
	entries, err := os.ReadDir(scenarioFolder)
	if err != nil {
		t.Fatal(err)
	}
	files, refused, crashed, blocked := 0, 0, 0, 0
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".yaml") {
			continue
		}
		files++
		t.Run(entry.Name(), func(t *testing.T) {
			s := load(t, entry.Name())
			algorithms := Usual()
			if s.Algorithm != "" && !slices.Contains(algorithms, s.Algorithm) {
				algorithms = append(algorithms, s.Algorithm)
			}
			c := compare(t, s, nil, algorithms...)
			for i := range c.Algorithms {
				a := &c.Algorithms[i]
				if a.Refused != nil {
					refused++
					continue
				}
				run := &a.Runs[0]
				agrees(t, a.Name, run)
				crashed += int(*run.Measures.Recoveries)
				if *run.Measures.Blocked > 0 {
					blocked++
				}
				if m := &run.Measures; a.Name == "chandy-lamport" && m.DelayMax != nil && *m.DelayMax != 0 && s.Sinks != "transactional" {
					t.Errorf("markers have changed when something was done, by %d", *m.DelayMax)
				}
			}
			everyForm(t, c)
			everyForm(t, compare(t, s, &Range{1, 3}, algorithms...))
		})
	}
	if files < 30 || refused < 3 || crashed < 20 || blocked < 10 {
		t.Errorf("%d files, %d refused, %d recoveries, %d blocked", files, refused, crashed, blocked)
	}
}

// agrees compares what an observer has measured with what the engine and the checker say.
func agrees(t *testing.T, algorithm string, run *Run) {
	t.Helper()
	m, res := &run.Measures, run.Result
	var blocked, messages, aborted int64
	for _, s := range res.Snapshots {
		blocked += s.Blocked
		if s.Completed != nil {
			messages += s.ChannelMessages
		}
		if s.Verdict == "aborted" {
			aborted++
		}
	}
	if *m.Blocked != blocked || *m.ChannelMessages != messages || *m.Aborted != aborted {
		t.Errorf("%s: blocked %d and %d, channel messages %d and %d, aborted %d and %d", algorithm, *m.Blocked, blocked, *m.ChannelMessages, messages, *m.Aborted, aborted)
	}
	if *m.BlockedWorst > *m.Blocked || (*m.BlockedWorst > 0) != (run.WorstNode != "") {
		t.Errorf("%s: of %d, %d are those of %q", algorithm, *m.Blocked, *m.BlockedWorst, run.WorstNode)
	}
	if *m.Triggered < *m.Completed+*m.Aborted || (m.LatencyMax != nil) != (*m.Completed > 0) {
		t.Errorf("%s: of %d snapshots %d are complete and %d aborted", algorithm, *m.Triggered, *m.Completed, *m.Aborted)
	}
	if *m.Recoveries > 0 && m.CaughtUp != nil && m.MessagesUndone == nil {
		t.Errorf("%s: a recovery that undid nothing that is known", algorithm)
	}
}

// everyForm prints a comparison in every form: they have the same numbers.
func everyForm(t *testing.T, c *Comparison) {
	t.Helper()
	data, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var tree struct {
		Algorithms []struct {
			Algorithm string  `json:"algorithm"`
			Refused   *string `json:"refused"`
			Runs      []struct {
				Seed     uint64            `json:"seed"`
				Verdict  string            `json:"verdict"`
				Worst    string            `json:"blocked_worst_node"`
				Measures map[string]*int64 `json:"measures"`
			} `json:"runs"`
			Summaries []Summary `json:"summaries"`
		} `json:"algorithms"`
	}
	if err := json.Unmarshal(data, &tree); err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := c.WriteCSV(&text); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&text).ReadAll()
	if err != nil || !slices.Equal(rows[0], Header()) {
		t.Fatalf("%v: %v", err, rows[0])
	}
	table := tableOf(t, c)
	rows = rows[1:]
	column := 0
	for _, a := range tree.Algorithms {
		column++
		if a.Refused != nil {
			if rows[0][1] != a.Algorithm || rows[0][3] != "refused" {
				t.Errorf("%s is refused: %v", a.Algorithm, rows[0])
			}
			rows = rows[1:]
			continue
		}
		for _, run := range a.Runs {
			if len(run.Measures) != len(Measures()) {
				t.Fatalf("JSON has %d measures, of %d", len(run.Measures), len(Measures()))
			}
			for _, m := range Measures() {
				value, node := "", ""
				if v := run.Measures[m.Key]; v != nil {
					value = strconv.FormatInt(*v, 10)
				}
				if m.Key == "blocked_worst_ns" {
					node = run.Worst
				}
				want := []string{c.Scenario, a.Algorithm, strconv.FormatUint(run.Seed, 10), run.Verdict, m.Key, string(m.UnitIn(c.Order)), value, node}
				if !slices.Equal(rows[0], want) {
					t.Errorf("CSV has %v, JSON %v", rows[0], want)
				}
				rows = rows[1:]
			}
		}
		for k, m := range Measures() {
			if cell := table[m.Title]; cell != nil {
				if s := a.Summaries[k]; !strings.HasPrefix(cell[column], m.Text(s.Median, c.Order)) {
					t.Errorf("%s of %s: the table has %q, JSON %v", m.Key, a.Algorithm, cell[column], s.Median)
				}
			} else if a.Summaries[k].Median != nil {
				t.Errorf("the table has no row for %s", m.Key)
			}
		}
		if len(a.Runs) > 1 && a.Algorithm != c.Reference {
			column++
		}
	}
	if len(rows) > 0 {
		t.Errorf("CSV has %d rows more, the first is %v", len(rows), rows[0])
	}
}

// tableOf reads the Markdown's table: every row by its title. The text has the same.
func tableOf(t *testing.T, c *Comparison) map[string][]string {
	t.Helper()
	var text, marked strings.Builder
	if err := c.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	if err := c.WriteMarkdown(&marked); err != nil {
		t.Fatal(err)
	}
	table, width := map[string][]string{}, 0
	for line := range strings.Lines(marked.String()) {
		cells := strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "| "), " |\n"), " | ")
		if !strings.HasPrefix(line, "|") || len(cells) == 1 {
			continue
		}
		if width == 0 {
			width = len(cells)
		}
		if len(cells) != width {
			t.Errorf("%d cells, and %d titles: %s", len(cells), width, line)
		}
		for i := range cells {
			if cells[i] = unescaped.Replace(cells[i]); !strings.Contains(text.String(), cells[i]) {
				t.Errorf("%q is in Markdown, and not in the text\n%s", cells[i], text.String())
			}
		}
		table[cells[0]] = cells
	}
	return table
}

var unescaped = strings.NewReplacer(`\\`, `\`, `\|`, "|", "\\`", "`", `\*`, "*", `\_`, "_", `\[`, "[", `\]`, "]", "&lt;", "<", "&gt;", ">", "&amp;", "&", `\~`, "~")

// TestRefused: an algorithm that cannot run the scenario is named, with the reason, and
// the others are compared; if none can there is an error.
func TestRefused(t *testing.T) {
	s := load(t, "partial-recovery.yaml")
	c := compare(t, s, nil, "chandy-lamport", "abs")
	if c.Algorithms[0].Refused == nil || c.Reference != "abs" || c.Algorithms[1].Summaries[0].Difference != nil {
		t.Errorf("%+v", c.Algorithms[0])
	}
	_, err := Prepare(s, scenarios.Default(), Options{Algorithms: []string{"chandy-lamport", "tracking"}})
	if err == nil || !strings.Contains(err.Error(), "partial-recovery.yaml:33:") {
		t.Errorf("%v", err)
	}
}

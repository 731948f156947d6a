package export

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"simrun/scenarios/spacetime"
)

// shivizRecord is an event as ShiViz reads it.
type shivizRecord struct {
	host, text string
	clock      map[string]int
}

// checkShiViz refuses what ShiViz refuses: it reads a file as its page does, divides it
// into executions, and computes every clock again.
func checkShiViz(text string) error {
	lines := strings.SplitN(text, "\n", 3)
	if len(lines) < 3 {
		return fmt.Errorf("%d lines", len(lines))
	}
	event, err := regexp.Compile("(?m)^" + lines[0] + "$")
	if err != nil {
		return err
	}
	for _, group := range []string{"host", "clock", "event"} {
		if event.SubexpIndex(group) < 0 {
			return fmt.Errorf("no group %s", group)
		}
	}
	delimiter, err := regexp.Compile("(?m)^" + lines[1] + "$")
	if err != nil {
		return err
	}
	log := strings.TrimSpace(lines[2])
	labels := []string{""}
	for _, match := range delimiter.FindAllStringSubmatch(log, -1) {
		labels = append(labels, match[delimiter.SubexpIndex("trace")])
	}
	seen := map[string]bool{}
	for i, execution := range delimiter.Split(log, -1) {
		if strings.TrimSpace(execution) == "" {
			continue
		}
		if seen[labels[i]] {
			return fmt.Errorf("two executions %q", labels[i])
		}
		seen[labels[i]] = true
		records, err := shivizRecords(event, execution)
		if err == nil {
			err = checkClocks(records)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", labels[i], err)
		}
	}
	if len(seen) == 0 {
		return fmt.Errorf("no execution")
	}
	return nil
}

// shivizRecords is the events of an execution. Nothing may stand between them.
func shivizRecords(event *regexp.Regexp, execution string) (records []shivizRecord, err error) {
	lines := 0
	for _, match := range event.FindAllStringSubmatch(execution, -1) {
		r := shivizRecord{host: match[event.SubexpIndex("host")], text: match[event.SubexpIndex("event")]}
		if err := json.Unmarshal([]byte(match[event.SubexpIndex("clock")]), &r.clock); err != nil {
			return nil, fmt.Errorf("%s: %w", match[0], err)
		}
		if r.host == "" || r.clock[r.host] == 0 {
			return nil, fmt.Errorf("the clock of %q does not name its own host: %v", r.host, r.clock)
		}
		records = append(records, r)
		lines += 2
	}
	if got := len(strings.Split(strings.TrimSpace(execution), "\n")); got != lines {
		return nil, fmt.Errorf("%d lines, of which %d are events", got, lines)
	}
	return records, nil
}

// checkClocks computes the clocks again, from the order on each host and from what each
// event has learned of other hosts.
func checkClocks(records []shivizRecord) error {
	hosts := map[string][]shivizRecord{}
	for _, r := range records {
		hosts[r.host] = append(hosts[r.host], r)
	}
	for host, own := range hosts {
		slices.SortStableFunc(own, func(a, b shivizRecord) int { return a.clock[host] - b.clock[host] })
		for i, r := range own {
			if r.clock[host] != i+1 {
				return fmt.Errorf("event %d of %s has the time %d", i+1, host, r.clock[host])
			}
		}
	}
	done := map[string][]map[string]int{} // by host, the clocks that are computed
	for left := len(records); left > 0; {
		before := left
		for _, host := range slices.Sorted(maps.Keys(hosts)) {
			for len(done[host]) < len(hosts[host]) {
				clock, ready, err := recomputed(host, hosts, done)
				if err != nil {
					return err
				}
				if !ready {
					break
				}
				if r := hosts[host][len(done[host])]; !maps.Equal(clock, r.clock) {
					return fmt.Errorf("%s: %s: the clock is %v and should be %v", host, r.text, r.clock, clock)
				}
				done[host] = append(done[host], clock)
				left--
			}
		}
		if left == before {
			return fmt.Errorf("%d events wait for each other", left)
		}
	}
	return nil
}

// recomputed is the clock of the next event of a host: one more here, and all that those
// events knew of which this one is the first to hear.
func recomputed(host string, hosts map[string][]shivizRecord, done map[string][]map[string]int) (clock map[string]int, ready bool, err error) {
	n := len(done[host])
	clock = map[string]int{}
	if n > 0 {
		clock = maps.Clone(done[host][n-1])
	}
	known := maps.Clone(clock)
	clock[host] = n + 1
	for other, time := range hosts[host][n].clock {
		if other == host || known[other] >= time {
			continue
		}
		if time < 1 || time > len(hosts[other]) {
			return nil, false, fmt.Errorf("%s knows of event %d of %s, which has %d", host, time, other, len(hosts[other]))
		}
		if time > len(done[other]) {
			return nil, false, nil
		}
		for x, at := range done[other][time-1] {
			clock[x] = max(clock[x], at)
		}
	}
	return clock, true, nil
}

func shiviz(t *testing.T, runs ...*spacetime.Diagram) (string, []string) {
	t.Helper()
	return written(t, func(w io.Writer) ([]string, error) { return ShiViz(w, runs) })
}

// TestShiViz: ShiViz takes the run of every scenario file, whole or cut anywhere.
func TestShiViz(t *testing.T) {
	merged, cuts := 0, 0
	for _, file := range files(t) {
		p := load(t, file, "")
		for _, events := range []int{1, 37, 800} {
			d := diagram(p, events)
			text, left := shiviz(t, d)
			if err := checkShiViz(text); err != nil {
				t.Fatalf("%s, %d events: %v", file, events, err)
			}
			if (left != nil) == d.Whole() || d.Whole() == strings.Contains(text, ", the first ") {
				t.Errorf("%s: what is left out is told as %q", file, left)
			}
			if got := strings.Count(text, "\n"); got != 2*len(d.Events)+3 {
				t.Errorf("%s: %d lines of %d events", file, got, len(d.Events))
			}
			merged += strings.Count(text, `, "`)
			if !d.Whole() {
				cuts++
			}
		}
	}
	if merged == 0 || cuts == 0 {
		t.Errorf("%d entries of other hosts, %d runs that were cut", merged, cuts)
	}
}

// TestShiVizKnowsWhatItReceived: the clock of every receipt has all that the clock of the
// event has that sent it, and that of every other event has nothing new of other hosts.
func TestShiVizKnowsWhatItReceived(t *testing.T) {
	kinds := map[spacetime.Kind]int{}
	for _, file := range []string{"duplicated-messages.yaml", "not-fifo-abs.yaml", "transactional-loop.yaml", "finished-source.yaml", "partial-recovery.yaml"} {
		d := diagram(load(t, file, ""), 6000)
		text, _ := shiviz(t, d)
		lines := strings.SplitN(text, "\n", 4)
		event := regexp.MustCompile("(?m)^" + lines[0] + "$")
		records, err := shivizRecords(event, lines[3])
		if err != nil || len(records) != len(d.Events) {
			t.Fatalf("%s: %d records of %d events, %v", file, len(records), len(d.Events), err)
		}
		last := map[string]map[string]int{}
		for i, r := range records {
			e := &d.Events[i]
			want := maps.Clone(last[r.host])
			if want == nil {
				want = map[string]int{}
			}
			want[r.host]++
			if e.Kind.Receives() && e.Peer != spacetime.None {
				kinds[e.Kind]++
				for host, time := range records[e.Peer].clock {
					want[host] = max(want[host], time)
				}
			}
			if !maps.Equal(want, r.clock) {
				t.Fatalf("%s: event %d, %s: the clock is %v, want %v", file, i, r.text, r.clock, want)
			}
			last[r.host] = r.clock
		}
	}
	for _, kind := range []spacetime.Kind{spacetime.Process, spacetime.Marker, spacetime.Ended, spacetime.ControlReceived, spacetime.Drop} {
		if kinds[kind] == 0 {
			t.Errorf("no %s", kind)
		}
	}
}

// TestShiVizWithoutEvents: an execution in which nothing happens is left out, and that is
// said.
func TestShiVizWithoutEvents(t *testing.T) {
	d := diagram(load(t, "in-transit.yaml", ""), ShiVizEvents)
	empty := *d
	empty.Events, empty.Total = nil, 0
	text, left := shiviz(t, &empty, d)
	if err := checkShiViz(text); err != nil || len(left) != 1 || !strings.Contains(left[0], "nothing happens") {
		t.Errorf("%v, %q", err, left)
	}
}

// TestShiVizCompares: two algorithms are two executions of one file.
func TestShiVizCompares(t *testing.T) {
	a, b := diagram(load(t, "ring-both.yaml", "chandy-lamport"), ShiVizEvents/2), diagram(load(t, "ring-both.yaml", "abs"), ShiVizEvents/2)
	text, left := shiviz(t, a, b)
	if err := checkShiViz(text); err != nil {
		t.Fatal(err)
	}
	if strings.Count(text, "\n=== ") != 2 || len(left) != 2 || strings.Count(text, "\n") > 2*ShiVizEvents+4 {
		t.Errorf("%d executions, left out: %q", strings.Count(text, "\n=== "), left)
	}
	text, _ = shiviz(t, a, a)
	if err := checkShiViz(text); err != nil {
		t.Error("the same run twice:", err)
	}
}

// TestShiVizStrangeNames: hosts have names without blanks, each its own.
func TestShiVizStrangeNames(t *testing.T) {
	d := diagram(strange(t), ShiVizEvents)
	text, _ := shiviz(t, d)
	if err := checkShiViz(text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\na_b {", "\na_b~2 {", "\n__proto__~2 {", "\nconstructor~2 {"} {
		if !strings.Contains(text, want) {
			t.Errorf("no event of the host %q", want)
		}
	}
	text, _ = shiviz(t, unseen(t))
	if err := checkShiViz(text); err != nil {
		t.Error(err)
	}
}

// TestShiVizCheckerRejects: a file that is damaged in any of the ways that ShiViz knows is
// refused.
func TestShiVizCheckerRejects(t *testing.T) {
	a := diagram(load(t, "in-transit.yaml", ""), ShiVizEvents)
	text, _ := shiviz(t, a)
	for _, c := range []struct{ what, old, by string }{
		{"the regular expression does not compile", "(?<host>", "(?<host"},
		{"a group is missing", "(?<host>", "(?<node>"},
		{"a host begins at 2", `P2 {"P2":1}`, `P2 {"P2":2}`},
		{"a host's time is left out", `P1 {"P1":6, "P2":2}`, `P1 {"P1":7, "P2":2}`},
		{"a clock without its own host", `P1 {"P1":2}`, `P1 {"P2":2}`},
		{"a host without events", `P1 {"P1":6, "P2":2}`, `P1 {"P1":6, "P2":2, "P3":1}`},
		{"an event that there is not", `P1 {"P1":6, "P2":2}`, `P1 {"P1":6, "P2":99}`},
		{"something is known that nobody told", `P1 {"P1":2}`, `P1 {"P1":2, "P2":2}`},
		{"what was known is forgotten", `P1 {"P1":7, "P2":2}`, `P1 {"P1":7}`},
		{"a message is received before it is sent", `P1 {"P1":1}`, `P1 {"P1":1, "P2":5}`},
		{"the clock is no JSON", `P1 {"P1":2}`, `P1 {P1:2}`},
		{"a host with a blank", "\nP1 {", "\nP 1 {"},
		{"two executions of one name", "=== chandy-lamport ===\n", "=== x ===\nP1 {\"P1\":1}\nx\n=== x ===\n"},
		{"an execution without events", "=== chandy-lamport ===\n", "=== x ===\nnothing\n=== chandy-lamport ===\n"},
	} {
		mustReject(t, c.what, text, c.old, c.by, checkShiViz)
	}
}

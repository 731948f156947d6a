package report

import (
	"fmt"
	"html"
	"slices"
	"strings"
	"testing"

	"simrun/scenarios"
)

// hostile is names that would do something if they were put into a page as they are.
var hostile = []string{
	`</script><script>alert(1)</script>`, `"><img src=x onerror=alert(2)>`, `'--><svg/onload=alert(3)>`, `</title><h1>no</h1>`, `{{.Title}}`, `${alert(4)}`, "`+alert(5)+`",
	"a\x01b\x1b[31mc", "two\nlines\tand a tab", "\u202emirrored\u2066", "\u05e9\u05dc\u05d5\u05dd", "a->b#0", "&amp;", "__proto__", "constructor",
	"line\u2028separator", strings.Repeat("long name ", 1000), strings.Repeat("\u05d0", 10_000),
}

// TestHostileNames: names are text wherever they stand: nothing of them is HTML or script,
// and the data have them as they are.
func TestHostileNames(t *testing.T) {
	for _, algorithm := range []string{"chandy-lamport", "no-channel-state"} {
		p := hostilePlan(t, algorithm)
		title := p.Name
		run := Of(p, p.Seed, Options{})
		if algorithm != "chandy-lamport" && len(run.Diagram.Violations) == 0 {
			t.Fatal("nothing is violated, so that no name stands in a violation")
		}
		page, _ := pageOf(t, run)
		h, columns := unpack(t, page)
		same(t, title, &h.Runs[0], columns, run.Diagram)
		if !slices.Equal(h.Runs[0].Nodes, hostile) || h.Title != title {
			t.Errorf("the names are read back as %q, the title as %q", h.Runs[0].Nodes, h.Title)
		}
		visible := strings.Replace(page, packed(t, page), "", 1)
		script, _ := scriptAndPolicy(t, page)
		visible = strings.Replace(visible, script, "", 1)
		for _, bad := range []string{"<script>alert", "<img src=x", "<svg/onload", "<h1>no", "<b>"} {
			if strings.Contains(visible, bad) {
				t.Errorf("%s stands in the page as HTML", bad)
			}
		}
		if strings.Count(visible, "<script") != 2 || strings.Count(visible, "</script") != 2 || strings.Count(visible, "</title") != 1 {
			t.Error("a name has opened or closed an element")
		}
		if !strings.Contains(html.UnescapeString(visible), title) {
			t.Error("the title is nowhere to be read")
		}
	}
}

// hostilePlan is a plan with such names.
func hostilePlan(t *testing.T, algorithm string) *scenarios.Plan {
	var nodes, channels []string
	for i := range hostile {
		nodes = append(nodes, fmt.Sprintf("n%d", i))
		channels = append(channels, fmt.Sprintf("[n%d, n%d]", i, (i+1)%len(hostile)))
	}
	scenario := fmt.Sprintf(`{graph: {nodes: [%s], channels: [%s]}, app: {kind: bank}, snapshots: {every: 6ms, initiators: [n0]}, faults: [{crash: [n1], at: 30ms}], stop: {at: 60ms}}`,
		strings.Join(nodes, ","), strings.Join(channels, ","))
	p := parsed(t, `"><script>alert(6)</script><b>.yaml`, scenario, algorithm)
	p.Graph.Nodes = hostile // of which a scenario would refuse some
	return p
}

// TestScripts: the scripts write names as text only, and what they have in them cannot end
// the element that they stand in.
func TestScripts(t *testing.T) {
	names := map[string]int{}
	entries, err := web.ReadDir("web")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text := file("web/" + e.Name())
		if strings.HasSuffix(e.Name(), ".js") {
			names[e.Name()] = strings.Count(script(), text)
			for _, bad := range []string{"</script", "<!--", "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "fetch(", "XMLHttpRequest", "WebSocket", "import(", "http://", "https://"} {
				if strings.Contains(strings.ReplaceAll(text, "http://www.w3.org/", ""), bad) {
					t.Errorf("%s has %s", e.Name(), bad)
				}
			}
		}
		if !strings.HasSuffix(e.Name(), ".js") && !strings.HasSuffix(e.Name(), ".html") && (strings.Contains(text, "</style") || strings.Contains(text, "url(") || strings.Contains(text, "@import")) {
			t.Errorf("%s ends its element, or loads something", e.Name())
		}
		if lines := strings.Count(text, "\n"); lines > 400 {
			t.Errorf("%s has %d lines, more than 400", e.Name(), lines)
		}
	}
	for name, n := range names {
		if n != 1 {
			t.Errorf("the page has %s %d times", name, n)
		}
	}
}

// TestExtremes: no events, one node, ten thousand nodes.
func TestExtremes(t *testing.T) {
	for name, scenario := range map[string]string{
		"no events":   `{graph: {nodes: [a], channels: []}, app: {kind: bank}, snapshots: {every: 1s}, stop: {at: 1ms}}`,
		"one node":    `{graph: {nodes: [a], channels: [[a, a]]}, app: {kind: bank}, snapshots: {at: [5ms]}, stop: {at: 60ms}}`,
		"10000 nodes": `{graph: {generate: ring, nodes: 10000}, app: {kind: bank, transfers: 5}, snapshots: {at: [3ms]}, stop: {at: 9ms}}`,
	} {
		p := parsed(t, name, scenario, "")
		run := Of(p, p.Seed, Options{})
		page, written := pageOf(t, run)
		h, columns := unpack(t, page)
		d := run.Diagram
		switch name {
		case "no events":
			if d.Total != 0 {
				t.Errorf("the run has %d events", d.Total)
			}
		case "one node":
			if len(d.Events) == 0 || len(d.Snapshots) != 1 {
				t.Errorf("%d events, %d snapshots", len(d.Events), len(d.Snapshots))
			}
		case "10000 nodes":
			if len(d.Events) < 50_000 || len(page) > pageBytes && len(written.Runs[0].Notes) == 0 {
				t.Errorf("%d events, %d bytes, %v", len(d.Events), len(page), written.Runs[0].Notes)
			}
			t.Logf("%d events of %d nodes: %d bytes, %v", len(d.Events), len(d.Graph.Nodes), len(page), written.Runs[0].Notes)
			continue // to read it back takes long: every event looks at all before it
		}
		same(t, name, &h.Runs[0], columns, d)
	}
}

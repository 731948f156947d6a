package scenarios

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
)

// fieldsByKind is the fields that lines of a trace have, by kind; "" is the header.
// Fields inside a field are there as outer.inner.
func fieldsByKind(t *testing.T, text string, fields map[string]map[string]bool) {
	for line := range strings.Lines(text) {
		var object map[string]any
		if err := json.Unmarshal([]byte(line), &object); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		kind, _ := object["kind"].(string)
		if fields[kind] == nil {
			fields[kind] = map[string]bool{}
		}
		addFields(fields[kind], "", object)
	}
}

func addFields(to map[string]bool, prefix string, value any) {
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			to[prefix+name] = true
			if name != "state" && name != "states" { // what an app shows is its own business
				addFields(to, prefix+name+".", inner)
			}
		}
	case []any:
		for _, inner := range value {
			addFields(to, prefix, inner)
		}
	}
}

// TestTraceIsDocumented: every kind of line and every field that traces have is in
// the description, with its meaning and in an example, and nothing else is.
func TestTraceIsDocumented(t *testing.T) {
	written := map[string]map[string]bool{}
	ticks, _ := tickerTrace(t)
	fieldsByKind(t, ticks, written)
	var sinks strings.Builder
	text := "algorithm: abs\ncoordinator: {}\nsinks: transactional\ngraph: {generate: line}\napp: {kind: wordcount}"
	if _, err := mustResolve(t, text).NewRunner().Trace(1, &sinks); err != nil {
		t.Fatal(err)
	}
	fieldsByKind(t, sinks.String(), written)
	for _, run := range []struct{ file, algorithm string }{
		{"loop-crash.yaml", "abs"}, {"abilene-bank.yaml", "chandy-lamport"}, {"wordcount-crash.yaml", "abs"}, {"ring-both.yaml", "forgotten-output"},
		{"lost-message.yaml", "chandy-lamport"}, {"lost-marker.yaml", "chandy-lamport"}, {"duplicated-messages.yaml", "chandy-lamport"}, {"not-fifo-abs.yaml", "abs"}, {"checkpoint-coordinator.yaml", "abs"}, {"finished-source.yaml", "abs"},
	} {
		var trace strings.Builder
		if _, err := mustLoad(t, run.file, run.algorithm).NewRunner().Trace(1, &trace); err != nil {
			t.Fatal(err)
		}
		fieldsByKind(t, trace.String(), written)
	}
	for _, name := range keysOfJSON(traceLeft{}) {
		written["end"]["channels."+name] = true
	}
	for _, name := range keysOfJSON(traceTwice{}) {
		written["end"]["twice."+name] = true
	}
	text = readDoc(t, "trace.md")
	shown := map[string]map[string]bool{}
	for _, part := range strings.Split(text, "```json\n")[1:] {
		block, _, _ := strings.Cut(part, "```")
		fieldsByKind(t, block, shown)
	}
	kinds := slices.Sorted(maps.Keys(written))
	if got := slices.Sorted(maps.Keys(shown)); !slices.Equal(got, kinds) {
		t.Fatalf("the kinds of line are %v, docs/trace.md shows %v", kinds, got)
	}
	rows := documentedKinds(text)
	everywhere := text[:strings.Index(text, "## Kinds")]
	for _, kind := range kinds {
		if !maps.Equal(written[kind], shown[kind]) {
			t.Errorf("lines of kind %q have %v,\nthe example has %v", kind, slices.Sorted(maps.Keys(written[kind])), slices.Sorted(maps.Keys(shown[kind])))
		}
		for name := range written[kind] {
			name = name[strings.LastIndexByte(name, '.')+1:]
			if !strings.Contains(everywhere+rows[kind], "`"+name+"`") {
				t.Errorf("docs/trace.md does not say what %s is on lines of kind %q", name, kind)
			}
		}
	}
}

// documentedKinds is the rows of the table of kinds.
func documentedKinds(text string) map[string]string {
	rows := map[string]string{}
	_, text, _ = strings.Cut(text, "## Kinds")
	for line := range strings.Lines(text) {
		first, rest, ok := strings.Cut(strings.TrimPrefix(line, "| "), " | ")
		if !ok || !strings.HasPrefix(line, "| `") {
			continue
		}
		for _, name := range strings.Split(first, ", ") {
			rows[strings.Trim(name, "`")] = rest
		}
	}
	return rows
}

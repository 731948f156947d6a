package report

import (
	"crypto/sha256"
	"encoding/base64"
	"reflect"
	"slices"
	"strings"
	"testing"

	"simrun/scenarios/spacetime"
)

// TestPageReadsBack: what a page has of a run is the Diagram, to the last event and state.
func TestPageReadsBack(t *testing.T) {
	seen := map[spacetime.Kind]bool{}
	for _, file := range files(t) {
		p := load(t, file, "")
		run := Of(p, p.Seed, Options{Events: 2000, From: 3})
		page, _ := pageOf(t, run)
		h, columns := unpack(t, page)
		same(t, file, &h.Runs[0], columns, run.Diagram)
		for i := range run.Diagram.Events {
			seen[run.Diagram.Events[i].Kind] = true
		}
	}
	for seed := range uint64(3) {
		run := madeUp(t, seed)
		page, _ := pageOf(t, run)
		h, columns := unpack(t, page)
		same(t, "made up", &h.Runs[0], columns, run.Diagram)
	}
	for _, kind := range spacetime.Kinds() {
		if !seen[kind] {
			t.Errorf("no page has a %s", kind)
		}
	}
}

// same compares what was read with the Diagram that was written.
func same(t *testing.T, what string, h *headRun, columns []byte, d *spacetime.Diagram) {
	t.Helper()
	r := readRun(t, h, columns)
	for i := range d.Events {
		if r.events[i] != unidentified(d.Events[i]) {
			t.Fatalf("%s: event %d is read as %+v, it is %+v", what, i, r.events[i], d.Events[i])
		}
	}
	if busy := r.busy(); !slices.Equal(busy, d.Busy) {
		t.Errorf("%s: the spans of service are read as %v, they are %v", what, busy, d.Busy)
	}
	now, states := make([]any, len(d.Initial)), r.states()
	for v, text := range d.Initial {
		now[v] = parse(text)
	}
	for _, s := range d.States {
		v := d.Events[s.Event].Node
		now[v] = merged(now[v], parse(s.Patch))
		got, ok := states[s.Event]
		if int(s.Event) >= h.Stepped && d.Events[s.Event].Kind.Steps() {
			if ok {
				t.Fatalf("%s: event %d has a state, and from %d on there is none", what, s.Event, h.Stepped)
			}
			continue
		}
		if !ok || !reflect.DeepEqual(got, now[v]) {
			t.Fatalf("%s: after event %d node %d is read as %v, it is %v", what, s.Event, v, got, now[v])
		}
	}
	if len(h.Snapshots) != len(d.Snapshots) || len(h.Restores) != len(d.Restores) || len(h.Violations) != len(d.Violations) || len(h.Blocked) != 4*len(d.Blocked) {
		t.Fatalf("%s: %d snapshots, %d restores, %d violations, %d blocked", what, len(h.Snapshots), len(h.Restores), len(h.Violations), len(h.Blocked)/4)
	}
	for i := range d.Snapshots {
		s, got := &d.Snapshots[i], &h.Snapshots[i]
		none := slices.Max(s.Cut) == spacetime.None
		if !slices.Equal(got.Cut, s.Cut) && !(none && len(got.Cut) == 0) || len(got.Channels) != len(s.Channels) || got.ID != s.Result.ID {
			t.Errorf("%s: snapshot %d is read as %+v, it is %+v", what, s.ID, got, s)
		}
	}
}

// unidentified is an event without the word of its message that only the engine reads.
func unidentified(e spacetime.Event) spacetime.Event {
	e.Message = e.Message.Payload()
	if e.Message.Kind() != 0 {
		panic("a message that is no data is shown")
	}
	return e
}

// TestPolicy: the policy allows the script that is there, by its hash, and nothing else;
// and there is no other script, nor anything that would need the network.
func TestPolicy(t *testing.T) {
	p := load(t, "../../testdata/scenarios/in-transit.yaml", "")
	page, _ := pageOf(t, Of(p, p.Seed, Options{}))
	script, policy := scriptAndPolicy(t, page)
	sum := sha256.Sum256([]byte(script))
	want := "script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	if parts := strings.Split(policy, "; "); parts[0] != "default-src 'none'" || !slices.Contains(parts, want) {
		t.Errorf("the policy is %s, the script needs %s", policy, want)
	}
	if strings.Count(page, "<script") != 2 || strings.Contains(page, "<link") {
		t.Error("the page has scripts or links that are not its own")
	}
	if !strings.HasPrefix(script, "\"use strict\";\n(() => {\n") || !strings.HasSuffix(script, "})();\n") {
		t.Error("the scripts do not have a scope of their own")
	}
}

// TestWithoutScript: who has no JavaScript reads the verdict, the violation, and the
// command that makes the run again.
func TestWithoutScript(t *testing.T) {
	p := load(t, "../../testdata/scenarios/in-transit.yaml", "no-channel-state")
	page, _ := pageOf(t, Of(p, p.Seed, Options{}))
	for _, part := range []string{"<noscript>", "violated", "channel-state: ", "simrun run ../../testdata/scenarios/in-transit.yaml --seed 1 --algorithm no-channel-state", "<title>../../testdata/scenarios/in-transit.yaml - simrun</title>"} {
		if !strings.Contains(page, part) {
			t.Errorf("the page does not say %s", part)
		}
	}
	if !Recognized(strings.NewReader(page)) || Recognized(strings.NewReader("<!DOCTYPE html>")) {
		t.Error("a page is not told from other files")
	}
}

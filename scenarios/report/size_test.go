package report

import (
	"strings"
	"testing"

	"simrun/scenarios"
)

// busy16 is scenarios of 16 nodes with more than 100,000 events.
var busy16 = map[string]string{
	"bank": `{graph: {generate: random, nodes: 16, degree: 3}, app: {kind: bank, balance: 100000, amount: 50, transfers: 3000, every: 1ms},
		network: {delay: {uniform: [4ms, 12ms]}}, service: {constant: 50us}, snapshots: {every: 200ms}, stop: {at: 2100ms}}`,
	"wordcount": `{graph: {generate: dataflow, parallelism: 4, layers: 4}, app: {kind: wordcount, text: ../texts/words.txt, repeat: 100, every: 1ms},
		network: {delay: {uniform: [1ms, 5ms]}}, service: {constant: 50us}, snapshots: {every: 100ms},
		faults: [{crash: [count-1], at: 430ms, down: 5ms}], stop: {at: 3100ms}}`,
}

// TestSize: a page of 100,000 events has a million bytes at the most, under both algorithms;
// what it leaves out it says.
func TestSize(t *testing.T) {
	for name, scenario := range busy16 {
		for _, algorithm := range []string{"abs", "chandy-lamport"} {
			if testing.Short() && (name == "bank") != (algorithm == "abs") {
				continue
			}
			t.Run(name+" "+algorithm, func(t *testing.T) {
				t.Parallel()
				sized(t, parsed(t, "../../testdata/scenarios/"+name+".yaml", scenario, algorithm))
			})
		}
	}
}

func sized(t *testing.T, p *scenarios.Plan) {
	page, written := pageOf(t, Of(p, p.Seed, Options{}))
	d := written.Runs[0].Diagram
	if len(d.Graph.Nodes) != 16 || len(d.Events) != Events {
		t.Fatalf("%d nodes, %d events", len(d.Graph.Nodes), len(d.Events))
	}
	if len(page) > pageBytes {
		t.Errorf("%d bytes", len(page))
	}
	h, _ := unpack(t, page)
	notes := strings.Join(h.Runs[0].Notes, " ")
	if !strings.Contains(notes, "100000 are shown") {
		t.Errorf("that events are left out is not said: %s", notes)
	}
	if h.Runs[0].Stepped == len(d.Events) || !strings.Contains(notes, "only recordings and restores have states") {
		t.Errorf("states after steps end at event %d; said is: %s", h.Runs[0].Stepped, notes)
	}
	if said := strings.Join(written.Runs[0].Notes, " "); said != notes || !strings.Contains(page, written.Runs[0].Notes[0]) {
		t.Errorf("the data say %s, the page %s", notes, said)
	}
	t.Logf("%d bytes. %s", len(page), notes)
}

// TestFit: where there is little room, the words aux and states after steps are left out,
// it is said, and what is still there is right.
func TestFit(t *testing.T) {
	p := load(t, "../../testdata/scenarios/abilene-bank.yaml", "")
	whole := Page{Runs: []Run{Of(p, p.Seed, Options{})}}
	all, err := whole.fit(1 << 20)
	if err != nil || len(whole.Runs[0].Notes) > 0 {
		t.Fatal(err, whole.Runs[0].Notes)
	}
	most := len(all) / 2
	less := Page{Runs: []Run{{Diagram: whole.Runs[0].Diagram, Told: whole.Runs[0].Told}}}
	data, err := less.fit(most)
	if err != nil || len(data) > most {
		t.Fatalf("%d bytes, %v", len(data), err)
	}
	notes := strings.Join(less.Runs[0].Notes, " ")
	if !strings.Contains(notes, "aux") || !strings.Contains(notes, "have states") {
		t.Errorf("said is only: %s", notes)
	}
	h, columns := unpackData(t, data)
	r := readRun(t, &h.Runs[0], columns)
	for i, e := range whole.Runs[0].Diagram.Events {
		if e = unidentified(e); e.Message.Aux != 0 {
			e.Message.Aux = 0
		}
		if r.events[i] != e {
			t.Fatalf("event %d is read as %+v, it is %+v", i, r.events[i], e)
		}
	}
	if n := len(r.states()); n == 0 || n >= len(whole.Runs[0].Diagram.States) {
		t.Errorf("%d states are left", n)
	}
}

package scenarios

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// account is a state of bank.
type account struct {
	Balance int64
	Weight  string
}

func (r *recheck) account(state json.RawMessage) (balance int64, weight uint64) {
	var a account
	err := json.Unmarshal(state, &a)
	if err == nil {
		weight, err = strconv.ParseUint(a.Weight, 16, 64)
	}
	if err != nil {
		r.complain("state %s: %v", state, err)
	}
	return a.Balance, weight
}

// conserved adds up money and weights.
func (r *recheck) conserved(id int, k *cut) {
	if r.header.App != "bank" {
		return
	}
	var money int64
	var weights uint64
	for v, node := range r.header.Nodes {
		balance, weight := r.account(r.header.States[v])
		money, weights = money-balance, weights-weight
		balance, weight = r.account(k.states[node])
		money, weights = money+balance, weights+weight
	}
	for c := range r.header.Channels {
		for _, m := range k.messages[c] {
			money, weights = money+m.value, weights+m.aux
		}
	}
	if money != 0 || weights != 0 {
		r.complain("conservation: snapshot %d has %+d and the weights differ by %x", id, money, weights)
	}
}

func (r *recheck) staged(id int, k *cut) {
	for c, ch := range r.header.Channels {
		if r.header.Aligned && !ch.BackEdge && (k.sent[c] != k.processed[c] || len(k.numbers[c]) > 0) {
			r.complain("abs-staged: snapshot %d, channel %d", id, c)
		}
	}
}

// reread takes over where the input goes on after a restore.
func (r *recheck) reread(e *traceLine, offsets map[string]int, restarted []string) {
	for v, node := range r.header.Nodes {
		if !slices.Contains(restarted, node) {
			continue
		}
		want := offsets[node]
		if r.header.Replay == "none" {
			want = r.offsets[node]
		}
		if e.Offsets[v] != want {
			r.complain("recovery: %s goes on from record %d instead of %d", node, e.Offsets[v], want)
		}
		r.offsets[node] = e.Offsets[v]
	}
}

// end checks how the run ended.
func (r *recheck) end(e *traceLine) {
	for v, node := range r.header.Nodes {
		if !slices.Contains(e.Down, node) && e.Offsets[v] != r.offsets[node] {
			r.complain("recovery: at the end %s is at record %d instead of %d", node, e.Offsets[v], r.offsets[node])
		}
	}
	for _, twice := range e.Twice {
		r.complain("consistent-cut: snapshot %d was recorded twice", twice.Snapshot)
	}
	if strings.HasSuffix(e.How, "limit") {
		return
	}
	for id, k := range r.cuts {
		if !k.over {
			r.complain("termination: snapshot %d is pending", id)
		}
	}
	if len(e.Down) > 0 || len(e.Channels) > 0 {
		r.complain("termination: down %v, left %v", e.Down, e.Channels)
	}
}

// TestTraceWithoutReplay: the numbers of records go on where the offsets say.
func TestTraceWithoutReplay(t *testing.T) {
	plan := mustResolve(t, "replay: none\nfaults: [{crash: n1, at: 30ms}, {crash: n2, at: 90ms}]")
	var trace strings.Builder
	res, err := plan.NewRunner().Trace(1, &trace)
	if err != nil || res.LostRecords == 0 || len(res.Recoveries) != 2 {
		t.Fatalf("%v: %+v", err, res)
	}
	if r := recheckTrace(t, strings.NewReader(trace.String())); len(r.wrong) > 0 {
		t.Error(r.wrong)
	}
}

// TestTraceOfTimers: the timers on record and restore are those that arm and timer
// lines leave armed, and those that the engine has saved.
func TestTraceOfTimers(t *testing.T) {
	trace, x := tickerTrace(t)
	armed := map[string]string{}
	recorded, restored := 0, 0
	for line := range strings.Lines(trace) {
		var e struct {
			Kind, Node  string
			ID          uint32
			Due         int64 `json:"due_ns"`
			Snapshot    int
			Incarnation int
			Timers      json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		switch e.Kind {
		case "arm":
			armed[e.Node] = string(asJSON([]traceTimer{{e.ID, e.Due}}))
		case "timer", "crash":
			armed[e.Node] = "[]"
		case "record":
			s := x.history.Snapshots[e.Snapshot-1]
			v, _ := x.graph.Node(e.Node)
			if s.Incarnation != uint8(e.Incarnation) {
				t.Fatalf("%s: of incarnation %d", line, s.Incarnation)
			}
			if string(e.Timers) != armed[e.Node] && armed[e.Node] != "" || string(e.Timers) != string(armedTimers(s.Recordings[v].Timers)) {
				t.Errorf("%s: armed are %s, saved %v", line, armed[e.Node], s.Recordings[v].Timers)
			}
			if string(e.Timers) != "[]" {
				recorded++
			}
		case "restore":
			var timers []json.RawMessage
			if err := json.Unmarshal(e.Timers, &timers); err != nil {
				t.Fatal(err)
			}
			for v, list := range timers {
				armed[x.graph.Nodes[v]] = string(list)
				if string(list) != "[]" {
					restored++
				}
			}
		}
	}
	if recorded == 0 || restored == 0 {
		t.Errorf("%d recordings and %d restored nodes with timers", recorded, restored)
	}
}

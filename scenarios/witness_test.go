package scenarios

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"simrun/sim"
)

// performer carries out events of a run on fresh Apps, in whatever order it is told.
type performer struct {
	t         *testing.T
	cfg       sim.Config
	rows      []sim.Row
	apps      []sim.App
	sources   []sim.Source
	produced  map[int32][]sim.Message // by channel
	sent      map[int32]int
	processed map[int32]int
	offsets   []uint64
	timers    []map[uint32]bool
}

func newPerformer(t *testing.T, plan *Plan, seed uint64, rows []sim.Row) *performer {
	p := &performer{t: t, cfg: plan.Config(seed), rows: rows, produced: map[int32][]sim.Message{}, sent: map[int32]int{}, processed: map[int32]int{}}
	p.offsets = make([]uint64, p.cfg.Graph.Nodes)
	for v := range int32(p.cfg.Graph.Nodes) {
		p.apps = append(p.apps, p.cfg.NewApp(v))
		p.sources = append(p.sources, p.cfg.NewSource(v))
		p.timers = append(p.timers, map[uint32]bool{})
	}
	return p
}

// do carries out the event in a row.
func (p *performer) do(i int) {
	p.t.Helper()
	row := p.rows[i]
	id, n := row.Entity(), int(row.Number)
	switch row.Kind() {
	case sim.RowSend:
		if p.sent[id]++; n != p.sent[id] || n > len(p.produced[id]) || p.produced[id][n-1].Hash() != row.Hash {
			p.t.Fatalf("row %d: message %d cannot be sent on channel %d", i, n, id)
		}
	case sim.RowProcess:
		if p.processed[id]++; n != p.processed[id] || n > p.sent[id] {
			p.t.Fatalf("row %d: message %d cannot be processed from channel %d", i, n, id)
		}
		v := p.cfg.Graph.To[id]
		p.step(v, sim.Input(slices.Index(channelsOf(p.cfg.Graph.To, v), id)), p.produced[id][n-1])
	case sim.RowExternal:
		p.offsets[id]++
		m, _, _ := p.sources[id].Record(p.offsets[id] - 1)
		p.step(id, sim.External, m)
	case sim.RowTimer:
		if !p.timers[id][row.Number] {
			p.t.Fatalf("row %d: timer %d is not armed", i, n)
		}
		delete(p.timers[id], row.Number)
		p.step(id, sim.Timer, sim.Message{Key: uint64(n)})
	}
}

func (p *performer) step(v int32, in sim.Input, m sim.Message) {
	var fx sim.Effects
	p.apps[v].Step(in, m, &fx)
	outs := channelsOf(p.cfg.Graph.From, v)
	for _, s := range fx.Sends() {
		if s.Output != sim.Sink {
			p.produced[outs[s.Output]] = append(p.produced[outs[s.Output]], s.Message)
		}
	}
	fx.Timers(func(id uint32, _ int64) { p.timers[v][id] = true })
}

func channelsOf(ends []int32, v int32) (ids []int32) {
	for c, end := range ends {
		if end == v {
			ids = append(ids, int32(c))
		}
	}
	return ids
}

// at compares where the events have led to with a line of kind state.
func (p *performer) at(says *Describer, s *witnessState) (inFlight int) {
	p.t.Helper()
	for v := range p.apps {
		if got := says.Describe(int32(v), p.apps[v].Save(nil)); !bytes.Equal(got, s.States[v]) {
			p.t.Errorf("snapshot %d, node %d: the state is %s, recorded is %s", s.Snapshot, v, got, s.States[v])
		}
		armed := slices.Sorted(maps.Keys(p.timers[v]))
		if p.offsets[v] != s.Offsets[v] || !slices.Equal(armed, s.Timers[v]) {
			p.t.Errorf("snapshot %d, node %d: record %d and timers %v, recorded are %d and %v", s.Snapshot, v, p.offsets[v], armed, s.Offsets[v], s.Timers[v])
		}
	}
	recorded := map[int32]witnessChannel{}
	for _, c := range s.Channels {
		recorded[c.Channel] = c
	}
	for id := range int32(len(p.cfg.Graph.From)) {
		var messages []witnessMessage
		var numbers []uint32
		for n := p.processed[id] + 1; n <= p.sent[id]; n++ {
			m := p.produced[id][n-1]
			numbers, messages = append(numbers, uint32(n)), append(messages, witnessMessage{m.Key, m.Value, m.Aux})
		}
		if c := recorded[id]; !slices.Equal(c.Numbers, numbers) || !slices.Equal(c.Messages, messages) {
			p.t.Errorf("snapshot %d, channel %d: %v in flight, recorded is %v", s.Snapshot, id, numbers, c.Numbers)
		}
		inFlight += len(numbers)
	}
	return inFlight
}

// before is the events of the stitched history before a row, in an incarnation.
func before(cfg *sim.Config, h *sim.History, row, incarnation int) (rows []int) {
	for i, r := range h.Rows[:row] {
		v := r.Entity()
		switch r.Kind() {
		case sim.RowSend:
			v = cfg.Graph.From[v]
		case sim.RowProcess:
			v = cfg.Graph.To[v]
		case sim.RowExternal, sim.RowTimer, sim.RowEmit:
		default:
			continue
		}
		kept := true
		for _, restore := range h.Restores[:incarnation] {
			if i < restore.Row && (restore.Snapshot == nil || i > restore.Snapshot.Recordings[v].Row) {
				kept = false
			}
		}
		if kept {
			rows = append(rows, i)
		}
	}
	return rows
}

// TestWitnessesCanBeCarriedOut reads the file as somebody would who has its
// description, and carries out the order of every snapshot on fresh Apps.
func TestWitnessesCanBeCarriedOut(t *testing.T) {
	snapshots, inFlight, swaps, later := 0, 0, int64(0), 0
	for _, run := range []struct{ file, algorithm string }{
		{"ring-both.yaml", "chandy-lamport"}, {"ring-both.yaml", "abs"}, {"abilene-bank.yaml", "chandy-lamport"},
		{"loop-crash.yaml", "abs"}, {"wordcount-crash.yaml", "abs"}, {"concurrent-snapshots.yaml", "chandy-lamport"},
	} {
		plan := mustLoad(t, run.file, run.algorithm)
		runner := plan.NewRunner()
		var text strings.Builder
		if _, err := runner.Write(1, Files{Witness: &text}); err != nil {
			t.Fatal(err)
		}
		x := runner.execute(1, nil)
		h, says := x.history, plan.Describer(1)
		var p *performer
		var head witnessSnapshot
		var pre, post []int
		for line := range strings.Lines(text.String()) {
			var kind struct{ Kind string }
			mustUnmarshal(t, line, &kind)
			switch kind.Kind {
			case "snapshot":
				mustUnmarshal(t, line, &head)
				p = newPerformer(t, plan, 1, h.Rows)
				prefix := before(&p.cfg, h, head.First, int(head.Incarnation))
				if len(prefix) != head.Prefix || head.Reachable == nil || !*head.Reachable {
					t.Errorf("%s: the prefix has %d events: %s", run.file, len(prefix), line)
				}
				for _, i := range prefix {
					p.do(i)
				}
				snapshots++
				swaps += head.Swaps
				later += min(1, int(head.Incarnation))
				pre, post = nil, nil
			case "event":
				var e witnessEvent
				mustUnmarshal(t, line, &e)
				p.do(e.Row)
				if e.Part == "pre" {
					pre = append(pre, e.Row)
				} else {
					post = append(post, e.Row)
				}
			case "state":
				var s witnessState
				mustUnmarshal(t, line, &s)
				inFlight += p.at(says, &s)
			}
			if p != nil && len(pre) == head.Pre && len(post) == head.Post {
				n := int64(0)
				for _, i := range pre {
					for _, k := range post {
						if k < i {
							n++
						}
					}
				}
				if n != head.Swaps {
					t.Errorf("%s: snapshot %d has %d swaps, not %d", run.file, head.Snapshot, n, head.Swaps)
				}
			}
		}
	}
	if snapshots < 15 || inFlight < 20 || swaps < 100 || later < 5 {
		t.Errorf("%d snapshots, %d messages in flight, %d swaps, %d after a restore", snapshots, inFlight, swaps, later)
	}
}

func mustUnmarshal(t *testing.T, line string, to any) {
	t.Helper()
	if err := json.Unmarshal([]byte(line), to); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
}

// TestWitnessIsDocumented: every kind of line and every field is in the description,
// with its meaning and in an example, and nothing else is.
func TestWitnessIsDocumented(t *testing.T) {
	written, shown := map[string]map[string]bool{}, map[string]map[string]bool{}
	for _, run := range []struct{ file, algorithm string }{{"ring-both.yaml", "chandy-lamport"}, {"loop-crash.yaml", "abs"}} {
		var text strings.Builder
		if _, err := mustLoad(t, run.file, run.algorithm).NewRunner().Write(1, Files{Witness: &text}); err != nil {
			t.Fatal(err)
		}
		fieldsByKind(t, text.String(), written)
	}
	for _, name := range keysOfJSON(traceChannel{}) { // unreliable ones too
		written[""]["channels."+name] = true
	}
	text := readDoc(t, "witness.md")
	for _, part := range strings.Split(text, "```json\n")[1:] {
		block, _, _ := strings.Cut(part, "```")
		fieldsByKind(t, block, shown)
	}
	kinds := slices.Sorted(maps.Keys(written))
	if got := slices.Sorted(maps.Keys(shown)); !slices.Equal(got, kinds) {
		t.Fatalf("the kinds of line are %v, docs/witness.md shows %v", kinds, got)
	}
	rows, header := documentedKinds(text), text[:strings.Index(text, "## Kinds")]
	for _, kind := range kinds {
		if !maps.Equal(written[kind], shown[kind]) {
			t.Errorf("lines of kind %q have %v,\nthe example has %v", kind, slices.Sorted(maps.Keys(written[kind])), slices.Sorted(maps.Keys(shown[kind])))
		}
		for name := range written[kind] {
			outer, _, inner := strings.Cut(name, ".")
			if kind == "" && inner { // of traces
				name = outer
			}
			name = name[strings.LastIndexByte(name, '.')+1:]
			if name != "kind" && !strings.Contains(header+rows[kind], "`"+name+"`") {
				t.Errorf("docs/witness.md does not say what %s is on lines of kind %q", name, kind)
			}
		}
	}
}

// TestUnreachableIsSaid: a wrong algorithm's snapshot is written with what is said of
// it, and so is one that was not checked.
func TestUnreachableIsSaid(t *testing.T) {
	for text, want := range map[string]string{
		"algorithm: late-markers":                       `"reachable":false`,
		"algorithm: abs\nchecks: {off: [reachability]}": `"reachable":null`,
	} {
		var out strings.Builder
		if _, err := mustResolve(t, text).NewRunner().Write(1, Files{Witness: &out}); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%s: %v, no %s", text, err, want)
		}
	}
}

// TestWitnessErrors: what cannot be written is an error.
func TestWitnessErrors(t *testing.T) {
	if _, err := mustResolve(t, "algorithm: abs").NewRunner().Write(1, Files{Witness: mute{}}); err == nil {
		t.Error("no error")
	}
}

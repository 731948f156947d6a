package scenarios

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// everywhere is scenarios that have, together, every key and every form of a value.
var everywhere = []string{`
version: 1
algorithm: abs
order: timed
seed: 1
graph: {generate: dataflow, parallelism: 3, seed: 4}
app: {kind: wordcount, lines: [a b, c], sources: [source-0, source-1, source-2], every: 1ms, repeat: 3}
network:
  delay: {uniform: [1ms, 5ms]}
  channels: {3: {delay: {constant: 20ms}}, source-0->count-1: {delay: {exponential: {min: 1ms, mean: 4ms}}}}
service: {bimodal: {fast: [1ms, 2ms], slow: [5ms, 8ms], percent: 5}}
store: {write: {uniform: [1ms, 3ms]}}
snapshots: {every: 20ms, at: [5ms], initiators: [source-0, source-1, source-2]}
faults:
  - {crash: [count-1], when: {phase: aligning, snapshot: 2, occurrence: 1}, down: 5ms}
  - {crash: count-2, at: 30ms, after-outputs: 1}
  - {"<<": {crash: count-2}, step: 90}
replay: from-offset
stop: {at: 150ms, records: 1000}
steps: 1000000
checks: {off: [fifo]}
expect: {verdict: holds, snapshots: 3, recoveries: 1, incomplete: false, exercised: {alignments: 2, snapshot_restores: 1}}
`, `
algorithm: abs
graph: {nodes: [a, b, c], channels: [[a, b], {from: b, to: c}, [c, b]]}
app: {kind: loop, hops: 4, records: 150, every: 1ms}
back_edges: [c->b]
expect: {violation: fifo}
`, `
algorithm: abs
coordinator: {interval: 20ms, min_pause: 1ms, timeout: 50ms, max_concurrent: 2, tolerable: 3, retained: 2, restart: {strategy: exponential, delay: 1ms, factor: 2, most: 9ms, limit: 9}, control: {delay: {constant: 1ms}, reorder: true, lose: {rate: 1%, messages: [3]}, duplicate: 2%}}
store: {read: {constant: 1ms}, fail: {rate: 1%, snapshots: [2]}, torn: 1%, lost: {snapshots: [3]}, bandwidth: 100000, chunk: 64}
faults: [{crash: [coordinator, n1], at: 30ms}]
`, `
coordinator: {restart: {strategy: failure-rate, delay: 1ms, limit: 3, per: 20ms}}
graph: {file: ../graphs/abilene.dot, format: dot}
`}

// with writes a value in flow style, with other in place of the value number n, and
// counts the values in count.
func with(b *strings.Builder, v any, n int, other string, count *int) {
	number := *count
	*count++
	if number == n && number > 0 {
		b.WriteString(other)
		return
	}
	switch v := v.(type) {
	case yaml.MapSlice:
		b.WriteString("{")
		for _, m := range v {
			fmt.Fprintf(b, "%v: ", m.Key)
			with(b, m.Value, n, other, count)
			b.WriteString(", ")
		}
		b.WriteString("}")
	case []any:
		b.WriteString("[")
		for _, item := range v {
			with(b, item, n, other, count)
			b.WriteString(", ")
		}
		b.WriteString("]")
	default:
		fmt.Fprint(b, v)
	}
}

// replaced calls do with each scenario of everywhere with other in place of each of
// its values.
func replaced(t *testing.T, other string, do func(text string, err error)) {
	t.Helper()
	for _, text := range everywhere {
		var values yaml.MapSlice
		if err := yaml.UnmarshalWithOptions([]byte(text), &values, yaml.UseOrderedMap()); err != nil {
			t.Fatal(err)
		}
		for n, count := 0, 1; n < count; n++ {
			var b strings.Builder
			count = 0
			with(&b, values, n, other, &count)
			_, err := resolveText(b.String())
			if n > 0 {
				do(b.String(), err)
			} else if err != nil {
				t.Fatalf("%v: %s", err, b.String())
			}
		}
	}
}

// TestUndefinedAliasEverywhere: an alias that stands for nothing is an error at its
// place, wherever that is.
func TestUndefinedAliasEverywhere(t *testing.T) {
	places := 0
	replaced(t, "*nowhere", func(text string, err error) {
		places++
		var e *Error
		if !errors.As(err, &e) || !strings.HasPrefix(text[max(0, e.Column-1):], "*nowhere") || !strings.Contains(e.Message, "stands for nothing") {
			t.Errorf("%v: %s", err, text)
		}
	})
	if places < 100 {
		t.Errorf("only %d places", places)
	}
}

// TestOddValuesEverywhere: whatever stands in place of a value, it is taken or an
// error that can be read.
func TestOddValuesEverywhere(t *testing.T) {
	for _, other := range []string{
		strings.Repeat("x", 10_000), `"` + strings.Repeat("é", 10_000) + `"`, strings.Repeat("9", 10_000), strings.Repeat("-", 10_000) + "1ms",
		"&x [*x]", "&x {a: *x}", "&x {<<: *x}", "{<<: *nowhere}", "[[[]]]", "{}", "{a: }", "~", "''", ".nan", "-.inf", "0", "-1", "1e400",
	} {
		refused := 0
		replaced(t, other, func(text string, err error) {
			if err == nil {
				return
			}
			refused++
			var e *Error
			if !errors.As(err, &e) || e.Line == 0 || len(e.Error()) > 2000 || len(e.Excerpt()) > 1000 {
				t.Errorf("%.3000v: %.3000s", err, text)
			}
		})
		if refused == 0 {
			t.Errorf("%s is taken everywhere", quote(other))
		}
	}
}

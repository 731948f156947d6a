package scenarios

import (
	"errors"
	"strings"
	"testing"
)

// variable is a scenario with parameters of every form.
const variable = `
algorithm: abs
graph: {generate: dataflow, parallelism: 3}
app: {kind: dataflow, every: 1ms}
network:
  delay: &d {uniform: [1ms, 5ms]}
  channels:
    source-0->count-1: {delay: {constant: 20ms}}
service: {constant: 50us}
store: {write: *d}
snapshots: {every: 20ms}
faults: [{crash: count-1, at: 65ms}]
stop: {at: 150ms}
`

// set is variable with settings, resolved.
func set(t *testing.T, text string, settings ...string) (*Plan, error) {
	t.Helper()
	s, err := Parse(Default(), "x.yaml", []byte(text))
	for _, one := range settings {
		if err != nil {
			break
		}
		x, wrong := ParseSetting(one)
		if wrong != nil {
			t.Fatal(wrong)
		}
		s, err = s.With(Default(), x)
	}
	if err != nil {
		return nil, err
	}
	return s.Resolve(Default(), Overrides{})
}

// TestSettings: a setting is what the file would be with the value in its place.
func TestSettings(t *testing.T) {
	for _, test := range []struct{ setting, instead, by string }{
		{"snapshots.every=50ms", "every: 20ms", "every: 50ms"},
		{"snapshots.every=none", "every: 20ms", "every: 0ns"},
		{"snapshots.at=[5ms, 30ms]", "{every: 20ms}", "{every: 20ms, at: [5ms, 30ms]}"},
		{"network.delay=7ms", "&d {uniform: [1ms, 5ms]}", "&d {uniform: [1ms, 5ms]}\n  delay: {constant: 7ms}"},
		{"network.delay={exponential: {mean: 2ms}}", "&d {uniform: [1ms, 5ms]}", "&d {uniform: [1ms, 5ms]}\n  delay: {exponential: {mean: 2ms}}"},
		{"network.delay.uniform.1=9ms", "&d {uniform: [1ms, 5ms]}", "&d {uniform: [1ms, 5ms]}\n  delay: {uniform: [1ms, 9ms]}"},
		{"store.write.uniform.0=2ms", "write: *d", "write: {uniform: [2ms, 5ms]}"},
		{"network.channels.source-0->count-1.delay=1ms", "constant: 20ms", "constant: 1ms"},
		{"network.channels.source-1->count-1.delay=1ms", "20ms}}\n", "20ms}}\n    source-1->count-1: {delay: 1ms}\n"},
		{`network.channels."source-1->count-1".reorder=true`, "20ms}}\n", "20ms}}\n    source-1->count-1: {reorder: true}\n"},
		{"graph.parallelism=5", "parallelism: 3", "parallelism: 5"},
		{"app.every=4ms", "every: 1ms", "every: 4ms"},
		{"app.skew=3", "every: 1ms", "every: 1ms, skew: 3"},
		{"service=none", "{constant: 50us}", ""},
		{"service=1ms", "{constant: 50us}", "{constant: 1ms}"},
		{"faults.0.at=99ms", "at: 65ms", "at: 99ms"},
		{"faults=none", "[{crash: count-1, at: 65ms}]", "[]"},
		{"coordinator.interval=30ms", "service:", "coordinator: {interval: 30ms}\nservice:"},
		{"coordinator.interval=none", "service:", "coordinator: {interval: 0ns}\nservice:"},
		{"stop.at=100ms", "150ms", "100ms"},
		{"order=timed", "algorithm:", "order: timed\nalgorithm:"},
	} {
		text := strings.Replace(variable, test.instead, test.by, 1)
		if i := strings.Index(text, "\n  delay: &d {uniform: [1ms, 5ms]}\n  delay:"); i >= 0 { // the anchor is still that of the old value
			text = strings.Replace(text, "\n  delay: &d {uniform: [1ms, 5ms]}", "", 1)
			text = strings.Replace(text, "write: *d", "write: {uniform: [1ms, 5ms]}", 1)
		}
		want := resolvedText(t, mustResolve(t, text))
		plan, err := set(t, variable, test.setting)
		if err != nil {
			t.Errorf("%s: %v", test.setting, err)
			continue
		}
		if got := resolvedText(t, plan); got != want {
			t.Errorf("%s gives\n%s\ninstead of\n%s", test.setting, got, want)
		}
		if command := plan.NewRunner().Run(1).Reproduce; !strings.Contains(command, " --set "+ShellWord(test.setting)) {
			t.Errorf("%s is repeated with %s", test.setting, command)
		}
	}
}

// TestSettingsAddUp: a later setting finds what an earlier one has put there, other uses of
// an anchor stay, and a key with a dot in it can be named.
func TestSettingsAddUp(t *testing.T) {
	plan, err := set(t, variable, "network.delay={uniform: [2ms, 3ms]}", "network.delay.uniform.1=4ms", "network.delay.uniform.1=6ms")
	if err != nil || plan.config.Delays[0].Low != 2e6 || plan.config.Delays[0].High != 6e6 || plan.config.Write.High != 5e6 {
		t.Errorf("%v, delays %+v", err, plan.config.Delays)
	}
	const dotted = "graph: {nodes: [a.b, c], channels: [[a.b, c], [c, a.b]]}\nnetwork: {channels: {a.b->c: {delay: 3ms}}}"
	for _, setting := range []string{"network.channels.a.b->c.delay=9ms", `network.channels."a.b->c".delay=9ms`} {
		if plan, err = set(t, dotted, setting); err != nil || plan.config.Delays[1].Low != 9e6 {
			t.Errorf("%s: %v", setting, err)
		}
	}
}

// TestSettingLeavesTheFile: the scenario that With is asked of stays as it is.
func TestSettingLeavesTheFile(t *testing.T) {
	s, err := Parse(Default(), "x.yaml", []byte(variable))
	if err != nil {
		t.Fatal(err)
	}
	text := func() string {
		plan, err := s.Resolve(Default(), Overrides{})
		if err != nil {
			t.Fatal(err)
		}
		return resolvedText(t, plan)
	}
	before := text()
	for _, x := range []Setting{{"faults.0.at", "99ms"}, {"network.delay.uniform.1", "9ms"}, {"snapshots.every", None}} {
		if _, err := s.With(Default(), x); err != nil {
			t.Fatal(err)
		}
		again, err := decoded(Default(), s.Name, s.Dir, s.doc)
		if err != nil {
			t.Fatal(err)
		}
		if s = again; text() != before {
			t.Errorf("%v has changed the file:\n%s", x, text())
		}
	}
}

// TestWrongSettings: what is wrong is said with the parameter, the value, and what would
// be right.
func TestWrongSettings(t *testing.T) {
	for _, test := range []struct{ setting, says string }{
		{"snapshots.evry=20ms", `x.yaml: with snapshots.evry=20ms: snapshots has no key "evry"; did you mean every? there are every, at, any, initiators`},
		{"snapshots.evry=none", `did you mean every?`},
		{"snapshot.every=20ms", `a scenario has no key "snapshot"; did you mean snapshots?`},
		{"snapshots.every=20", "x.yaml: with snapshots.every=20: every is 20, without a unit; write a duration, such as 20ms"},
		{"snapshots.every=soon", `with snapshots.every=soon: an instant: "soon" is not a duration`},
		{"network.delay=0ns", "with network.delay=0ns: a delay of 0ns is too short"},
		{"network.delay.constant=2ms", "with network.delay.constant=2ms: a distribution is a mapping with 2 keys"},
		{"network.channels.a->b.delay=2ms", `with network.channels.a->b.delay=2ms: "a->b" names no two nodes`},
		{"graph.parallelism=0", "with graph.parallelism=0: parallelism is 0; it must be between 1 and"},
		{"graph.parallelism=1", `x.yaml:8:24: with graph.parallelism=1: "source-0->count-1" names no two nodes`},
		{"graph.nodes=[a]", `with graph.nodes=[a]: the generator dataflow has no key "nodes"`},
		{"app.skew=[1]", "with app.skew=[1]: skew is a list; write a whole number"},
		{"stop.at=10ms", "x.yaml:12:31: with stop.at=10ms: a crash at 65ms, but the run stops at 10ms"},
		{"faults.1.at=10ms", `with faults.1.at=10ms: "1" is no entry of the list, which has 1 entry, numbered from 0 on`},
		{"faults.x.at=10ms", `with faults.x.at=10ms: "x" is no entry of the list`},
		{"snapshots.every=", "with snapshots.every=: the value is empty"},
		{"snapshots.every={", "with snapshots.every={: this is not YAML"},
		{"snapshots..every=1ms", "with snapshots..every=1ms: the parameter is not keys with single dots between them"},
		{`network.channels."a=1ms`, "a quotation mark in the parameter is not closed"},
		{".=1ms", "the parameter is not keys"},
		{"service=*nowhere", "with service=*nowhere: an alias that stands for nothing"},
		{"service=!!str x", "with service=!!str x: a YAML tag"},
	} {
		_, err := set(t, variable, test.setting)
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v; want %s", test.setting, err, test.says)
		}
	}
	for _, text := range []string{"", "a", "=1ms"} {
		if _, err := ParseSetting(text); err == nil || !strings.Contains(err.Error(), "write PARAMETER=VALUE, such as snapshots.every=20ms") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

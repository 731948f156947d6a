package scenarios

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"simrun/scenarios/units"
	"simrun/sim"
)

// longest is the longest duration that a scenario may name. The engine keeps the
// instant at which a message is due in 56 bits of nanoseconds, two years.
const longest = units.Duration(1000 * 3600 * 1e9)

// Moment is an instant of a run: nanoseconds in timed order, steps in chosen
// order. In a file a duration with its unit is the one, a bare number the other.
type Moment struct {
	Value int64
	Steps bool
}

func (m *Moment) decode(d *decoder, n ast.Node) error {
	if text, ok := integer(n); ok && text != "" {
		if v, err := strconv.ParseInt(text, 0, 64); err == nil {
			if v < 0 {
				return d.fail(n, fmt.Sprintf("%d is negative", v), "write 0 or more steps, or a duration such as 20ms")
			}
			*m = Moment{v, true}
			return nil
		}
	}
	var span units.Duration
	if err := d.text(n, &span, "an instant"); err != nil {
		return err
	}
	*m = Moment{int64(span), false}
	return nil
}

// MarshalYAML implements yaml.InterfaceMarshaler.
func (m Moment) MarshalYAML() (any, error) {
	if m.Steps {
		return m.Value, nil
	}
	return m.String(), nil
}

func (s *SnapshotAt) decode(d *decoder, n ast.Node) error {
	if isMapping(n) {
		if err := d.fields(n, reflect.ValueOf((*snapshotAt)(s)).Elem(), "a snapshot"); err != nil {
			return err
		}
		if list, err := d.entries(n, "a snapshot", ""); err == nil && d.doc.entry(list, "at") == nil {
			return d.fail(n, "a snapshot without its instant", "write {at: 20ms, initiators: [a]}")
		}
		return nil
	}
	return s.At.decode(d, n)
}

// snapshotAt is a SnapshotAt that is decoded field by field.
type snapshotAt SnapshotAt

// MarshalYAML implements yaml.InterfaceMarshaler.
func (s SnapshotAt) MarshalYAML() (any, error) {
	if len(s.Initiators) == 0 {
		return s.At.MarshalYAML()
	}
	return snapshotAt(s), nil
}

// isMapping says whether a node is a mapping, of one entry or of several.
func isMapping(n ast.Node) bool {
	switch n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return true
	}
	return false
}

// String is the instant as a file has it.
func (m Moment) String() string {
	if m.Steps {
		return strconv.FormatInt(m.Value, 10)
	}
	return units.Duration(m.Value).String()
}

// Dist is a distribution of durations; exactly one of its fields is set.
type Dist struct {
	Constant    *units.Duration `yaml:"constant,omitempty"`
	Uniform     *Range          `yaml:"uniform,flow,omitempty"`
	Exponential *Exponential    `yaml:"exponential,flow,omitempty"`
	Bimodal     *Bimodal        `yaml:"bimodal,flow,omitempty"`
}

// Range is two durations, both included.
type Range [2]units.Duration

// Exponential is Min plus an exponential part.
type Exponential struct {
	Min  *units.Duration `yaml:"min,omitempty"`
	Mean units.Duration  `yaml:"mean"`
}

// Bimodal is Fast, but in Percent of the draws Slow.
type Bimodal struct {
	Fast    Range `yaml:"fast,flow"`
	Slow    Range `yaml:"slow,flow"`
	Percent int64 `yaml:"percent"`
}

// Distributions are the distributions of durations that a scenario can name.
func Distributions() []Named {
	return []Named{
		{"constant", "always the same: {constant: 5ms}"},
		{"uniform", "from the first to the second, both included: {uniform: [1ms, 5ms]}"},
		{"exponential", "a minimum and an exponential part with a mean: {exponential: {min: 1ms, mean: 4ms}}"},
		{"bimodal", "fast, but in some percent of the draws slow: {bimodal: {fast: [1ms, 2ms], slow: [50ms, 80ms], percent: 5}}"},
	}
}

// decode takes a duration, which is always the same, or a mapping with one key; anything
// else would leave it open which distribution was meant.
func (x *Dist) decode(d *decoder, n ast.Node) error {
	const right = "a duration, such as 5ms, or a mapping with one key, such as {uniform: [1ms, 5ms]}"
	if text, err := d.word(n, ""); err == nil {
		if always, err := units.ParseDuration(text); err == nil {
			*x = Dist{Constant: &always}
			return nil
		}
	}
	list, err := d.entries(n, "a distribution", right)
	if err != nil {
		return err
	}
	if len(list) != 1 {
		return d.fail(n, fmt.Sprintf("a distribution is a mapping with %s", plural(int64(len(list)), "key")), "write "+right)
	}
	only := list[0]
	if p, err := d.resolve(only.value); err == nil && p.Type() == ast.NullType {
		if example := exampleOf(only.key); example != "" {
			return d.doc.at(only.at, only.key+" is empty", "write "+example)
		}
	}
	*x = Dist{}
	return d.fields(n, reflect.ValueOf(x).Elem(), "a distribution")
}

// exampleOf is the example that the description of a distribution ends with, or ""
// if there is no such distribution.
func exampleOf(kind string) string {
	for _, k := range Distributions() {
		if k.Name == kind {
			return k.Doc[strings.Index(k.Doc, "{"):]
		}
	}
	return ""
}

// decode wants all three: what is left out could only be guessed.
func (b *Bimodal) decode(d *decoder, n ast.Node) error {
	type fields Bimodal
	if err := d.fields(n, reflect.ValueOf((*fields)(b)).Elem(), "bimodal"); err != nil {
		return err
	}
	list, _ := d.entries(n, "", "") // fields has seen that it is a mapping
	var missing []string
	for _, key := range keys(reflect.TypeFor[Bimodal]()) {
		if e := d.doc.entry(list, key); e == nil || d.doc.plain(e.value).Type() == ast.NullType {
			missing = append(missing, key)
		}
	}
	if len(missing) > 0 {
		return d.fail(n, "bimodal has no "+strings.Join(missing, " and no "), "write "+exampleOf("bimodal"))
	}
	return nil
}

func (r *Range) decode(d *decoder, n ast.Node) error {
	s, ok := n.(*ast.SequenceNode)
	if !ok || len(s.Values) != 2 {
		return d.fail(n, "a range is two durations", "write [1ms, 5ms]")
	}
	for i, item := range s.Values {
		if err := d.item(item, reflect.ValueOf(&r[i]).Elem(), "a range"); err != nil {
			return err
		}
	}
	if r[0] > r[1] {
		return d.fail(n, fmt.Sprintf("the range from %v to %v is empty", r[0], r[1]), "write the smaller one first")
	}
	return nil
}

// filled is the distribution with its defaults. least is the smallest duration
// that makes sense where it is used.
func (x Dist) filled(least units.Duration) Dist {
	if x.Exponential != nil && x.Exponential.Min == nil {
		x.Exponential = &Exponential{&least, x.Exponential.Mean}
	}
	return x
}

// sim is a filled distribution as the engine needs it.
func (x Dist) sim(least units.Duration) (sim.Dist, error) {
	var out sim.Dist
	switch {
	case x.Constant != nil:
		out = sim.Dist{Kind: sim.Constant, Low: int64(*x.Constant), High: int64(*x.Constant)}
	case x.Uniform != nil:
		out = sim.Dist{Kind: sim.Uniform, Low: int64(x.Uniform[0]), High: int64(x.Uniform[1])}
	case x.Exponential != nil:
		if x.Exponential.Mean <= 0 {
			return out, fmt.Errorf("an exponential distribution without a mean; write %s", exampleOf("exponential"))
		}
		if x.Exponential.Mean > longest {
			return out, tooLong(x.Exponential.Mean)
		}
		out = sim.Dist{Kind: sim.Exponential, Low: int64(*x.Exponential.Min), High: int64(x.Exponential.Mean)}
	case x.Bimodal != nil:
		b := x.Bimodal
		if b.Percent < 0 || b.Percent > 100 {
			return out, fmt.Errorf("percent is %d; write a number from 0 to 100", b.Percent)
		}
		out = sim.Dist{Kind: sim.Bimodal, Low: int64(b.Fast[0]), High: int64(b.Fast[1]),
			SlowLow: int64(b.Slow[0]), SlowHigh: int64(b.Slow[1]), Percent: b.Percent}
	}
	low := out.Low
	if out.Kind == sim.Bimodal {
		low = min(low, out.SlowLow)
	}
	if low < int64(least) {
		return out, fmt.Errorf("a delay of %v is too short; a message takes at least %v", units.Duration(low), least)
	}
	if top := units.Duration(out.Max()); top > longest {
		if out.Kind == sim.Exponential {
			return out, fmt.Errorf("an exponential distribution from %v on with the mean %v can draw %v; no duration of a scenario is longer than %v",
				*x.Exponential.Min, x.Exponential.Mean, top, longest)
		}
		return out, tooLong(top)
	}
	return out, nil
}

func tooLong(d units.Duration) error {
	return fmt.Errorf("%v is too long; no duration of a scenario is longer than %v", d, longest)
}

package scenarios

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"simrun/sim"
)

// ChannelSettings is what one channel has of its own, or all between two nodes.
type ChannelSettings struct {
	Channel   ChannelRef `yaml:"-"`
	Delay     *Dist      `yaml:"delay,flow,omitempty"`
	Reorder   bool       `yaml:"reorder,omitempty"`        // messages and markers overtake each other
	Lose      *Failure   `yaml:"lose,flow,omitempty"`      // some never come
	Duplicate *Failure   `yaml:"duplicate,flow,omitempty"` // some come twice
}

// ChannelRef names channels: by id ("3"), or all from one node to another
// ("a->b").
type ChannelRef string

// Failure says which messages and markers of a channel something happens to. In a
// file a rate alone may stand for it.
type Failure struct {
	Rate     Rate     `yaml:"rate,omitempty"`          // drawn for each message and marker
	Messages []uint32 `yaml:"messages,flow,omitempty"` // by number, each time that they are sent
	Markers  []uint32 `yaml:"markers,flow,omitempty"`  // of these snapshots
	Any      int      `yaml:"any,omitempty"`           // so many more, at any steps
}

// Rate is a share in millionths; in a file a percentage, such as 2.5%.
type Rate uint32

const percent, allOfThem = 10_000, 1_000_000

func (f *Failure) decode(d *decoder, n ast.Node) error {
	if isMapping(n) {
		return d.fields(n, reflect.ValueOf(f).Elem(), "what happens to messages")
	}
	return d.text(n, &f.Rate, "a share of the messages")
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (r *Rate) UnmarshalText(text []byte) error {
	number, isPercentage := strings.CutSuffix(string(text), "%")
	whole, part, dotted := strings.Cut(number, ".")
	value, err := strconv.ParseUint(whole, 10, 16)
	if !isPercentage || err != nil || dotted && part == "" || len(part) > 4 {
		return errors.New("write a percentage with at most four digits after the point, such as 2.5%")
	}
	value *= percent
	if part != "" {
		digits, err := strconv.ParseUint((part + "0000")[:4], 10, 16)
		if err != nil {
			return errors.New("write a percentage such as 2.5%")
		}
		value += digits
	}
	if value > allOfThem {
		return fmt.Errorf("%s%% is more than all of them", number)
	}
	*r = Rate(value)
	return nil
}

// MarshalText implements encoding.TextMarshaler.
func (r Rate) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// String is the rate as a file has it.
func (r Rate) String() string {
	text := fmt.Sprintf("%d.%04d", r/percent, r%percent)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".") + "%"
}

// sim is the failure as the engine has it.
func (f *Failure) sim() sim.Failure {
	if f == nil {
		return sim.Failure{}
	}
	out := sim.Failure{PerMillion: uint32(f.Rate), Messages: f.Messages}
	for _, id := range f.Markers {
		out.Markers = append(out.Markers, sim.SnapshotID(id))
	}
	return out
}

// MarshalYAML implements yaml.InterfaceMarshaler.
func (x Network) MarshalYAML() (any, error) {
	m := yaml.MapSlice{{Key: "delay", Value: x.Delay}}
	if len(x.Channels) > 0 {
		channels := yaml.MapSlice{}
		for _, c := range x.Channels {
			channels = append(channels, yaml.MapItem{Key: string(c.Channel), Value: c})
		}
		m = append(m, yaml.MapItem{Key: "channels", Value: channels})
	}
	return m, nil
}

// channelSettings gives channels what they have of their own.
func (r *resolver) channelSettings() error {
	r.Network.Channels = slices.Clone(r.Network.Channels)
	named := make([]bool, len(r.plan.Graph.Channels))
	for i := range r.Network.Channels {
		own := &r.Network.Channels[i]
		path := []any{"network", "channels", string(own.Channel)}
		ids, err := r.channels(own.Channel, path...)
		if err != nil {
			return err
		}
		for _, c := range ids {
			if named[c] {
				return r.fail("channel "+r.plan.Graph.ChannelName(c)+" is given two sets of settings", "name it once", path...)
			}
			named[c] = true
		}
		if err := r.ownDelay(own, ids, path); err != nil {
			return err
		}
		if err := r.unreliable(own, ids, path); err != nil {
			return err
		}
	}
	return nil
}

// ownDelay gives channels a delay of their own.
func (r *resolver) ownDelay(own *ChannelSettings, ids []int32, path []any) error {
	if own.Delay == nil {
		return nil
	}
	cfg := &r.plan.config
	filled, delay, err := r.dist(own.Delay, 1, append(path, "delay")...)
	if err != nil {
		return err
	}
	own.Delay = filled
	if len(cfg.Delays) == maxDelays {
		return r.fail(fmt.Sprintf("more than %d distributions of delays", maxDelays), "give many channels one by their ends: \"a->b\"", path...)
	}
	if cfg.DelayOf == nil {
		cfg.DelayOf = make([]uint8, len(r.plan.Graph.Channels))
	}
	for _, c := range ids {
		cfg.DelayOf[c] = uint8(len(cfg.Delays))
	}
	cfg.Delays = append(cfg.Delays, delay)
	return nil
}

// unreliable lets channels reorder, lose and duplicate.
func (r *resolver) unreliable(own *ChannelSettings, ids []int32, path []any) error {
	if !own.Reorder && own.Lose == nil && own.Duplicate == nil {
		return nil
	}
	if err := r.numbered(own.Lose, append(path, "lose")); err != nil {
		return err
	}
	if err := r.numbered(own.Duplicate, append(path, "duplicate")); err != nil {
		return err
	}
	mayLose, err := r.mayLose(own, path)
	if err != nil {
		return err
	}
	cfg := &r.plan.config
	if cfg.Unreliable == nil {
		cfg.Unreliable = make([]sim.Unreliable, len(r.plan.Graph.Channels))
	}
	for _, c := range ids {
		cfg.Unreliable[c] = sim.Unreliable{Reorder: own.Reorder, Lose: own.Lose.sim(), MayLose: mayLose, Duplicate: own.Duplicate.sim()}
	}
	return nil
}

// mayLose is how many messages and markers are lost when the search says so.
func (r *resolver) mayLose(own *ChannelSettings, path []any) (int, error) {
	switch {
	case own.Duplicate != nil && own.Duplicate.Any != 0:
		return 0, r.fail("any is for what is lost", "write a rate, messages or markers", append(path, "duplicate", "any")...)
	case own.Lose == nil:
		return 0, nil
	}
	return own.Lose.Any, r.leftOpen(own.Lose.Any, "any", append(path, "lose", "any")...)
}

// numbered refuses a number that no message or snapshot ever has.
func (r *resolver) numbered(f *Failure, path []any) error {
	switch {
	case f == nil:
	case slices.Contains(f.Messages, 0):
		return r.fail("there is no message 0", "messages are counted from 1", append(path, "messages")...)
	case slices.Contains(f.Markers, 0):
		return r.fail("there is no snapshot 0", "snapshots are counted from 1", append(path, "markers")...)
	}
	return nil
}

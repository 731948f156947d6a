package sim

import (
	"fmt"
	"slices"
)

// Unreliable says in which ways a channel fails to be what the papers assume. The
// zero value is a channel as they assume it: first in, first out, nothing is lost,
// and nothing comes twice.
type Unreliable struct {
	// Reorder lets messages and markers overtake each other: each takes its own
	// delay, and in chosen order any of them can come next.
	Reorder bool
	// Lose drops messages and markers on the way.
	Lose Failure
	// MayLose leaves more to the Scheduler, in chosen order: at any step it may say that
	// the next message or marker that is put on the channel is dropped, so many times.
	MayLose int
	// Duplicate lets them come twice.
	Duplicate Failure
}

// Reliable says that the channel never fails.
func (u *Unreliable) Reliable() bool {
	return !u.Reorder && !u.Lose.Any() && u.MayLose == 0 && !u.Duplicate.Any()
}

// Failure says which messages and markers of a channel something happens to.
type Failure struct {
	PerMillion uint32       // so many of a million, drawn for each
	Messages   []uint32     // and these, by number, each time that they are sent
	Markers    []SnapshotID // and the markers of these snapshots
}

// Any says whether it can happen to anything.
func (f *Failure) Any() bool {
	return f.PerMillion > 0 || len(f.Messages) > 0 || len(f.Markers) > 0
}

// million is the certainty in Failure.PerMillion.
const million = 1_000_000

// strikes says whether it happens to a message, or to the marker of a snapshot.
func (f *Failure) strikes(draws Stream, c int32, m *Message, number uint32) bool {
	counter := uint64(number)
	if m.Kind() == Marker {
		if slices.Contains(f.Markers, m.Snapshot()) {
			return true
		}
		counter = 1<<32 | m.Key
	} else if slices.Contains(f.Messages, number) {
		return true
	}
	return f.PerMillion > 0 && Scale(draws.Draw(c, counter), million) < uint64(f.PerMillion)
}

func checkUnreliable(cfg *Config) error {
	if cfg.Unreliable != nil && len(cfg.Unreliable) != len(cfg.Graph.From) {
		return fmt.Errorf("sim: Unreliable has %d entries for %d channels", len(cfg.Unreliable), len(cfg.Graph.From))
	}
	for c := range cfg.Unreliable {
		if cfg.Management.Finish && !cfg.Unreliable[c].Reliable() {
			return fmt.Errorf("sim: nodes finish, and channel %d is unreliable: the end of its stream could be lost, or overtaken", c)
		}
		if u := &cfg.Unreliable[c]; u.Lose.PerMillion > million || u.Duplicate.PerMillion > million {
			return fmt.Errorf("sim: channel %d fails with more than certainty", c)
		}
		if n := cfg.Unreliable[c].MayLose; n < 0 || n > 0 && cfg.Order != Chosen {
			return fmt.Errorf("sim: channel %d may lose %d that a Scheduler picks; it can be 0, or more in chosen order", c, n)
		}
	}
	return nil
}

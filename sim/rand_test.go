package sim_test

import (
	"math"
	"testing"

	"simrun/sim"
)

// The numbers of a seed are a contract: recorded runs and printed seeds rely on
// them.
func TestDrawGolden(t *testing.T) {
	for _, c := range []struct {
		seed        uint64
		purpose     sim.Purpose
		entity      int32
		incarnation uint8
		counter     uint64
		want        uint64
	}{
		{0, sim.ForDelay, 0, 0, 1, 0xe7f6c53fdaadb814},
		{1, sim.ForDelay, 0, 0, 1, 0x864ed6412a1fbf04}, // each differs in one thing from the first
		{0, sim.ForService, 0, 0, 1, 0xe4436fd45100f8d0},
		{0, sim.ForDelay, 1, 0, 1, 0xc1d69f16c4a85bb1},
		{0, sim.ForDelay, 0, 1, 1, 0xb9d41d530e9c95c9},
		{0, sim.ForDelay, 0, 0, 2, 0xaff2b60f6d6e0d95},
		{math.MaxUint64, sim.ForScenario, 1<<28 - 1, 250, math.MaxUint64, 0xf11466cd32b28a61},
		{0x0123456789abcdef, sim.ForSchedule, -1, 0, 12345, 0x585b16fdf60ea0d3},
	} {
		if got := sim.Draw(c.seed, c.purpose, c.entity, c.incarnation, c.counter); got != c.want {
			t.Errorf("Draw(%d, %d, %d, %d, %d) = %016x, want %016x", c.seed, c.purpose, c.entity, c.incarnation, c.counter, got, c.want)
		}
	}
}

// The purposes keep their numbers.
func TestPurposes(t *testing.T) {
	same(t, "purposes", []sim.Purpose{sim.ForDelay, sim.ForService, sim.ForWrite, sim.ForSchedule, sim.ForApp, sim.ForSource,
		sim.ForGraph, sim.ForScenario}, []sim.Purpose{1, 2, 3, 4, 5, 6, 7, 8})
}

// A Word is splitmix64; the zero Word gives that generator's published sequence
// for seed 0.
func TestWordGolden(t *testing.T) {
	for start, want := range map[sim.Word][]uint64{
		0:  {0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f, 0xf88bb8a8724c81ec},
		42: {0xbdd732262feb6e95, 0x28efe333b266f103, 0x47526757130f9f52},
	} {
		w := start
		for i, n := range want {
			if got := w.Next(); got != n {
				t.Errorf("number %d of Word %d is %016x, want %016x", i+1, start, got, n)
			}
		}
	}
	w := sim.Word(7)
	for i, want := range []int{3, 0, 9, 5, 4, 2, 4, 3, 1, 4} {
		if got := w.Below(10); got != want {
			t.Errorf("number %d below 10 is %d, want %d", i+1, got, want)
		}
	}
}

// The hash in the history's rows is that of the payload, whatever carried it, and
// tells a marker from a message.
func TestHashGolden(t *testing.T) {
	for _, c := range []struct {
		message sim.Message
		want    uint64
	}{
		{sim.Message{}, 0x93bc679517ee9ce2},
		{sim.Message{Key: 1, Value: 2, Aux: 3}, 0x1411adde14459b76},
		{sim.Message{Key: math.MaxUint64, Value: -1, Aux: math.MaxUint64}, 0xfc489a351aba9abf},
		{sim.NewMarker(5), 0xd54da2c773860d0b},
	} {
		if got := c.message.Hash(); got != c.want {
			t.Errorf("the hash of %+v is %016x, want %016x", c.message, got, c.want)
		}
	}
	cfg := scene(graph(2, 0, 1), pass)
	cfg.NewSource = feed(releases{10, 20})
	var hashes []uint64
	cfg.Observer = observer(func(ev *sim.Event) {
		if ev.Kind == sim.EventProcess {
			hashes = append(hashes, ev.Message.Hash())
		}
	})
	h := play(t, cfg)
	var rows []uint64
	for _, r := range h.Rows {
		if r.Kind() == sim.RowProcess {
			rows = append(rows, r.Hash)
		}
	}
	same(t, "hashes", hashes, rows)
	same(t, "hashes", hashes, []uint64{sim.Message{Key: 1}.Hash(), sim.Message{Key: 2, Value: 1}.Hash()})
}

package coordinator

import (
	"testing"

	"simrun/sim"
)

// TestRestartStrategies: how long each restart waits, until there is none.
func TestRestartStrategies(t *testing.T) {
	const none = -1
	for _, c := range []struct {
		name string
		Restart
		want []int64
	}{
		{"none", Restart{None: true}, []int64{none}},
		{"fixed delay", Restart{Delay: 5}, []int64{5, 5, 5}},
		{"fixed delay, twice", Restart{Delay: 5, Limit: 2}, []int64{5, 5, none}},
		{"exponential", Restart{Delay: 2, Factor: 3, Most: 20}, []int64{2, 6, 18, 20, 20}},
		{"exponential, no limit", Restart{Delay: 1, Factor: 2}, []int64{1, 2, 4, 8}},
	} {
		for n, want := range c.want {
			got, ok := c.after(n, n)
			if !ok {
				got = none
			}
			if got != want {
				t.Errorf("%s: restart %d after %d, want %d", c.name, n, got, want)
			}
		}
	}
}

// restarts lets a coordinator restart the graph so often, and says whether it gave up.
func restarts(t *testing.T, c sim.Coordinator, n int) (gaveUp bool) {
	t.Helper()
	var out sim.Decisions
	for i := range n {
		out.Reset()
		c.Failed(0, &out)
		for _, d := range out.List() {
			gaveUp = gaveUp || d.Kind == sim.DecideGiveUp
		}
		if !gaveUp {
			c.Restored(uint8(i+1), 0, true, &out)
		}
	}
	return gaveUp
}

// TestFailureRate: a restart is forgotten when its alarm goes off, and only then there
// may be another one.
func TestFailureRate(t *testing.T) {
	begin := func() sim.Coordinator {
		c := New(Settings{Restart: Restart{Limit: 2, Per: 100}})()
		c.Start(sim.Standing{Tasks: 1, Sources: []int32{0}}, new(sim.Decisions))
		return c
	}
	if c := begin(); restarts(t, c, 2) || !restarts(t, c, 1) {
		t.Error("the third restart within the span must not be, and the first two must")
	}
	c := begin()
	restarts(t, c, 2)
	c.Alarm(forgetAlarm, new(sim.Decisions))
	if restarts(t, c, 1) {
		t.Error("one is forgotten, and there is no third")
	}
	if !restarts(t, c, 1) {
		t.Error("two are not forgotten, and there is a fourth")
	}
}

// TestCancelsAreRepeated: to each task until it has declined the checkpoint.
func TestCancelsAreRepeated(t *testing.T) {
	c := New(Settings{Interval: 10, Timeout: 50, Tolerable: 9})()
	var out sim.Decisions
	c.Start(sim.Standing{Tasks: 2, Sources: []int32{0}}, &out)
	c.Alarm(triggerAlarm, &out)
	told := func(do func()) (tasks []int32) {
		out.Reset()
		do()
		for _, d := range out.List() {
			if d.Kind == sim.DecideSend && d.Control.Kind == sim.Cancel {
				tasks = append(tasks, d.Task)
			}
		}
		return tasks
	}
	repeat := func() { c.Alarm(cancelAlarm, &out) }
	decline := func(task int32) { c.Receive(task, sim.Control{Kind: sim.Decline, ID: 1}, &out) }
	if got := told(func() { c.Alarm(timeoutAlarm+1, &out) }); len(got) != 2 {
		t.Fatalf("cancelled at %v, want both", got)
	}
	if got := told(repeat); len(got) != 1 || got[0] != 0 {
		t.Errorf("repeated to %v, want the first", got)
	}
	if got := told(repeat); len(got) != 1 || got[0] != 1 {
		t.Errorf("repeated to %v, want the second", got)
	}
	decline(1)
	for _, pause := range []int{1, 1, 3, 3, 7, 7} { // each round is twice as slow
		for range pause {
			if got := told(repeat); got != nil {
				t.Errorf("repeated to %v in the pause", got)
			}
		}
		if got := told(repeat); len(got) != 1 || got[0] != 0 {
			t.Errorf("repeated to %v, want the first, which has not confirmed", got)
		}
	}
	decline(0)
	if got := told(repeat); got != nil {
		t.Errorf("repeated to %v, and all have confirmed", got)
	}
}

// TestStoredById: a checkpoint whose metadata took longer than that of a later one is
// not the newest, and is retired first.
func TestStoredById(t *testing.T) {
	c := New(Settings{Interval: 10, MaxConcurrent: 2})()
	var out sim.Decisions
	c.Start(sim.Standing{Tasks: 1, Sources: []int32{0}}, &out)
	for id := range sim.SnapshotID(2) {
		c.Alarm(triggerAlarm, &out)
		c.Receive(0, sim.Control{Kind: sim.Acknowledge, ID: id + 1, Handle: sim.Handle(id + 1)}, &out)
	}
	c.Published(2, true, &out)
	out.Reset()
	c.Published(1, true, &out)
	c.Failed(0, &out)
	retired, restored := sim.SnapshotID(0), sim.SnapshotID(0)
	for _, d := range out.List() {
		switch d.Kind {
		case sim.DecideRetire:
			retired = d.ID
		case sim.DecideRestore:
			restored = d.ID
		}
	}
	if retired != 1 || restored != 2 {
		t.Errorf("retires %d and restores %d, want 1 and 2", retired, restored)
	}
}

package sim_test

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"simrun/sim"
)

// A Config without a Scheduler runs as with the RandomScheduler of its seed.
func TestDefaultSchedulerIsTheSeedsRandomOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := drawRun(t)
		cfg.Order = sim.Chosen
		for i := range cfg.Faults {
			if f := &cfg.Faults[i]; f.At > 0 {
				f.At, f.Step = 0, f.At
			}
		}
		byDefault := runOf(t, cfg)
		cfg.Scheduler = sim.NewRandomScheduler(cfg.Seed)
		if got := runOf(t, cfg); !reflect.DeepEqual(got, byDefault) {
			t.Fatalf("digest %016x by default, %016x with the scheduler named", byDefault.Digest, got.Digest)
		}
	})
}

package sim_test

import (
	"os"
	"strconv"
	"testing"

	"simrun/sim"
)

func TestZZPerf(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("ZZN"))
	if n == 0 {
		t.Skip()
	}
	cfg := tokenRun(randomTargets(1000, degree), units)
	if os.Getenv("ZZMS") != "" {
		cfg.Delays = []sim.Dist{milliseconds}
	}
	if os.Getenv("ZZC") != "" {
		cfg.Order = sim.Chosen
	}
	e := engineOf(t, cfg)
	e.Step(int64(n))
}

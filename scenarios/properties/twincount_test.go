package properties_test

import (
	"slices"
	"testing"

	"simrun/invariants/twin"
	"simrun/scenarios"
)

// twinCount counts what two checkers have judged, by what it was and how it came out.
type twinCount struct {
	snapshots, restores int
	count               map[string]int
}

func newTwinCount() *twinCount { return &twinCount{count: map[string]int{}} }

func (c *twinCount) look(a *scenarios.Algorithm, unreliable bool, damage string, judgement *twin.Judgement) {
	family := familyOf(a)
	switch {
	case damage != "":
		family = "damaged"
	case unreliable:
		family = "unreliable channels"
	}
	for _, v := range judgement.Snapshots {
		if !v.Judged {
			continue
		}
		c.snapshots++
		c.see(family, v)
		c.count["algorithm "+a.Name]++
	}
	for _, v := range judgement.Restores {
		c.restores++
		c.see("restore", v)
	}
}

// familyOf is what an algorithm is a variant of.
func familyOf(a *scenarios.Algorithm) string {
	switch {
	case a.Wrong && a.BackEdges:
		return "wrong barriers"
	case a.Wrong:
		return "wrong markers"
	case a.BackEdges:
		return "barriers"
	}
	return "markers"
}

func (c *twinCount) see(family string, v twin.Verdict) {
	if v.Holds() {
		c.count[family+", holds"]++
		return
	}
	c.count[family+", violated"]++
	for _, reason := range v.Reasons {
		c.count[family+", "+string(reason)]++
	}
}

// leastPerMille is how many of a thousand snapshots must at least be of a family, and
// hold or be violated for a reason. Right algorithms are never violated.
var leastPerMille = map[string]float64{
	"markers, holds": 150, "barriers, holds": 150,
	"wrong markers, holds": 50, "wrong markers, violated": 40,
	"wrong markers, orphan": 1.5, "wrong markers, missing": 20, "wrong markers, extra": 8, "wrong markers, unattached": 2,
	"wrong markers, after the end": 2,
	"wrong barriers, holds":        70, "wrong barriers, violated": 15,
	"wrong barriers, orphan": 1, "wrong barriers, missing": 5, "wrong barriers, extra": 0.25, "wrong barriers, not aligned": 6,
	"wrong barriers, after the end": 1,
	"damaged, holds":                80, "damaged, violated": 80,
	"damaged, after the end": 30, "damaged, no row": 4, "damaged, recorded twice": 5, "damaged, wrong counter": 4,
	"damaged, altered": 1, "damaged, missing": 5, "damaged, extra": 3, "damaged, reordered": 0.5,
	"damaged, wrong state": 5, "damaged, wrong offset": 5, "damaged, wrong timers": 5,
	"unreliable channels, holds": 20, "unreliable channels, violated": 20, "unreliable channels, orphan": 3,
	"unreliable channels, missing": 10, "unreliable channels, extra": 5,
	"restore, holds": 150, "restore, violated": 10, "restore, after the end": 8, "restore, from a wrong snapshot": 8,
	"restore, wrong state": 0.5, "restore, wrong offset": 0.5, "restore, wrong timers": 0.5, "restore, altered": 0.5,
}

// judge demands that enough was seen of everything.
func (c *twinCount) judge(t *testing.T) {
	t.Logf("%d snapshots, %d restores", c.snapshots, c.restores)
	var names []string
	for name := range c.count {
		names = append(names, name)
	}
	for name := range leastPerMille {
		if c.count[name] == 0 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		t.Logf("%7d %s", c.count[name], name)
		if least := leastPerMille[name]; c.snapshots >= 5000 && float64(c.count[name]) < least*float64(c.snapshots)/1000 {
			t.Errorf("only %d of %d: %s", c.count[name], c.snapshots, name)
		}
	}
	for _, family := range []string{"markers", "barriers"} {
		if n := c.count[family+", violated"]; n > 0 {
			t.Errorf("%d snapshots of right algorithms are violated: %s", n, family)
		}
	}
	for _, a := range scenarios.Default().Algorithms {
		if least := c.snapshots / 2000; c.count["algorithm "+a.Name] < least && a.Promise == "" && !a.Coordinated {
			t.Errorf("only %d of %d snapshots of %s", c.count["algorithm "+a.Name], c.snapshots, a.Name)
		}
	}
}

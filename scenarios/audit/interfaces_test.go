package audit

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"simrun/sim"
)

// These are all that a Node, an App or a coordinator can be.
type (
	drainingTask       struct{ sim.Task }
	drainingNode       struct{ sim.Node }
	rejoiningTask      struct{ sim.Task }
	rejoiningNode      struct{ sim.Node }
	fullTask           struct{ drainingTask }
	fullNode           struct{ drainingNode }
	fullApp            struct{ sim.App }
	restingCoordinator struct{ sim.Coordinator }
	savingCoordinator  struct{ sim.Coordinator }
	fullCoordinator    struct{ restingCoordinator }
)

func (drainingTask) Drained(*sim.Out)              {}
func (drainingNode) Drained(*sim.Out)              {}
func (rejoiningTask) Rejoin(sim.Rejoin, *sim.Out)  {}
func (rejoiningNode) Rejoin(sim.Rejoin, *sim.Out)  {}
func (fullTask) Rejoin(sim.Rejoin, *sim.Out)       {}
func (fullNode) Rejoin(sim.Rejoin, *sim.Out)       {}
func (fullApp) Accepts(sim.Input) bool             { return true }
func (restingCoordinator) Rest(*sim.Decisions)     {}
func (savingCoordinator) Savepoint(*sim.Decisions) {}
func (fullCoordinator) Savepoint(*sim.Decisions)   {}

// TestInterfaces: whoever is watched is for the engine all that it is without a Watch, and
// no more.
func TestInterfaces(t *testing.T) {
	is := func(x any) (list []string) {
		for name, ok := range map[string]bool{
			"Task": as[sim.Task](x), "Drainer": as[sim.Drainer](x), "Rejoiner": as[sim.Rejoiner](x), "Guarded": as[sim.Guarded](x), "Resting": as[sim.Resting](x), "Savepointer": as[sim.Savepointer](x),
		} {
			if ok {
				list = append(list, name)
			}
		}
		slices.Sort(list)
		return list
	}
	for _, inner := range []any{
		drainingTask{}, drainingNode{}, rejoiningTask{}, rejoiningNode{}, fullTask{}, fullNode{}, struct{ sim.Task }{}, struct{ sim.Node }{}, fullApp{}, struct{ sim.App }{}, restingCoordinator{}, savingCoordinator{}, fullCoordinator{}, struct{ sim.Coordinator }{},
	} {
		w := &Watch{}
		var watched any
		switch x := inner.(type) {
		case sim.App:
			w.newApp = func(int32) sim.App { return x }
			watched = w.app(0)
		case sim.Coordinator:
			watched = w.coordinator(func() sim.Coordinator { return x })
		case sim.Node:
			w.newNode = func(sim.NodeInfo) sim.Node { return x }
			watched = w.node(sim.NodeInfo{})
		}
		if got, want := is(watched), is(inner); !slices.Equal(got, want) {
			t.Errorf("%T is %v, watched %v", inner, want, got)
		}
	}
}

func as[T any](x any) bool {
	_, ok := x.(T)
	return ok
}

// TestNoOtherInterfaces: the engine looks for no interface that a Watch would hide.
func TestNoOtherInterfaces(t *testing.T) {
	files, err := filepath.Glob("../../sim/*.go")
	if err != nil {
		t.Fatal(err)
	}
	asks := regexp.MustCompile(`(?:algorithm|app|coordinator)\.\(([A-Za-z]+)\)`)
	found := map[string]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range asks.FindAllStringSubmatch(string(text), -1) {
			found[m[1]] = true
		}
	}
	known := []string{"Task", "Drainer", "Rejoiner", "Guarded", "Resting", "Savepointer"}
	for name := range found {
		if !slices.Contains(known, name) {
			t.Errorf("package sim asks whether something is a %s, and what stands around it in package audit is not", name)
		}
	}
	if len(found) != len(known) {
		t.Errorf("%v were found", found)
	}
}

package audit

import (
	"sync/atomic"
	"time"

	"simrun/sim"
)

// Settings say how closely a run is watched. The zero Settings only tell whose fault a
// panic is.
type Settings struct {
	// Again is how often every handler is carried out again; 0: there is no audit. What
	// depends on chance, such as the order of a map, is found the sooner the more it is.
	Again int
	// Patience is how long a handler may take before it counts as one that never returns;
	// 0: as long as it likes.
	Patience time.Duration
}

// Usual is for many runs, and Thorough for one that is to come out in the same way again.
var (
	Usual    = Settings{Again: 3, Patience: 10 * time.Second}
	Thorough = Settings{Again: 60, Patience: 10 * time.Second}
)

// Names names the nodes and channels for people.
type Names struct {
	Node    func(v int32) string
	Channel func(c int32) string
}

// Watch watches one run.
type Watch struct {
	settings Settings
	names    Names
	engine   *sim.Engine // nil until it is known
	inputs   [][]int32   // by node: channels; nil until they are asked for
	to       []int32     // by channel

	newNode sim.NewNode
	newApp  func(int32) sim.App

	who    who  // whose code is running
	now    call // the last that was no question aside
	asked  call // the last question aside
	alone  bool // such a question is being asked
	second bool // on a copy

	parts    []part
	recorded map[recording][]uint64

	beats atomic.Int64 // counts calls
	left  atomic.Bool  // nobody waits for the run any more
}

// who is whose code is running.
type who uint8

const (
	nobody who = iota // the engine
	theAlgorithm
	theApp
	theSource
	theCoordinator
)

// Over puts a Watch over the run of a configuration, which it changes.
func Over(cfg *sim.Config, s Settings, names Names) *Watch {
	w := &Watch{settings: s, names: names, to: cfg.Graph.To, newNode: cfg.NewNode, newApp: cfg.NewApp}
	if s.Again > 0 {
		w.parts = make([]part, cfg.Graph.Nodes)
		w.recorded = map[recording][]uint64{}
	}
	cfg.NewNode, cfg.NewApp = w.node, w.app
	if newSource := cfg.NewSource; newSource != nil {
		cfg.NewSource = func(v int32) sim.Source { return w.source(newSource, v) }
	}
	if newCoordinator := cfg.Management.New; newCoordinator != nil {
		cfg.Management.New = func() sim.Coordinator { return w.coordinator(newCoordinator) }
	}
	return w
}

// Started is told the engine of the run, for the numbers of messages.
func (w *Watch) Started(e *sim.Engine) { w.engine = e }

// aside is a call between, or in the middle of carrying out, those that handlers are.
func (w *Watch) aside(who who, c call, do func()) {
	w.asked, w.alone = c, true
	w.enter(who, w.now)
	do()
	w.alone = false
	w.leave()
}

// enter notes that the engine calls somebody.
func (w *Watch) enter(who who, c call) {
	w.now, w.who = c, who
	if w.settings.Again > 0 {
		w.beats.Add(1)
	}
}

// leave notes that the call has returned. If nobody has waited for that, it is the end of
// the goroutine: the engine belongs to others now.
func (w *Watch) leave() {
	w.who = nobody
	if w.settings.Again > 0 {
		w.beats.Add(1)
		w.goAway()
	}
}

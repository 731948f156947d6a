package audit

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"simrun/scenarios/label"
	"simrun/sim"
)

// Misdeed is what somebody did that the engine cannot go on with, or that makes a run
// depend on more than its configuration.
type Misdeed struct {
	Node     int32          // -1: the coordinator's, or not known
	Snapshot sim.SnapshotID // 0: it is not about one
	Kind     string         // one of the kinds; of a panic, with the place
	Detail   string         // a sentence
}

// The kinds of misdeeds.
const (
	Panic            = "panic"            // with the place: "panic at mine.go:57"
	Misuse           = "misuse"           // asks for what there is not
	Endless          = "endless"          // asks for more and more
	Stuck            = "stuck"            // does not return
	Nondeterministic = "nondeterministic" // the same again is not the same
	Forgetful        = "forgetful"        // Save or Load leaves something out
	Sharing          = "sharing"          // what was handed over, or saved, changes when something else does
	Impure           = "impure-source"    // a record is not the same when it is asked for again
)

// mostSaid is how many characters of what a panic was given are told.
const mostSaid = 1000

// said is what a panic was given, on one line that can be shown.
func said(cause any) string { return label.Short(fmt.Sprint(cause), mostSaid) }

// blame says whose fault a panic is; nil: the engine's.
func (w *Watch) blame(cause any) *Misdeed {
	c := w.now
	if w.alone {
		c = w.asked
	}
	switch m := cause.(type) {
	case *Misdeed:
		return m
	case *sim.Misconduct:
		if w.who == nobody { // it is carried out what the handler asked for
			who := theAlgorithm
			switch {
			case m.Node < 0:
				who = theCoordinator
			case m.App:
				who = theApp
			}
			return w.misdeed(Misuse, who, c, "%s", m.Does)
		}
		return w.misdeed(Endless, w.who, c, "%s", m.Does)
	}
	if w.who == nobody {
		return nil
	}
	_, file, line := scene()
	again := ""
	if w.second {
		again = "loaded from what it has saved, "
	}
	return w.misdeed(fmt.Sprintf("%s at %s:%d", Panic, file, line), w.who, c, "%spanics at %s:%d: %v", again, file, line, said(cause))
}

// misdeed words a misdeed in a call: what it does is the last part of a sentence.
func (w *Watch) misdeed(kind string, who who, c call, does string, args ...any) *Misdeed {
	return &Misdeed{Node: c.node, Kind: kind, Detail: fmt.Sprintf("%s, when %s, %s", w.name(who, c.node), w.when(c), fmt.Sprintf(does, args...))}
}

// name names whose code it is.
func (w *Watch) name(who who, v int32) string {
	switch who {
	case theCoordinator:
		return "the coordinator"
	case theApp:
		return "the App of " + w.names.Node(v)
	case theSource:
		return "the source of " + w.names.Node(v)
	}
	return "node " + w.names.Node(v)
}

// scene is where the panic was that a deferred function looks into: the last line that
// is not the engine's.
func scene() (function, file string, line int) {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	panicked := false
	for {
		frame, more := frames.Next()
		own := strings.HasPrefix(frame.Function, "runtime.") || strings.HasPrefix(frame.Function, "simrun/sim.")
		switch {
		case strings.HasPrefix(frame.Function, "runtime.gopanic") || strings.HasPrefix(frame.Function, "runtime.panic"):
			panicked = true
		case panicked && !own:
			return frame.Function, filepath.Base(frame.File), frame.Line
		}
		if !more {
			return "", "unknown", 0
		}
	}
}

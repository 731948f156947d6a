package audit

import (
	"fmt"
	"runtime/debug"
	"strings"

	"simrun/sim"
)

// Judging calls f, which executes Apps again to judge a run that is over, and returns the
// misdeed of one that panics there; nil if none does. No Watch is there, so that only the
// place is known. A panic that is not the App's goes on.
func Judging(f func()) (deed *Misdeed) {
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		const when = "when the run is executed again to be judged"
		if m, ok := cause.(*sim.Misconduct); ok {
			deed = &Misdeed{Node: -1, Kind: Misuse, Detail: fmt.Sprintf("an App %s %s", m.Does, when)}
			return
		}
		function, file, line := scene()
		if judges(function) {
			panic(fmt.Sprintf("%v\n\n%s", cause, debug.Stack()))
		}
		deed = &Misdeed{Node: -1, Kind: fmt.Sprintf("%s at %s:%d", Panic, file, line),
			Detail: fmt.Sprintf("an App panics at %s:%d (%v) %s", file, line, said(cause), when)}
	}()
	f()
	return nil
}

// judges says whether a function is of those that judge runs.
func judges(function string) bool {
	for _, own := range []string{"simrun/invariants.", "simrun/invariants/", "simrun/scenarios.", "simrun/scenarios/audit."} {
		if strings.HasPrefix(function, own) {
			return true
		}
	}
	return false
}

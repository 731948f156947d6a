package sim

import "fmt"

// Misconduct is what a run panics with when an algorithm, an App or a coordinator asks
// for what there is not, or without end. It is a fault of theirs, and none of the
// engine's; what happened before it Abandon tells.
type Misconduct struct {
	Node int32  // -1: not known to whoever saw it, or the coordinator
	App  bool   // the App of the node, and not its algorithm
	Does string // the rest of the sentence: "sends on output 3, and has 2 outputs"
}

// Error says it in a sentence.
func (m *Misconduct) Error() string {
	who := "the algorithm"
	if m.App {
		who = "the App"
	}
	if m.Node >= 0 {
		who += fmt.Sprintf(" on node %d", m.Node)
	}
	return "sim: " + who + " " + m.Does
}

// Abandon ends a run that was left by a panic of an algorithm, of an App or of a
// Misconduct, and returns what happened until then. What the handler that was under way
// had asked for, and what had not been carried out of it, is dropped. The engine can be
// Reset afterwards, and nothing else.
func (e *Engine) Abandon() *History {
	if e.currentInput != noInput && e.told != e.steps {
		e.tookFrom(e.current)
	}
	e.ended, e.history.End = true, Misbehaved
	e.undoRestore()
	return e.finish()
}

// undoRestore takes the row of a restore back that did not come to an end.
func (e *Engine) undoRestore() {
	rows, restores := e.history.Rows, e.history.Restores
	last := len(rows) - 1
	if last >= 0 && rows[last].Kind() == RowRestore && (len(restores) == 0 || restores[len(restores)-1].Row != last) {
		e.history.Rows = rows[:last]
	}
}

// Identity is the number of a message on its channel and the incarnation that sent it:
// for those who watch a run. A Node has no engine to ask.
func (e *Engine) Identity(m Message) (number uint32, incarnation uint8) {
	return m.number(), m.incarnation()
}

// entriesMax is how many things a handler may ask for, beside a few for each output and
// for all that Recover is given.
const entriesMax = 1_000_000

// entriesEach is how many those few are.
const entriesEach = 8

// allow says how much a handler may ask for that is given so much.
func (e *Engine) allow(given int) {
	e.out.extra = entriesEach * (given + int(e.mostOuts))
	e.out.effects.extra = e.out.extra
}

// endless is what a recorder panics with that has grown too long. It is always the same
// one, so that growing costs nothing.
var endless = &Misconduct{Node: -1, Does: fmt.Sprintf("asks for more than %d things in one handler, and goes on", entriesMax)}

package sim

// Savepointer is a Coordinator that takes savepoints: checkpoints that the user asks for and
// keeps, beside those that the graph is restored from after a crash.
type Savepointer interface {
	// Savepoint is told that the user asks for one. Nothing tells the user whether one
	// begins.
	Savepoint(out *Decisions)
}

// requestSavepoint passes the user's wish on. A coordinator that is down does not hear it.
func (e *Engine) requestSavepoint() {
	m := e.management
	if m.down {
		return
	}
	if c, ok := m.coordinator.(Savepointer); ok {
		c.Savepoint(&m.decisions)
		e.decide()
	}
}

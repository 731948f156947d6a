package sim

import (
	"slices"
	"sort"
)

// armed finds an App's timer among those of its node, which are sorted by id.
func (e *Engine) armed(v int32, id uint32) (int, bool) {
	if e.timers == nil {
		return 0, false
	}
	list := e.timers[v]
	i := sort.Search(len(list), func(i int) bool { return list[i].ID >= id })
	return i, i < len(list) && list[i].ID == id
}

// armedTimers is a copy of the timers that are armed at a node.
func (e *Engine) armedTimers(v int32) []ArmedTimer {
	if e.timers == nil {
		return nil
	}
	return slices.Clone(e.timers[v])
}

// goesOff notes that a Node is handed a timer, and comesBack that it lets the App
// process one, if it has one to give.
func (e *Engine) goesOff(v int32, id uint32) {
	if e.gone == nil {
		e.gone = make([][]uint32, len(e.nodes))
	}
	e.gone[v] = append(e.gone[v], id)
}

func (e *Engine) comesBack(v int32, id uint32) bool {
	if e.gone == nil {
		return false
	}
	i := slices.Index(e.gone[v], id)
	if i < 0 {
		return false
	}
	e.gone[v] = slices.Delete(e.gone[v], i, i+1)
	return true
}

// outdated says that the timer of an appointment has been armed again since, or
// is lost: nothing happens then.
func (e *Engine) outdated(a *appointment) bool {
	i, ok := e.armed(a.entity, a.index)
	return !ok || e.timers[a.entity][i].Due != a.at
}

// arm sets a timer of node v, replacing its earlier self.
func (e *Engine) arm(v int32, id uint32, due int64) {
	if e.timers == nil {
		e.timers = make([][]ArmedTimer, len(e.nodes))
	}
	i, ok := e.armed(v, id)
	if !ok {
		e.timers[v] = append(e.timers[v], ArmedTimer{})
		copy(e.timers[v][i+1:], e.timers[v][i:])
	}
	again := ok && e.timers[v][i].Due == due // it has its appointment
	e.timers[v][i] = ArmedTimer{ID: id, Due: due}
	if e.observer != nil {
		e.observe(Event{Kind: EventArm, Node: v, Timer: id, Due: due})
	}
	if e.chosen {
		e.ready.arm(Step{Kind: StepTimer, Entity: v, Index: id})
	} else if !again {
		e.diary.add(appointment{at: due, class: StepTimer, entity: v, index: id})
	}
}

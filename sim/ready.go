package sim

import "slices"

// ready is the agenda of chosen order: the set of steps that could run next.
// Channel heads and External records, which are many, stand in a dense list that
// knows each one's position; the few others in a list of their own.
type ready struct {
	entities []int32
	others   []Step
	orders   []Step // to initiate, at nodes that have an earlier one among others
	open     []Step // that nothing makes necessary; see offer
	engine   *Engine
}

// position is where an entity keeps its place in the ready set.
func (e *Engine) position(entity int32) *int32 {
	if entity >= e.externals {
		return &e.channels[entity-e.externals].position
	}
	return &e.sources[entity].position
}

// add makes an entity a candidate.
func (r *ready) add(e *Engine, entity int32) {
	*e.position(entity) = int32(len(r.entities))
	r.entities = append(r.entities, entity)
}

// remove takes the entity at a position out.
func (r *ready) remove(e *Engine, position int) {
	last := len(r.entities) - 1
	moved := r.entities[last]
	r.entities[position] = moved
	*e.position(moved) = int32(position)
	r.entities = r.entities[:last]
}

// Len implements Enabled.
func (r *ready) Len() int { return len(r.entities) + len(r.others) + len(r.open) }

// At implements Enabled.
func (r *ready) At(i int) Step {
	if i -= len(r.entities); i >= len(r.others) {
		return r.open[i-len(r.others)]
	} else if i >= 0 {
		return r.others[i]
	}
	i += len(r.entities)
	if entity := r.entities[i]; entity >= r.engine.externals {
		return Step{Kind: StepDeliver, Entity: entity - r.engine.externals}
	}
	return Step{Kind: StepExternal, Entity: r.entities[i]}
}

// arm adds a step of the rarer kinds; a timer replaces its earlier self.
func (r *ready) arm(s Step) {
	for _, o := range r.others {
		if o == s {
			return
		}
	}
	r.others = append(r.others, s)
}

// order adds an order to initiate. A node is given its orders in the order of
// their ids, so only its first can be chosen.
func (r *ready) order(s Step) {
	for _, o := range r.others {
		if o.Kind == StepInitiate && o.Entity == s.Entity {
			r.orders = append(r.orders, s)
			return
		}
	}
	r.others = append(r.others, s)
}

// orderNext makes the next order to a node a candidate.
func (r *ready) orderNext(v int32) {
	for i, s := range r.orders {
		if s.Entity == v {
			r.orders = append(r.orders[:i], r.orders[i+1:]...)
			r.others = append(r.others, s)
			return
		}
	}
}

// keep drops the rarer steps for which f is false.
func (r *ready) keep(f func(Step) bool) {
	drop := func(s Step) bool { return !f(s) }
	r.others, r.orders = slices.DeleteFunc(r.others, drop), slices.DeleteFunc(r.orders, drop)
}

// clear empties the set but for what the coordinator does.
func (r *ready) clear() {
	r.entities, r.orders = r.entities[:0], r.orders[:0]
	r.keep(func(s Step) bool { return s.Kind.managed() })
}

package shrink

import "slices"

// thin leaves out runs of steps, large ones first, down to a length.
func (x *shrinker) thin(least int) {
	if x.best.timed {
		return
	}
	for length := max(len(x.best.items)/2, 1); length >= max(least, 1); length /= 2 {
		for from := len(x.best.items) - length; from > -length && !x.over(); from -= length {
			begin, end := max(from, 0), min(from+length, len(x.best.items))
			if begin < end {
				x.without(begin, end)
			}
		}
	}
}

// without tries to leave out the steps between two places; marks stay.
func (x *shrinker) without(begin, end int) bool {
	items := slices.Clone(x.best.items[:begin])
	left := 0
	for _, it := range x.best.items[begin:end] {
		if it.mark != aStep {
			items = append(items, it)
		} else {
			left++
		}
	}
	if left == 0 {
		return false
	}
	a := *x.best.attempt
	a.items = append(items, x.best.items[end:]...)
	was := x.best
	if x.take(&a) {
		if x.best.size.Steps < was.size.Steps {
			return true
		}
		x.best = was // what was left out happened later all the same
	}
	return false
}

// order makes neighbours of steps at the same node, where that changes nothing: a
// schedule with few changes of place is easier to follow.
func (x *shrinker) order() {
	if x.best.timed {
		return
	}
	for i := 1; i < len(x.best.items) && !x.over(); i++ {
		items := x.best.items
		if items[i].mark != aStep || x.place(items[i]) == x.place(items[i-1]) {
			continue
		}
		for j := i + 1; j < len(items); j++ {
			if items[j].mark != aStep || x.place(items[j]) != x.place(items[i-1]) {
				continue
			}
			a := *x.best.attempt
			a.items = slices.Insert(slices.Delete(slices.Clone(items), j, j+1), i, items[j])
			was, changes := x.best, x.changes(items)
			if x.take(&a) && (x.best.size != was.size || x.changes(x.best.items) >= changes) {
				x.best = was
			}
			break
		}
	}
}

// place is the node at which an item of the list happens, -1 for a mark.
func (x *shrinker) place(it item) int32 {
	if it.mark != aStep {
		return -1
	}
	return x.best.plan.Place(it.step)
}

// changes is how often the place changes.
func (x *shrinker) changes(items []item) (n int) {
	for i := 1; i < len(items); i++ {
		if x.place(items[i]) != x.place(items[i-1]) {
			n++
		}
	}
	return n
}

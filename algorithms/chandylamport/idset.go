package chandylamport

import (
	"slices"

	"simrun/sim"
)

// idSet is a set of snapshot ids. Snapshots end nearly in the order of their
// ids, so a few spans hold any number of them.
type idSet []span // ascending; between two of them at least one id is missing

// span is the ids from first to last, both included.
type span struct{ first, last sim.SnapshotID }

// has tells whether id is in the set. It looks from the end, where the ids are
// that somebody still asks about.
func (s idSet) has(id sim.SnapshotID) bool {
	for i := len(s) - 1; i >= 0 && id <= s[i].last; i-- {
		if id >= s[i].first {
			return true
		}
	}
	return false
}

// add puts id into the set, in which it must not be.
func (s *idSet) add(id sim.SnapshotID) {
	set := *s
	at := len(set) // the first span after id
	for at > 0 && id < set[at-1].first {
		at--
	}
	joinsBefore := at > 0 && set[at-1].last+1 == id
	joinsAfter := at < len(set) && id+1 == set[at].first
	switch {
	case joinsBefore && joinsAfter:
		set[at-1].last = set[at].last
		set = slices.Delete(set, at, at+1)
	case joinsBefore:
		set[at-1].last = id
	case joinsAfter:
		set[at].first = id
	default:
		set = slices.Insert(set, at, span{id, id})
	}
	*s = set
}

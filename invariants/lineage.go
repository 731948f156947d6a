package invariants

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// lineage is where a step or a message comes from: the source record of which it is
// an effect, and what lies on the way. A step on External record k of node v has the
// root (v, k); what a step sends, emits and arms has the root of the step; and a step
// on a message or a timer has the root of that. So everything that happens after the
// start has a root.
type lineage uint64 // flags in the upper 5 bits, node in the 27 below, record in the lower 32

const (
	loopCrossed  lineage = 1 << 63 // a message on the way was on a back-edge
	timerCrossed lineage = 1 << 62 // a step on the way was that of a timer
	heldOver     lineage = 1 << 61 // a message on the way was held back by its sender across a cut
	looseCrossed lineage = 1 << 60 // a message on the way was on an unreliable channel
	orphaned     lineage = 1 << 59 // a message on the way is sent again after a restore
	detour               = loopCrossed | timerCrossed | heldOver | looseCrossed | orphaned

	recordBits = 32
)

// rootOf is the lineage of a step on an External record.
func rootOf(v int32, k uint64) lineage { return lineage(v)<<recordBits | lineage(uint32(k)) }

// node is the source of the record.
func (l lineage) node() int32 { return int32(l &^ detour >> recordBits) }

// number is the record's, from 1.
func (l lineage) number() uint64 { return uint64(uint32(l)) }

// record is the root without what lies on the way.
func (l lineage) record() RecordID { return RecordID{l.node(), l.number()} }

// RecordID names one record of the outside world: the Number-th External record of
// a node, from 1.
type RecordID struct {
	Node   int32
	Number uint64
}

// compare orders records by node and number.
func (id RecordID) compare(other RecordID) int {
	return cmp.Or(cmp.Compare(id.Node, other.Node), cmp.Compare(id.Number, other.Number))
}

// recordsMax is the most records that a list of a Report holds.
const recordsMax = 100

// armed is a timer that has not fired, and the root of the step that armed it.
type armed struct {
	id   uint32
	root lineage
}

// emission is what an App has produced for the outside world and has not left its
// node.
type emission struct {
	hash    uint64
	root    lineage
	crossed bool // a restore did not take it back
	row     int  // of the step that produced it
}

// compare orders timers by their ids.
func (t armed) compare(id uint32) int { return cmp.Compare(t.id, id) }

// withTimer is a list of armed timers, sorted by id, with one more, which replaces its
// earlier self.
func withTimer(timers []armed, t armed) []armed {
	i, found := slices.BinarySearchFunc(timers, t.id, armed.compare)
	if !found {
		return slices.Insert(timers, i, t)
	}
	timers[i] = t
	return timers
}

// timerIDs is the timers that are armed.
func (p *position) timerIDs() []uint32 {
	ids := make([]uint32, len(p.timers))
	for i := range p.timers {
		ids[i] = p.timers[i].id
	}
	return ids
}

// records words a list of records that is sorted: "record 3 of A", "records 3 to 5 of A
// and record 1 of B".
func (r *Run) records(ids []RecordID) string {
	var parts []string
	for i := 0; i < len(ids); {
		j, v := i, ids[i].Node
		var numbers []uint32
		for ; j < len(ids) && ids[j].Node == v; j++ {
			numbers = append(numbers, uint32(ids[j].Number))
		}
		parts = append(parts, fmt.Sprintf("%s of %s", ranges(numbers, "record"), r.node(v)))
		if i = j; len(parts) == listed && i < len(ids) {
			parts = append(parts, fmt.Sprintf("%d more", len(ids)-i))
			break
		}
	}
	if last := len(parts) - 1; last > 0 {
		return strings.Join(parts[:last], ", ") + " and " + parts[last]
	}
	return strings.Join(parts, "")
}

// recordsOf is the records of roots, each once and sorted; it sorts the roots.
func recordsOf(roots []lineage) (ids []RecordID) {
	slices.SortFunc(roots, func(a, b lineage) int { return cmp.Compare(a&^detour, b&^detour) })
	for _, root := range roots {
		if id := root.record(); len(ids) == 0 || id != ids[len(ids)-1] {
			ids = append(ids, id)
		}
	}
	return ids
}

package invariants

import (
	"math/bits"
	"slices"

	"simrun/sim"
)

// Ledger says of a run with restores, by the records of its sources, whose effects
// the states have, and how often what follows from a record left the system. It is
// measured against the stitched run, which is the run as if nothing had failed.
//
// In the stitched run every record is processed once, and every message that
// descends from it is too: what contradicts that is a violation, unless the algorithm
// promises at-least-once only: then messages are processed again. What left the system
// nobody takes back, though: where a restore undoes the step that emitted it, it
// leaves once more, unless the sink is transactional. Where channels lose, double or
// reorder, records come to nothing or take effect twice without any restore, and there is
// no Ledger.
type Ledger struct {
	Records int64 // that were read, whether or not a restore took that back

	// Effects, by records: Once, Repeated, Lost and Undone together are Records.
	EffectsOnce     int64 // in the stitched run
	EffectsRepeated int64 // some state has them more than once
	EffectsLost     int64 // lost by a restore: as no replay was asked for, else by mistake
	EffectsUndone   int64 // taken back by a restore, and not read again before the run ended

	// Outputs, by the records from which they descend.
	OutputsOnce       int64 // each output left once
	OutputsDuplicated int64 // some left again after a restore
	OutputsLost       int64 // some never left
	OutputsWaiting    int64 // some have not left, and no complete checkpoint covers them: of a transactional sink
	OutputsUnbacked   int64 // some left, and the stitched run has none: their effects are lost or undone
	Duplicates        int64 // outputs of OutputsDuplicated beyond those of the stitched run

	// A hundred records of each at most, by node and number.
	Repeated, Lost, Undone, Duplicated, OutputLost, Waiting, Unbacked []RecordID

	Effects, Outputs Guarantee // what was kept, whatever was promised
}

// Guarantee is how often effects of a record are in the states, or outputs left the
// system.
type Guarantee string

// The guarantees. Under a Run that does not replay, outputs whose record is lost are
// not counted as too many: they left once.
const (
	ExactlyOnce Guarantee = "exactly-once"
	AtLeastOnce Guarantee = "at-least-once" // some more than once, none lost
	AtMostOnce  Guarantee = "at-most-once"  // some lost, none more than once
	Unreliable  Guarantee = "none"          // some lost, and some more than once
	NoOutputs   Guarantee = "no-outputs"    // nothing left the system or should have
)

// ledger is what the replay notes for a Ledger, if there are restores.
type ledger struct {
	on      bool
	emitted []recordSet // by node: of the stitched run, those with outputs that left
	undone  []lineage   // of outputs that left and were taken back
	again   []recordSet // by node: these, when the run is over
	missed  []lineage   // of outputs that never left
	waiting []lineage   // of outputs that a transactional sink has not let go
	dropped []lineage   // of messages that were never processed
	orphans []lineage   // of messages that the next restore has sent again
	twice   []recordSet // by node: those of such messages
	reached []uint64    // by node: External records read in any incarnation
	skipped []RecordID  // lost without replay, the first recordsMax
}

// recordSet is a set of record numbers.
type recordSet []uint64

func (s *recordSet) add(k uint64) {
	for uint64(len(*s)) <= k/64 {
		*s = append(*s, 0)
	}
	(*s)[k/64] |= 1 << (k % 64)
}

func (s recordSet) has(k uint64) bool { return k/64 < uint64(len(s)) && s[k/64]>>(k%64)&1 != 0 }

func (s recordSet) size() (n int64) {
	for _, word := range s {
		n += int64(bits.OnesCount64(word))
	}
	return n
}

// all is its numbers, ascending.
func (s recordSet) all() func(yield func(uint64) bool) {
	return func(yield func(uint64) bool) {
		for i, word := range s {
			for ; word != 0; word &= word - 1 {
				if !yield(uint64(64*i + bits.TrailingZeros64(word))) {
					return
				}
			}
		}
	}
}

func (l *ledger) reset(on bool, nodes int) {
	l.on = on
	if !on {
		return
	}
	l.emitted, l.again, l.reached = resize(l.emitted, nodes), resize(l.again, nodes), resize(l.reached, nodes)
	l.twice = resize(l.twice, nodes)
	for v := range l.emitted {
		l.emitted[v], l.again[v], l.twice[v] = l.emitted[v][:0], l.again[v][:0], l.twice[v][:0]
	}
	clear(l.reached)
	l.orphans = l.orphans[:0]
	l.undone, l.missed, l.dropped, l.skipped = l.undone[:0], l.missed[:0], l.dropped[:0], l.skipped[:0]
	l.waiting = l.waiting[:0]
}

// emit notes that an emission with this root leaves.
func (l *ledger) emit(root lineage, undone bool) {
	if !l.on {
		return
	}
	if !root.known() {
		return
	}
	if undone || root&orphaned != 0 {
		l.undone = append(l.undone, root)
	} else {
		l.emitted[root.node()].add(root.number())
	}
}

// takeBack notes that a restore takes a source from record reached back to offset;
// without replay what lies between is lost.
func (l *ledger) takeBack(v int32, offset, reached uint64, replay sim.Replay) {
	l.reached[v] = max(l.reached[v], reached)
	if replay == sim.NoReplay {
		for k := offset + 1; k <= reached && len(l.skipped) < recordsMax; k++ {
			l.skipped = append(l.skipped, RecordID{v, k})
		}
	}
}

// skip says whether what a node emits is right but for emissions that it should have
// emitted before: those are lost if a restore, or a transaction, should have kept them.
func (r *replay) skip(v int32, n *node, hash uint64) bool {
	i := slices.IndexFunc(n.emits, func(e emission) bool { return e.hash == hash })
	if i < 0 || kept(n.emits[:i]) < i && !r.c.run.Transactional {
		return false
	}
	r.passedOver(v, n, i)
	return true
}

// kept is how many emissions wait since before a restore.
func kept(emits []emission) (count int) {
	for i := range emits {
		if emits[i].crossed {
			count++
		}
	}
	return count
}

// missed reports emissions that were produced before a restore, were not taken back by
// it, and never left.
func (r *replay) missed(v int32, n *node, emits []emission) {
	var roots []lineage
	where := atNode(v)
	where.Restore = r.restores - 1
	for i := range emits {
		if emits[i].crossed {
			roots = append(roots, emits[i].root)
		}
	}
	if len(roots) == 0 {
		return
	}
	ids, of := r.neverOut(n, roots)
	where.Records = someRecords(ids)
	r.c.report(recovery, where, "restore %d has lost output: %s of %s, of %s, came before the cut and never left",
		where.Restore+1, counted(len(roots), "emission"), r.c.run.node(v), of)
}

// neverOut notes in the ledger that emissions of a node never left, and names them.
func (r *replay) neverOut(n *node, roots []lineage) (ids []RecordID, phrase string) {
	for _, root := range roots {
		if root.known() && !r.undone(n) {
			r.ledger.missed = append(r.ledger.missed, root)
		}
	}
	return r.named(roots)
}

// account closes the ledger at the end of a run that was legal.
func (r *replay) account() {
	l, c := &r.ledger, r.c
	if !l.on || r.restores < len(c.h.Restores) || len(r.loose) > 1 || r.echoing() {
		return
	}
	if c.h.End == sim.Quiescent {
		r.neverLeft()
	}
	out := &Ledger{}
	r.effects(out)
	r.outputs(out)
	out.Effects, out.Outputs = guarantee(out.EffectsRepeated > 0, out.EffectsLost > 0), out.guarantee(c.run.Replay)
	c.out.Ledger = out
}

// neverLeft finds what a restore has lost, in a run that has come to rest: what was on
// its way across the cut and came nowhere.
func (r *replay) neverLeft() {
	for v := range int32(len(r.nodes)) {
		if n := &r.nodes[v]; !n.down {
			r.missed(v, n, n.emits)
		}
	}
	for id := range int32(len(r.channels)) {
		ch := &r.channels[id]
		left := uint32(len(at(r.c.h.Final.InFlight, id)))
		var roots []lineage
		where := inChannel(id)
		where.Restore = r.restores - 1
		number := ch.processed
		for i := ch.next; i != 0; i = r.queues.entries[i].next {
			e := &r.queues.entries[i]
			number++
			gone := number+left <= ch.sent && !r.nodes[ch.to].down
			gone = gone || number > ch.sent && !r.nodes[ch.from].down
			if gone && e.incarnation < r.incarnation && e.root.known() {
				roots = append(roots, e.root)
				where.Numbers = append(where.Numbers, number)
			}
		}
		if len(roots) == 0 {
			continue
		}
		r.ledger.dropped = append(r.ledger.dropped, roots...)
		ids := recordsOf(roots)
		where.Records = someRecords(ids)
		numbers := where.Numbers
		where.Numbers = numbers[:min(len(numbers), numbersMax)]
		r.c.report(recovery, where, "restore %d has lost effects of %s: %s on %s crossed the cut, and %s never processed %s",
			where.Restore+1, r.c.run.records(ids), messages(numbers), r.c.run.channel(id), r.c.run.node(ch.to),
			them(numbers[0], numbers[len(numbers)-1]))
	}
}

// effects counts the records.
func (r *replay) effects(out *Ledger) {
	dropped := recordsOf(r.ledger.dropped)
	out.EffectsLost = r.c.out.Lost + int64(len(dropped))
	r.repeated(out)
	out.EffectsOnce = -out.EffectsLost - out.EffectsRepeated
	for v := range int32(len(r.nodes)) {
		offset, reached := r.nodes[v].offset, r.ledger.reached[v]
		out.EffectsOnce += int64(offset - r.c.firstOffset(v))
		out.EffectsUndone += int64(max(reached, offset) - offset)
		for k := offset + 1; k <= reached && len(out.Undone) < recordsMax; k++ {
			out.Undone = listRecord(out.Undone, RecordID{v, k})
		}
	}
	out.Records = out.EffectsOnce + out.EffectsRepeated + out.EffectsLost + out.EffectsUndone
	lost := append(slices.Clone(r.ledger.skipped), dropped...)
	slices.SortFunc(lost, RecordID.compare)
	out.Lost = someRecords(lost)
}

// outputs counts the records with outputs.
func (r *replay) outputs(out *Ledger) {
	l := &r.ledger
	for v := range l.emitted {
		out.OutputsOnce += l.emitted[v].size()
	}
	missed := recordsOf(l.missed)
	out.OutputsLost = int64(len(missed))
	out.OutputLost = someRecords(missed)
	waiting := slices.DeleteFunc(recordsOf(l.waiting), func(id RecordID) bool {
		_, found := slices.BinarySearchFunc(missed, id, RecordID.compare)
		return found
	})
	out.OutputsWaiting = int64(len(waiting))
	out.Waiting = someRecords(waiting)
	for _, id := range append(waiting, missed...) {
		if l.emitted[id.Node].has(id.Number) {
			out.OutputsOnce--
		}
	}
	for _, root := range l.undone {
		id := root.record()
		if _, found := slices.BinarySearchFunc(missed, id, RecordID.compare); found {
			continue
		}
		if l.emitted[id.Node].has(id.Number) {
			out.Duplicates++
		}
		l.again[id.Node].add(id.Number)
	}
	for v := range l.again {
		for k := range l.again[v].all() {
			id := RecordID{int32(v), k}
			if l.emitted[v].has(k) {
				out.OutputsOnce--
				out.OutputsDuplicated++
				out.Duplicated = listRecord(out.Duplicated, id)
			} else {
				out.OutputsUnbacked++
				out.Unbacked = listRecord(out.Unbacked, id)
			}
		}
	}
}

// guarantee is what the counts of the outputs come to.
func (l *Ledger) guarantee(replay sim.Replay) Guarantee {
	more := l.OutputsDuplicated > 0 || l.OutputsUnbacked > 0 && replay != sim.NoReplay
	less := l.OutputsLost > 0 || l.EffectsLost > 0
	if l.OutputsOnce+l.OutputsDuplicated+l.OutputsLost+l.OutputsWaiting+l.OutputsUnbacked == 0 {
		return NoOutputs
	}
	return guarantee(more, less)
}

// guarantee is what is kept if some came more than once, or less.
func guarantee(more, less bool) Guarantee {
	switch {
	case more && less:
		return Unreliable
	case more:
		return AtLeastOnce
	case less:
		return AtMostOnce
	}
	return ExactlyOnce
}

// someRecords is the first of a list.
func someRecords(ids []RecordID) []RecordID {
	if len(ids) == 0 {
		return nil
	}
	return ids[:min(len(ids), recordsMax)]
}

// listRecord adds to a list that has an end.
func listRecord(list []RecordID, id RecordID) []RecordID {
	if len(list) < recordsMax {
		list = append(list, id)
	}
	return list
}

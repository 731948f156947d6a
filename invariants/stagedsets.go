package invariants

import (
	"fmt"
	"slices"

	"simrun/sim"
)

// This file is the invariant abs-staged by the sets of source records: a snapshot
// holds all and only the effects of the records that were read before its barrier
// (Carbone et al. 2015, 4.2: the snapshot of a stage). A message is processed before
// its receiver records a snapshot if and only if its root was read before the root's
// source did.
//
// What goes round a loop is exempt, as the barrier overtakes it by way of the log,
// and so are timers, which go off when they like, and outputs that are held back
// across the cut: a snapshot holds them as attached, and channel-state sees to that. What an unreliable channel brings in the wrong place, other invariants
// say. If all is well each message is compared with two snapshots only, the last
// that its receiver has recorded and the next that it will record: those before hold
// less, and those after more. Where that shows something wrong, the others are looked
// at too.

// stray is a set of messages of one channel that are on the wrong side of a cut.
type stray struct {
	snapshot *sim.Snapshot
	channel  int32
	early    bool      // processed inside the cut, and the record was read outside it
	numbers  []uint32  // the first numbersMax of them
	roots    []lineage // of these
}

// strays is those of a run, in the order in which they came about.
type strays struct {
	list    []stray
	index   map[strayKey]int
	doubted map[offsetKey]bool // offsets of snapshots that are noted wrongly
}

type offsetKey struct {
	snapshot sim.SnapshotID
	node     int32
}

type strayKey struct {
	snapshot sim.SnapshotID
	channel  int32
	early    bool
}

func (x *strays) reset() {
	clear(x.list)
	x.list = x.list[:0]
	clear(x.index)
	clear(x.doubted)
}

// doubt notes that a snapshot does not say truly what a source had read: what follows
// from that is no fault of its own.
func (x *strays) doubt(s *sim.Snapshot, v int32) {
	if x.doubted == nil {
		x.doubted = make(map[offsetKey]bool)
	}
	x.doubted[offsetKey{s.ID, v}] = true
}

// settle drops the messages that are on the wrong side of a doubted offset only.
func (x *strays) settle() {
	if len(x.doubted) == 0 {
		return
	}
	for i := range x.list {
		e := &x.list[i]
		k := 0
		for j, root := range e.roots {
			if !x.doubted[offsetKey{e.snapshot.ID, root.node()}] {
				e.roots[k], e.numbers[k] = root, e.numbers[j]
				k++
			}
		}
		e.roots, e.numbers = e.roots[:k], e.numbers[:k]
	}
	x.list = slices.DeleteFunc(x.list, func(e stray) bool { return len(e.roots) == 0 })
}

func (x *strays) add(s *sim.Snapshot, ch int32, number uint32, root lineage, early bool) {
	key := strayKey{s.ID, ch, early}
	i, found := x.index[key]
	if !found {
		if x.index == nil {
			x.index = make(map[strayKey]int)
		}
		i = len(x.list)
		x.index[key] = i
		x.list = append(x.list, stray{snapshot: s, channel: ch, early: early})
	}
	most := numbersMax
	if i >= 10*violationsMax {
		most = 1 // a broken run of a large graph has millions
	}
	e := &x.list[i]
	for k := range e.numbers {
		if e.numbers[k] == number && e.roots[k] == root {
			return // brought once more by a restore
		}
	}
	if len(e.numbers) < most {
		e.numbers, e.roots = append(e.numbers, number), append(e.roots, root)
	}
}

// stage is where a node stands among the snapshots.
type stage struct {
	recorded *sim.Snapshot // the last that it recorded, or was restored from; nil: none
	upcoming *sim.Snapshot // the next that it will record, perhaps after a restore; nil: none
	seen     int           // index into Checker.complete of the first that it has not recorded
}

// align puts every node before the first snapshot, if the algorithm aligns any.
func (r *replay) align() {
	r.strays.reset()
	if r.staged = r.c.run.Aligned && !r.c.off[absStaged]; !r.staged {
		return
	}
	r.stages = resize(r.stages, r.c.run.Graph.Nodes)
	clear(r.stages)
	for v := range r.stages {
		r.await(int32(v), nil, -1)
	}
}

// await notes which snapshot a node has recorded, or was restored from, and finds the
// next one: it comes after row at.
func (r *replay) await(v int32, s *sim.Snapshot, at int) {
	if !r.staged {
		return
	}
	n := &r.stages[v]
	n.recorded, n.upcoming = s, nil
	for n.seen < len(r.c.complete) && r.c.complete[n.seen].Recordings[v].Row <= at {
		n.seen++
	}
	if n.seen < len(r.c.complete) {
		n.upcoming = r.c.complete[n.seen]
	}
}

// descend compares the message that is being processed with the snapshots before and
// after.
func (r *replay) descend(ch int32, number uint32) {
	n := &r.stages[r.channels[ch].to]
	source, k := r.root.node(), r.root.number()
	if s := n.recorded; s != nil && k <= s.Recordings[source].Offset {
		r.late(ch, number, r.root, n)
	}
	if s := n.upcoming; s != nil && k > s.Recordings[source].Offset {
		r.early(ch, number, n)
	}
}

// late finds the snapshots of this incarnation, and the one that it began with, that
// lack the effect of a message.
func (r *replay) late(ch int32, number uint32, root lineage, n *stage) {
	source, k, v := root.node(), root.number(), r.channels[ch].to
	r.strays.add(n.recorded, ch, number, root, false)
	began, base := -1, (*sim.Snapshot)(nil)
	for i := r.restores - 1; i >= 0 && began < 0; i-- {
		if restore := &r.c.h.Restores[i]; restore.Restarted(v) {
			began, base = restore.Row, restore.Snapshot
		}
	}
	for i := n.seen - 1; i >= 0; i-- {
		s := r.c.complete[i]
		switch {
		case s == n.recorded:
			continue
		case s.Recordings[v].Row <= began:
			s = base
		}
		if s == nil || k > s.Recordings[source].Offset {
			return
		}
		r.strays.add(s, ch, number, root, false)
		if s == base {
			return
		}
	}
}

// early finds the snapshots of this incarnation that have the effect of the message
// that is being processed and should not.
func (r *replay) early(ch int32, number uint32, n *stage) {
	source, k, v := r.root.node(), r.root.number(), r.channels[ch].to
	for _, s := range r.c.complete[n.seen:] {
		if k <= s.Recordings[source].Offset ||
			r.restores < len(r.c.h.Restores) && s.Recordings[v].Row >= r.c.h.Restores[r.restores].Row {
			return
		}
		if s.Recordings[v].Row > r.at { // else it was recorded before an older one
			r.strays.add(s, ch, number, r.root, true)
		}
	}
}

// unstaged looks at the messages of reliable channels that nobody has processed, at a
// restore and at the end.
func (r *replay) unstaged() {
	if !r.staged {
		return
	}
	for id := range r.channels {
		ch := &r.channels[id]
		n := &r.stages[ch.to]
		s := n.recorded
		if s == nil || ch.back || ch.loose > 0 {
			continue
		}
		number, again := r.waiting(ch)
		for i := ch.next; i != 0; i = r.queues.entries[i].next {
			if number++; number <= again {
				continue
			}
			if root := r.queues.entries[i].root; root&detour == 0 && root.number() <= s.Recordings[root.node()].Offset {
				r.late(int32(id), number, root, n)
			}
		}
	}
}

// waiting is the number before that of the first message that waits in a channel, and up
// to which number those that wait were processed before a restore of their sender alone.
func (r *replay) waiting(ch *channel) (number, again uint32) {
	if ch.echo == 0 {
		return ch.processed, 0
	}
	return ch.sent, r.echoes[ch.echo].last() // what is sent again waits for nobody
}

// holdOver marks the outputs of a channel that are held back across a cut.
func (r *replay) holdOver(ch *channel) {
	for i := ch.unsent; i != 0; i = r.queues.entries[i].next {
		r.queues.entries[i].root |= heldOver
	}
}

// reportStrays reports what was found. Where the counters have shown already that a
// channel is not aligned, it is the same fault, and the records are added to that.
func (r *replay) reportStrays() {
	c := r.c
	r.strays.settle()
	if len(r.strays.list) == 0 {
		return
	}
	known := c.stagedByCounters()
	for i := range r.strays.list {
		e := &r.strays.list[i]
		to := c.run.node(c.run.Graph.To[e.channel])
		ids := recordsOf(slices.Clone(e.roots))
		numbers := slices.Compact(slices.Sorted(slices.Values(e.numbers)))
		effect := "the effect of " + c.run.records(ids)
		if len(ids) > 1 {
			effect = "the effects of " + c.run.records(ids)
		}
		fact := fmt.Sprintf("lacks %s on %s", effect, to)
		if e.early {
			fact = fmt.Sprintf("has in the state of %s %s, which %s", to, effect, c.run.readLate(ids))
		}
		if k, found := known[strayKey{snapshot: e.snapshot.ID, channel: e.channel}]; found {
			v := &c.out.Violations[k]
			v.Detail += fmt.Sprintf(": so it %s", fact)
			v.Records = append(v.Records, ids...)
			continue
		}
		c.standsAtCut(e.snapshot)
		where := inChannel(e.channel, numbers...)
		where.Snapshot, where.Records = e.snapshot.ID, ids
		when := "did not process %s on %s before it recorded"
		if e.early {
			when = "processed %s on %s before it recorded"
		}
		c.report(absStaged, where, "snapshot %d %s: %s "+when, e.snapshot.ID, fact, to, messages(numbers), c.run.channel(e.channel))
	}
}

// readLate says of records that are in a snapshot that they should not be.
func (r *Run) readLate(ids []RecordID) string {
	for _, id := range ids {
		if id.Node != ids[0].Node {
			return "their sources read only after they had recorded"
		}
	}
	return r.node(ids[0].Node) + " read only after it had recorded"
}

// stagedByCounters is the violations of abs-staged so far, by snapshot and channel.
func (c *Checker) stagedByCounters() map[strayKey]int {
	known := make(map[strayKey]int)
	for i := range c.out.Violations {
		if v := &c.out.Violations[i]; v.Invariant == absStaged.String() {
			known[strayKey{snapshot: v.Snapshot, channel: v.Channel}] = i
		}
	}
	return known
}

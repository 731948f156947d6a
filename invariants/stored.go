package invariants

import (
	"slices"

	"simrun/sim"
)

// The invariant coordinator on the store: nobody deletes what a checkpoint still needs,
// be it a part or a chunk that parts share; what none needs is deleted in the end; and a checkpoint that cannot be read has met
// a part that the store had torn or lost.

// checkStored takes in what became of a part, or of a checkpoint that is read.
func (c *Checker) checkStored(f *facts, x *sim.Fact) {
	if x.Kind == sim.FactUnreadable {
		c.checkUnreadable(f, x)
		return
	}
	h := x.Control.Handle
	if h == 0 || int(h) > len(f.stored) {
		return
	}
	p := &f.stored[h-1]
	switch x.Kind {
	case sim.FactShared:
		p.shares = append(p.shares, sim.Handle(x.Number))
		c.checkShared(f, x)
	case sim.FactDamaged:
		p.damaged = true
	case sim.FactDiscarded:
		p.deleted = true
		f.eachThatNeeds(h, func(m *sim.Metadata) {
			where := atNode(x.Task)
			where.Snapshot = m.ID
			c.report(coordinator, where, "the part of %s that checkpoint %d needs is deleted, and the checkpoint is still stored", c.run.node(x.Task), m.ID)
		})
	case sim.FactPurged:
		for k := range f.stored {
			if !slices.Contains(f.stored[k].shares, h) {
				continue
			}
			f.stored[k].purged = true
			f.eachThatNeeds(sim.Handle(k+1), func(m *sim.Metadata) {
				where := atNode(x.Task)
				where.Snapshot = m.ID
				c.report(coordinator, where, "chunks that were written with the part of %s of checkpoint %d are deleted, and checkpoint %d, which is still stored, shares them",
					c.run.node(x.Task), x.ID, m.ID)
			})
		}
	}
}

// eachThatNeeds visits the checkpoints that are stored and name a part.
func (f *facts) eachThatNeeds(h sim.Handle, visit func(*sim.Metadata)) {
	for i, m := range f.published {
		if m != nil && !f.retired[i] && slices.Contains(m.Handles, h) {
			visit(m)
		}
	}
}

// checkUnreadable checks that what cannot be read is damaged: one of its parts, or one
// with which chunks of it were written.
func (c *Checker) checkUnreadable(f *facts, x *sim.Fact) {
	if x.ID == 0 || uint64(x.ID) > uint64(len(f.published)) || f.published[x.ID-1] == nil || f.retired[x.ID-1] {
		return // there is none, which the order to restore it has shown
	}
	f.unreadable[x.ID-1] = true
	where := nowhere
	where.Snapshot = x.ID
	for _, h := range f.published[x.ID-1].Handles {
		if h == 0 || int(h) > len(f.stored) {
			return // as its metadata has shown
		}
		p := &f.stored[h-1]
		if p.deleted || p.purged || p.damaged {
			return
		}
		for _, owner := range p.shares {
			if owner == 0 || int(owner) > len(f.stored) || f.stored[owner-1].damaged {
				return
			}
		}
	}
	c.report(coordinator, where, "checkpoint %d cannot be read, and nothing of it was damaged or deleted", x.ID)
}

// checkStore checks, when a run has come to rest, that nothing is in the store that no
// stored checkpoint needs, nor one that is still pending.
func (c *Checker) checkStore(f *facts) {
	if c.h.End != sim.Quiescent {
		return
	}
	for i := range f.stored {
		p := &f.stored[i]
		needed := p.deleted || slices.Contains(f.pending, p.id)
		f.eachThatNeeds(sim.Handle(i+1), func(*sim.Metadata) { needed = true })
		if !needed {
			where := atNode(p.task)
			where.Snapshot = p.id
			c.report(coordinator, where, "the part of %s of checkpoint %d is in the store at the end, and no stored checkpoint needs it", c.run.node(p.task), p.id)
		}
	}
}

package mutants

import "simrun/sim"

// noCommitOnRestore takes it that what was pre-committed for a complete checkpoint has
// been committed. Where the crash came before the notice it has not, and the restored
// state does not produce it again.
type noCommitOnRestore struct{ commits }

func newNoCommitOnRestore(algorithm sim.NewNode) sim.NewNode {
	return around(algorithm, noCommitOnRestore{})
}

func (noCommitOnRestore) restored([]transaction, *sim.Out) {}

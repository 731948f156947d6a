package checkpoints

import (
	"fmt"
	"path/filepath"

	"simrun/sim"
)

// Entry is what there is to say about one checkpoint.
type Entry struct {
	ID       sim.SnapshotID
	Path     string
	Identity Identity // empty if the metadata is damaged, and so is what follows
	At       int64    // when it was complete, ns of virtual time or steps
	Tasks    int
	Bytes    int64 // of all its files
	Problem  error // nil: it is whole
}

// List looks at every checkpoint in a folder, or at the one that path names, and
// verifies every byte. The oldest comes first.
func List(path string) ([]Entry, error) {
	path = filepath.Clean(path)
	if id, single := idOf(filepath.Base(path)); single {
		e := look(path, id)
		if _, damaged := e.Problem.(*Damage); e.Problem != nil && !damaged {
			return nil, e.Problem
		}
		return []Entry{e}, nil
	}
	all, err := ids(path)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: there is no checkpoint in this folder", path)
	}
	var list []Entry
	for _, id := range all {
		list = append(list, look(filepath.Join(path, folderName(id)), id))
	}
	return list, nil
}

// look reads one checkpoint.
func look(path string, id sim.SnapshotID) Entry {
	e := Entry{ID: id, Path: path}
	if m, size, err := readMetadata(path); err == nil {
		e.Identity, e.At, e.Tasks, e.Bytes = m.identity(), m.Completed, m.Tasks, size
		for i := range m.segments {
			e.Bytes += m.segments[i].Bytes
		}
	}
	_, e.Problem = Read(path)
	return e
}

package checkpoints

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"simrun/sim"
)

const prefix = "chk-"

// folderName is the name of a checkpoint's folder.
func folderName(id sim.SnapshotID) string { return fmt.Sprintf("%s%d", prefix, id) }

// idOf is the id in the name of a checkpoint's folder.
func idOf(name string) (sim.SnapshotID, bool) {
	digits, ok := strings.CutPrefix(name, prefix)
	id, err := strconv.ParseUint(digits, 10, 32)
	return sim.SnapshotID(id), ok && err == nil && folderName(sim.SnapshotID(id)) == name && id > 0
}

// ids is the checkpoints in a folder by their names, ascending, whole or not.
func ids(dir string) (ids []sim.SnapshotID, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, unreadable(dir, err)
	}
	for _, e := range entries {
		if id, ok := idOf(e.Name()); ok {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids, nil
}

// Find is the checkpoint that path names, chk-<id>, or the newest whole one in the
// folder that it names. It must be of the runs of want. damaged is what is wrong with
// newer ones, which were passed over.
func Find(path string, want Identity) (found *Checkpoint, damaged []error, err error) {
	path = filepath.Clean(path)
	if _, single := idOf(filepath.Base(path)); single {
		found, err = readOf(path, want)
		return found, nil, err
	}
	all, err := ids(path)
	if err != nil {
		return nil, nil, err
	}
	for _, id := range slices.Backward(all) {
		found, err := readOf(filepath.Join(path, folderName(id)), want)
		if _, bad := err.(*Damage); !bad {
			return found, damaged, err
		}
		damaged = append(damaged, err)
	}
	if len(damaged) > 0 {
		return nil, nil, fmt.Errorf("%s: no checkpoint there is whole: %w", path, damaged[0])
	}
	return nil, nil, fmt.Errorf("%s: there is no checkpoint in this folder yet", path)
}

// readOf reads a checkpoint that must be of the runs of want.
func readOf(path string, want Identity) (*Checkpoint, error) {
	m, _, err := readMetadata(path)
	if err == nil {
		err = m.of(path, want)
	}
	if err != nil {
		return nil, err
	}
	return Read(path)
}

// of says why a checkpoint is not of the runs of want.
func (h *header) of(path string, want Identity) error {
	file := filepath.Join(path, metadataName)
	switch {
	case h.Algorithm != want.Algorithm:
		return fmt.Errorf("%s: the checkpoint is of a run under %s, this one is under %s", file, h.Algorithm, want.Algorithm)
	case h.Seed != want.Seed:
		return fmt.Errorf("%s: the checkpoint is of a run with seed %d, this one has seed %d", file, h.Seed, want.Seed)
	case h.Scenario != want.Scenario:
		return fmt.Errorf("%s: the checkpoint is of another scenario (%s, digest %s; that of %s is %s)", file, h.Name, h.Scenario, want.Name, want.Scenario)
	}
	return nil
}

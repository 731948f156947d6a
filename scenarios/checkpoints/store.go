package checkpoints

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"simrun/sim"
)

// segmentBytes is how long a segment grows before the next one is begun.
const segmentBytes = 64 << 20

// Store writes the checkpoints of one run into a folder. One process at a time may
// write there.
type Store struct {
	dir      string
	identity Identity
	names    []string  // of the tasks
	ins      [][]int32 // by task
	outs     [][]int32
	retain   int

	create func(path string) (file, error)
	part   []byte
	swept  bool
	wrote  []string
}

// file is what a Store writes to.
type file interface {
	io.WriteCloser
	Sync() error
}

// Options is how a Store is opened.
type Options struct {
	Identity Identity
	Names    []string       // of the tasks
	Graph    sim.Graph      // whose tasks they are
	Retain   int            // how many checkpoints are kept, the newest ones; 0: all
	After    sim.SnapshotID // what the run began with; 0: the initial state
}

// Open prepares a folder for the checkpoints of a run, and makes it if there is none.
// What lies there must be of the same runs, and not newer than what this run began
// with: otherwise two runs would mix. Nothing there is changed before Write.
func Open(dir string, o Options) (*Store, error) {
	s := &Store{dir: dir, identity: o.Identity, names: o.Names, retain: o.Retain, create: createFile,
		ins: make([][]int32, o.Graph.Nodes), outs: make([][]int32, o.Graph.Nodes)}
	for c := range o.Graph.From {
		from, to := o.Graph.From[c], o.Graph.To[c]
		s.outs[from], s.ins[to] = append(s.outs[from], int32(c)), append(s.ins[to], int32(c))
	}
	if err := os.Mkdir(dir, 0o777); err == nil {
		return s, syncFolder(filepath.Dir(dir))
	} else if !errors.Is(err, fs.ErrExist) {
		return nil, unwritable(dir, err)
	}
	there, err := ids(dir)
	if err != nil {
		return nil, err
	}
	for _, id := range there {
		path := filepath.Join(dir, folderName(id))
		if m, _, err := readMetadata(path); err == nil {
			if err := m.of(path, o.Identity); err != nil {
				return nil, err
			}
		}
	}
	if len(there) > 0 {
		if newest := there[len(there)-1]; newest > o.After {
			return nil, tooNew(dir, newest, o.After)
		}
	}
	return s, nil
}

// tooNew says that a folder holds a checkpoint that the run would write again.
func tooNew(dir string, newest, after sim.SnapshotID) error {
	if after == 0 {
		return fmt.Errorf("%s: %s is there already; --restore %s goes on from it, or name another folder", dir, folderName(newest), dir)
	}
	return fmt.Errorf("%s: %s is there, and the run goes on from %s, so it would write newer ones once more; remove those newer than %[3]s, or name another folder",
		dir, folderName(newest), folderName(after))
}

// Wrote is the checkpoints that were written, as paths, the oldest first; those that
// were not retained are among them.
func (s *Store) Wrote() []string { return s.wrote }

// Write writes a complete snapshot, and removes those that are not retained. When it
// returns nil the checkpoint is on the disk, whatever happens then; after an error
// nothing of it is there under its name.
func (s *Store) Write(snapshot *sim.Snapshot) error {
	if err := s.sweep(); err != nil {
		return err
	}
	name := folderName(snapshot.ID)
	unfinished, path := filepath.Join(s.dir, "."+name+".part"), filepath.Join(s.dir, name)
	err := s.writeFolder(unfinished, snapshot)
	if err == nil {
		err = os.Rename(unfinished, path) // which fails if it is there already
	}
	if err != nil {
		os.RemoveAll(unfinished)
		return unwritable(path, err)
	}
	if err := syncFolder(s.dir); err != nil {
		return unwritable(s.dir, err)
	}
	s.wrote = append(s.wrote, path)
	return s.retire()
}

// writeFolder writes all files of a checkpoint and sees to it that they are on the
// disk.
func (s *Store) writeFolder(folder string, snapshot *sim.Snapshot) error {
	if err := os.Mkdir(folder, 0o777); err != nil {
		return err
	}
	m := &metadata{header: newHeader(&s.identity, snapshot)}
	for next := 0; next < len(s.names); {
		var err error
		if next, err = s.writeSegment(folder, m, snapshot, next); err != nil {
			return err
		}
	}
	f, err := s.create(filepath.Join(folder, metadataName))
	if err != nil {
		return err
	}
	_, err = f.Write(m.bytes())
	if err := finish(f, err); err != nil {
		return err
	}
	return syncFolder(folder)
}

// writeSegment writes the parts of tasks from first on until a segment is long enough,
// and returns the first task of the next one.
func (s *Store) writeSegment(folder string, m *metadata, snapshot *sim.Snapshot, first int) (next int, err error) {
	number := len(m.segments)
	f, err := s.create(filepath.Join(folder, segmentName(number)))
	if err != nil {
		return 0, err
	}
	buffered := bufio.NewWriterSize(f, 1<<20)
	w := &crcWriter{w: buffered}
	for next = first; next < len(s.names) && w.bytes < segmentBytes && err == nil; next++ {
		s.part = appendPart(s.part[:0], snapshot, int32(next), s.ins[next], s.outs[next])
		m.tasks = append(m.tasks, task{
			Kind: "task", Task: next, Name: s.names[next], Segment: number,
			Offset: w.bytes, Bytes: int64(len(s.part)), CRC: checksum(s.part),
		})
		_, err = w.Write(s.part)
	}
	if err == nil {
		err = buffered.Flush()
	}
	m.segments = append(m.segments, segment{Kind: "segment", File: segmentName(number), Bytes: w.bytes, CRC: sum(w.crc)})
	return next, finish(f, err)
}

// finish syncs and closes a file, if all went well so far.
func finish(f file, err error) error {
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// retire removes the oldest checkpoints beyond those that are retained. They lose
// their names first: what is half removed is no checkpoint.
func (s *Store) retire() error {
	if s.retain == 0 {
		return nil
	}
	there, err := ids(s.dir)
	if err != nil {
		return err
	}
	for _, id := range there[:max(0, len(there)-s.retain)] {
		path := filepath.Join(s.dir, folderName(id))
		removed := filepath.Join(s.dir, "."+folderName(id)+".removed")
		if err := os.Rename(path, removed); err != nil {
			return unwritable(path, err)
		}
		if err := syncFolder(s.dir); err != nil {
			return unwritable(s.dir, err)
		}
		if err := os.RemoveAll(removed); err != nil {
			return unwritable(removed, err)
		}
	}
	return nil
}

// sweep removes what processes that were killed have left behind.
func (s *Store) sweep() error {
	if s.swept {
		return nil
	}
	s.swept = true
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return unreadable(s.dir, err)
	}
	for _, e := range entries {
		hidden, isHidden := strings.CutPrefix(e.Name(), ".")
		base, ending, _ := strings.Cut(hidden, ".")
		if _, ours := idOf(base); !isHidden || !ours || ending != "part" && ending != "removed" {
			continue
		}
		if err := os.RemoveAll(filepath.Join(s.dir, e.Name())); err != nil {
			return unwritable(filepath.Join(s.dir, e.Name()), err)
		}
	}
	return nil
}

func createFile(path string) (file, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
}

// syncFolder puts the names in a folder on the disk. Windows cannot, and need not, sync
// a folder.
func syncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Failure is why a file or folder could not be written.
type Failure struct {
	Path string
	Err  error
}

// Error names the file or folder.
func (f *Failure) Error() string { return fmt.Sprintf("%s: it cannot be written: %v", f.Path, f.Err) }

// Unwrap is the reason.
func (f *Failure) Unwrap() error { return f.Err }

// unwritable is the Failure of a file or folder.
func unwritable(path string, err error) error {
	var inner *fs.PathError
	if errors.As(err, &inner) {
		path, err = inner.Path, inner.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		err = link.Err
	}
	return &Failure{path, err}
}

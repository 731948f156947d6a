package checkpoints

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"simrun/sim"
)

// Damage is what is wrong with a file of a checkpoint.
type Damage struct {
	File   string // its path
	Offset int64  // the first byte of what is wrong, as far as that is known
	What   string // a sentence
}

// Error names the file, the place and what is wrong.
func (d *Damage) Error() string {
	return fmt.Sprintf("%s: at byte %d: %s", d.File, d.Offset, d.What)
}

// Checkpoint is what was read from a folder.
type Checkpoint struct {
	Path     string // of its folder
	Identity Identity
	Snapshot *sim.Snapshot
	Names    []string // of the tasks
	Bytes    int64    // of all its files
}

// Read reads a checkpoint and verifies every byte of it. The error is a *Damage if the
// folder is there and is not a whole checkpoint, and else says why it cannot be read.
func Read(path string) (*Checkpoint, error) {
	m, size, err := readMetadata(path)
	if err != nil {
		return nil, err
	}
	c := &Checkpoint{Path: path, Identity: m.identity(), Bytes: size}
	if id, ok := idOf(filepath.Base(path)); ok && id != sim.SnapshotID(m.Snapshot) {
		return nil, &Damage{filepath.Join(path, metadataName), 0, fmt.Sprintf("it is of snapshot %d, and the folder has the name of another", m.Snapshot)}
	}
	s := newFilling(m.Tasks, m.Channels)
	m.fill(s.Snapshot)
	next := 0
	for i := range m.segments {
		file := filepath.Join(path, m.segments[i].File)
		data, err := readSegment(file, &m.segments[i])
		if err != nil {
			return nil, err
		}
		c.Bytes += int64(len(data))
		for ; next < len(m.tasks) && m.tasks[next].Segment == i; next++ {
			t := &m.tasks[next]
			part := data[t.Offset : t.Offset+t.Bytes]
			if checksum(part) != t.CRC {
				return nil, &Damage{file, t.Offset, fmt.Sprintf("the checksum of the range of %s is not the one in the metadata", t.Name)}
			}
			if err := s.readPart(next, part); err != nil {
				return nil, &Damage{file, t.Offset, fmt.Sprintf("the part of %s cannot be read: %v", t.Name, err)}
			}
			c.Names = append(c.Names, t.Name)
		}
		if checksum(data) != m.segments[i].CRC {
			return nil, &Damage{file, 0, "the checksum of the segment is not the one in the metadata"}
		}
	}
	if slices.Contains(s.in, false) || slices.Contains(s.out, false) {
		return nil, &Damage{filepath.Join(path, metadataName), 0, "some channel is in the part of no task"}
	}
	c.Snapshot = s.Snapshot
	return c, nil
}

func (h *header) identity() Identity {
	return Identity{Scenario: h.Scenario, Name: h.Name, Algorithm: h.Algorithm, Seed: h.Seed}
}

// readMetadata reads and verifies the metadata of a checkpoint.
func readMetadata(path string) (*metadata, int64, error) {
	file := filepath.Join(path, metadataName)
	data, err := os.ReadFile(file)
	if err != nil {
		if _, there := os.Stat(path); there == nil && errors.Is(err, fs.ErrNotExist) {
			return nil, 0, &Damage{file, 0, "there is no such file: this is no whole checkpoint"}
		}
		return nil, 0, unreadable(file, err)
	}
	m, offset, err := parseMetadata(data)
	if err != nil {
		return nil, 0, &Damage{file, offset, err.Error()}
	}
	return m, int64(len(data)), nil
}

// readSegment reads a segment of the size that it should have.
func readSegment(file string, s *segment) ([]byte, error) {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &Damage{file, 0, "there is no such file: a segment of the checkpoint is missing"}
	}
	if err != nil {
		return nil, unreadable(file, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, unreadable(file, err)
	}
	if info.Size() != s.Bytes {
		return nil, &Damage{file, min(info.Size(), s.Bytes), fmt.Sprintf("it has %d bytes, the metadata says %d", info.Size(), s.Bytes)}
	}
	data := make([]byte, s.Bytes)
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, unreadable(file, err)
	}
	return data, nil
}

// unreadable words why a file or folder cannot be read.
func unreadable(path string, err error) error {
	var inner *fs.PathError
	if errors.As(err, &inner) {
		err = inner.Err
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: there is no such file or folder", path)
	}
	return fmt.Errorf("%s: it cannot be read: %w", path, err)
}

// crcWriter counts and sums up what is written.
type crcWriter struct {
	w     io.Writer
	bytes int64
	crc   uint32
}

// Write implements io.Writer.
func (w *crcWriter) Write(data []byte) (int, error) {
	n, err := w.w.Write(data)
	w.bytes += int64(n)
	w.crc = crc32.Update(w.crc, castagnoli, data[:n])
	return n, err
}

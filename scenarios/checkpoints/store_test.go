package checkpoints

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simrun/sim"
)

func TestOpenAgain(t *testing.T) {
	dir := written(t, 3, 4)
	before := tree(t, dir)
	for after, want := range map[sim.SnapshotID]string{0: "chk-4 is there already; --restore", 3: "goes on from chk-3", 4: ""} {
		o := options()
		o.After = after
		_, err := Open(dir, o)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("after %d: %v; want %q", after, err, want)
		}
	}
	if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
		t.Error(diff)
	}
}

func TestRetain(t *testing.T) {
	o := options()
	o.Retain = 2
	dir := filepath.Join(t.TempDir(), "chks")
	s := open(t, dir, o)
	for id := sim.SnapshotID(8); id <= 11; id++ {
		if err := s.Write(sample(id)); err != nil {
			t.Fatal(err)
		}
	}
	if got := names(t, dir); !cmp.Equal(got, []string{"chk-10", "chk-11"}) {
		t.Errorf("retained: %q", got)
	}
	if len(s.Wrote()) != 4 {
		t.Errorf("written: %q", s.Wrote())
	}
}

// TestSweep: what killed processes have left is removed, and nothing else is.
func TestSweep(t *testing.T) {
	dir := written(t, 3)
	keep := []string{".chk-", ".chk-x.part", ".hidden", "chk-1x", "chk-03", "notes.txt", ".chk-7.tmp"}
	for _, name := range append([]string{".chk-4.part", ".chk-1.removed"}, keep...) {
		if err := os.MkdirAll(filepath.Join(dir, name, "inside"), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	o := options()
	o.After = 3
	if err := open(t, dir, o).Write(sample(4)); err != nil {
		t.Fatal(err)
	}
	left := strings.Join(names(t, dir), " ")
	for _, name := range append([]string{"chk-3", "chk-4"}, keep...) {
		if !strings.Contains(left, name) {
			t.Errorf("%s is gone: %s", name, left)
		}
	}
	if strings.Contains(left, "chk-4.part") || strings.Contains(left, "removed") {
		t.Error(left)
	}
}

// brokenFile fails at the byte or the sync at which the disk is full.
type brokenFile struct {
	file
	left *int // bytes or syncs
	sync bool
}

var errFull = errors.New("no space left on device")

func (f brokenFile) Write(data []byte) (int, error) {
	if f.sync {
		return f.file.Write(data)
	}
	n, err := f.file.Write(data[:min(len(data), *f.left)])
	if *f.left -= n; err == nil && n < len(data) {
		err = &os.PathError{Op: "write", Path: f.file.(*os.File).Name(), Err: errFull}
	}
	return n, err
}

func (f brokenFile) Sync() error {
	if !f.sync {
		return nil
	}
	if *f.left--; *f.left < 0 {
		return &os.PathError{Op: "sync", Path: f.file.(*os.File).Name(), Err: errFull}
	}
	return f.file.Sync()
}

// TestFull fills the disk at every few bytes and every sync of a checkpoint: what was there
// before stays as it is, and nothing half is left.
func TestFull(t *testing.T) {
	dir := written(t, 3)
	before := tree(t, dir)
	failures := map[bool]int{}
	for _, sync := range []bool{false, true} {
		for room, step := 0, map[bool]int{false: 41, true: 1}[sync]; ; room += step {
			o := options()
			o.After, o.Retain = 3, 1
			s := open(t, dir, o)
			left := room
			s.create = func(path string) (file, error) {
				f, err := createFile(path)
				return brokenFile{f, &left, sync}, err
			}
			err := s.Write(sample(4))
			if err == nil {
				if got := names(t, dir); !cmp.Equal(got, []string{"chk-4"}) {
					t.Fatalf("with room for %d: %q", room, got)
				}
				break
			}
			failures[sync]++
			var failure *Failure
			if !errors.As(err, &failure) || !errors.Is(err, errFull) || !strings.Contains(failure.Path, "chk-4") {
				t.Fatalf("with room for %d: %v", room, err)
			}
			if diff := cmp.Diff(before, tree(t, dir)); diff != "" || len(names(t, dir)) != 1 {
				t.Fatalf("with room for %d: %s", room, diff)
			}
		}
		os.RemoveAll(dir)
		if err := open(t, dir, options()).Write(sample(3)); err != nil {
			t.Fatal(err)
		}
	}
	if failures[false] < 20 || failures[true] != 2 {
		t.Errorf("failures: %v", failures)
	}
}

func TestWhereNothingCanBeWritten(t *testing.T) {
	base := t.TempDir()
	file := filepath.Join(base, "file")
	os.WriteFile(file, nil, 0o666)
	for _, dir := range []string{file, filepath.Join(base, "no", "folder")} {
		if _, err := Open(dir, options()); err == nil || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v", dir, err)
		}
	}
	if os.Getuid() == 0 {
		t.Skip("nothing is read-only to root")
	}
	dir := filepath.Join(base, "chks")
	s := open(t, dir, options())
	os.Chmod(dir, 0o555)
	if err := s.Write(sample(1)); err == nil || !strings.Contains(err.Error(), dir) {
		t.Error(err)
	}
}

// TestSegments: a job with much state has a few segments, and never one for each task.
func TestSegments(t *testing.T) {
	const tasks, state = 1000, 150 << 10
	s, o := large(tasks, state)
	dir := filepath.Join(t.TempDir(), "chks")
	if err := open(t, dir, o).Write(s); err != nil {
		t.Fatal(err)
	}
	if got := names(t, filepath.Join(dir, "chk-1")); len(got) != 1+3 {
		t.Errorf("files: %q", got)
	}
	c, err := Read(filepath.Join(dir, "chk-1"))
	if err != nil {
		t.Fatal(err)
	}
	for v := range s.States {
		if !bytes.Equal(c.Snapshot.States[v], s.States[v]) {
			t.Fatalf("the state of task %d is another one", v)
		}
	}
}

// large is a snapshot of a pipeline with so many tasks.
func large(tasks, state int) (*sim.Snapshot, Options) {
	f := newFilling(tasks, tasks-1)
	s, o := f.Snapshot, Options{Identity: identity, Graph: sim.Graph{Nodes: tasks}}
	s.ID, s.Status = 1, sim.Complete
	for v := range tasks {
		s.States[v] = make([]byte, state)
		for i := range s.States[v] {
			s.States[v][i] = byte(i*7 + v*13 + i>>8)
		}
		s.Recordings[v] = sim.Recording{Seq: uint32(v + 1), Row: -1}
		o.Names = append(o.Names, fmt.Sprintf("task-%d", v))
		if v > 0 {
			o.Graph.From, o.Graph.To = append(o.Graph.From, int32(v-1)), append(o.Graph.To, int32(v))
		}
	}
	return s, o
}

func TestList(t *testing.T) {
	dir := written(t, 3, 12)
	os.WriteFile(filepath.Join(dir, "chk-3", "segment-0"), []byte("x"), 0o666)
	list, err := List(dir)
	if err != nil || len(list) != 2 || list[0].ID != 3 || list[0].Problem == nil || list[1].Problem != nil {
		t.Fatalf("%+v, %v", list, err)
	}
	var size int64
	for _, content := range tree(t, list[1].Path) {
		size += int64(len(content))
	}
	if e := list[1]; e.Bytes != size || e.Tasks != 3 || e.At != 40 || e.Identity != identity {
		t.Errorf("%+v; it has %d bytes", e, size)
	}
	if one, err := List(filepath.Join(dir, "chk-3")); err != nil || len(one) != 1 || one[0].Problem == nil {
		t.Errorf("%+v, %v", one, err)
	}
	for _, path := range []string{t.TempDir(), filepath.Join(dir, "chk-5"), filepath.Join(dir, "no")} {
		if _, err := List(path); err == nil {
			t.Errorf("%s can be listed", path)
		}
	}
}

package checkpoints

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWhatIsWrittenIsRead(t *testing.T) {
	dir := written(t, 3, 12)
	c, err := Read(filepath.Join(dir, "chk-12"))
	if err != nil {
		t.Fatal(err)
	}
	same(t, c.Snapshot, sample(12))
	if c.Identity != identity || !cmp.Equal(c.Names, options().Names) {
		t.Errorf("it is of %+v, with the tasks %q", c.Identity, c.Names)
	}
	if got := names(t, dir); !cmp.Equal(got, []string{"chk-12", "chk-3"}) {
		t.Errorf("the folder has %q", got)
	}
}

// TestEveryByte alters every byte of a checkpoint in turn, in three ways: nobody
// begins with what then stands there.
func TestEveryByte(t *testing.T) {
	path := filepath.Join(written(t, 3), "chk-3")
	altered := 0
	for file, content := range tree(t, path) {
		for i := range content {
			for _, x := range []byte{1, 0x20, 0xff} { // 0x20 turns a letter into the other case
				data := []byte(content)
				data[i] ^= x
				if err := os.WriteFile(file, data, 0o666); err != nil {
					t.Fatal(err)
				}
				altered++
				var damage *Damage
				if _, err := Read(path); !errors.As(err, &damage) || !strings.HasPrefix(damage.File, path) {
					t.Fatalf("byte %d of %s altered by %#x: %v", i, file, x, err)
				}
			}
		}
		if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Read(path); err != nil || altered < 3000 {
		t.Errorf("%d alterations, and at the end: %v", altered, err)
	}
}

// TestEveryLength cuts every file of a checkpoint short at every byte, and makes it
// longer by one.
func TestEveryLength(t *testing.T) {
	path := filepath.Join(written(t, 3), "chk-3")
	for file, content := range tree(t, path) {
		for i := range len(content) + 1 {
			data := content[:i]
			if i == len(content) {
				data = content + "\n"
			}
			if err := os.WriteFile(file, []byte(data), 0o666); err != nil {
				t.Fatal(err)
			}
			var damage *Damage
			if _, err := Read(path); !errors.As(err, &damage) {
				t.Fatalf("%s with %d of %d bytes: %v", file, len(data), len(content), err)
			}
		}
		if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// forge writes metadata with a right checksum in which something else is wrong.
func forge(t *testing.T, path string, change func(m *metadata)) {
	t.Helper()
	m, _, err := readMetadata(path)
	if err != nil {
		t.Fatal(err)
	}
	change(m)
	if err := os.WriteFile(filepath.Join(path, metadataName), m.bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestWhatNoChecksumShows(t *testing.T) {
	for _, x := range []struct {
		what, want string
		change     func(m *metadata)
	}{
		{"no range for the last task", "do not fill the segments", func(m *metadata) { m.Tasks, m.tasks = 2, m.tasks[:2] }},
		{"no range for a task between", "task 1 has no range", func(m *metadata) { m.Tasks, m.tasks = 2, append(m.tasks[:1], m.tasks[2]) }},
		{"fewer tasks than it says", "a line cannot be read", func(m *metadata) { m.tasks = m.tasks[:2] }},
		{"a range beyond the segment", "lies beyond its segment", func(m *metadata) { m.tasks[2].Bytes++ }},
		{"ranges that overlap", "does not follow", func(m *metadata) { m.tasks[1].Offset-- }},
		{"a range in no segment", "does not follow", func(m *metadata) { m.tasks[2].Segment = 1 }},
		{"a negative range", "lies beyond", func(m *metadata) { m.tasks[1].Bytes = -1 }},
		{"a segment of another name", "segment 0 is missing", func(m *metadata) { m.segments[0].File = "../x" }},
		{"no segment", "it promises", func(m *metadata) { m.segments = nil }},
		{"a wrong size of the segment", "the metadata says", func(m *metadata) { m.segments[0].Bytes++; m.tasks[2].Bytes++ }},
		{"parts exchanged", "the checksum of the range", func(m *metadata) { m.tasks[0].CRC = m.tasks[1].CRC }},
		{"another version", "version 1 of the format", func(m *metadata) { m.Version = 1 }},
		{"another format", "no metadata of a checkpoint of simrun", func(m *metadata) { m.Format = "flink" }},
		{"another kind", "of the kind", func(m *metadata) { m.header.Kind = "savepoint" }},
		{"another snapshot than the folder's name", "the name of another", func(m *metadata) { m.Snapshot = 4 }},
		{"no snapshot", "snapshot 0", func(m *metadata) { m.Snapshot = 0 }},
		{"an id that was not given", "ids up to 2", func(m *metadata) { m.Last = 2 }},
		{"ids without a coordinator", "ids up to 5", func(m *metadata) { m.Coordinated = false }},
		{"transactions without a coordinator", "there was no coordinator", func(m *metadata) { m.Coordinated, m.Last, m.Savepoint = false, 0, false }},
		{"a channel that no task has", "in the part of no task", func(m *metadata) { m.Channels++ }},
		{"a channel too few", "cannot be read", func(m *metadata) { m.Channels-- }},
		{"very many channels", "it promises", func(m *metadata) { m.Channels = 1 << 30 }},
	} {
		path := filepath.Join(written(t, 3), "chk-3")
		forge(t, path, x.change)
		var damage *Damage
		if _, err := Read(path); !errors.As(err, &damage) || !strings.Contains(damage.What, x.want) {
			t.Errorf("%s: %v; want %q", x.what, err, x.want)
		}
	}
}

func TestWhatIsMissing(t *testing.T) {
	for _, name := range []string{metadataName, "segment-0"} {
		path := filepath.Join(written(t, 3), "chk-3")
		if err := os.Remove(filepath.Join(path, name)); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(path); err == nil || !strings.Contains(err.Error(), filepath.Join(path, name)+": at byte 0: there is no such file") {
			t.Errorf("without %s: %v", name, err)
		}
	}
	if _, err := Read(filepath.Join(t.TempDir(), "chk-1")); err == nil || !strings.Contains(err.Error(), "there is no such file or folder") {
		t.Error(err)
	}
}

func TestFind(t *testing.T) {
	dir := written(t, 3, 12, 9)
	find := func(path string) (string, int, error) {
		c, damaged, err := Find(path, identity)
		if err != nil {
			return "", 0, err
		}
		return filepath.Base(c.Path), len(damaged), nil
	}
	for path, want := range map[string]string{dir: "chk-12", dir + "/": "chk-12", dir + "/chk-3": "chk-3", dir + "/chk-9/": "chk-9"} {
		if got, _, err := find(path); got != want || err != nil {
			t.Errorf("%s: %s, %v", path, got, err)
		}
	}
	os.WriteFile(filepath.Join(dir, "chk-12", "segment-0"), []byte("x"), 0o666)
	if got, damaged, err := find(dir); got != "chk-9" || damaged != 1 || err != nil {
		t.Errorf("with the newest damaged: %s, %d, %v", got, damaged, err)
	}
	for _, id := range []string{"3", "9"} {
		os.Remove(filepath.Join(dir, "chk-"+id, metadataName))
	}
	if _, _, err := find(dir); err == nil || !strings.Contains(err.Error(), "no checkpoint there is whole") {
		t.Errorf("all damaged: %v", err)
	}
	if _, _, err := find(t.TempDir()); err == nil || !strings.Contains(err.Error(), "there is no checkpoint in this folder yet") {
		t.Errorf("an empty folder: %v", err)
	}
	file := filepath.Join(t.TempDir(), "file")
	os.WriteFile(file, nil, 0o666)
	if _, _, err := find(file); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("a file: %v", err)
	}
}

func TestIdentity(t *testing.T) {
	dir := written(t, 3)
	before := tree(t, dir)
	for want, id := range map[string]Identity{
		"another scenario":  {Scenario: "f", Name: "b.yaml", Algorithm: "abs", Seed: identity.Seed},
		"this one has seed": {Scenario: identity.Scenario, Algorithm: "abs", Seed: 1},
		"under abs":         {Scenario: identity.Scenario, Algorithm: "chandy-lamport", Seed: identity.Seed},
	} {
		for _, path := range []string{dir, filepath.Join(dir, "chk-3")} {
			if _, _, err := Find(path, id); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "chk-3/_metadata") {
				t.Errorf("%s: %v; want %q", path, err, want)
			}
		}
		o := options()
		o.Identity, o.After = id, 3
		if _, err := Open(dir, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Open: %v; want %q", err, want)
		}
	}
	if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
		t.Error(diff)
	}
}

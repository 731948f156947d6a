package checkpoints

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"simrun/sim"
)

var identity = Identity{Scenario: "0123456789abcdef", Name: "a.yaml", Algorithm: "abs", Seed: 1<<64 - 1}

// options are of a job of three tasks, A->B, A->C and B->B.
func options() Options {
	return Options{Identity: identity, Names: []string{"A", "B\n", `C"`},
		Graph: sim.Graph{Nodes: 3, From: []int32{0, 0, 1}, To: []int32{1, 2, 1}}}
}

// sample is a snapshot of that job in which no field is left empty.
func sample(id sim.SnapshotID) *sim.Snapshot {
	marker := sim.NewMarker(7)
	return &sim.Snapshot{
		ID: id, Status: sim.Complete, Incarnation: 3, Initiators: []int32{0, 2}, TriggeredAt: 10, StartedAt: 11, CompletedAt: 40,
		Markers: 4, BlockedFor: 12,
		States: [][]byte{[]byte("state of A"), {}, []byte{0, 1, 2}}, Attached: [][]byte{nil, {}, []byte("held")},
		Channels: [][]sim.Recorded{
			nil,
			{{Message: sim.Message{Key: 1<<64 - 1, Value: -5, Aux: 9}, Number: 4, Incarnation: 2}},
			{{Message: sim.Message{Key: 2}, Number: 5, Incarnation: 3, Logged: true}, {Message: marker, Number: 0, Logged: true}},
		},
		Logs:   [][]sim.LogEntry{nil, {{Channel: 2, Index: 1}, {Channel: 2, Index: 0}}, nil},
		DoneAt: []int64{20, 30, 40}, Durable: []bool{true, true, true},
		Recordings: []sim.Recording{
			{Seq: 4, Row: -1, At: 11, Offset: 3, Timers: []sim.ArmedTimer{{ID: 1, Due: 50}, {ID: 9, Due: 12}}},
			{Seq: 5, Row: -1, At: 12}, {Seq: 6, Row: -1, At: 13, Offset: 1 << 31},
		},
		Sent: []uint32{3, 4, 6}, Processed: []uint32{3, 3, 4}, Marked: []bool{true, true, false},
		Gaps: [][]uint32{nil, {1, 2}, nil}, LostOn: []int32{1}, Twice: []int32{2},
		Steps: 99, Struck: []int32{1}, Limits: []uint32{3, 0, 1<<32 - 1},
		Coordinated: &sim.Coordinated{Last: id + 2, Savepoint: true, Restorable: true, Committed: [][]sim.SnapshotID{nil, {1, 300}, {2}}},
	}
}

func open(t *testing.T, dir string, o Options) *Store {
	t.Helper()
	s, err := Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// written is a folder with the checkpoints of these ids.
func written(t *testing.T, ids ...sim.SnapshotID) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "chks")
	s := open(t, dir, options())
	for _, id := range ids {
		if err := s.Write(sample(id)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func same(t *testing.T, got, want *sim.Snapshot) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(sim.Snapshot{})); diff != "" {
		t.Error(diff)
	}
}

// names is what lies in a folder, hidden names included.
func names(t *testing.T, dir string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// tree is every file below a folder, by path.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		files[path] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

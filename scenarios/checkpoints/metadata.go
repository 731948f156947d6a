package checkpoints

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"

	"simrun/sim"
)

// The names in a checkpoint.
const (
	metadataName = "_metadata"
	format       = "simrun-checkpoint"
	version      = 2
)

// Identity says of which runs a checkpoint is: another run cannot begin with it.
type Identity struct {
	Scenario  string // a digest of the resolved scenario and its graph
	Name      string // of the scenario's file, for people; runs may differ in it
	Algorithm string
	Seed      uint64
}

// header is the first line of _metadata.
type header struct {
	Kind        string   `json:"kind"` // checkpoint
	Format      string   `json:"format"`
	Version     int      `json:"version"`
	Scenario    string   `json:"scenario"`
	Name        string   `json:"name"`
	Algorithm   string   `json:"algorithm"`
	Seed        uint64   `json:"seed"`
	Snapshot    uint32   `json:"snapshot"`
	Incarnation uint8    `json:"incarnation"`
	Tasks       int      `json:"tasks"`
	Channels    int      `json:"channels"`
	Segments    int      `json:"segments"`
	Initiators  []int32  `json:"initiators"`
	Triggered   int64    `json:"triggered_ns"`
	Started     int64    `json:"started_ns"`
	Completed   int64    `json:"completed_ns"`
	Steps       int64    `json:"steps"`
	Markers     int64    `json:"markers"`
	Blocked     int64    `json:"blocked_ns"`
	LostOn      []int32  `json:"markers_lost_on"`
	Twice       []int32  `json:"recorded_twice"`
	Struck      []int32  `json:"faults_struck"`
	Limits      []uint32 `json:"record_limits"`
	Coordinated bool     `json:"coordinated"`
	Last        uint32   `json:"last_begun"`
	Savepoint   bool     `json:"savepoint"`
}

// segment is a line of _metadata: a file that holds parts, one after the other.
type segment struct {
	Kind  string `json:"kind"` // segment
	File  string `json:"file"`
	Bytes int64  `json:"bytes"`
	CRC   string `json:"crc32c"`
}

// task is a line of _metadata: where a task's part is.
type task struct {
	Kind    string `json:"kind"` // task
	Task    int    `json:"task"`
	Name    string `json:"name"`
	Segment int    `json:"segment"`
	Offset  int64  `json:"offset"`
	Bytes   int64  `json:"bytes"`
	CRC     string `json:"crc32c"`
}

// end is the last line of _metadata.
type end struct {
	Kind  string `json:"kind"` // end
	Lines int    `json:"lines"`
	CRC   string `json:"crc32c"`
}

// metadata is a file _metadata.
type metadata struct {
	header
	segments []segment
	tasks    []task
}

func segmentName(i int) string { return fmt.Sprintf("segment-%d", i) }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(data []byte) string { return sum(crc32.Checksum(data, castagnoli)) }

func sum(crc uint32) string { return fmt.Sprintf("%08x", crc) }

// newHeader is the header of a snapshot.
func newHeader(id *Identity, s *sim.Snapshot) header {
	h := header{
		Kind: "checkpoint", Format: format, Version: version,
		Scenario: id.Scenario, Name: id.Name, Algorithm: id.Algorithm, Seed: id.Seed,
		Snapshot: uint32(s.ID), Incarnation: s.Incarnation, Tasks: len(s.States), Channels: len(s.Channels),
		Initiators: s.Initiators, Triggered: s.TriggeredAt, Started: s.StartedAt, Completed: s.CompletedAt,
		Steps: s.Steps, Markers: s.Markers, Blocked: s.BlockedFor,
		LostOn: s.LostOn, Twice: s.Twice, Struck: s.Struck, Limits: s.Limits,
	}
	if k := s.Coordinated; k != nil {
		h.Coordinated, h.Last, h.Savepoint = true, uint32(k.Last), k.Savepoint
	}
	return h
}

// fill puts the header's part of a snapshot in place.
func (h *header) fill(s *sim.Snapshot) {
	s.ID, s.Status, s.Incarnation = sim.SnapshotID(h.Snapshot), sim.Complete, h.Incarnation
	s.Initiators, s.TriggeredAt, s.StartedAt, s.CompletedAt = h.Initiators, h.Triggered, h.Started, h.Completed
	s.Steps, s.Markers, s.BlockedFor = h.Steps, h.Markers, h.Blocked
	s.LostOn, s.Twice, s.Struck, s.Limits = h.LostOn, h.Twice, h.Struck, h.Limits
	if h.Coordinated { // only what a run can begin with is written
		s.Coordinated = &sim.Coordinated{Last: sim.SnapshotID(h.Last), Savepoint: h.Savepoint, Restorable: true}
	}
}

// bytes is the file as it is written.
func (m *metadata) bytes() []byte {
	var b bytes.Buffer
	line := func(v any) {
		text, err := json.Marshal(v)
		if err != nil {
			panic(fmt.Sprintf("checkpoints: a line of numbers and strings is no JSON: %v", err))
		}
		b.Write(append(text, '\n'))
	}
	m.Segments = len(m.segments)
	line(m.header)
	for i := range m.segments {
		line(m.segments[i])
	}
	for i := range m.tasks {
		line(m.tasks[i])
	}
	line(end{"end", 1 + len(m.segments) + len(m.tasks), checksum(b.Bytes())})
	return b.Bytes()
}

// parseMetadata reads the file. The error says what is wrong with it, and offset
// where.
func parseMetadata(data []byte) (m *metadata, offset int64, err error) {
	m = new(metadata)
	rest := data
	line := func(v any) error {
		text, after, whole := bytes.Cut(rest, []byte("\n"))
		if !whole {
			return fmt.Errorf("it ends in the middle of a line")
		}
		offset = int64(len(data) - len(rest))
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(v); err != nil {
			return fmt.Errorf("a line cannot be read: %w", err)
		}
		rest = after
		return nil
	}
	if err := line(&m.header); err != nil || m.Format != format {
		var what struct {
			Format  string
			Version int
		}
		first, _, _ := bytes.Cut(data, []byte("\n"))
		if json.Unmarshal(first, &what) == nil && what.Format == format && what.Version != version {
			return nil, 0, fmt.Errorf("it has version %d of the format, and this simrun reads version %d", what.Version, version)
		}
		return nil, 0, fmt.Errorf("this is no metadata of a checkpoint of simrun, or its first line is damaged")
	}
	if m.Version != version {
		return nil, 0, fmt.Errorf("it has version %d of the format, and this simrun reads version %d", m.Version, version)
	}
	if m.Segments < 0 || m.Tasks < 0 || m.Segments > len(data) || m.Tasks > len(data) {
		return nil, 0, fmt.Errorf("its first line promises more segments or tasks than the file has lines")
	}
	m.segments, m.tasks = make([]segment, m.Segments), make([]task, m.Tasks)
	for i := range m.segments {
		if err := line(&m.segments[i]); err != nil {
			return nil, offset, err
		}
	}
	for i := range m.tasks {
		if err := line(&m.tasks[i]); err != nil {
			return nil, offset, err
		}
	}
	// The end is compared byte by byte: what nobody reads could be altered there.
	body := data[:len(data)-len(rest)]
	want, _ := json.Marshal(end{"end", 1 + m.Segments + m.Tasks, checksum(body)})
	if !bytes.Equal(rest, append(want, '\n')) {
		return nil, int64(len(body)), fmt.Errorf("its checksum is not that of what stands before it: it was altered or cut short")
	}
	return m, 0, m.check()
}

// check finds lines that contradict one another, which no checksum shows.
func (m *metadata) check() error {
	switch {
	case m.Kind != "checkpoint":
		return fmt.Errorf("its first line is of the kind %q", m.Kind)
	case m.Tasks < 1 || m.Channels < 0 || m.Snapshot == 0:
		return fmt.Errorf("it is of snapshot %d with %d tasks and %d channels", m.Snapshot, m.Tasks, m.Channels)
	case m.Coordinated && m.Last < m.Snapshot || !m.Coordinated && (m.Last > 0 || m.Savepoint):
		return fmt.Errorf("it is of snapshot %d, when ids up to %d had been given by a coordinator", m.Snapshot, m.Last)
	}
	total := int64(0)
	for i := range m.segments {
		if s := &m.segments[i]; s.Kind != "segment" || s.File != segmentName(i) || s.Bytes < 0 {
			return fmt.Errorf("segment %d is missing, or its line is not that of %s", i, segmentName(i))
		}
		total += m.segments[i].Bytes
	}
	if int64(m.Channels) > total {
		return fmt.Errorf("it promises %d channels in %d bytes", m.Channels, total)
	}
	at, next := 0, int64(0)
	for i := range m.tasks {
		t := &m.tasks[i]
		if t.Kind != "task" || t.Task != i {
			return fmt.Errorf("task %d has no range", i)
		}
		if t.Segment == at+1 && at < len(m.segments) && next == m.segments[at].Bytes {
			at, next = at+1, 0
		}
		if t.Segment != at || at >= len(m.segments) || t.Offset != next || t.Bytes < 0 || t.Bytes > m.segments[at].Bytes-next {
			return fmt.Errorf("the range of task %d (%s) does not follow the one before it, or lies beyond its segment", i, t.Name)
		}
		next += t.Bytes
	}
	if at != len(m.segments)-1 || next != m.segments[at].Bytes {
		return fmt.Errorf("the ranges of the tasks do not fill the segments")
	}
	return nil
}

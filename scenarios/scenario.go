package scenarios

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"simrun/scenarios/units"
)

// Scenario is a scenario file as it stands. What the file leaves out is the zero
// value here; Resolve fills in the defaults.
type Scenario struct {
	Version     int64        `yaml:"version"`
	Algorithm   string       `yaml:"algorithm,omitempty"`
	Order       string       `yaml:"order,omitempty"`
	Search      *Search      `yaml:"search,flow,omitempty"`
	Seed        *uint64      `yaml:"seed,omitempty"`
	Graph       Graph        `yaml:"graph,omitempty"`
	App         App          `yaml:"app,omitempty"`
	Network     Network      `yaml:"network,omitempty"`
	Service     *Dist        `yaml:"service,flow,omitempty"`
	Store       Store        `yaml:"store,flow,omitempty"`
	Snapshots   Snapshots    `yaml:"snapshots,omitempty"`
	BackEdges   []ChannelRef `yaml:"back_edges,flow,omitempty"`
	Coordinator *Coordinator `yaml:"coordinator,omitempty"`
	Sinks       string       `yaml:"sinks,omitempty"` // plain or transactional
	Faults      []Fault      `yaml:"faults,omitempty"`
	Replay      string       `yaml:"replay,omitempty"`
	Stop        Stop         `yaml:"stop,flow,omitempty"`
	Steps       *int64       `yaml:"steps,omitempty"`
	Checks      Checks       `yaml:"checks,flow,omitempty"`
	Expect      *Expect      `yaml:"expect,flow,omitempty"`

	// Name is what reports call the scenario: the path of its file.
	Name string `yaml:"-"`
	// Dir is where the files that the scenario names are looked for.
	Dir string `yaml:"-"`

	doc      *document
	settings []Setting // that stand in place of what the file says
}

// Store is where the parts of snapshots become durable.
type Store struct {
	Write *Dist         `yaml:"write,flow,omitempty"` // how long until a node's part is
	Read  *Dist         `yaml:"read,flow,omitempty"`  // how long a restore reads
	Fail  *StoreFailure `yaml:"fail,flow,omitempty"`  // what it fails to write
	// What the store says is durable, and of which only the beginning is there, or nothing.
	Torn      *StoreFailure `yaml:"torn,flow,omitempty"`
	Lost      *StoreFailure `yaml:"lost,flow,omitempty"`
	Bandwidth *int64        `yaml:"bandwidth,omitempty"` // bytes a second
	Chunk     *int64        `yaml:"chunk,omitempty"`     // bytes; nil: parts are written whole
}

// Snapshots says when snapshots are triggered, and where.
type Snapshots struct {
	Every      *Moment      `yaml:"every,omitempty"`
	At         []SnapshotAt `yaml:"at,flow,omitempty"`
	Any        int          `yaml:"any,omitempty"` // so many more, at any steps
	Initiators []string     `yaml:"initiators,flow,omitempty"`
}

// SnapshotAt is one more snapshot: an instant and, if not those of all, initiators.
// In a file the instant alone may stand for it.
type SnapshotAt struct {
	At         Moment   `yaml:"at"`
	Initiators []string `yaml:"initiators,flow,omitempty"`
}

// Fault is a crash. Exactly one of At, Step, When and Times says when.
type Fault struct {
	Crash        Names           `yaml:"crash,flow"`
	At           *units.Duration `yaml:"at,omitempty"`
	Step         *int64          `yaml:"step,omitempty"`
	When         *When           `yaml:"when,flow,omitempty"`
	Times        *int            `yaml:"times,omitempty"` // a crash of one of the nodes at any step, so often
	AfterOutputs *int            `yaml:"after-outputs,omitempty"`
	Down         *units.Duration `yaml:"down,omitempty"`
}

// When is a moment in a snapshot's life at the first node that crashes.
type When struct {
	Phase      string `yaml:"phase"`
	Snapshot   uint32 `yaml:"snapshot,omitempty"`
	Occurrence *int   `yaml:"occurrence,omitempty"`
}

// Stop says when the input ends.
type Stop struct {
	At      *Moment `yaml:"at,omitempty"`
	Records *int64  `yaml:"records,omitempty"`
	// Sources is, by node, after how many records from outside its input ends.
	Sources map[string]int64 `yaml:"sources,flow,omitempty"`
}

// Checks names the invariants that are not checked.
type Checks struct {
	Off []string `yaml:"off,flow,omitempty"`
}

// Expect is what the run must turn out to be.
type Expect struct {
	Verdict    string     `yaml:"verdict,omitempty"`
	Snapshots  *int       `yaml:"snapshots,omitempty"`      // at least so many complete
	Recoveries *int       `yaml:"recoveries,omitempty"`     // exactly so many, and no fault that never fires
	Violation  string     `yaml:"violation,omitempty"`      // of this invariant
	Guarantee  string     `yaml:"guarantee,omitempty"`      // that the effects of the records have kept
	Incomplete bool       `yaml:"incomplete,omitempty"`     // some snapshot never completes
	Exercised  *Exercised `yaml:"exercised,flow,omitempty"` // at least so often
}

// Load reads the scenario in a file.
func Load(c Catalogue, path string) (*Scenario, error) {
	data, err := ReadFile(path, MaxFileSize)
	if err != nil {
		return nil, err
	}
	return Parse(c, path, data)
}

// ReadFile reads a file, of a large one a little more than the most that it may have:
// enough to see that it is too large. Its errors are Errors.
func ReadFile(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err == nil {
		defer f.Close()
		var data []byte
		if data, err = io.ReadAll(io.LimitReader(f, most+1)); err == nil {
			return data, nil
		}
	}
	return nil, fileError(path, err)
}

// fileError words why a file cannot be read.
func fileError(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &Error{File: path, Message: "there is no such file"}
	}
	var inner *fs.PathError
	if errors.As(err, &inner) {
		err = inner.Err
	}
	return &Error{File: path, Message: "the file cannot be read: " + err.Error()}
}

// Parse reads a scenario. name is the path of its file, for messages and for
// finding the files that it names.
func Parse(c Catalogue, name string, data []byte) (*Scenario, error) {
	doc, err := parseDocument(name, data)
	if err != nil {
		return nil, err
	}
	return decoded(c, name, filepath.Dir(name), doc)
}

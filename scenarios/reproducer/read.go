package reproducer

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"

	"simrun/scenarios"
	"simrun/scenarios/audit"
)

// MaxFileSize is the size, in bytes, beyond which a file is refused.
const MaxFileSize = 256 << 20

// Read reads the reproducer in a file. Its errors are scenarios.Errors.
func Read(c scenarios.Catalogue, path string) (*Reproducer, error) { return ReadFor(c, path, "") }

// ReadFor is Read, with an algorithm of this name in place of the one that the file names.
func ReadFor(c scenarios.Catalogue, path, algorithm string) (*Reproducer, error) {
	data, err := scenarios.ReadFile(path, MaxFileSize)
	if err != nil {
		return nil, err
	}
	if len(data) > MaxFileSize {
		return nil, &scenarios.Error{File: path, Message: fmt.Sprintf("the file is larger than %d bytes", MaxFileSize), Right: "a reproducer is smaller"}
	}
	return parse(c, path, data, algorithm)
}

// Recognized says whether a file is meant to be a reproducer. It looks at regular files
// only, which can be read again.
func Recognized(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	begin := make([]byte, 1<<10)
	n, err := io.ReadFull(f, begin)
	x := &parser{data: begin[:n]}
	return (err == nil || errors.Is(err, io.ErrUnexpectedEOF)) && x.find(sections[0], 0) >= 0
}

// sections is where the parts of a file begin: each is a line of its own, at the left.
var sections = []string{"reproducer: ", "scenario:\n", "steps: |\n", "checksum: "}

// Parse reads a reproducer. name is the path of its file, for messages.
func Parse(c scenarios.Catalogue, name string, data []byte) (*Reproducer, error) {
	return parse(c, name, data, "")
}

func parse(c scenarios.Catalogue, name string, data []byte, algorithm string) (*Reproducer, error) {
	x := &parser{file: name, data: bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))}
	if err := x.split(); err != nil {
		return nil, err
	}
	var h head
	if err := yaml.UnmarshalWithOptions(x.part(0), &h, yaml.Strict()); err != nil {
		return nil, x.fail(x.from[0], "the head of the reproducer cannot be read", "let simrun write it again")
	}
	r := &Reproducer{Tool: h.Tool, Verdict: h.Verdict, Digest: h.Digest, ApplicationDigest: h.ApplicationDigest, Path: name}
	if v := h.Violation; v != nil {
		r.Violation = &scenarios.ViolationResult{Invariant: v.Invariant, Snapshot: v.Snapshot, Recovery: v.Recovery, Node: v.Node, Channel: v.Channel, Misdeed: v.Misdeed, Detail: v.Detail}
	}
	// The scenario is read where it stands, so that errors have the lines of the file.
	own := append(bytes.Repeat([]byte("\n"), x.line(x.from[1])), x.data[x.from[1]+len(sections[1]):x.from[2]]...)
	s, err := scenarios.Parse(c, name, own)
	if err != nil {
		return nil, err
	}
	if r.Plan, err = s.Resolve(c, scenarios.Overrides{Algorithm: algorithm}); err != nil {
		return nil, err
	}
	if r.Course, err = x.course(); err != nil {
		return nil, err
	}
	r.Plan = r.Plan.Along(r.Course, name)
	if h.Audit {
		r.Plan = r.Plan.AuditedAs(audit.Thorough)
	}
	return r, nil
}

// parser takes a file apart.
type parser struct {
	file string
	data []byte
	from [4]int // where the sections begin
}

// split finds the sections, and refuses what is no reproducer of this version or is not
// what was written.
func (x *parser) split() error {
	at := 0
	for i, section := range sections {
		found := x.find(section, at)
		switch {
		case found < 0 && i == 0:
			return &scenarios.Error{File: x.file, Message: "this is no reproducer", Right: "simrun run FILE --reproducer OUT writes one; a scenario is run with simrun run"}
		case found < 0 && i == 1:
			if err := x.version(); err != nil {
				return err
			}
			fallthrough
		case found < 0:
			return &scenarios.Error{File: x.file, Message: fmt.Sprintf("the reproducer is cut short: no line begins with %q", strings.TrimSpace(section)), Right: "copy it again, or let simrun write it again"}
		}
		x.from[i], at = found, found+1
	}
	if err := x.version(); err != nil {
		return err
	}
	end := x.from[3]
	if want := sections[3] + checksum(x.data[:end]) + "\n"; string(x.data[end:]) != want {
		return x.fail(end, "the checksum is not that of the file: it was changed or cut after it was written", "let simrun write it again; to try something else, change the scenario and run that")
	}
	return nil
}

// find is where a line begins with these words, from a place on; or -1.
func (x *parser) find(words string, from int) int {
	if from == 0 && bytes.HasPrefix(x.data, []byte(words)) {
		return 0
	}
	if i := bytes.Index(x.data[from:], []byte("\n"+words)); i >= 0 {
		return from + i + 1
	}
	return -1
}

func (x *parser) version() error {
	text, _, _ := strings.Cut(string(x.data[x.from[0]+len(sections[0]):]), "\n")
	if v, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64); err != nil || v != Version {
		return x.fail(x.from[0]+len(sections[0]), "the version of the format is "+strings.TrimSpace(text), fmt.Sprintf("this simrun reads version %d", Version))
	}
	return nil
}

func (x *parser) part(i int) []byte { return x.data[x.from[i]:x.from[i+1]] }

// line is how many lines end before a place.
func (x *parser) line(at int) int { return bytes.Count(x.data[:at], []byte("\n")) }

// fail is an error at a place.
func (x *parser) fail(at int, message, right string) error {
	begin := bytes.LastIndexByte(x.data[:at], '\n') + 1
	source, _, _ := strings.Cut(string(x.data[begin:]), "\n")
	return &scenarios.Error{File: x.file, Line: x.line(at) + 1, Column: at - begin + 1, Message: message, Right: right, Source: source}
}

// course reads the steps.
func (x *parser) course() (*scenarios.Course, error) {
	c := new(scenarios.Course)
	at := x.from[2] + len(sections[2])
	for line := range strings.Lines(string(x.data[at:x.from[3]])) {
		text, _, _ := strings.Cut(line, "#")
		step, digits, _ := strings.Cut(text, ":")
		s, err := scenarios.ParseStep(step)
		if err != nil {
			return nil, x.fail(at, err.Error(), "let simrun write it again")
		}
		digest, err := strconv.ParseUint(strings.TrimSpace(digits), 16, 16)
		if err != nil {
			return nil, x.fail(at, "the digest of this step is no number of four digits", "let simrun write it again")
		}
		c.Steps, c.Digests = append(c.Steps, s), append(c.Digests, digest<<48)
		at += len(line)
	}
	return c, nil
}

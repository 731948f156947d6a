package report

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"html"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"simrun/scenarios"
)

// load is the plan of a scenario file.
func load(t testing.TB, file, algorithm string) *scenarios.Plan {
	t.Helper()
	s, err := scenarios.Load(scenarios.Default(), file)
	if err != nil {
		t.Fatal(err)
	}
	return resolve(t, s, algorithm)
}

// parsed is the plan of a scenario that is given as a text.
func parsed(t testing.TB, name, text, algorithm string) *scenarios.Plan {
	t.Helper()
	s, err := scenarios.Parse(scenarios.Default(), name, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return resolve(t, s, algorithm)
}

func resolve(t testing.TB, s *scenarios.Scenario, algorithm string) *scenarios.Plan {
	t.Helper()
	p, err := s.Resolve(scenarios.Default(), scenarios.Overrides{Algorithm: algorithm})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// files is every scenario file.
func files(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("../../testdata/scenarios/*.yaml")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d scenario files, %v", len(files), err)
	}
	return files
}

// pageOf is the page of runs as it is written, and as it was after that.
func pageOf(t testing.TB, runs ...Run) (string, *Page) {
	t.Helper()
	p := &Page{Title: runs[0].Diagram.Plan.Name, Tool: "test", Replay: runs[0].Diagram.Result.Reproduce, Runs: runs}
	var b bytes.Buffer
	if err := Write(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.String(), p
}

// between is what stands in a text between two others.
func between(t testing.TB, text, begin, end string) string {
	t.Helper()
	_, rest, ok := strings.Cut(text, begin)
	inner, _, found := strings.Cut(rest, end)
	if !ok || !found {
		t.Fatalf("the page has no %s", begin)
	}
	return inner
}

// packed is the data of a page as they stand in it.
func packed(t testing.TB, page string) string {
	return between(t, page, `<script type="application/octet-stream" id="data">`, "</script>")
}

// script of a page, and the policy of its head.
func scriptAndPolicy(t testing.TB, page string) (script, policy string) {
	policy = html.UnescapeString(between(t, page, `http-equiv="Content-Security-Policy" content="`, `"`))
	return between(t, page, "<script>", "</script>"), policy
}

// unpack is the head and the columns of a page.
func unpack(t testing.TB, page string) (*head, []byte) {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString(packed(t, page))
	if err != nil {
		t.Fatal(err)
	}
	return unpackData(t, data)
}

func unpackData(t testing.TB, data []byte) (*head, []byte) {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	length := binary.LittleEndian.Uint32(plain)
	var h head
	if err := json.Unmarshal(plain[4:4+length], &h); err != nil {
		t.Fatal(err)
	}
	return &h, plain[4+length:]
}

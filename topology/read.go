package topology

import (
	"path/filepath"
	"strings"
)

// Read reads a graph file in the format that its name ends with: .dot and .gv
// are DOT, .json is a Flink job plan, .edges and .txt are edge lists. file is
// used for that and for messages only.
func Read(file string, data []byte) (*Graph, error) {
	switch ext := strings.ToLower(filepath.Ext(file)); ext {
	case ".dot", ".gv":
		return ParseDOT(file, data)
	case ".json":
		return ParseFlinkPlan(file, data)
	case ".edges", ".txt":
		return ParseEdgeList(file, data)
	default:
		s := source{file: file}
		return nil, s.errorf("no graph format ends in %q; .dot and .gv are DOT, .json is a Flink job plan, .edges and .txt are edge lists", short(ext))
	}
}

// baseName is the name of a graph whose file gives it none: the file's name up
// to the first dot.
func baseName(file string) string {
	name, _, _ := strings.Cut(filepath.Base(file), ".")
	return name
}

// Package simrun_test holds what concerns the module as a whole: the rules that
// every file keeps, whatever it is about. ARCHITECTURE.md says why they are
// there; a test for each rule shows it a source that breaks it.
package simrun_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

const module = "simrun"

// sourcePackage is the non-test files of one folder.
type sourcePackage struct {
	dir   string // with slashes, from the module's root; "." is the root
	fset  *token.FileSet
	files []*sourceFile
	// info is what the type checker found out; nil where no rule needs types.
	info *types.Info
}

type sourceFile struct {
	path  string
	lines int
	tree  *ast.File
}

// at words a finding at a position.
func (p *sourcePackage) at(pos token.Pos, format string, args ...any) string {
	where := p.fset.Position(pos)
	return fmt.Sprintf("%s:%d: %s", where.Filename, where.Line, fmt.Sprintf(format, args...))
}

// deterministic says that a folder holds code on which a digest depends: the
// engine, the algorithms, the verdict. The rules that need types apply there.
func deterministic(dir string) bool {
	return dir == "sim" || below(dir, "invariants") || strings.HasPrefix(dir, "algorithms/")
}

// TestArchitecture holds every rule against every package of the module.
func TestArchitecture(t *testing.T) {
	packages, err := modulePackages()
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range rules() {
		t.Run(rule.name, func(t *testing.T) {
			for _, p := range packages {
				for _, finding := range rule.check(p) {
					t.Error(finding)
				}
			}
		})
	}
}

// TestEverythingIsLookedAt: a walk that finds nothing would hold every rule.
func TestEverythingIsLookedAt(t *testing.T) {
	packages, err := modulePackages()
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{
		"sim", "topology", "invariants", "invariants/explain", "invariants/twin", "algorithms/abs", "algorithms/chandylamport", "algorithms/coordinator", "algorithms/looped", "algorithms/mutants",
		"cmd/simrun", "cmd/simrun/cli", "scenarios", "scenarios/apps", "scenarios/audit", "scenarios/checkpoints", "scenarios/comparison", "scenarios/crashmatrix", "scenarios/explore", "scenarios/generate", "scenarios/lessons", "scenarios/mutation", "scenarios/parallel", "scenarios/report", "scenarios/units",
	} {
		i := slices.IndexFunc(packages, func(p *sourcePackage) bool { return p.dir == dir })
		switch {
		case i < 0:
			t.Errorf("no package was found in %s", dir)
		case deterministic(dir) != (packages[i].info != nil):
			t.Errorf("%s: types known: %t", dir, packages[i].info != nil)
		}
	}
}

// modulePackages is the packages of the module, in the order of their folders.
// Type-checking takes a second, so it is done once.
var modulePackages = sync.OnceValues(func() ([]*sourcePackage, error) {
	fset := token.NewFileSet()
	byDir, err := readModule(fset)
	if err != nil {
		return nil, err
	}
	typed := newTyper(fset, byDir)
	var packages []*sourcePackage
	for dir, p := range byDir {
		if deterministic(dir) {
			if _, err := typed.Import(module + "/" + dir); err != nil {
				return nil, err
			}
		}
		packages = append(packages, p)
	}
	slices.SortFunc(packages, func(a, b *sourcePackage) int { return strings.Compare(a.dir, b.dir) })
	return packages, nil
})

// readModule parses the non-test files of the module, by folder.
func readModule(fset *token.FileSet) (map[string]*sourcePackage, error) {
	byDir := map[string]*sourcePackage{}
	return byDir, filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if base := entry.Name(); name != "." && (strings.HasPrefix(base, ".") || base == "testdata") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		file, err := parse(fset, name, data)
		if err != nil {
			return err
		}
		dir := path.Dir(name)
		if byDir[dir] == nil {
			byDir[dir] = &sourcePackage{dir: dir, fset: fset}
		}
		byDir[dir].files = append(byDir[dir].files, file)
		return nil
	})
}

func parse(fset *token.FileSet, name string, data []byte) (*sourceFile, error) {
	tree, err := parser.ParseFile(fset, name, data, parser.ParseComments|parser.SkipObjectResolution)
	return &sourceFile{path: name, lines: bytes.Count(data, []byte("\n")), tree: tree}, err
}

// typer type-checks packages of the module, and imports the standard library
// from its sources.
type typer struct {
	fset     *token.FileSet
	byDir    map[string]*sourcePackage
	standard types.Importer
	done     map[string]*types.Package
}

func newTyper(fset *token.FileSet, byDir map[string]*sourcePackage) *typer {
	return &typer{fset, byDir, importer.ForCompiler(fset, "source", nil), map[string]*types.Package{}}
}

// Import implements types.Importer.
func (y *typer) Import(name string) (*types.Package, error) {
	dir, own := strings.CutPrefix(name, module+"/")
	if !own {
		return y.standard.Import(name)
	}
	if done := y.done[name]; done != nil {
		return done, nil
	}
	p := y.byDir[dir]
	if p == nil {
		return nil, fmt.Errorf("no package %s", name)
	}
	var trees []*ast.File
	for _, f := range p.files {
		folder, base := filepath.Split(filepath.FromSlash(f.path))
		if _, err := os.Stat(f.path); err == nil {
			if match, err := build.Default.MatchFile(folder, base); err != nil || !match {
				continue
			}
		}
		trees = append(trees, f.tree)
	}
	p.info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	checked, err := (&types.Config{Importer: y}).Check(name, y.fset, trees, p.info)
	y.done[name] = checked
	return checked, err
}

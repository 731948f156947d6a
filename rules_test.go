package simrun_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// rule is one thing that every package keeps.
type rule struct {
	name  string
	check func(p *sourcePackage) []string
}

func rules() []rule {
	return []rule{
		{"imports point down", checkLayers},
		{"no clock, no generator, no input and output", checkBannedImports},
		{"no goroutine", checkGoroutines},
		{"no range over a map", checkMapRanges},
		{"no floating point", checkFloats},
		{"functions are short", checkFunctionLength},
		{"files are short", checkFileLength},
		{"packages are documented", checkPackageDoc},
		{"exports are documented", checkExportDocs},
	}
}

// layer is what the non-test files below a folder may import besides the
// standard library: folders of this module and other modules, each with all that
// is below it.
type layer struct {
	dir     string
	own     []string
	foreign []string
}

// layers is the layers from the bottom to the top. The longest dir that fits a
// folder is its layer, so new folders belong to the one above them.
var layers = []layer{
	{dir: "sim"},
	{dir: "topology", own: []string{"sim"}, foreign: []string{"gonum.org/v1/gonum"}},
	{dir: "invariants", own: []string{"sim"}},
	{dir: "invariants/explain", own: []string{"sim", "invariants"}},
	{dir: "algorithms", own: []string{"sim"}},
	{dir: "scenarios/units", foreign: []string{"github.com/goccy/go-yaml"}},
	{dir: "scenarios/checkpoints", own: []string{"sim"}},
	{dir: "scenarios/search", own: []string{"sim"}},
	{dir: "scenarios/apps", own: []string{"sim", "topology", "scenarios/units"}},
	{dir: "scenarios", own: []string{"sim", "topology", "invariants", "algorithms", "scenarios"},
		foreign: []string{"github.com/goccy/go-yaml"}},
	{dir: "scenarios/lessons", own: []string{"testdata/lessons"}},
	{dir: "scenarios/simtest", own: []string{"sim", "topology", "invariants", "scenarios"},
		foreign: []string{"pgregory.net/rapid"}},
	{dir: "scenarios/simtest/tutorial", own: []string{"sim"}},
	{dir: "cmd/simrun/cli", own: []string{"sim", "topology", "invariants", "algorithms", "scenarios", "cmd/simrun/cli"},
		foreign: []string{"github.com/spf13/cobra", "github.com/spf13/pflag", "golang.org/x/term"}},
	{dir: "cmd/simrun", own: []string{"scenarios", "cmd/simrun/cli"}},
}

func checkLayers(p *sourcePackage) (findings []string) {
	var its *layer
	for i := range layers {
		if below(p.dir, layers[i].dir) && (its == nil || len(its.dir) < len(layers[i].dir)) {
			its = &layers[i]
		}
	}
	if its == nil {
		return []string{fmt.Sprintf("%s: no layer has this folder; put it below one", p.dir)}
	}
	for _, f := range p.files {
		for _, spec := range f.tree.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			if !its.allows(name) {
				findings = append(findings, p.at(spec.Pos(), "the layer %s does not import %s", its.dir, name))
			}
		}
	}
	return findings
}

func (l *layer) allows(name string) bool {
	isBelow := func(dir string) bool { return below(name, dir) }
	if own, ok := strings.CutPrefix(name, module+"/"); ok {
		name = own
		return slices.ContainsFunc(l.own, isBelow)
	}
	host, _, _ := strings.Cut(name, "/")
	return !strings.Contains(host, ".") || slices.ContainsFunc(l.foreign, isBelow)
}

// below says whether a slash-separated name is dir or lies below it.
func below(name, dir string) bool { return name == dir || strings.HasPrefix(name, dir+"/") }

// banned is what the deterministic packages may not import, with all that is
// below it. What a run does must be a function of its configuration alone.
var banned = []string{
	"time", "math/rand", "crypto", "maps", "hash/maphash", // clocks, generators, map order
	"os", "io", "net", "log", "syscall", "context", "path/filepath", // the world outside
	"sync", "runtime", "reflect", "unsafe", "iter", // threads, pointer order, hidden control flow
}

func checkBannedImports(p *sourcePackage) (findings []string) {
	if !deterministic(p.dir) {
		return nil
	}
	for _, f := range p.files {
		for _, spec := range f.tree.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			if slices.ContainsFunc(banned, func(b string) bool { return below(name, b) }) {
				findings = append(findings, p.at(spec.Pos(), "a run may not depend on package %s", name))
			}
		}
	}
	return findings
}

func checkGoroutines(p *sourcePackage) []string {
	return p.find(func(n ast.Node) string {
		switch n.(type) {
		case *ast.GoStmt:
			return "a goroutine is started"
		case *ast.SelectStmt:
			return "a select statement chooses at random"
		case *ast.ChanType:
			return "a channel of Go is used"
		}
		return ""
	})
}

func checkMapRanges(p *sourcePackage) []string {
	return p.find(func(n ast.Node) string {
		loop, ok := n.(*ast.RangeStmt)
		if !ok {
			return ""
		}
		if _, ok := coreType(p.info.Types[loop.X].Type).(*types.Map); ok {
			return "the order of a map's keys is random"
		}
		return ""
	})
}

// coreType is what lies under a type; for a type parameter, under the first type
// that it can stand for.
func coreType(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	union, ok := t.Underlying().(*types.Interface)
	if _, parameter := t.(*types.TypeParam); !parameter || !ok {
		return t.Underlying()
	}
	for i := range union.NumEmbeddeds() {
		switch e := union.EmbeddedType(i).(type) {
		case *types.Union:
			return e.Term(0).Type().Underlying()
		default:
			return e.Underlying()
		}
	}
	return union
}

func checkFloats(p *sourcePackage) []string {
	return p.find(func(n ast.Node) string {
		expr, ok := n.(ast.Expr)
		if !ok {
			return ""
		}
		basic, ok := coreType(p.info.Types[expr].Type).(*types.Basic)
		if ok && basic.Info()&(types.IsFloat|types.IsComplex) != 0 && basic.Info()&types.IsUntyped == 0 {
			return "floating point gives other results on other processors"
		}
		return ""
	})
}

// find looks at every node of a deterministic package, and collects what bad
// says of it: nothing, or what is wrong.
func (p *sourcePackage) find(bad func(ast.Node) string) (findings []string) {
	if !deterministic(p.dir) {
		return nil
	}
	for _, f := range p.files {
		ast.Inspect(f.tree, func(n ast.Node) bool {
			if n == nil {
				return false
			}
			what := bad(n)
			if what != "" {
				findings = append(findings, p.at(n.Pos(), "%s", what))
			}
			return what == ""
		})
	}
	return findings
}

const (
	mostFunctionLines = 70
	mostFileLines     = 400
)

func checkFunctionLength(p *sourcePackage) (findings []string) {
	for _, f := range p.files {
		for _, d := range f.tree.Decls {
			function, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			lines := p.fset.Position(function.End()).Line - p.fset.Position(function.Pos()).Line + 1
			if lines > mostFunctionLines {
				findings = append(findings, p.at(function.Pos(), "%s has %d lines, more than %d", function.Name.Name, lines, mostFunctionLines))
			}
		}
	}
	return findings
}

func checkFileLength(p *sourcePackage) (findings []string) {
	for _, f := range p.files {
		if f.lines > mostFileLines {
			findings = append(findings, fmt.Sprintf("%s: %d lines, more than %d", f.path, f.lines, mostFileLines))
		}
	}
	return findings
}

func checkPackageDoc(p *sourcePackage) []string {
	var docs int
	for _, f := range p.files {
		if f.tree.Doc == nil {
			continue
		}
		docs++
		want := "Package " + f.tree.Name.Name + " "
		if f.tree.Name.Name == "main" {
			want = "Command "
		}
		if !strings.HasPrefix(f.tree.Doc.Text(), want) {
			return []string{p.at(f.tree.Package, "the package comment does not begin with %q", want)}
		}
	}
	if docs != 1 {
		return []string{fmt.Sprintf("%s: %d package comments; there must be one", p.dir, docs)}
	}
	return nil
}

// checkExportDocs wants a comment at every exported function, method, type,
// constant and variable. A comment on a group serves all of it.
func checkExportDocs(p *sourcePackage) (findings []string) {
	if p.files[0].tree.Name.Name == "main" {
		return nil
	}
	report := func(pos token.Pos, name string) {
		findings = append(findings, p.at(pos, "%s is exported and has no comment", name))
	}
	for _, f := range p.files {
		for _, d := range f.tree.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Doc == nil && d.Name.IsExported() && exportedReceiver(d) {
					report(d.Pos(), d.Name.Name)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					undocumented(d, spec, report)
				}
			}
		}
	}
	return findings
}

// exportedReceiver says whether a function is no method, or one of an exported
// type.
func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	exported := false
	ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			exported = n.IsExported()
			return false
		case *ast.IndexExpr: // the receiver of a generic type: its first part is the type
			ast.Inspect(n.X, func(n ast.Node) bool {
				if name, ok := n.(*ast.Ident); ok {
					exported = name.IsExported()
				}
				return true
			})
			return false
		}
		return true
	})
	return exported
}

func undocumented(d *ast.GenDecl, spec ast.Spec, report func(token.Pos, string)) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		if spec.Name.IsExported() && d.Doc == nil && spec.Doc == nil {
			report(spec.Pos(), spec.Name.Name)
		}
	case *ast.ValueSpec:
		if d.Doc != nil || spec.Doc != nil || spec.Comment != nil {
			return
		}
		for _, name := range spec.Names {
			if name.IsExported() {
				report(name.Pos(), name.Name)
			}
		}
	}
}

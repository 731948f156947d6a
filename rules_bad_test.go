package simrun_test

import (
	"go/token"
	"strings"
	"testing"
)

// sample is a small source in a folder, and what the one rule that it is about
// says of it; "" if it keeps the rule.
type sample struct {
	rule, dir, source, says string
}

func samples() []sample {
	const down, outside, short, doc, exports = "imports point down", "no clock, no generator, no input and output",
		"functions are short", "packages are documented", "exports are documented"
	const goroutine, order, float = "no goroutine", "no range over a map", "no floating point"
	filler := strings.Repeat("\tprintln()\n", 68)
	return []sample{
		{down, "sim", `package sim; import _ "simrun/topology"`, "the layer sim does not import simrun/topology"},
		{down, "sim", `package sim; import _ "gonum.org/v1/gonum/graph"`, "does not import gonum"},
		{down, "sim", `package sim; import _ "encoding/binary"`, ""},
		{down, "algorithms/abs", `package abs; import _ "simrun/sim"`, ""},
		{down, "algorithms/abs", `package abs; import _ "simrun/simulator"`, "does not import simrun/simulator"},
		{down, "algorithms/abs", `package abs; import _ "simrun/invariants"`, "does not import simrun/invariants"},
		{down, "algorithms/unheardof", `package unheardof; import _ "simrun/algorithms/abs"`, "the layer algorithms does not import"},
		{down, "invariants", `package invariants; import _ "simrun/algorithms/abs"`, "does not import"},
		{down, "topology", `package topology; import _ "gonum.org/v1/gonum/graph"`, ""},
		{down, "topology", `package topology; import _ "simrun/scenarios"`, "does not import"},
		{down, "scenarios", `package scenarios; import _ "simrun/cmd/simrun/cli"`, "does not import"},
		{down, "scenarios/apps", `package apps; import _ "simrun/scenarios"`, "the layer scenarios/apps does not import"},
		{down, "scenarios/deeper", `package deeper; import _ "simrun/scenarios"`, ""},
		{down, "cmd/simrun", `package main; import _ "github.com/spf13/cobra"`, "the layer cmd/simrun does not import"},
		{down, "util", `package util`, "no layer has this folder"},
		{down, ".", `package simrun`, "no layer has this folder"},

		{outside, "sim", `package sim; import _ "time"`, "may not depend on package time"},
		{outside, "invariants", `package invariants; import _ "math/rand/v2"`, "may not depend on package math/rand/v2"},
		{outside, "algorithms/abs", `package abs; import _ "os"`, "may not depend on package os"},
		{outside, "algorithms/abs", `package abs; import _ "maps"`, "may not depend on package maps"},
		{outside, "sim", `package sim; import _ "math/bits"`, ""},
		{outside, "scenarios", `package scenarios; import _ "time"`, ""},

		{goroutine, "sim", `package sim; func f() { go f() }`, "a goroutine is started"},
		{goroutine, "sim", `package sim; func f() { func() { defer func() { go f() }() }() }`, "a goroutine is started"},
		{goroutine, "algorithms/abs", `package abs; func f() { select {} }`, "chooses at random"},
		{goroutine, "invariants", `package invariants; func f(c chan int) {}`, "a channel of Go"},
		{goroutine, "scenarios", `package scenarios; func f() { go f() }`, ""},

		{order, "sim", `package sim; func f(m map[int]int) { for range m { f(m) } }`, "order of a map's keys"},
		{order, "sim", `package sim; type t map[int]int; func f() { for k := range make(t) { println(k) } }`, "order of a map's keys"},
		{order, "sim", `package sim; func f[M ~map[int]int](m M) { for k := range m { println(k) } }`, "order of a map's keys"},
		{order, "algorithms/abs", `package abs; type n struct { m map[int]int }; func (x *n) f() { for range x.m { } }`, "order of a map's keys"},
		{order, "sim", `package sim; func f(m []int, n int) { for range m { for range n { } } }`, ""},
		{order, "topology", `package topology; func f(m map[int]int) { for range m { } }`, ""},

		{float, "sim", `package sim; func f(a float64) {}`, "floating point"},
		{float, "sim", `package sim; func f(a int) int { return int(0.5 * float32(a)) }`, "floating point"},
		{float, "sim", `package sim; import "math"; func f(a int) bool { return math.Sqrt(2) > 1 }`, "floating point"},
		{float, "invariants", `package invariants; func f(a, b int) { x := 1.5; _ = x }`, "floating point"},
		{float, "invariants", `package invariants; type t struct { x complex128 }`, "floating point"},
		{float, "sim", `package sim; const c int64 = 1e9; func f(a int64) int64 { return a * 1e3 / c }`, ""},
		{float, "scenarios", `package scenarios; func f(a float64) {}`, ""},

		{short, "cmd/simrun", "package main\nfunc f() {\n" + filler + "}\n", ""},
		{short, "cmd/simrun", "package main\nfunc f() {\n\n" + filler + "}\n", "f has 71 lines"},
		{short, "sim", "package sim\nfunc (t) m() {\n\n" + filler + "}\ntype t int\n", "m has 71 lines"},

		{"files are short", "topology", "package topology\n" + strings.Repeat("\n", 399), ""},
		{"files are short", "topology", "package topology\n" + strings.Repeat("\n", 400), "401 lines"},

		{doc, "sim", "package sim", "0 package comments"},
		{doc, "sim", "// What it is.\npackage sim", "does not begin with"},
		{doc, "sim", "// Package sim is one.\npackage sim", ""},
		{doc, "cmd/simrun", "// Package main is one.\npackage main", "does not begin with"},

		{exports, "sim", "package sim\nfunc F() {}", "F is exported"},
		{exports, "sim", "package sim\ntype T int", "T is exported"},
		{exports, "sim", "package sim\nvar V, w int", "V is exported"},
		{exports, "sim", "package sim\nconst (\n\ta = 1\n\tC = 2\n)", "C is exported"},
		{exports, "sim", "package sim\n// T is one.\ntype T[P any] int\nfunc (t *T[P]) M() {}", "M is exported"},
		{exports, "sim", "package sim\ntype t int\nfunc (t) M() {}\nfunc f() {}", ""},
		{exports, "sim", "package sim\n// F is one.\nfunc F() {}\n// Some.\nconst (\n\tA = 1\n\tB = 2\n)\nvar V int // is one", ""},
	}
}

// TestRulesCatch shows every rule what breaks it and what does not.
func TestRulesCatch(t *testing.T) {
	catches := map[string]int{}
	for _, s := range samples() {
		p := samplePackage(t, s.dir, s.source)
		for _, rule := range rules() {
			if rule.name != s.rule {
				continue
			}
			got := strings.Join(rule.check(p), "\n")
			if (got == "") != (s.says == "") || !strings.Contains(got, s.says) {
				t.Errorf("%s, in %s:\n%s\nsays %q, want %q", s.rule, s.dir, s.source, got, s.says)
			}
			if s.says != "" {
				catches[rule.name]++
			}
		}
	}
	for _, rule := range rules() {
		if catches[rule.name] == 0 {
			t.Errorf("%s: nothing shows that it catches anything", rule.name)
		}
	}
}

// samplePackage is a source as the only file of a folder. What it imports of this
// module is not looked for, so only samples without such imports have types.
func samplePackage(t *testing.T, dir, source string) *sourcePackage {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parse(fset, dir+"/sample.go", []byte(source))
	if err != nil {
		t.Fatalf("%s: %v", source, err)
	}
	p := &sourcePackage{dir: dir, fset: fset, files: []*sourceFile{file}}
	if deterministic(dir) && !strings.Contains(source, "import _") {
		if _, err := newTyper(fset, map[string]*sourcePackage{dir: p}).Import(module + "/" + dir); err != nil {
			t.Fatalf("%s: %v", source, err)
		}
	}
	return p
}

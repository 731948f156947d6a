package simtest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"simrun/scenarios"
)

// home is where the reproducers of a test lie, and how the test is run.
type home struct {
	test   string // its full name
	pkg    string // the import path of its package; "": not known
	work   string // the folder in which the test binary was started
	folder string // of the reproducers, relative to work
}

// started is the working directory at the start: that of the package, unless somebody has
// started the binary from elsewhere. A test may change it.
var started, _ = os.Getwd()

// all is where the folders of all tests are.
var all = filepath.Join("testdata", "simrun")

func homeOf(test string) home {
	folder := all
	for part := range strings.SplitSeq(test, "/") {
		folder = filepath.Join(folder, fileName(part))
	}
	return home{test: test, pkg: callersPackage(test), work: started, folder: folder}
}

// fileName is a part of a test's name as the name of a folder; two names give two folders.
func fileName(part string) string {
	var b strings.Builder
	for i := range len(part) {
		switch c := part[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_', c == '#', c == '.' && i > 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02x", c)
		}
	}
	if b.Len() == 0 {
		return "%"
	}
	return b.String()
}

// callersPackage is the import path of the package in which the test function is, which
// stands somewhere among the callers.
func callersPackage(test string) string {
	function, _, _ := strings.Cut(test, "/")
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for {
		frame, more := frames.Next()
		slash := strings.LastIndex(frame.Function, "/") + 1
		pkg, name, _ := strings.Cut(frame.Function[slash:], ".")
		if name == function || strings.HasPrefix(name, function+".") {
			return strings.TrimSuffix(frame.Function[:slash]+pkg, "_test")
		}
		if !more {
			return ""
		}
	}
}

// path is where a file of this name among the reproducers is.
func (h home) path(name string) string { return filepath.Join(h.work, h.folder, name) }

// shown is a path as people are told it.
func (h home) shown(path string) string {
	if relative, err := filepath.Rel(h.work, path); err == nil && filepath.IsLocal(relative) {
		return filepath.ToSlash(relative)
	}
	return path
}

// command is what runs the test again, with these flags; "": none.
func (h home) command(flags string) string {
	words := []string{"go test"}
	if h.pkg != "" {
		words = append(words, scenarios.ShellWord(h.pkg))
	}
	var pattern []string
	for part := range strings.SplitSeq(h.test, "/") {
		pattern = append(pattern, "^"+regexp.QuoteMeta(part)+"$")
	}
	words = append(words, "-run", scenarios.ShellWord(strings.Join(pattern, "/")))
	if flags != "" {
		words = append(words, flags)
	}
	return strings.Join(words, " ")
}

// again is the command that carries out the reproducer in a file. go test runs in the
// folder of the package, wherever this binary was started.
func (h home) again(path string) string {
	if file := h.shown(path); filepath.IsLocal(file) && h.inPackage() {
		return h.command("-simrun.file " + scenarios.ShellWord(file))
	}
	return h.command("-simrun.file " + scenarios.ShellWord(path))
}

// inPackage says whether the binary was started where go test starts it, as far as that
// can be told: there are the sources of the test.
func (h home) inPackage() bool {
	sources, err := filepath.Glob(filepath.Join(h.work, "*_test.go"))
	return err == nil && len(sources) > 0
}

// seedAgain is the command that draws the scenario of a seed again.
func (h home) seedAgain(seed int) string {
	return h.command(fmt.Sprintf("-simrun.seed %d -simrun.runs 1", seed))
}

// write writes a file among the reproducers, so that it is there whole or not at all.
func (h home) write(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(h.path(name)), 0o777); err != nil {
		return err
	}
	part, err := os.CreateTemp(filepath.Dir(h.path(name)), "*.part")
	if err != nil {
		return err
	}
	_, err = part.Write(data)
	if err == nil {
		err = part.Chmod(0o644)
	}
	if closed := part.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(part.Name(), h.path(name))
	}
	if err != nil {
		os.Remove(part.Name())
	}
	return err
}

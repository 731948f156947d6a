// Package documented reads the tables of docs for tests that hold them against the code.
package documented

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Names is the names in the first column of the tables of a section, in their order: those
// of the rows that begin with one between backticks. file is a page in docs; heading is the
// section's, with its number signs. A section that is not there fails the test.
func Names(t testing.TB, file, heading string) (names []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root(t), "docs", file))
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(text), "\n"+heading+"\n")
	if !found {
		t.Errorf("docs/%s has no section %s", file, heading)
	}
	section, _, _ = strings.Cut(section, "\n#")
	for row := range strings.Lines(section) {
		if first, _, ok := strings.Cut(strings.TrimPrefix(row, "| "), " |"); ok && strings.HasPrefix(row, "| `") {
			for _, name := range strings.Split(first, ", ") {
				names = append(names, strings.Trim(name, "`"))
			}
		}
	}
	return names
}

// root is the folder of the module.
func root(t testing.TB) string {
	t.Helper()
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; ; folder = filepath.Dir(folder) {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder
		}
		if folder == filepath.Dir(folder) {
			t.Fatal("there is no go.mod above the test")
		}
	}
}

package report

import (
	"bytes"
	"encoding/base64"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// needsNode skips the test where there is no node, and is its path.
func needsNode(t *testing.T) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node on this machine, so that the page's scripts cannot be run")
	}
	return node
}

// inNode is what a script in testdata prints when node runs it: its arguments are the folder
// of the page's scripts, and those that are given.
func inNode(t *testing.T, script string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(needsNode(t), append([]string{"testdata/" + script, "web"}, args...)...)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, complaint.Bytes())
	}
	return out
}

// inFile is a file with a text.
func inFile(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// dataFile is a file with the data of a page of one run, as the page has them.
func dataFile(t *testing.T, run Run, k *keep) string {
	t.Helper()
	page := Page{Runs: []Run{run}}
	data, _, err := page.data(k)
	if err != nil {
		t.Fatal(err)
	}
	return inFile(t, base64.StdEncoding.EncodeToString(data))
}

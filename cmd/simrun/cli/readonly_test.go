//go:build unix

package cli

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestReadOnlyFolders: what may not be written or read is named, the exit code is 2, and
// nothing has changed. Root may do everything, so it runs the program as somebody else.
func TestReadOnlyFolders(t *testing.T) {
	file, dir := coordinated(t)
	chk := only(t, dir)
	program := filepath.Join(filepath.Dir(dir), "simrun")
	data, err := os.ReadFile(simrun(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program, data, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{filepath.Dir(dir), filepath.Dir(filepath.Dir(dir))} {
		mode(t, folder, 0o755)
	}
	for _, x := range []struct {
		what, closed string
		to           os.FileMode
		args         []string
		want         string
	}{
		{"a folder that is read-only", dir, 0o555, []string{"--restore", dir, "--checkpoint-dir", dir}, ": it cannot be written: permission denied"},
		{"a folder in one that is", dir, 0o555, []string{"--checkpoint-dir", filepath.Join(dir, "new")}, filepath.Join(dir, "new") + ": it cannot be written: permission denied"},
		{"a folder that nobody may read", dir, 0o311, []string{"--restore", dir}, dir + ": it cannot be read: permission denied"},
		{"a segment that nobody may read", filepath.Join(chk, "segment-0"), 0o200, []string{"--restore", dir}, filepath.Join(chk, "segment-0") + ": it cannot be read: permission denied"},
		{"metadata that nobody may read", filepath.Join(chk, "_metadata"), 0o200, []string{"--restore", chk}, filepath.Join(chk, "_metadata") + ": it cannot be read: permission denied"},
	} {
		info, err := os.Stat(x.closed)
		if err != nil {
			t.Fatal(err)
		}
		before := onDisk(t, dir)
		mode(t, x.closed, x.to)
		cmd := exec.Command(program, append([]string{"run", file}, x.args...)...)
		if os.Geteuid() == 0 {
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		cmd.Run()
		mode(t, x.closed, info.Mode().Perm())
		if code := cmd.ProcessState.ExitCode(); code != 2 || stdout.Len() > 0 || !strings.Contains(stderr.String(), x.want) {
			t.Errorf("%s: exit code %d, standard output %q, standard error %q; want %q", x.what, code, &stdout, &stderr, x.want)
		}
		if !maps.Equal(before, onDisk(t, dir)) {
			t.Errorf("%s: the disk has changed", x.what)
		}
	}
}

func mode(t *testing.T, path string, to os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, to); err != nil {
		t.Fatal(err)
	}
}

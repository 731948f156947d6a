package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"simrun/scenarios"
)

// This file is about folders from which no run can begin: with checkpoints of a run that
// has a coordinator and transactional sinks.

// coordinated is a scenario file and a folder with one checkpoint of it.
func coordinated(t *testing.T) (file, dir string) {
	t.Helper()
	folder := t.TempDir()
	text, err := os.ReadFile("../../../testdata/scenarios/transactional-wordcount.yaml")
	if err != nil {
		t.Fatal(err)
	}
	file, dir = filepath.Join(folder, "transactional.yaml"), filepath.Join(folder, "chks")
	if err := os.WriteFile(file, text, 0o666); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := simrunIn(t, "run", file, "--checkpoint-dir", dir, "--retain", "1"); code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	return file, dir
}

// simrunIn runs a command in this process.
func simrunIn(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, problems bytes.Buffer
	code = Main(scenarios.Default(), args, &out, &problems)
	return code, out.String(), problems.String()
}

// onDisk is everything below a folder: the bytes of a file, its mode, when it was changed.
func onDisk(t *testing.T, dir string) map[string]string {
	t.Helper()
	tree := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		var data []byte
		if !d.IsDir() {
			if data, err = os.ReadFile(path); err != nil {
				return err
			}
		}
		tree[path] = fmt.Sprint(info.Mode(), info.ModTime(), string(data))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// rewrite changes lines of a _metadata and gives it a right checksum.
func rewrite(t *testing.T, chk string, change func(lines []string) []string) {
	t.Helper()
	file := filepath.Join(chk, "_metadata")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(strings.TrimSuffix(string(data), "\n"), "\n")
	lines = change(lines[:len(lines)-1])
	body := strings.Join(lines, "")
	end, err := json.Marshal(struct {
		Kind  string `json:"kind"`
		Lines int    `json:"lines"`
		CRC   string `json:"crc32c"`
	}{"end", len(lines), fmt.Sprintf("%08x", crc32.Checksum([]byte(body), crc32.MakeTable(crc32.Castagnoli)))})
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, []byte(body+string(end)+"\n"))
}

func write(t *testing.T, file string, data []byte) {
	t.Helper()
	if err := os.WriteFile(file, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// alter changes the bytes of a file.
func alter(t *testing.T, file string, change func(data []byte) []byte) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, change(data))
}

// TestBadFolders: no run begins with what is not whole or not its own. The error names the
// file, the exit code is 2, and nothing on the disk has changed.
func TestBadFolders(t *testing.T) {
	without := func(line string) func(lines []string) []string {
		return func(lines []string) (left []string) {
			for _, l := range lines {
				if !strings.Contains(l, line) {
					left = append(left, l)
				}
			}
			return left
		}
	}
	replaced := func(from, to string) func(lines []string) []string {
		return func(lines []string) []string {
			if !strings.Contains(lines[0], from) {
				t.Fatalf("the first line has no %s: %s", from, lines[0])
			}
			lines[0] = strings.Replace(lines[0], from, to, 1)
			return lines
		}
	}
	wholeFile, wholeDir := coordinated(t)
	whole := os.DirFS(filepath.Dir(wholeDir))
	for _, x := range []struct {
		what, names, want string // names: what the error names, in the folder
		damage            func(file, dir, chk string)
	}{
		{"empty", "", "there is no checkpoint in this folder", func(_, dir, chk string) { os.RemoveAll(chk) }},
		{"foreign", "", "there is no checkpoint in this folder", func(_, dir, chk string) {
			os.RemoveAll(chk)
			write(t, filepath.Join(dir, "a.txt"), []byte("a"))
		}},
		{"a foreign folder with the name", "CHK/_metadata", "no whole checkpoint", func(_, dir, chk string) {
			os.RemoveAll(chk)
			os.Mkdir(chk, 0o777)
			write(t, filepath.Join(chk, "a.txt"), []byte("a"))
		}},
		{"foreign metadata", "CHK/_metadata", "no metadata of a checkpoint of simrun", func(_, _, chk string) {
			write(t, filepath.Join(chk, "_metadata"), []byte("\x00\x01savepoint\n"))
		}},
		{"another scenario", "CHK/_metadata", "of another scenario", func(file, _, _ string) {
			alter(t, file, func(data []byte) []byte {
				return bytes.Replace(data, []byte("interval: 15ms"), []byte("interval: 16ms"), 1)
			})
		}},
		{"other sinks", "CHK/_metadata", "of another scenario", func(file, _, _ string) {
			alter(t, file, func(data []byte) []byte {
				return bytes.Replace(data, []byte("sinks: transactional"), []byte("sinks: plain"), 1)
			})
		}},
		{"no coordinator", "CHK/_metadata", "of another scenario", func(file, _, _ string) {
			write(t, file, []byte("version: 1\nalgorithm: abs\ngraph: {generate: dataflow, parallelism: 2}\napp: {kind: wordcount}\n"))
		}},
		{"an older version", "CHK/_metadata", "version 1 of the format, and this simrun reads version 2", func(_, _, chk string) {
			rewrite(t, chk, replaced(`"version":2`, `"version":1`))
		}},
		{"a newer version", "CHK/_metadata", "version 3 of the format", func(_, _, chk string) {
			rewrite(t, chk, replaced(`"version":2`, `"version":3`))
		}},
		{"a field of a newer version", "CHK/_metadata", "no metadata of a checkpoint of simrun, or its first line is damaged", func(_, _, chk string) {
			rewrite(t, chk, replaced(`"coordinated":true`, `"coordinated":true,"new":1`))
		}},
		{"metadata cut short", "CHK/_metadata", "in the middle of a line", func(_, _, chk string) {
			alter(t, filepath.Join(chk, "_metadata"), func(data []byte) []byte { return data[:len(data)/2] })
		}},
		{"a segment cut short", "CHK/segment-0", "the metadata says", func(_, _, chk string) {
			alter(t, filepath.Join(chk, "segment-0"), func(data []byte) []byte { return data[:len(data)-1] })
		}},
		{"a byte of the metadata", "CHK/_metadata", "checksum", func(_, _, chk string) {
			alter(t, filepath.Join(chk, "_metadata"), func(data []byte) []byte {
				return bytes.Replace(data, []byte(`"last_begun":1`), []byte(`"last_begun":2`), 1)
			})
		}},
		{"a byte of a segment", "CHK/segment-0", "the checksum of the range of", func(_, _, chk string) {
			alter(t, filepath.Join(chk, "segment-0"), func(data []byte) []byte { data[len(data)/2] ^= 1; return data })
		}},
		{"no range of a task", "CHK/_metadata", "a line cannot be read", func(_, _, chk string) {
			alter(t, filepath.Join(chk, "_metadata"), func(data []byte) []byte {
				return []byte(strings.Join(without(`"name":"sink-0"`)(strings.SplitAfter(string(data), "\n")), ""))
			})
		}},
		{"no range of a task, and a right checksum", "CHK/_metadata", "a line cannot be read", func(_, _, chk string) {
			rewrite(t, chk, without(`"name":"sink-0"`))
		}},
		{"a task less", "CHK/_metadata", "task 4 has no range", func(_, _, chk string) {
			rewrite(t, chk, without(`"name":"sink-0"`))
			rewrite(t, chk, replaced(`"tasks":6`, `"tasks":5`))
		}},
		{"no line of the segment", "CHK/_metadata", "a line cannot be read", func(_, _, chk string) { rewrite(t, chk, without(`"kind":"segment"`)) }},
		{"no segment", "CHK/segment-0", "there is no such file: a segment of the checkpoint is missing", func(_, _, chk string) { os.Remove(filepath.Join(chk, "segment-0")) }},
		{"no metadata", "CHK/_metadata", "there is no such file: this is no whole checkpoint", func(_, _, chk string) { os.Remove(filepath.Join(chk, "_metadata")) }},
		{"no coordinator in the metadata", "CHK/_metadata", "had been given by a coordinator", func(_, _, chk string) {
			rewrite(t, chk, replaced(`"coordinated":true`, `"coordinated":false`))
		}},
		{"ids that had not been given", "CHK/_metadata", "had been given by a coordinator", func(_, _, chk string) {
			rewrite(t, chk, func(lines []string) []string {
				lines[0] = regexp.MustCompile(`"last_begun":[0-9]+`).ReplaceAllString(lines[0], `"last_begun":3`)
				return lines
			})
		}},
	} {
		folder := t.TempDir()
		if err := os.CopyFS(folder, whole); err != nil {
			t.Fatal(err)
		}
		file, dir := filepath.Join(folder, filepath.Base(wholeFile)), filepath.Join(folder, "chks")
		chk := only(t, dir)
		x.damage(file, dir, chk)
		before := onDisk(t, folder)
		for _, args := range [][]string{
			{"--restore", dir}, {"--restore", chk}, {"--restore", dir, "--checkpoint-dir", dir}, {"--restore", dir, "--checkpoint-dir", filepath.Join(dir, "new")},
		} {
			named, want := strings.ReplaceAll(filepath.Join(dir, x.names), "CHK", filepath.Base(chk)), x.want
			if args[1] == chk && x.names == "" {
				named, want = chk, "there is no such file or folder"
			}
			code, stdout, stderr := simrunIn(t, append([]string{"run", file}, args...)...)
			if code != 2 || stdout != "" || !strings.Contains(stderr, named) || !strings.Contains(stderr, want) {
				t.Errorf("%s, %q: exit code %d, standard output %q, standard error %q; want %q of %s", x.what, args[2:], code, stdout, stderr, want, named)
			}
			if !maps.Equal(before, onDisk(t, folder)) {
				t.Errorf("%s, %q: the disk has changed", x.what, args[2:])
			}
		}
	}
}

// only is the one checkpoint in a folder.
func only(t *testing.T, dir string) string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, "chk-*"))
	if err != nil || len(list) != 1 {
		t.Fatalf("checkpoints: %q, %v", list, err)
	}
	return list[0]
}

// TestAlteredBytes: bytes all over a checkpoint are altered in turn, and no run begins
// with it.
func TestAlteredBytes(t *testing.T) {
	file, dir := coordinated(t)
	chk := only(t, dir)
	altered := 0
	for _, name := range []string{"_metadata", "segment-0"} {
		path := filepath.Join(chk, name)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(data); i += 1 + len(data)/60 {
			data[i] ^= 1
			write(t, path, data)
			data[i] ^= 1
			if code, stdout, stderr := simrunIn(t, "run", file, "--restore", chk); code != 2 || stdout != "" || !strings.Contains(stderr, chk+"/") {
				t.Fatalf("byte %d of %s: exit code %d, %q", i, name, code, stderr)
			}
			altered++
		}
		write(t, path, data)
	}
	if code, _, stderr := simrunIn(t, "run", file, "--restore", chk); code != 0 || altered < 90 {
		t.Errorf("%d alterations, and at the end exit code %d: %s", altered, code, stderr)
	}
}

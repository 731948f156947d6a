package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// file is an output file that appears under its name only when it is whole: it
// is written beside it and renamed.
type file struct {
	f    *os.File
	path string // where it is to appear; "" if it is written in place
}

// keepInput refuses to write over a file that was read, under whatever name.
func keepInput(flag, path string, read []string) error {
	if path == "-" {
		return fmt.Errorf("--%s -: name a file; /dev/stdout is standard output, ./- a file with this name", flag)
	}
	target, err := os.Stat(path)
	if err != nil {
		return nil // nothing is there that could be lost
	}
	for _, name := range read {
		if info, err := os.Stat(name); err == nil && os.SameFile(target, info) && info.Mode().IsRegular() {
			return fmt.Errorf("--%s %s would replace %s, which was read for this run; name another file", flag, path, name)
		}
	}
	return nil
}

// writeText writes a text to a file that is not one of those that were read; what says what
// the text is.
func writeText(text func(io.Writer) error, what, flag, path string, read []string) error {
	if err := keepInput(flag, path, read); err != nil {
		return err
	}
	var b bytes.Buffer // what cannot be told is no reason to touch the file
	if err := text(&b); err != nil {
		return err
	}
	f, err := createFile(path)
	if err != nil {
		return err
	}
	if _, err := f.f.Write(b.Bytes()); err != nil {
		f.abandon()
		return fmt.Errorf("%s: the %s cannot be written: %w", path, what, err)
	}
	return f.commit()
}

// without goes on although a file that goes with the result was not written: what long work
// has found is told all the same. The exit code says so if the file was asked for by name.
func (c *commands) without(err error, asked string) {
	c.complain(err)
	if asked != "" {
		c.exitCode = exitBadInput
	}
}

// writable says early why a file could not be written when the work is done. What is no
// regular file, such as a pipe, is not opened: its reader would see it closed again.
func writable(flag, path string, read []string) error {
	if err := keepInput(flag, path, read); err != nil {
		return err
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return nil
	}
	f, err := createFile(path)
	if err == nil {
		f.abandon()
	}
	return err
}

// createFile begins an output file. What is there and is no regular file (a pipe,
// a terminal, /dev/null) is written to in place. A regular file that is replaced
// hands its permissions on, and must be one that could be written to.
func createFile(path string) (*file, error) {
	path = followLinks(path)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f, err := createPart(path, 0o666)
		return &file{f, path}, cannotCreate(path, err)
	case err != nil:
		return nil, cannotCreate(path, err)
	case info.IsDir():
		return nil, fmt.Errorf("%s: this is a folder; name a file", path)
	}
	inPlace, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil || !info.Mode().IsRegular() {
		return &file{f: inPlace}, cannotCreate(path, err)
	}
	inPlace.Close() // it was not written to
	f, err := createPart(path, info.Mode().Perm())
	if err != nil {
		return nil, cannotCreate(path, err)
	}
	o := &file{f, path}
	if err := f.Chmod(info.Mode().Perm()); err != nil { // creating it minded the umask
		o.abandon()
		return nil, cannotCreate(path, err)
	}
	return o, nil
}

func createPart(path string, mode fs.FileMode) (*os.File, error) {
	return os.OpenFile(fmt.Sprintf("%s.%d.part", path, os.Getpid()), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, mode)
}

// followLinks is where a path leads, also if nothing is there yet: a link stays a
// link.
func followLinks(path string) string {
	if _, err := os.Stat(path); err == nil {
		if target, err := filepath.EvalSymlinks(path); err == nil {
			return target
		}
		return path // such as /dev/stdout, a link to what has no path
	}
	for range maxLinks {
		target, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(target) {
			folder, err := filepath.EvalSymlinks(filepath.Dir(path))
			if err != nil {
				break
			}
			target = filepath.Join(folder, target)
		}
		path = target
	}
	return path
}

// maxLinks is how many links in a row Linux follows.
const maxLinks = 40

func cannotCreate(path string, err error) error {
	var inner *fs.PathError
	if errors.As(err, &inner) {
		return fmt.Errorf("%s: the file cannot be created: %w", path, inner.Err)
	}
	return err
}

// commit makes the file appear.
func (o *file) commit() error {
	if err := o.f.Close(); err != nil || o.path == "" {
		return err
	}
	return os.Rename(o.f.Name(), o.path)
}

// abandon leaves nothing behind.
func (o *file) abandon() {
	o.f.Close()
	if o.path != "" {
		os.Remove(o.f.Name())
	}
}

// abandonOnPanic is deferred around the writing: the panic goes on.
func (o *file) abandonOnPanic() {
	if cause := recover(); cause != nil {
		o.abandon()
		panic(cause)
	}
}

package cli

import (
	"errors"
	"fmt"
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
func keepInput(path string, read []string) error {
	if path == "-" {
		return errors.New("--trace -: name a file; /dev/stdout is standard output, ./- a file with this name")
	}
	target, err := os.Stat(path)
	if err != nil {
		return nil // nothing is there that could be lost
	}
	for _, name := range read {
		if info, err := os.Stat(name); err == nil && os.SameFile(target, info) && info.Mode().IsRegular() {
			return fmt.Errorf("--trace %s would replace %s, which was read for this run; name another file", path, name)
		}
	}
	return nil
}

// createFile begins an output file. What is there and is no regular file (a pipe,
// a terminal, /dev/null) is written to in place.
func createFile(path string) (*file, error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // a link stays a link
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return nil, fmt.Errorf("%s: this is a folder; name a file", path)
	case err == nil && !info.Mode().IsRegular():
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		return &file{f: f}, cannotCreate(path, err)
	}
	f, err := os.OpenFile(fmt.Sprintf("%s.%d.part", path, os.Getpid()), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o666)
	return &file{f, path}, cannotCreate(path, err)
}

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

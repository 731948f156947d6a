package topology

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// MaxFileSize is the size, in bytes, beyond which a graph file is refused.
const MaxFileSize = 64 << 20

// Error says what is wrong with a graph, and what would be right. File is empty
// where no file is read; Line and Column count from 1 and are 0 where no
// position is known.
type Error struct {
	File         string
	Line, Column int
	Msg          string
	Source       string // the line of the file, if Line is known
}

// Error is file, line, column and message on one line.
func (e *Error) Error() string {
	where := e.File
	if e.Line > 0 {
		where += fmt.Sprintf(":%d:%d", e.Line, e.Column)
	}
	if where == "" {
		return e.Msg
	}
	return strings.TrimPrefix(where, ":") + ": " + e.Msg
}

// Excerpt is the line of the file with a caret below the column, or nothing
// where the position is not known.
func (e *Error) Excerpt() string {
	if e.Line == 0 {
		return ""
	}
	before := []rune(e.Source)
	before = before[:min(max(e.Column-1, 0), len(before))]
	for i, r := range before {
		if r != '\t' { // a tab stays one, so that the caret stands below its column
			before[i] = ' '
		}
	}
	head := fmt.Sprintf("%4d | ", e.Line)
	return head + e.Source + "\n" + strings.Repeat(" ", len(head)) + string(before) + "^\n"
}

// shortest is how many characters of a value a message shows.
const shortest = 40

// short is a value as it stands in a message: cut if it is long.
func short(text string) string { return cut(text, shortest) }

func cut(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most]) + "..."
}

// errorf is an Error without a position.
func errorf(format string, args ...any) *Error {
	return &Error{Msg: fmt.Sprintf(format, args...)}
}

// source is a file that is being read.
type source struct {
	file string
	data []byte
}

// open refuses what cannot be a graph file of any format. want says what the
// file should hold.
func open(file string, data []byte, want string) (*source, *Error) {
	s := &source{file, data}
	if len(data) > MaxFileSize {
		return nil, s.errorf("the file has %d bytes; a graph file may have %d (%d MiB)", len(data), MaxFileSize, MaxFileSize>>20)
	}
	s.data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if bytes.IndexByte(s.data, '\n') < 0 { // carriage returns alone end lines, too
		s.data = bytes.ReplaceAll(s.data, []byte{'\r'}, []byte{'\n'})
	}
	if len(bytes.TrimSpace(s.data)) == 0 {
		return nil, s.errorf("the file is empty; it should hold %s", want)
	}
	if i := firstBinary(s.data); i >= 0 {
		return nil, s.errorAt(i, "this is not text: byte 0x%02x; the file should hold %s, in UTF-8", s.data[i], want)
	}
	return s, nil
}

// firstBinary is the offset of the first byte that no UTF-8 text has, or -1.
func firstBinary(data []byte) int {
	zero := bytes.IndexByte(data, 0)
	if utf8.Valid(data) {
		return zero
	}
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if i == zero || r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return zero
}

// errorf is an error about the file as a whole.
func (s *source) errorf(format string, args ...any) *Error {
	return &Error{File: s.file, Msg: fmt.Sprintf(format, args...)}
}

// excerptRunes is how much of a line an Error keeps.
const excerptRunes = 160

// errorAt is an error at a byte offset.
func (s *source) errorAt(offset int, format string, args ...any) *Error {
	before := s.data[:min(offset, len(s.data))]
	start := bytes.LastIndexByte(before, '\n') + 1
	return s.errorAtLine(bytes.Count(before, []byte{'\n'})+1, utf8.RuneCount(before[start:])+1, format, args...)
}

// errorAtLine is an error at a line and column.
func (s *source) errorAtLine(line, column int, format string, args ...any) *Error {
	e := s.errorf(format, args...)
	e.Line, e.Column = line, column
	shown := []rune(strings.ToValidUTF8(string(s.line(line)), "\ufffd"))
	e.Source = string(shown[:min(len(shown), excerptRunes)])
	return e
}

// line is a line of the file, without what ends it.
func (s *source) line(number int) []byte {
	text := s.data
	for range number - 1 {
		_, text, _ = bytes.Cut(text, []byte{'\n'})
	}
	text, _, _ = bytes.Cut(text, []byte{'\n'})
	return bytes.TrimRight(text, "\r")
}

// at gives an error that has no position one in this file.
func (s *source) at(offset int, err *Error) *Error { return s.errorAt(offset, "%s", err.Msg) }

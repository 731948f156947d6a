// Package label makes texts of any origin fit for a picture or a file that others read:
// names of nodes, graphs and files, which may hold what nobody can see, and may be long.
// Escaping for a format is left to who writes the format.
package label

import (
	"strings"
	"unicode"
)

// Plain is a text on one line in which everything can be seen: control characters become
// their symbols (a line feed is U+240A), other characters that print nothing, such as
// those that turn the direction of writing, become a hollow square, and each space a plain
// one.
func Plain(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == 0x7f:
			return '\u2421'
		case r < ' ':
			return '\u2400' + r
		case r == unicode.ReplacementChar: // also in place of bytes that are no text
		case unicode.IsPrint(r):
			return r
		case unicode.IsSpace(r):
			return ' '
		}
		return '\u25a1'
	}, text)
}

// Lines is Plain of every line of a text: line feeds stay.
func Lines(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = Plain(lines[i])
	}
	return strings.Join(lines, "\n")
}

// Short is Plain, cut to at most so many characters with an ellipsis as the last of them.
func Short(text string, most int) string {
	runes, last := 0, 0 // where the last character begins that may be shown
	for i := range text {
		switch runes {
		case most - 1:
			last = i
		case most:
			return Plain(text[:last]) + "\u2026"
		}
		runes++
	}
	return Plain(text)
}

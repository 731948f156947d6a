package label

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "n0 -> n1": "n0 -> n1", "\u05e9\u05dc\u05d5\u05dd": "\u05e9\u05dc\u05d5\u05dd",
		"a\nb\x00\x1b[31m\x7f": "a\u240ab\u2400\u241b[31m\u2421",
		"\u202eevil\u2066":     "\u25a1evil\u25a1", "a\xffb\ufffd": "a\u25a1b\u25a1", "a\u00a0b\u2003c": "a b c", "a\u2028b": "a b", "\u200b\ufeff": "\u25a1\u25a1",
	} {
		if got := Plain(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestLines(t *testing.T) {
	for text, want := range map[string]string{"": "", "a\n\nb\n": "a\n\nb\n", "a\x1b\r\n\u202eb": "a\u241b\u240d\n\u25a1b"} {
		if got := Lines(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestShort(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "12345": "12345", "123456": "1234\u2026", "\u05e9\u05dc\u05d5\u05dd!": "\u05e9\u05dc\u05d5\u05dd!", "\n\n\n\n\n\n": "\u240a\u240a\u240a\u240a\u2026",
		strings.Repeat("x", 10_000): "xxxx\u2026", strings.Repeat("\U0001f600", 5): strings.Repeat("\U0001f600", 5),
		strings.Repeat("\U0001f600", 6): strings.Repeat("\U0001f600", 4) + "\u2026", "x" + strings.Repeat("\U0001f600", 9): "x" + strings.Repeat("\U0001f600", 3) + "\u2026",
		strings.Repeat("\xff", 100): "\u25a1\u25a1\u25a1\u25a1\u2026",
	} {
		got := Short(text, 5)
		if got != want || !utf8.ValidString(got) {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

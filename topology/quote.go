package topology

import "strings"

// QuoteDOT is a text as an identifier in the DOT language, always in quotes. Of what stands
// between them only \" is special, so that a backslash in front of a quote, or at the end,
// cannot be written: it is written twice, and read back as two. A line break is written as
// its symbol, because behind a backslash it would be left out.
func QuoteDOT(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	slashes := 0
	even := func() {
		if slashes%2 == 1 {
			b.WriteByte('\\')
		}
	}
	for _, r := range text {
		switch r {
		case '"':
			even()
			b.WriteByte('\\')
		case '\n', '\r':
			r += '\u2400'
		}
		if r == '\\' {
			slashes++
		} else {
			slashes = 0
		}
		b.WriteRune(r)
	}
	even()
	b.WriteByte('"')
	return b.String()
}

// LabelDOT is a text as a label in the DOT language: what is shown is the text. Graphviz
// would take what begins with a backslash or an ampersand for something else.
func LabelDOT(text string) string { return QuoteDOT(dotLabel.Replace(text)) }

var dotLabel = strings.NewReplacer(`\`, `\\`, "&", "&amp;")

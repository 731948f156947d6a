package topology

import (
	"slices"
	"testing"
)

// TestQuoteDOT: what is quoted is read back as it was, but for what cannot be written.
func TestQuoteDOT(t *testing.T) {
	for name, want := range map[string]string{
		"a": "a", "a b": "a b", `"`: `"`, `"x"y"`: `"x"y"`, `c\d`: `c\d`, `c\\d`: `c\\d`, `\N`: `\N`, "->": "->", "end": "end", "<b>": "<b>", "&amp;": "&amp;",
		`ends\`: `ends\\`, `a\"b`: `a\\"b`, `\\`: `\\`, `\\\`: `\\\\`, // a backslash that cannot stand there is two
	} {
		g, err := ParseDOT("x.dot", []byte("digraph {"+QuoteDOT(name)+" [label="+LabelDOT(name)+"]; "+QuoteDOT(name)+" -> z}"))
		if err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		if !slices.Equal(g.Nodes, []string{want, "z"}) {
			t.Errorf("%q is read back as %q, want %q", name, g.Nodes, want)
		}
	}
	for name, want := range map[string]string{"a\nb": "\"a\u240ab\"", "a\\\r\nb": "\"a\\\u240d\u240ab\""} {
		if got := QuoteDOT(name); got != want {
			t.Errorf("%q is %s, want %s", name, got, want)
		}
	}
	if got := LabelDOT(`\N &lt;"`); got != `"\\N &amp;lt;\""` {
		t.Error(got)
	}
}

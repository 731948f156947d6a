package comparison

import (
	"strings"

	"simrun/scenarios/label"
)

// MarkdownTable is a table of GitHub's Markdown: the first row has the titles, and every
// column but the first is aligned to the right.
func MarkdownTable(grid [][]string) string {
	var b strings.Builder
	for i, row := range grid {
		for _, cell := range row {
			b.WriteString("| " + InMarkdown(cell) + " ")
		}
		b.WriteString("|\n")
		if i == 0 {
			b.WriteString("|---" + strings.Repeat("|--:", len(row)-1) + "|\n")
		}
	}
	return b.String()
}

// InMarkdown is a text that stands for itself in a cell of a table, on one line.
func InMarkdown(text string) string { return label.Plain(markdown.Replace(text)) }

var markdown = strings.NewReplacer(`\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`,
	"<", "&lt;", ">", "&gt;", "&", "&amp;", "~", `\~`, "#", `\#`, "\r", " ", "\n", " ")

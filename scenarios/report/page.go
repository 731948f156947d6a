package report

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"io"
	"io/fs"
	"strings"
)

// Page is what a report shows.
type Page struct {
	Title  string
	Tool   string // the version of simrun
	Replay string // the command that makes the run, or the page, again
	Runs   []Run

	Comparison any // its JSON is that of simrun compare --json; nil: the runs are not compared
	Series     any // its JSON is that of a sweep over a parameter; nil: there is none
	Plots      []Plot
	Text       string // all of that as text; "": there is nothing of it
}

// Plot is a picture.
type Plot struct {
	Title string `json:"title"`
	SVG   string `json:"svg"`
}

//go:embed web
var web embed.FS

// scripts are the files of the script, in their order: for each word those whose names
// begin with it. They share one scope.
var scripts = []string{"model", "geometry", "relation", "cut", "draw", "view", "minimap", "controls", "panel", "table", "output", "compare", "main"}

var shell = template.Must(template.ParseFS(web, "web/page.html"))

// script is the page's script.
func script() string {
	var b strings.Builder
	b.WriteString("\"use strict\";\n(() => {\n")
	for _, word := range scripts {
		b.WriteString(texts("web/" + word + "*.js"))
	}
	b.WriteString("})();\n")
	return b.String()
}

// style is the page's style sheet: the colours, which are dark where the reader's system is,
// unless the page is told otherwise, and where the page is told so; then the rest.
func style() string {
	light, dark := file("web/light.colours"), file("web/dark.colours")
	return ":root {\n" + light + "}\n" +
		":root[data-theme=\"dark\"] {\n" + dark + "}\n" +
		"@media (prefers-color-scheme: dark) {\n:root:not([data-theme=\"light\"]) {\n" + dark + "}\n}\n" +
		texts("web/*.css")
}

// texts is the text of all files whose names match a pattern.
func texts(pattern string) string {
	names, err := fs.Glob(web, pattern)
	if err != nil {
		panic("report: " + err.Error()) // the patterns are those of this package
	}
	var b strings.Builder
	for _, name := range names {
		b.WriteString(file(name))
	}
	return b.String()
}

func file(name string) string {
	text, err := web.ReadFile(name)
	if err != nil {
		panic("report: " + err.Error()) // it is embedded
	}
	return string(text)
}

// content is what the shell is filled with.
type content struct {
	*Page
	Policy    string
	Style     template.CSS
	Script    template.JS
	Data      template.HTML // base64, in which nothing can be HTML
	Summaries []summary
}

// Write writes the page. It adds to the notes of the runs what it has no room for.
func Write(w io.Writer, p *Page) error {
	code := script()
	sum := sha256.Sum256([]byte(code))
	c := &content{
		Page: p,
		Policy: "default-src 'none'; script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
			"'; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'",
		Style:     template.CSS(style()),
		Script:    template.JS(code),
		Summaries: p.summaries(),
	}
	var shellOnly bytes.Buffer
	if err := shell.Execute(&shellOnly, c); err != nil {
		return err
	}
	// Base64 has four characters for three bytes; the notes may still come.
	data, err := p.fit((p.most() - shellOnly.Len() - notesBytes) / 4 * 3)
	if err != nil {
		return err
	}
	c.Data, c.Summaries = template.HTML(base64.StdEncoding.EncodeToString(data)), p.summaries()
	return shell.Execute(w, c)
}

// notesBytes is room for the notes about what had no room.
const notesBytes = 2000

// generator is what the head of every page has, so that it is known again.
const generator = `<meta name="generator" content="simrun">`

// Recognized says whether a text is a page that Write has written, by its beginning.
func Recognized(r io.Reader) bool {
	begin := make([]byte, 1<<10)
	n, _ := io.ReadFull(r, begin) // what cannot be read is none
	return bytes.Contains(begin[:n], []byte(generator))
}

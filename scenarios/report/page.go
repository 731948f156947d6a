package report

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"html/template"
	"io"
	"io/fs"
	"strings"

	"simrun/scenarios/spacetime"
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
}

// Run is one run of a page.
type Run struct {
	Diagram      *spacetime.Diagram
	Explanations [][]string // by Diagram.Snapshots: the lines that simrun explain has for it; nil: left out
	Stories      [][]string // by Diagram.Violations, likewise
	Notes        []string   // what is left out, in sentences
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
		names, err := fs.Glob(web, "web/"+word+"*.js")
		if err != nil {
			panic("report: " + err.Error()) // the words are above
		}
		for _, name := range names {
			b.WriteString(file(name))
		}
	}
	b.WriteString("})();\n")
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

// Write writes the page.
func Write(w io.Writer, p *Page) error {
	data, err := p.data()
	if err != nil {
		return err
	}
	code := script()
	sum := sha256.Sum256([]byte(code))
	return shell.Execute(w, &content{
		Page: p,
		Policy: "default-src 'none'; script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
			"'; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'",
		Style:     template.CSS(file("web/style.css")),
		Script:    template.JS(code),
		Data:      template.HTML(base64.StdEncoding.EncodeToString(data)),
		Summaries: p.summaries(),
	})
}

// data is the data: the length of the head, the head, the columns, and all of it packed.
func (p *Page) data() ([]byte, error) {
	h := head{Version: dataVersion, Tool: p.Tool, Title: p.Title, Replay: p.Replay, Runs: []headRun{},
		Comparison: p.Comparison, Series: p.Series, Plots: append([]Plot{}, p.Plots...)}
	var c columns
	for i := range p.Runs {
		h.Runs = append(h.Runs, headOf(&p.Runs[i], &c))
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // nothing of it is HTML: it is packed
	if err := encoder.Encode(h); err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	for _, part := range [][]byte{binary.LittleEndian.AppendUint32(nil, uint32(text.Len())), text.Bytes(), c.data.Bytes()} {
		if _, err := z.Write(part); err != nil {
			return nil, err
		}
	}
	err = z.Close()
	return packed.Bytes(), err
}

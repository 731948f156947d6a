package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
)

// some is a chart with most of what there is.
func some() Chart {
	return Chart{
		Title: "throughput", Note: "seeds 1-20",
		X: Axis{Label: "snapshots.every", Unit: Nanoseconds, Log: true}, Y: Axis{Label: "records a second"},
		Lines: []Line{
			{Name: "no-snapshots", Points: []Point{At(10e6, 1200), At(100e6, 1200), At(1e9, 1200)}},
			{Name: "stop-the-world", Points: []Point{{10e6, 300, 250, 350}, Missing(100e6), {1e9, 1150, 1100, 1180}}},
			{Name: "abs", Points: []Point{{10e6, 1000, 950, 1050}, {100e6, 1100, 1090, 1150}, {1e9, 1190, 1190, 1200}}},
			{Name: "tracking", Absent: "refused"},
		},
	}
}

// element is what of an SVG a test looks at.
type element struct {
	name  string
	attrs map[string]string
	text  string
}

// parsed is the elements of a document, which must be well-formed.
func parsed(t *testing.T, svg []byte) (list []element) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(svg))
	d.Strict = true
	var open []int
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, svg)
		}
		switch x := token.(type) {
		case xml.StartElement:
			e := element{name: x.Name.Local, attrs: map[string]string{}}
			for _, a := range x.Attr {
				e.attrs[a.Name.Local] = a.Value
			}
			open, list = append(open, len(list)), append(list, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 {
				list[open[len(open)-1]].text += string(x)
			}
		}
	}
}

// classed is the elements with a class.
func classed(list []element, class string) (found []element) {
	for _, e := range list {
		if slices.Contains(strings.Fields(e.attrs["class"]), class) {
			found = append(found, e)
		}
	}
	return found
}

func TestLines(t *testing.T) {
	list := parsed(t, Lines(some()))
	// A line that is broken is two; each of the three drawn ones is in the legend, too.
	if got := len(classed(list, "line")); got != 4+3 {
		t.Errorf("%d lines", got)
	}
	if got := len(classed(list, "marker")); got != 3+2+3+3 {
		t.Errorf("%d markers", got)
	}
	if bands, whiskers := len(classed(list, "band")), len(classed(list, "whisker")); bands != 1 || whiskers != 2 {
		t.Errorf("%d bands and %d whiskers", bands, whiskers)
	}
	var texts []string
	for _, e := range list {
		if e.name == "text" || e.name == "title" {
			texts = append(texts, e.text)
		}
	}
	for _, want := range []string{"throughput", "records a second", "snapshots.every (logarithmic)", "10ms", "100ms", "1s", "0", "400", "1000", "seeds 1-20",
		"no-snapshots", "tracking", "refused", "stop-the-world, snapshots.every 10ms: 300 (250 to 350)"} {
		if !slices.Contains(texts, want) {
			t.Errorf("no text %q in %q", want, texts)
		}
	}
}

// TestInside: everything is on the paper, and what is larger is higher.
func TestInside(t *testing.T) {
	c := some()
	p := &panel{left: 80, right: 700, top: top, bottom: height - bottom, x: c.scaleX(), y: c.scaleY(ticksY)}
	c.each(func(_ int, point Point) {
		for _, v := range []float64{point.Y, point.Low, point.High} {
			if x, y := p.at(point.X, v); x < p.left || x > p.right || y < p.top || y > p.bottom {
				t.Errorf("%+v is at %v, %v", point, x, y)
			}
		}
	})
	_, low := p.at(10e6, 300)
	if _, high := p.at(10e6, 1200); high >= low {
		t.Error("1200 is below 300")
	}
	if p.y.low != 0 {
		t.Errorf("the left side begins with %v", p.y.low)
	}
}

// TestSameBytes: the same chart is the same document.
func TestSameBytes(t *testing.T) {
	if want := Page(some(), some()); !bytes.Equal(Page(some(), some()), want) {
		t.Error("another document")
	}
}

// TestStandsAlone: nothing is fetched or executed, nothing has an id that another plot on
// the page could have, and no style reaches anything outside.
func TestStandsAlone(t *testing.T) {
	svg := string(Lines(some()))
	for _, bad := range []string{"<script", " id=", "href", "url(", "@import", "onload"} {
		if strings.Contains(svg, bad) {
			t.Errorf("there is %q", bad)
		}
	}
	if strings.Count(svg, "http") != 1 || !strings.Contains(svg, `xmlns="http://www.w3.org/2000/svg"`) {
		t.Error("an address beside the namespace")
	}
	css := style()
	for rule := range strings.SplitSeq(strings.ReplaceAll(css, "@media (prefers-color-scheme:dark){", ""), "}") {
		if rule != "" && !strings.HasPrefix(rule, ".simrun-plot") {
			t.Errorf("a rule that reaches outside: %s", rule)
		}
	}
	if !strings.Contains(css, "prefers-color-scheme:dark") {
		t.Error("no colours for the dark")
	}
}

// TestOddTexts: names are shown as they are, whatever is in them, and cut if they are long.
func TestOddTexts(t *testing.T) {
	odd := "</text><script>alert(1)</script>\"'&\x00\x1b[31m\u202eabc" + strings.Repeat("x", 10_000)
	c := some()
	c.Title, c.Note, c.X.Label, c.Y.Label = odd, odd, odd, odd
	c.Lines[0].Name, c.Lines[3].Name, c.Lines[3].Absent = odd, odd, odd
	for _, names := range [][]string{nil, {odd, "b", "c"}} {
		c.X.Names = names
		if names != nil {
			for i := range c.Lines {
				for k := range c.Lines[i].Points {
					c.Lines[i].Points[k].X = float64(k)
				}
			}
		}
		svg := Lines(c)
		for _, e := range parsed(t, svg) {
			if e.name == "script" {
				t.Fatal("a script")
			}
		}
		if len(svg) > 60_000 {
			t.Errorf("%d bytes", len(svg))
		}
		for line := range strings.Lines(Text(c)) {
			if len([]rune(line)) > 170 || strings.ContainsAny(line, "\x00\x1b\u202e") {
				t.Errorf("a line %.200q", line)
			}
		}
	}
}

// TestNothingToDraw: a chart without points says so, and why.
func TestNothingToDraw(t *testing.T) {
	c := some()
	c.Lines = []Line{{Name: "tracking", Absent: "refused"}, {Name: "abs", Points: []Point{Missing(1), At(math.Inf(1), 2)}}}
	list := parsed(t, Lines(c))
	if len(classed(list, "line"))+len(classed(list, "marker"))+len(classed(list, "axis")) != 0 {
		t.Error("something is drawn")
	}
	for _, text := range []string{string(Lines(c)), Text(c)} {
		for _, want := range []string{nothing, "refused", "not measured"} {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in\n%s", want, text)
			}
		}
	}
	if got := Text(Chart{}); !strings.Contains(got, nothing) {
		t.Error(got)
	}
}

// TestLinesDiffer: of a hundred lines no two have the same colour, dash and marker, and of
// the first seven no two have the same of any but the dash.
func TestLinesDiffer(t *testing.T) {
	seen := map[string]int{}
	for i := range 100 {
		look := fmt.Sprint(i%len(light), i%len(dashes), i%len(shapes))
		if before, ok := seen[look]; ok {
			t.Errorf("lines %d and %d look the same", before, i)
		}
		seen[look] = i
	}
	if len(light) != len(dark) || len(light) < 7 || len(shapes) < 7 {
		t.Errorf("%d and %d colours, %d markers", len(light), len(dark), len(shapes))
	}
}

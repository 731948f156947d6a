package browser_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// looks is how the user likes pages to look.
type looks struct {
	dark    bool
	still   bool // as little motion as possible
	printed bool
	forced  bool // the colours of the system, and high contrast
}

// look sets how the user likes pages to look.
func (b *tab) look(l looks) {
	b.t.Helper()
	feature := func(name string, on bool, yes, no string) *emulation.MediaFeature {
		if on {
			return &emulation.MediaFeature{Name: name, Value: yes}
		}
		return &emulation.MediaFeature{Name: name, Value: no}
	}
	params := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		feature("prefers-color-scheme", l.dark, "dark", "light"),
		feature("prefers-reduced-motion", l.still, "reduce", "no-preference"),
		feature("forced-colors", l.forced, "active", "none"),
	}}
	if l.printed {
		params.Media = "print"
	}
	call(b, emulation.SetEmulatedMedia, params)
	b.looks = l
	b.settle()
}

// size sets how large the window is, in pixels.
func (b *tab) size(width, height int64) {
	b.t.Helper()
	b.do(chromedp.EmulateViewport(width, height))
	b.settle()
}

// shot is what the window shows, as a PNG.
func (b *tab) shot() []byte {
	b.t.Helper()
	data, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.t.Fatal(err)
	}
	return data
}

// picture is what the window shows, to look at pixels.
func (b *tab) picture() picture {
	b.t.Helper()
	return decode(b, b.shot())
}

func decode(b *tab, data []byte) picture {
	b.t.Helper()
	decoded, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		b.t.Fatal(err)
	}
	return picture{decoded}
}

// pdf is the page as it is printed on A4 paper.
func (b *tab) pdf() []byte {
	b.t.Helper()
	data, err := chromedp.Run(b.ctx, chromedp.PrintToPDF(chromedp.PDFPaper(chromedp.PaperA4)))
	if err != nil {
		b.t.Fatal(err)
	}
	return data
}

// picture is an image whose pixels are CSS pixels.
type picture struct{ image.Image }

// at is the colour at a place, without transparency.
func (p picture) at(q point) color.RGBA {
	return color.RGBAModel.Convert(p.At(int(q.X), int(q.Y))).(color.RGBA)
}

// count is how many pixels of a box have a colour.
func (p picture) count(r box, is func(color.RGBA) bool) (n int) {
	for y := int(r.Y); y < int(r.Y+r.Height); y++ {
		for x := int(r.X); x < int(r.X+r.Width); x++ {
			if is(p.at(point{float64(x), float64(y)})) {
				n++
			}
		}
	}
	return n
}

// near says whether a colour is as good as another: what is drawn at the edge of a
// shape is mixed with what is behind it.
func near(want color.RGBA) func(color.RGBA) bool {
	return func(c color.RGBA) bool {
		return apart(c.R, want.R) <= 12 && apart(c.G, want.G) <= 12 && apart(c.B, want.B) <= 12
	}
}

func apart(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }

// differing is how many pixels of a box are not the same in two pictures.
func differing(p, q picture, r box) (n int) {
	for y := int(r.Y); y < int(r.Y+r.Height); y++ {
		for x := int(r.X); x < int(r.X+r.Width); x++ {
			if p.At(x, y) != q.At(x, y) {
				n++
			}
		}
	}
	return n
}

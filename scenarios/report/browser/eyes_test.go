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

// png is what the window shows, as a PNG.
func (b *tab) png() []byte {
	b.t.Helper()
	data, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.t.Fatal(err)
	}
	return data
}

// picture is what the window shows, to look at pixels.
func (b *tab) picture() shot {
	b.t.Helper()
	return decode(b, b.png())
}

func decode(b *tab, data []byte) shot {
	b.t.Helper()
	decoded, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		b.t.Fatal(err)
	}
	return shot{decoded}
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

// shot is an image whose pixels are CSS pixels.
type shot struct{ image.Image }

// at is the colour at a place, without transparency.
func (p shot) at(q point) color.RGBA {
	return color.RGBAModel.Convert(p.At(int(q.X), int(q.Y))).(color.RGBA)
}

// count is how many pixels of a box have a colour.
func (p shot) count(r box, is func(color.RGBA) bool) (n int) {
	for y := int(r.Y); y < int(r.Y+r.Height); y++ {
		for x := int(r.X); x < int(r.X+r.Width); x++ {
			if is(p.at(point{float64(x), float64(y)})) {
				n++
			}
		}
	}
	return n
}

// near says whether a colour is another one, but for rounding. At the edge of a shape it
// is mixed with what is behind: those pixels do not count.
func near(want color.RGBA) func(color.RGBA) bool {
	return func(c color.RGBA) bool {
		return apart(c.R, want.R) <= 3 && apart(c.G, want.G) <= 3 && apart(c.B, want.B) <= 3
	}
}

// like says whether a colour is nearer to one than to another: of a thin line no pixel may
// have its colour alone.
func like(one, other color.RGBA) func(color.RGBA) bool {
	return func(c color.RGBA) bool { return distance(c, one) < distance(c, other) }
}

func distance(a, b color.RGBA) int { return apart(a.R, b.R) + apart(a.G, b.G) + apart(a.B, b.B) }

func apart(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }

// differing is how many pixels of a box are not the same in two pictures.
func differing(p, q shot, r box) (n int) {
	for y := int(r.Y); y < int(r.Y+r.Height); y++ {
		for x := int(r.X); x < int(r.X+r.Width); x++ {
			if p.At(x, y) != q.At(x, y) {
				n++
			}
		}
	}
	return n
}

package browser_test

import (
	"fmt"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// point is a place in the window, in CSS pixels.
type point struct{ X, Y float64 }

func (p point) plus(x, y float64) point { return point{p.X + x, p.Y + y} }

// box is a rectangle in the window, in CSS pixels.
type box struct{ X, Y, Width, Height float64 }

// at is the point that lies at the given parts of the box's width and height.
func (r box) at(x, y float64) point { return point{r.X + x*r.Width, r.Y + y*r.Height} }

func (r box) middle() point { return r.at(0.5, 0.5) }

// box is where an element is, scrolled into view.
func (b *tab) box(selector string) box {
	b.t.Helper()
	return eval[box](b, fmt.Sprintf(`(() => {
		const e = document.querySelector(%q);
		if (!e) throw new Error("there is no " + %[1]q);
		e.scrollIntoView({block: "nearest", behavior: "instant"});
		const r = e.getBoundingClientRect();
		return {X: r.x, Y: r.y, Width: r.width, Height: r.height};
	})()`, selector))
}

// press presses keys, one after the other, as on a keyboard: kb has the special ones. A
// key and its character go together, so that a page that takes the one does not get the
// other.
func (b *tab) press(keys string, modifiers ...chromedp.Modifier) {
	b.t.Helper()
	for _, key := range keys {
		parts := kb.Encode(key)
		for _, part := range parts {
			if part.Type == kb.KeyChar {
				parts[0].Text, parts[0].UnmodifiedText = part.Text, part.UnmodifiedText
			}
		}
		for _, part := range parts {
			for _, m := range modifiers {
				part.Modifiers |= int64(m)
			}
			if part.Type != kb.KeyChar {
				call(b, input.DispatchKeyEvent, *part)
			}
		}
	}
	b.settle()
}

// click clicks on the middle of an element. Something that lies above it is clicked
// instead, as it would be by hand.
func (b *tab) click(selector string) {
	b.t.Helper()
	b.clickAt(b.box(selector).middle())
}

func (b *tab) clickAt(p point, modifiers ...chromedp.Modifier) {
	b.t.Helper()
	b.move(p)
	b.do(chromedp.MouseClickXY(p.X, p.Y, chromedp.ButtonModifiers(modifiers...)))
	b.settle()
}

// move moves the mouse to a place.
func (b *tab) move(p point) {
	b.t.Helper()
	b.do(chromedp.MouseEvent(chromedp.MouseMoved, p.X, p.Y))
	b.settle()
}

// hold presses the button of the mouse at one place and moves it to another, in ten
// steps. It is not let go.
func (b *tab) hold(from, to point) {
	b.t.Helper()
	b.move(from)
	b.do(chromedp.MouseEvent(chromedp.MousePressed, from.X, from.Y, chromedp.ButtonLeft, chromedp.ClickCount(1)))
	const steps = 10
	for i := 1.0; i <= steps; i++ {
		x, y := from.X+(to.X-from.X)*i/steps, from.Y+(to.Y-from.Y)*i/steps
		b.do(chromedp.MouseEvent(chromedp.MouseMoved, x, y, chromedp.ButtonLeft, held))
	}
	b.settle()
}

// held says that the left button is down while the mouse moves.
func held(p *input.DispatchMouseEventParams) { p.Buttons = 1 }

// release lets go of the button.
func (b *tab) release(at point) {
	b.t.Helper()
	b.do(chromedp.MouseEvent(chromedp.MouseReleased, at.X, at.Y, chromedp.ButtonLeft, chromedp.ClickCount(1)))
	b.settle()
}

// drag drags from one place to another.
func (b *tab) drag(from, to point) {
	b.t.Helper()
	b.hold(from, to)
	b.release(to)
}

// turn is the parameters of a turn of the wheel. Those of cdproto leave out a part that
// is 0, and the browser wants both.
type turn struct {
	Type      input.DispatchMouseEventType `json:"type"`
	X         float64                      `json:"x"`
	Y         float64                      `json:"y"`
	Modifiers int64                        `json:"modifiers"`
	DeltaX    float64                      `json:"deltaX"`
	DeltaY    float64                      `json:"deltaY"`
}

// wheel turns the wheel of the mouse at a place: y > 0 is towards the user.
func (b *tab) wheel(at point, x, y float64, modifier chromedp.Modifier) {
	b.t.Helper()
	b.move(at)
	command := cdp.Command[turn, cdp.Empty]{Method: input.CommandDispatchMouseEvent}
	call(b, command, turn{chromedp.MouseWheel, at.X, at.Y, int64(modifier), x, y})
	b.settle()
}

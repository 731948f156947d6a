package browser_test

import (
	"fmt"
	"image/color"
	"math"
	"testing"

	"github.com/chromedp/cdproto/emulation"
)

// TestContrast: texts and shapes stand out from what is behind them as far as WCAG 2.2
// wants, 4.5 to 1 and 3 to 1, in both themes.
func TestContrast(t *testing.T) {
	r := read(t, scenario("in-transit"))
	for _, dark := range []bool{false, true} {
		r.look(looks{dark: dark})
		for _, c := range []struct {
			least  float64
			on     []string
			colors []string
		}{
			{4.5, []string{"ground", "raised", "band"}, []string{"ink", "faint", "alarm", "holds"}},
			{3, []string{"ground", "band"}, []string{"marker", "message", "step", "outside", "timer", "control", "record", "cut", "in-flight", "alarm", "crash", "down", "restored", "cursor", "second", "blocked-line"}},
			{4.5, []string{"record", "cut"}, []string{"on-record"}},
			{4.5, []string{"alarm"}, []string{"on-alarm"}},
			{4.5, []string{"restored"}, []string{"on-restored"}},
			{4.5, []string{"blocked"}, []string{"on-blocked"}},
		} {
			for _, on := range c.on {
				for _, name := range c.colors {
					if got := contrast(r.color(name), r.color(on)); got < c.least {
						t.Errorf("dark %t: --%s on --%s has a contrast of %.2f, less than %g", dark, name, on, got, c.least)
					}
				}
			}
		}
	}
}

// apartForAll is pairs of colours that mean different things where both are seen.
var apartForAll = [][2]string{
	{"cut", "alarm"}, {"in-flight", "alarm"}, {"marker", "message"}, {"in-flight", "message"}, {"past", "future"}, {"blocked", "ground"},
	{"holds", "alarm"}, {"record", "undone"}, {"selected", "message"}, {"marker", "control"}, {"in-flight", "cut"},
}

// TestColourBlind: what colours tell apart is apart for those, too, who do not see red,
// green or blue as others do. The browser shows what they see.
func TestColourBlind(t *testing.T) {
	r := read(t, scenario("in-transit"))
	for _, dark := range []bool{false, true} {
		r.look(looks{dark: dark})
		for _, sight := range []emulation.SetEmulatedVisionDeficiencyType{"none", "protanopia", "deuteranopia", "tritanopia"} {
			call(r.tab, emulation.SetEmulatedVisionDeficiency, emulation.SetEmulatedVisionDeficiencyParams{Type: sight})
			seen := r.swatches()
			for k, pair := range apartForAll {
				a, b := seen.at(point{10, float64(10*k + 5)}), seen.at(point{30, float64(10*k + 5)})
				if d := labDistance(a, b); d < 15 {
					t.Errorf("dark %t, %s: --%s and --%s are %.1f apart, less than 15", dark, sight, pair[0], pair[1], d)
				}
			}
		}
		call(r.tab, emulation.SetEmulatedVisionDeficiency, emulation.SetEmulatedVisionDeficiencyParams{Type: "none"})
	}
}

// swatches shows all pairs, one below the other, in two columns of 20 px.
func (r reader) swatches() shot {
	r.t.Helper()
	rows := ""
	for _, pair := range apartForAll {
		rows += fmt.Sprintf(`box.appendChild(document.createElement("div")).style.cssText = "height: 10px; background: linear-gradient(to right, var(--%s) 50%%, var(--%s) 50%%)";`, pair[0], pair[1])
	}
	eval[bool](r.tab, `(() => {
		const box = document.body.appendChild(Object.assign(document.createElement("div"), {id: "swatches"}));
		box.style.cssText = "position: fixed; left: 0; top: 0; width: 40px; z-index: 99";
		`+rows+`
		return true;
	})()`)
	r.settle()
	seen := r.picture()
	eval[bool](r.tab, `(document.querySelector("#swatches").remove(), true)`)
	return seen
}

// linear is a channel of sRGB as light.
func linear(c uint8) float64 {
	v := float64(c) / 255
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

// contrast is that of WCAG 2.2.
func contrast(a, b color.RGBA) float64 {
	light := func(c color.RGBA) float64 { return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B) + 0.05 }
	return max(light(a)/light(b), light(b)/light(a))
}

// lab is a colour in CIELAB, in which distances are about as large as they look.
func lab(c color.RGBA) [3]float64 {
	r, g, b := linear(c.R), linear(c.G), linear(c.B)
	f := func(t float64) float64 {
		if t > 216.0/24389 {
			return math.Cbrt(t)
		}
		return (24389.0/27*t + 16) / 116
	}
	x, y, z := f((0.4124*r+0.3576*g+0.1805*b)/0.95047), f(0.2126*r+0.7152*g+0.0722*b), f((0.0193*r+0.1192*g+0.9505*b)/1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

func labDistance(a, b color.RGBA) float64 {
	p, q := lab(a), lab(b)
	return math.Sqrt((p[0]-q[0])*(p[0]-q[0]) + (p[1]-q[1])*(p[1]-q[1]) + (p[2]-q[2])*(p[2]-q[2]))
}

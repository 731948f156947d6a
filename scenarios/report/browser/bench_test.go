package browser_test

import (
	"math"
	"os"
	"testing"

	"github.com/chromedp/cdproto/page"
)

// busy is a scenario of more events than a report shows.
const busy = `
graph: {generate: random, nodes: 16, degree: 3}
app: {kind: bank, balance: 100000, amount: 50, transfers: 3000, every: 1ms}
network: {delay: {uniform: [4ms, 12ms]}}
service: {constant: 50us}
snapshots: {every: 200ms}
stop: {at: 2100ms}
`

// taken is how many ms something that draws on a canvas takes, the least of ten. What is
// drawn is only noted down until somebody looks at it, so one pixel is looked at.
const taken = `((canvas, draw) => {
	const probe = Object.assign(document.createElement("canvas"), {width: 1, height: 1}).getContext("2d", {willReadFrequently: true});
	let least = Infinity;
	for (let turn = 0; turn < 10; turn++) {
		const began = performance.now();
		draw(canvas.getContext("2d"));
		probe.drawImage(canvas, 0, 0, 1, 1);
		probe.getImageData(0, 0, 1, 1);
		least = Math.min(least, performance.now() - began);
	}
	return least;
})`

// drawing is how many ms the diagram takes to draw itself.
const drawing = taken + `(V.canvas, () => V.drawNow())`

// yardstick is how many ms a bare canvas of the size of the diagram takes to draw 100,000
// lines: what a browser on this machine can do at all.
const yardstick = taken + `(Object.assign(document.createElement("canvas"), {width: V.canvas.width, height: V.canvas.height}), (ctx) => {
	const {width, height} = ctx.canvas;
	for (let k = 0; k < 100000; k++) {
		if (k % 50 === 0) ctx.beginPath();
		ctx.moveTo(k * 7 % width, k * 13 % height);
		ctx.lineTo((k * 7 + 20) % width, (k * 13 + 30) % height);
		if (k % 50 === 49) ctx.stroke();
	}
})`

// arrival notes when the first picture of a page was there, in ms from the beginning of
// its navigation.
const arrival = `addEventListener("DOMContentLoaded", () => window.simrun?.ready.then(() =>
	requestAnimationFrame(() => setTimeout(() => { window.arrived = performance.now(); }))));`

// BenchmarkReport opens a report of 100,000 events, and draws all of it and a hundredth.
// The times are those of this machine; those over the yardstick's can be compared.
func BenchmarkReport(b *testing.B) {
	file := report(b, source(b, busy))
	info, err := os.Stat(file)
	if err != nil {
		b.Fatal(err)
	}
	load := math.Inf(1)
	var unit, full, part float64
	for b.Loop() {
		r := reader{newTab(b)}
		call(r.tab, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: arrival})
		for range 5 {
			r.visit(file, "")
			r.ready()
			r.await(`window.arrived`)
			load = min(load, eval[float64](r.tab, `arrived`))
		}
		if n := see[int](r, `R.n`); n != 100_000 {
			b.Fatalf("%d events", n)
		}
		unit = see[float64](r, "%s", yardstick)
		r.run(`V.whole()`)
		full = see[float64](r, "%s", drawing)
		r.run(`const [a, c] = V.geometry.extent; V.setWindow(a + (c - a) * 0.5, a + (c - a) * 0.51)`)
		part = see[float64](r, "%s", drawing)
		if shown := see[int](r, `V.scene.i1 - V.scene.i0`); shown < 500 || shown > 3000 {
			b.Fatalf("a hundredth of the run is %d events", shown)
		}
	}
	b.ReportMetric(float64(info.Size()), "bytes")
	b.ReportMetric(load, "ms-load")
	b.ReportMetric(full, "ms-full")
	b.ReportMetric(part, "ms-hundredth")
	b.ReportMetric(unit, "ms-yardstick")
	b.ReportMetric(load/unit, "load/yardstick")
	b.ReportMetric(full/unit, "full/yardstick")
	b.ReportMetric(part/unit, "hundredth/yardstick")
}

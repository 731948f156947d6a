package browser_test

import (
	"os"
	"testing"
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

// yardstick is how many ms a bare canvas of the size of the diagram takes to draw 100,000
// lines, the least of five: what a browser on this machine can do at all.
const yardstick = `(() => {
	const canvas = Object.assign(document.createElement("canvas"), {width: V.canvas.width, height: V.canvas.height}), ctx = canvas.getContext("2d");
	let least = Infinity;
	for (let turn = 0; turn < 5; turn++) {
		const began = performance.now();
		for (let k = 0; k < 100000; k++) {
			if (k % 50 === 0) ctx.beginPath();
			ctx.moveTo(k * 7 % canvas.width, k * 13 % canvas.height);
			ctx.lineTo((k * 7 + 20) % canvas.width, (k * 13 + 30) % canvas.height);
			if (k % 50 === 49) ctx.stroke();
		}
		ctx.getImageData(0, 0, 1, 1); // so that all of it is drawn
		least = Math.min(least, performance.now() - began);
	}
	return least;
})()`

// drawing is how many ms the diagram takes to draw itself, the least of ten.
const drawing = `(() => {
	let least = Infinity;
	for (let turn = 0; turn < 10; turn++) {
		const began = performance.now();
		V.drawNow();
		V.ctx.getImageData(0, 0, 1, 1);
		least = Math.min(least, performance.now() - began);
	}
	return least;
})()`

// BenchmarkReport opens a report of 100,000 events, and draws all of it and a hundredth.
// The times are those of this machine; those over the yardstick's can be compared.
func BenchmarkReport(b *testing.B) {
	file := report(b, source(b, busy))
	info, err := os.Stat(file)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(info.Size()), "bytes")
	for b.Loop() {
		r := readFile(b, file, "")
		if n := see[int](r, `R.n`); n != 100_000 {
			b.Fatalf("%d events", n)
		}
		// From the beginning of the navigation to the first picture.
		load := see[float64](r, `S.timing.drawn ?? S.timing.load`)
		whole := eval[float64](r.tab, `performance.getEntriesByType("navigation")[0].domComplete`)
		unit := see[float64](r, "%s", yardstick)
		r.run(`V.whole()`)
		full := see[float64](r, "%s", drawing)
		r.run(`const [a, c] = V.geometry.extent; V.setWindow(a + (c - a) * 0.5, a + (c - a) * 0.51)`)
		part := see[float64](r, "%s", drawing)
		if shown := see[int](r, `V.scene.i1 - V.scene.i0`); shown < 500 || shown > 3000 {
			b.Fatalf("a hundredth of the run is %d events", shown)
		}
		b.ReportMetric(whole, "ms-document")
		b.ReportMetric(load, "ms-load")
		b.ReportMetric(full, "ms-full")
		b.ReportMetric(part, "ms-hundredth")
		b.ReportMetric(unit, "ms-yardstick")
		b.ReportMetric(load/unit, "load/yardstick")
		b.ReportMetric(full/unit, "full/yardstick")
		b.ReportMetric(part/unit, "hundredth/yardstick")
	}
}

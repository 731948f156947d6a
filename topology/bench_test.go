package topology

import "testing"

// The size at which the engine is measured.
var large = Spec{Kind: "random", Nodes: 1_000_000, Degree: 4}

func BenchmarkGenerateLarge(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		generateLarge(b)
	}
}

func generateLarge(b *testing.B) *Graph {
	g, err := Generate(large)
	if err != nil {
		b.Fatal(err)
	}
	return g
}

func BenchmarkAnalyseLarge(b *testing.B) {
	g := generateLarge(b)
	g.Inputs(0)
	roots := DefaultInitiators(g)
	back := BackEdges(g, roots)
	for _, c := range []struct {
		name string
		run  func()
	}{
		{"components", func() { g.Components() }},
		{"initiators", func() { DefaultInitiators(g) }},
		{"unreached", func() { Unreached(g, roots) }},
		{"back-edges", func() { BackEdges(g, roots) }},
		{"check", func() { _ = CheckBackEdges(g, roots, back) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				c.run()
			}
		})
	}
}

package simtest

import (
	"cmp"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"simrun/scenarios"
	"simrun/scenarios/generate"
	"simrun/sim"
)

// Property is what Check tests, for rapid: rapid.Check(t, simtest.Property(mine.New)), or a
// part of a property of one's own. What it cannot meet of the options it panics on.
//
// Runs is not for it; rapid decides how many there are. Rapid makes its draws smaller, as
// always, and what is told is the run that simtest has made smaller.
func Property(algorithm sim.NewNode, options ...Option) func(*rapid.T) {
	s, err := newSettings(algorithm, options)
	if err != nil {
		panic(err)
	}
	p := property{settings: s}
	scenario := rapid.Custom(func(t *rapid.T) drawn { return drawn{generate.Draw(draws{t}, s.drawn)} })
	return func(t *rapid.T) {
		t.Helper()
		if text := p.try(t.Name(), scenario.Draw(t, "scenario").Scenario); text != "" {
			t.Fatal(text)
		}
	}
}

// Fuzz is Check for go test -fuzz:
//
//	func FuzzMySnapshots(f *testing.F) { simtest.Fuzz(f, mine.New, simtest.AnyGraph(1, 6)) }
//
// Without -fuzz it runs what lies in testdata/fuzz and testdata/simrun, and so many
// scenarios as Runs says, or 50.
func Fuzz(f *testing.F, algorithm sim.NewNode, options ...Option) {
	f.Helper()
	s, err := newSettings(algorithm, append([]Option{Runs(corpus)}, options...))
	if err != nil {
		f.Fatal(err)
	}
	if *fileFlag != "" {
		f.Fatal("simtest: -simrun.file is for a test with a Check; what a fuzz test has kept it carries out first by itself")
	}
	for n := range s.runs {
		f.Add(seeded(uint64(n)))
	}
	p := property{settings: s}
	f.Fuzz(func(t *testing.T, data []byte) {
		t.Helper()
		if text := p.try(root(t.Name()), generate.Draw(&input{data}, s.drawn)); text != "" {
			t.Fatal(text)
		}
	})
}

// corpus is how many inputs a fuzz test begins with, and length how long each is: beyond
// its end everything is 0.
const corpus, length = 50, 160

// seeded is an input of a fuzz test.
func seeded(seed uint64) (data []byte) {
	word := sim.Word(seed)
	for range length {
		data = append(data, byte(word.Next()>>56))
	}
	return data
}

// property is what is kept from one call of a property to the next. The first failure that
// violates an invariant is made small and told; the others that violate the same, of
// which there are many while somebody makes the draws smaller, are told as it.
type property struct {
	*settings
	work  string // see home; "": where the test was started
	mutex sync.Mutex
	begun bool
	still string            // what is wrong with saved runs
	told  map[string]string // by invariant
}

// try tries one scenario, and tells what is wrong.
func (p *property) try(test string, s *scenarios.Scenario) string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	x := newExperiment(test, p.settings)
	x.home.work = cmp.Or(p.work, x.home.work)
	if !p.begun {
		p.begun, p.told = true, map[string]string{}
		p.still = strings.Join(x.saved(), "\n\n")
	}
	if p.still != "" {
		return p.still
	}
	r := x.run(s, "the run", x.home.command(""))
	wrong := r.wrong()
	if wrong != "" && p.told[wrong] == "" {
		p.told[wrong] = x.failure(r).text
	}
	return p.told[wrong]
}

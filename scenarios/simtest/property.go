package simtest

import (
	"flag"
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
	p, still := property{settings: s}, []string(nil)
	var first sync.Once
	scenario := rapid.Custom(func(t *rapid.T) drawn { return drawn{generate.Draw(draws{t}, s.drawn)} })
	return func(t *rapid.T) {
		t.Helper()
		first.Do(func() {
			p.home = homeOf(t.Name())
			still = p.experiment().saved()
		})
		if still != nil {
			t.Fatal(strings.Join(still, "\n\n"))
		}
		if text, _ := p.try(scenario.Draw(t, "scenario").Scenario); text != "" {
			t.Fatal(text)
		}
	}
}

// Fuzz is Check for go test -fuzz:
//
//	func FuzzMySnapshots(f *testing.F) { simtest.Fuzz(f, mine.New, simtest.AnyGraph(1, 6)) }
//
// Without -fuzz it runs what lies in testdata/fuzz and testdata/simrun, and as many
// scenarios as Runs says, or 50.
func Fuzz(f *testing.F, algorithm sim.NewNode, options ...Option) {
	f.Helper()
	s, err := newSettings(algorithm, append([]Option{Runs(corpus)}, options...))
	if err != nil {
		f.Fatal(err)
	}
	p := property{settings: s, home: homeOf(f.Name())}
	if *fileFlag != "" {
		p.experiment().checkFile(f, *fileFlag)
		return
	}
	if problems := p.experiment().saved(); problems != nil {
		f.Fatal(strings.Join(problems, "\n\n"))
	}
	for n := range s.runs {
		f.Add(seeded(uint64(n)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		switch text, again := p.try(generate.Draw(&input{data}, s.drawn)); {
		case text == "":
		case again && !fuzzing():
			t.Fatal("the run violates what another has violated, which was told above")
		default:
			t.Fatal(text)
		}
	})
}

// fuzzing says whether inputs are being made up: then each has to be told in full, because
// nobody knows which will be the last.
func fuzzing() bool {
	for _, name := range []string{"test.fuzz", "test.fuzzworker"} {
		if f := flag.Lookup(name); f != nil && f.Value.String() != f.DefValue {
			return true
		}
	}
	return false
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
	home  home
	mutex sync.Mutex
	told  map[string]string // by what is wrong
}

func (p *property) experiment() *experiment {
	return &experiment{settings: p.settings, catalogue: p.catalogue(), home: p.home}
}

// try tries one scenario. It tells what is wrong, and whether that was told before.
func (p *property) try(s *scenarios.Scenario) (text string, again bool) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	x := p.experiment()
	r := x.run(s, "the run", p.home.command(""))
	wrong := r.wrong()
	if wrong == "" {
		return "", false
	}
	if text, again = p.told[wrong]; !again {
		if p.told == nil {
			p.told = map[string]string{}
		}
		text = x.failure(r).text
		p.told[wrong] = text
	}
	return text, again
}

package invariants

import (
	"testing"

	"simrun/sim"
)

// counting is an App that numbers its messages, and does not save the number.
type counting struct{ steps uint64 }

func (a *counting) Step(_ sim.Input, _ sim.Message, fx *sim.Effects) {
	a.steps++
	fx.Send(0, a.steps, 1, 0)
}
func (a *counting) Load([]byte) error      { a.steps = 0; return nil }
func (a *counting) Save(buf []byte) []byte { return buf }

// TestWhatFollowsTheRecordings: an App that is not the one it was shows after the
// recordings too, by what it sends or, if its Node holds that back, by what is there at
// the end of the window.
func TestWhatFollowsTheRecordings(t *testing.T) {
	for holding, want := range map[bool]string{
		false: "A sends message 2 on channel A->B (row 4), and when this is carried out again",
		true:  "when what happened after the recordings has followed, channel A->B holds something else than it really did",
	} {
		p := newPlay(graphOf(2, [2]int32{0, 1}, [2]int32{1, 0}))
		p.run.NewApp = func(int32) sim.App { return new(counting) }
		p.reset()
		p.external(0)
		s := p.trigger(0)
		p.record(s, 0)
		p.holding = holding
		p.external(0)
		s.Attached[0], s.Attached[1] = []byte{1}, []byte{1}
		p.record(s, 1)
		says(t, Check(p.end(), nil), "reachability", want)
	}
}

// TestInFlightOf words what is in flight.
func TestInFlightOf(t *testing.T) {
	for want, got := range map[string]string{
		"no message": inFlightOf(3, 3), "message 4": inFlightOf(3, 4), "messages 4 to 6": inFlightOf(3, 6),
	} {
		if got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
}

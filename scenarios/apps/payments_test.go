package apps

import (
	"strings"
	"testing"

	"simrun/sim"
)

// TestPayments: orders that are written down come in the order of their times, with their
// amounts, and go where they say.
func TestPayments(t *testing.T) {
	g := graphOf("A->B A->C A->D B->A")
	bank := NewBank()
	bank.Payments = []Payment{{9, "A", "D", 4}, {2, "A", "B", 1}, {5, "B", "A", 2}, {2, "A", "C", 3}}
	w := mustBuild(t, bank, g)
	type paid struct {
		at     int64
		output int32
		amount int64
	}
	for node, want := range [][]paid{{{2, 0, 1}, {2, 1, 3}, {9, 2, 4}}, {{5, 0, 2}}} {
		source, app := w.NewSource(1, int32(node)), w.NewApp(1, int32(node))
		for k, p := range want {
			m, at, ok := source.Record(uint64(k))
			var fx sim.Effects
			app.Step(sim.External, m, &fx)
			if len(fx.Sends()) != 1 {
				t.Fatalf("node %d, order %d: sends %v", node, k, fx.Sends())
			}
			if s := fx.Sends()[0]; !ok || (paid{at, s.Output, s.Message.Value}) != p || s.Message.Key != uint64(k)+1 {
				t.Errorf("node %d, order %d: %v at %d, want %v", node, k, s, at, p)
			}
		}
		if _, _, ok := source.Record(uint64(len(want))); ok {
			t.Errorf("node %d is given more orders", node)
		}
	}
	if state := w.NewApp(1, 0).(sim.Describer).Describe(); state != (AccountState{Balance: 100}) {
		t.Errorf("the state is shown as %v", state)
	}
}

// TestPickingEveryOutput: for any number of outputs each can be picked.
func TestPickingEveryOutput(t *testing.T) {
	for outputs := uint64(1); outputs <= 300; outputs++ {
		for output := range outputs {
			if got := sim.Scale(picking(output, outputs), outputs); got != output {
				t.Fatalf("output %d of %d: it is %d", output, outputs, got)
			}
		}
	}
}

func TestPaymentErrors(t *testing.T) {
	for want, p := range map[string]Payment{
		`payment 1: no node is named "X"`:    {1, "X", "A", 1},
		`payment 1: no node is named ""`:     {1, "A", "", 1},
		"payment 1: there is no channel B->": {1, "B", "C", 1},
		"payment 1: an amount of 0":          {1, "A", "B", 0},
	} {
		bank := NewBank()
		bank.Payments = []Payment{p}
		_, err := bank.Build(&Env{Graph: graphOf("A->B A->C B->A")})
		if err == nil || !strings.HasPrefix(err.Error(), "payments: "+want) {
			t.Errorf("%v: %v", p, err)
		}
	}
}

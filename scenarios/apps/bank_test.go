package apps

import (
	"testing"

	"pgregory.net/rapid"

	"simrun/sim"
)

func TestBankSteps(t *testing.T) {
	w := mustBuild(t, NewBank(), graphOf("A->B A->C"))
	var fx sim.Effects
	a := w.NewApp(7, 0)
	tests := []struct {
		name    string
		in      sim.Input
		m       sim.Message
		sends   int
		amount  int64
		balance int64
	}{
		{"an order", sim.External, sim.Message{Key: 1, Value: 30}, 1, 30, 70},
		{"another", sim.External, sim.Message{Key: 2, Value: 60, Aux: 1 << 63}, 1, 60, 10},
		{"more than there is", sim.External, sim.Message{Key: 3, Value: 20}, 1, 10, 0},
		{"nothing left", sim.External, sim.Message{Key: 4, Value: 20}, 0, 0, 0},
		{"a transfer", 0, sim.Message{Key: 9, Value: 5, Aux: 77}, 0, 0, 5},
	}
	outputs := []int32{0, 1, 0}
	for i, test := range tests {
		fx.Reset()
		before, weight := a.(sim.Conserving).Holding()
		a.Step(test.in, test.m, &fx)
		balance, after := a.(sim.Conserving).Holding()
		if balance != test.balance || len(fx.Sends()) != test.sends {
			t.Fatalf("%s: the balance goes from %d to %d with %v", test.name, before, balance, fx.Sends())
		}
		if test.in != sim.External {
			if after != weight+test.m.Aux {
				t.Errorf("%s: the weight did not grow by what came", test.name)
			}
			continue
		}
		for _, s := range fx.Sends() {
			amount, share := a.(sim.Conserving).Carried(s.Message)
			if amount != test.amount || s.Output != outputs[i] || weight-after != share || share == 0 {
				t.Errorf("%s: sends %+v, the weight goes from %x to %x", test.name, s, weight, after)
			}
		}
	}
}

func TestBankAtTheEdges(t *testing.T) {
	w := mustBuild(t, NewBank(), graphOf("A->B C"))
	if w.NewSource(1, 0) == nil || w.NewSource(1, 1) != nil || w.NewSource(1, 2) != nil {
		t.Error("orders go to accounts that have an output, and to no others")
	}
	if w.NewApp(1, 0).(*account).weight == w.NewApp(1, 1).(*account).weight {
		t.Error("two accounts have the same weight")
	}
	if w.NewApp(1, 0).(*account).weight == w.NewApp(2, 0).(*account).weight {
		t.Error("two seeds give the same weight")
	}
	if w.NewApp(0, 0).(*account).weight == 0 {
		t.Error("seed 0 gives no weight")
	}
}

// TestBankReleasesAreSpread: not all orders fall on the same beat.
func TestBankReleasesAreSpread(t *testing.T) {
	bank := NewBank()
	w := mustBuild(t, bank, graphOf("A->B B->A"))
	different := 0
	for k := range uint64(bank.Transfers) {
		_, a, _ := w.NewSource(1, 0).Record(k)
		_, b, _ := w.NewSource(1, 1).Record(k)
		if a/int64(bank.Every) != int64(k) || b/int64(bank.Every) != int64(k) {
			t.Errorf("order %d is released at %d and %d, outside its stretch", k, a, b)
		}
		if a != b {
			different++
		}
	}
	if different == 0 {
		t.Error("two accounts get all of their orders at the same instants")
	}
}

// total is what all accounts hold and all channels carry.
func total(net *toy) (amount int64, weight uint64) {
	add := func(a int64, w uint64) { amount, weight = amount+a, weight+w }
	for _, app := range net.apps {
		add(app.(sim.Conserving).Holding())
	}
	for c := range net.channels {
		for _, m := range net.channels[c] {
			add(net.apps[0].(sim.Conserving).Carried(m))
		}
	}
	return amount, weight
}

// TestBankConserves: at every moment of every run on any graph, all money and all
// weight is somewhere; and a transfer that is lost or doubled shows in both.
func TestBankConserves(t *testing.T) {
	inFlight, refused := false, false
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t, true)
		w := mustBuild(t, &Bank{Balance: 20, Amount: 15, Transfers: 8, Every: 1}, g)
		net := newToy(w, g, rapid.Uint64().Draw(t, "seed"))
		amount, weight := total(net)
		for net.step() {
			if a, w := total(net); a != amount || w != weight {
				t.Fatalf("%d with weight %x became %d with weight %x", amount, weight, a, w)
			}
			for v, app := range net.apps {
				balance, _ := app.(sim.Conserving).Holding()
				if balance < 0 {
					t.Fatalf("account %d holds %d", v, balance)
				}
				refused = refused || balance == 0
			}
			for c, waiting := range net.channels {
				if len(waiting) == 0 {
					continue
				}
				inFlight = true
				net.channels[c] = waiting[1:]
				if a, w := total(net); a == amount || w == weight {
					t.Fatalf("transfer %v is lost and nobody sees it", waiting[0])
				}
				net.channels[c] = append(waiting[:len(waiting):len(waiting)], waiting[0])
				if a, w := total(net); a == amount || w == weight {
					t.Fatalf("transfer %v is doubled and nobody sees it", waiting[0])
				}
				net.channels[c] = waiting
			}
		}
	})
	if !inFlight || !refused {
		t.Errorf("seen: money in flight %v, an empty account %v; want both", inFlight, refused)
	}
}

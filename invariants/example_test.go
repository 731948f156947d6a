package invariants_test

import (
	"fmt"

	"simrun/algorithms/chandylamport"
	"simrun/invariants"
	"simrun/sim"
)

// relay passes every token that it gets on to its first output.
type relay struct{ seen byte }

func (a *relay) Step(_ sim.Input, m sim.Message, fx *sim.Effects) {
	a.seen++
	if m.Value > 0 {
		fx.Send(0, m.Key, m.Value-1, 0)
	}
}
func (a *relay) Save(buf []byte) []byte  { return append(buf, a.seen) }
func (a *relay) Load(state []byte) error { a.seen = state[0]; return nil }

// tokens lets one token into the system every 10 ns; each makes 20 hops.
type tokens struct{}

func (tokens) Record(k uint64) (sim.Message, int64, bool) {
	return sim.Message{Key: k, Value: 20}, int64(10 * k), k < 5
}

func Example() {
	cfg := &sim.Config{
		Graph:   sim.Graph{Nodes: 2, From: []int32{0, 1}, To: []int32{1, 0}},
		NewNode: chandylamport.New,
		NewApp:  func(int32) sim.App { return new(relay) },
		NewSource: func(node int32) sim.Source {
			if node == 0 {
				return tokens{}
			}
			return nil
		},
		Delays:    []sim.Dist{{Kind: sim.Constant, Low: 7}},
		Snapshots: sim.SnapshotPlan{At: []int64{30}, Initiators: []int32{0}},
		Rows:      true,
	}
	engine, err := sim.New(cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	run := invariants.Of(cfg, engine.Run())
	fmt.Println("holds:", invariants.Check(run, nil).Holds())

	// What if a message had been left out of a recorded channel state?
	s := run.History.Snapshots[0]
	s.Channels[1] = s.Channels[1][1:]
	for _, v := range invariants.Check(run, nil).Violations {
		fmt.Println(v)
	}
	// Output:
	// holds: true
	// channel-state: the state that snapshot 1 has of channel node 1->node 0#1 is wrong: it should hold messages 4 to 7 (R_c = 3, S_c = 7). Missing: message 4
	// reachability: the computation cannot be led through the state that snapshot 1 recorded: when what happened before the recordings has happened, and nothing else, channel node 1->node 0#1 holds messages 4 to 7, and recorded is messages 5 to 7
}

package abs_test

import (
	"fmt"

	"simrun/algorithms/abs"
	"simrun/sim"
)

// silent is an App that does nothing with what it gets.
type silent struct{}

func (silent) Step(sim.Input, sim.Message, *sim.Effects) {}
func (silent) Save(buf []byte) []byte                    { return buf }
func (silent) Load([]byte) error                         { return nil }

// A task with one regular input and one back-edge: the barrier comes on input 0,
// a record that was in the loop on input 1, then the barrier that went round.
func Example() {
	task := abs.New(sim.NodeInfo{Inputs: 2, Outputs: 1, BackEdge: []bool{false, true}, Cyclic: true})
	out := sim.NewOut(silent{})
	task.Receive(0, sim.NewMarker(1), out)
	task.Receive(1, sim.Message{Value: 42}, out)
	task.Receive(1, sim.NewMarker(1), out)

	for _, op := range out.Ops() {
		switch op.Kind {
		case sim.OpBlock:
			fmt.Println("block input", op.Channel)
		case sim.OpSaveState:
			fmt.Println("copy the state")
		case sim.OpSend:
			fmt.Println("put the barrier on output", op.Channel)
		case sim.OpUnblock:
			fmt.Println("unblock input", op.Channel)
		case sim.OpSaveLog:
			fmt.Println("log", op.Message.Value, "from input", op.Channel)
		case sim.OpProcess:
			fmt.Println("process", op.Message.Value)
		case sim.OpDone:
			fmt.Println("done")
		}
	}
	// Output:
	// block input 0
	// copy the state
	// put the barrier on output 0
	// unblock input 0
	// log 42 from input 1
	// process 42
	// done
}

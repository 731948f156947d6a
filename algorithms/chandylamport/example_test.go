package chandylamport_test

import (
	"fmt"

	"simrun/algorithms/chandylamport"
	"simrun/sim"
)

// silent is an App that does nothing with what it gets.
type silent struct{}

func (silent) Step(sim.Input, sim.Message, *sim.Effects) {}
func (silent) Save(buf []byte) []byte                    { return buf }
func (silent) Load([]byte) error                         { return nil }

// A process with two incoming channels and one outgoing channel gets the marker
// of snapshot 1 on channel 0, then a message on channel 1, then the marker there.
func Example() {
	node := chandylamport.New(sim.NodeInfo{Inputs: 2, Outputs: 1})
	out := sim.NewOut(silent{})
	node.Receive(0, sim.NewMarker(1), out)
	node.Receive(1, sim.Message{Value: 42}, out)
	node.Receive(1, sim.NewMarker(1), out)

	for _, op := range out.Ops() {
		switch op.Kind {
		case sim.OpSaveState:
			fmt.Println("record the state")
		case sim.OpSend:
			fmt.Println("send a marker on", op.Channel)
		case sim.OpSaveChannel:
			fmt.Println("the state of channel", op.Channel, "has", op.Message.Value)
		case sim.OpProcess:
			fmt.Println("process", op.Message.Value)
		case sim.OpDone:
			fmt.Println("done")
		}
	}
	// Output:
	// record the state
	// send a marker on 0
	// the state of channel 1 has 42
	// process 42
	// done
}

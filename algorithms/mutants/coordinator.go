package mutants

import (
	"errors"

	"simrun/sim"
)

// decider is what a wrong coordinator has to have; coordinator makes a sim.Coordinator
// of it.
type decider interface {
	Start(s sim.Standing, out *sim.Decisions)
	Alarm(id uint32, out *sim.Decisions)
	Receive(task int32, c sim.Control, out *sim.Decisions)
	Published(id sim.SnapshotID, ok bool, out *sim.Decisions)
	Failed(task int32, out *sim.Decisions)
	Restored(attempt uint8, from sim.SnapshotID, ok bool, out *sim.Decisions)
	Stop(out *sim.Decisions)
	Savepoint(out *sim.Decisions)
	Rest(out *sim.Decisions)
	// state walks over all that changes, for saving and loading alike.
	state(c *codec)
}

type coordinator struct{ decider }

func (d coordinator) Save(buf []byte) []byte {
	c := codec{data: buf}
	d.state(&c)
	return c.data
}

func (d coordinator) Load(state []byte) error {
	c := codec{data: state, loading: true}
	d.state(&c)
	if c.failed || len(c.data) > 0 {
		return errors.New("mutants: not a state of this coordinator")
	}
	return nil
}

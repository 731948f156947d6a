package twophase

import "simrun/sim"

// Transaction is one that a part of a checkpoint holds.
type Transaction struct {
	ID      sim.SnapshotID
	Records []sim.Message
}

// Transactions is what a sink has attached to a snapshot: what was inside the cut and
// had not left when the node recorded, in the order in which it was produced. Nil is
// nothing.
func Transactions(attached []byte) (list []Transaction, err error) {
	if attached == nil {
		return nil, nil
	}
	var covered []transaction
	var own []byte
	c := &codec{data: attached, loading: true}
	if c.part(&covered, &own); c.err() != nil {
		return nil, c.err()
	}
	for i := range covered {
		t := Transaction{ID: covered[i].id}
		for _, s := range covered[i].records {
			t.Records = append(t.Records, s.Message)
		}
		list = append(list, t)
	}
	return list, nil
}

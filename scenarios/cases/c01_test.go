package cases

import (
	"slices"
	"testing"

	"simrun/invariants"
	"simrun/scenarios/apps"
	"simrun/sim"
)

// idleSaver is Chandy and Lamport's algorithm for one snapshot, as it was handed in
// for a computation whose nodes are active or passive: while a channel is recorded,
// what comes on it is saved if the node is passive, and then does not make the node
// active; if the node is active it is not saved.
type idleSaver struct {
	outputs int
	open    []bool // the channels that are recorded; nil before the snapshot
	active  bool
}

func newIdleSaver(info sim.NodeInfo) sim.Node { return &idleSaver{outputs: info.Outputs} }

func (n *idleSaver) Initiate(id sim.SnapshotID, out *sim.Out) { n.record(id, 0, out) }

func (n *idleSaver) record(id sim.SnapshotID, inputs int, out *sim.Out) {
	out.SaveState(id)
	for output := range n.outputs {
		out.SendMarker(output, id)
	}
	n.open = slices.Repeat([]bool{true}, inputs)
	if inputs == 0 {
		out.Done(id)
	}
}

func (n *idleSaver) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	switch {
	case m.Kind() == sim.Marker:
		if n.open == nil {
			n.record(m.Snapshot(), 2, out)
		}
		n.open[in] = false
		if !slices.Contains(n.open, true) {
			out.Done(m.Snapshot())
		}
		return
	case in >= 0 && n.open != nil && n.open[in] && !n.active:
		out.SaveChannel(1, in, m)
		return
	}
	out.Send(out.Process(in, m)...)
	n.active = in != sim.Timer // which ends the work
}

func (n *idleSaver) Recover([]byte, []sim.Logged, *sim.Out) {}
func (n *idleSaver) Save(buf []byte) []byte                 { return buf }
func (n *idleSaver) Load([]byte) error                      { return nil }

// activeAt is P with two neighbours: at 4 ms each sends it a message. R's comes at
// 5 ms, so P is active until 9 ms.
const activeAt = `
version: 1
graph: {nodes: [Q, R, P], channels: [[Q, P], [R, P]]}
`

// once is one message from each, twice another one 11 ms later.
const (
	once  = "app: {kind: activity, records: 1, energy: 2, fanout: 1, work: 4ms}"
	twice = "app: {kind: activity, records: 2, every: 11ms, energy: 2, fanout: 1, work: 4ms}"
)

// TestInTransitWhileActive: P records on R's marker, at 6 ms, while it is active. Q's
// message, from before Q's cut, comes at 7 ms and Q's marker at 8 ms.
func TestInTransitWhileActive(t *testing.T) {
	s := stage(t, activeAt+once+`
network: {channels: {Q->P: {delay: {constant: 3ms}}, R->P: {delay: {constant: 1ms}}}}
snapshots: {at: [5ms]}
`, "chandy-lamport")
	const m = 1 // the number of Q's message
	recorded := func(run *invariants.Run) (numbers []uint32) {
		snapshot := run.History.Snapshots[0]
		if at := snapshot.Recordings[s.node("P")].At; at != 6_000_000 || snapshot.Status != sim.Complete || snapshot.Sent[0] != m || snapshot.Processed[0] != 0 {
			t.Errorf("P records at %d, with %d of %d messages processed", at, snapshot.Processed[0], snapshot.Sent[0])
		}
		if got := state[apps.ActivityState](s, "P", snapshot.States[s.node("P")]); !got.Active {
			t.Errorf("P is recorded as %+v, not active", got)
		}
		for _, r := range snapshot.Channels[0] {
			numbers = append(numbers, r.Number)
		}
		return numbers
	}
	right := s.play()
	holds(t, "Chandy-Lamport", right)
	if got := recorded(right); !slices.Equal(got, []uint32{m}) {
		t.Errorf("Chandy-Lamport: Q->P has %v", got)
	}
	s.NewNode = newIdleSaver
	wrong := s.play()
	if got := recorded(wrong); len(got) > 0 {
		t.Errorf("Q->P has %v, although P was active", got)
	}
	violates(t, "saved while idle", wrong, "channel-state", "Q->P")
	violates(t, "saved while idle", wrong, "conservation", "there was 4 at the start (-1)")
}

const farFromQ = `
network: {channels: {Q->P: {delay: {constant: 10ms}}, R->P: {delay: {constant: 1ms}}}}
snapshots: {at: [9500us]}
`

// TestInTransitWhilePassive: P is passive when R's marker comes, at 10 ms, and still is
// when Q's message does, at 14 ms.
func TestInTransitWhilePassive(t *testing.T) {
	s := stage(t, activeAt+once+farFromQ, "chandy-lamport")
	end := func(run *invariants.Run) apps.ActivityState {
		snapshot := run.History.Snapshots[0]
		if got := state[apps.ActivityState](s, "P", snapshot.States[s.node("P")]); got.Active || got.Woken != 1 || snapshot.Status != sim.Complete || len(snapshot.Channels[0]) != 1 {
			t.Errorf("P is recorded as %+v, with %d messages on Q->P", got, len(snapshot.Channels[0]))
		}
		return state[apps.ActivityState](s, "P", run.History.Final.States[s.node("P")])
	}
	want := s.bare().History.ApplicationDigest
	right := s.play()
	holds(t, "Chandy-Lamport", right)
	if got := end(right); got.Woken != 2 || got.Used != 2 || right.History.ApplicationDigest != want {
		t.Errorf("Chandy-Lamport: P ends as %+v, and the application is the same: %v", got, right.History.ApplicationDigest == want)
	}
	s.NewNode = newIdleSaver
	if got := s.bare().History.ApplicationDigest; got != want {
		t.Error("without a snapshot the wrong one runs differently")
	}
	wrong := s.play()
	if got := end(wrong); got.Woken != 1 || got.Used != 1 || got.Active || wrong.History.ApplicationDigest == want {
		t.Errorf("saved and not processed: P ends as %+v, and the application is the same: %v", got, wrong.History.ApplicationDigest == want)
	}
	violates(t, "saved and not processed", wrong, "termination", "P still holds back message 1 of channel Q->P")
}

// TestHeldBackUntilTheMarker: P is given Q's message only when Q's marker has come, at
// 19.5 ms. The snapshot is right, but R's second message, at 16 ms, is first now.
func TestHeldBackUntilTheMarker(t *testing.T) {
	s := stage(t, activeAt+twice+farFromQ, "chandy-lamport")
	want := s.bare().History.ApplicationDigest
	right := s.play()
	holds(t, "Chandy-Lamport", right)
	s.NewNode = wrong("held-back")
	late := s.play()
	got := late.History.Snapshots[0]
	if got.Status != sim.Complete || len(got.Channels[0]) != 1 || len(right.History.Snapshots[0].Channels[0]) != 1 {
		t.Errorf("Q->P has %d messages", len(got.Channels[0]))
	}
	if right.History.ApplicationDigest != want || late.History.ApplicationDigest == want {
		t.Errorf("the application is the same with the snapshot: Chandy-Lamport %v, held back %v",
			right.History.ApplicationDigest == want, late.History.ApplicationDigest == want)
	}
}

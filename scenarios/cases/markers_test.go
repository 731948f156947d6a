package cases

import (
	"testing"

	"simrun/sim"
)

// startedAt lets each snapshot begin at one node only: node by snapshot, from 1.
func startedAt(algorithm sim.NewNode, nodes ...int32) sim.NewNode {
	return func(info sim.NodeInfo) sim.Node { return &starter{algorithm(info), info.ID, nodes} }
}

// starter hands on the orders that are meant for its node.
type starter struct {
	sim.Node
	id    int32
	nodes []int32
}

// Initiate implements sim.Node.
func (n *starter) Initiate(id sim.SnapshotID, out *sim.Out) {
	if n.nodes[id-1] == n.id {
		n.Node.Initiate(id, out)
	}
}

// Two snapshots at once, begun at different servers, each of which has one slot for
// the current snapshot. Neither is recorded at the server that began the other, and
// that is what is said, in place of a hang.
func TestOneSlotForSnapshots(t *testing.T) {
	w := &world{
		links:     []link{{"N1", "N2", 5}, {"N2", "N1", 5}},
		sends:     []send{{at: 8, from: "N1", to: "N2", id: 1}, {at: 12, from: "N1", to: "N2", id: 2}, {at: 9, from: "N2", to: "N1", id: 3}, {at: 13, from: "N2", to: "N1", id: 4}},
		snapshots: []int64{10, 11}, initiators: []string{"N1", "N2"},
	}
	n1, n2 := w.node("N1"), w.node("N2")
	// N1 records 1 at 10 ms, and 2 when N2's marker comes, at 16 ms. N2 records 2 at 11 ms
	// and 1 at 15 ms.
	w.run(t, startedAt(cl, n1, n2), false).holds().
		recorded(1, "N1", "N2").recorded(1, "N2", "N1", 3, 4).
		recorded(2, "N1", "N2", 1, 2).recorded(2, "N2", "N1")
	for _, name := range []string{"foreign-marker-dropped", "no-ids"} {
		w.run(t, startedAt(wrong(name), n1, n2), false).
			pends(1, "not recorded by N2").pends(2, "not recorded by N1")
	}
	// If the slot takes every marker for its own, N2's marker of 2 closes the channel for
	// 1, at 16 ms: what comes behind it is missing, and N1 believes that it is done.
	o := w.run(t, startedAt(wrong("no-ids"), n1, n2), false).recorded(1, "N2", "N1", 3)
	if s := o.h.Snapshots[0]; s.DoneAt[n1] != 16*ms || s.Marked[w.channel("N2", "N1")] {
		t.Errorf("N1 is done with snapshot 1 at %d, N2's marker of 1 has come: %t", s.DoneAt[n1], s.Marked[w.channel("N2", "N1")])
	}
	// One after the other nothing is wrong: with such a test nobody would notice.
	w.snapshots = []int64{10, 30}
	w.run(t, startedAt(wrong("foreign-marker-dropped"), n1, n2), false).holds()
	w.run(t, startedAt(wrong("no-ids"), n1, n2), false).holds()
}

// triangle has a channel from every node to every other.
func triangle() []link {
	return []link{{"P1", "P2", 1}, {"P1", "P3", 5}, {"P2", "P1", 1}, {"P2", "P3", 1}, {"P3", "P1", 1}, {"P3", "P2", 10}}
}

// The same program broadcasts its marker once for every outbound link: d times d
// markers. If they are counted, a server is done too early; so it is if it says so on
// the first one.
func TestMarkersOncePerLink(t *testing.T) {
	w := &world{
		links: triangle(), snapshots: []int64{10}, initiators: []string{"P1"},
		sends: []send{{at: 11, from: "P3", to: "P2", id: 7}}, // on its way until 21 ms
	}
	right := w.run(t, cl, false).holds().recorded(1, "P3", "P2", 7)
	if got := right.h.Snapshots[0].Markers; got != 6 {
		t.Errorf("%d markers on 6 channels", got)
	}
	many := w.run(t, wrong("broadcast-per-output"), false).violates("channel-state", "P3", "P2", 1)
	if got := many.h.Snapshots[0].Markers; got != 12 {
		t.Errorf("%d markers, want d*d from each of three nodes with d = 2", got)
	}
	w.run(t, wrong("early-done"), false).violates("channel-state", "P3", "P2", 1)
}

// The same program keeps what it records by outbound links. Where links go both ways
// that is no mistake; otherwise a server waits for a marker that nobody sends.
func TestRecordingByOutboundLinks(t *testing.T) {
	both := &world{links: triangle(), snapshots: []int64{10}, initiators: []string{"P1"}}
	both.run(t, wrong("records-by-output"), false).holds()
	oneWay := &world{links: []link{{"A", "C", 1}, {"B", "C", 1}}, snapshots: []int64{10}, initiators: []string{"A", "B"}}
	oneWay.run(t, cl, false).holds()
	oneWay.run(t, wrong("records-by-output"), false).pends(1, "every marker received, and not done: A, B")
}

// Channels are not told apart: everything is logged until as many markers have come
// as there are inputs. What comes behind A's marker was sent after A's cut.
func TestChannelsNotToldApart(t *testing.T) {
	const x, y = 1, 2
	w := &world{
		links:     []link{{"A", "C", 1}, {"B", "C", 20}},
		sends:     []send{{at: 12, from: "A", to: "C", id: x}, {at: 9, from: "B", to: "C", id: y}},
		snapshots: []int64{10}, initiators: []string{"A", "B"},
	}
	w.run(t, cl, false).holds().recorded(1, "A", "C").recorded(1, "B", "C", y)
	w.run(t, wrong("open-until-last-marker"), false).
		violates("channel-state", "A", "C", 1).recorded(1, "A", "C", x).recorded(1, "B", "C", y)

	// With one input there is nothing to tell apart, and the mistake does not show.
	w = &world{links: w.links[:1], sends: w.sends[:1], snapshots: w.snapshots, initiators: []string{"A"}}
	w.run(t, wrong("open-until-last-marker"), false).holds()
}

// The rule as some notes have it: pass the first marker on, save the state on a later
// one. P2 takes m, which P1 sent behind its marker, into its state.
func TestStateOnTheSecondMarker(t *testing.T) {
	const m = 1
	w := &world{
		links: triangle(), snapshots: []int64{10}, initiators: []string{"P1"},
		sends: []send{{at: 11, from: "P1", to: "P2", id: m}},
	}
	w.run(t, cl, false).holds().recorded(1, "P1", "P2").kept(1, "P2")
	w.run(t, wrong("state-at-second-marker"), false).
		violates("consistent-cut", "P1", "P2", 1).kept(1, "P2", m)

	// On a ring there is no second marker: it never completes, but no cut is wrong.
	ring := &world{links: []link{{"P1", "P2", 1}, {"P2", "P3", 1}, {"P3", "P1", 1}}, snapshots: []int64{10}, initiators: []string{"P1"}}
	ring.run(t, wrong("state-at-second-marker"), false).pends(1, "not recorded by P2, P3")
}

// The channel that the first marker came on is recorded like the others. It must be
// empty: what comes there was sent after the sender's cut.
func TestFirstMarkersChannelRecorded(t *testing.T) {
	const m = 1
	w := &world{
		links:     []link{{"N1", "N2", 1}, {"N3", "N2", 20}},
		sends:     []send{{at: 12, from: "N1", to: "N2", id: m}},
		snapshots: []int64{10}, initiators: []string{"N1", "N3"},
	}
	w.run(t, cl, false).holds().recorded(1, "N1", "N2")
	w.run(t, wrong("records-first-channel"), false).
		violates("channel-state", "N1", "N2", 1).recorded(1, "N1", "N2", m)

	// Two nodes, or a ring one way, and nobody notices: in-degree 2 and traffic right
	// behind the marker is what it takes.
	for _, links := range [][]link{{{"N1", "N2", 1}, {"N2", "N1", 1}}, {{"N1", "N2", 1}, {"N2", "N3", 1}, {"N3", "N1", 1}}} {
		blind := &world{links: links, sends: w.sends, snapshots: []int64{10}, initiators: []string{"N1"}}
		blind.run(t, wrong("records-first-channel"), false).holds()
	}
}

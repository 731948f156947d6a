package mutation

import (
	"slices"
	"testing"

	"simrun/algorithms/abs"
	"simrun/scenarios"
	"simrun/scenarios/generate"
	"simrun/sim"
)

// unusual is Chandy and Lamport's algorithm, right in ways in which nobody writes it. The
// messages in flight are saved when the snapshot ends.
type unusual struct {
	info     sim.NodeInfo
	how      string
	order    []sim.SnapshotID // under way
	open     map[sim.SnapshotID][]bool
	finished map[sim.SnapshotID]bool
	kept     map[sim.SnapshotID][]sim.Logged
	held     []sim.Logged
}

func newUnusual(how string) sim.NewNode {
	return func(info sim.NodeInfo) sim.Node {
		return &unusual{info: info, how: how, open: map[sim.SnapshotID][]bool{}, finished: map[sim.SnapshotID]bool{}, kept: map[sim.SnapshotID][]sim.Logged{}}
	}
}

func (n *unusual) Initiate(id sim.SnapshotID, out *sim.Out) {
	n.record(id, out)
	n.end(id, out)
}

func (n *unusual) record(id sim.SnapshotID, out *sim.Out) {
	if n.finished[id] || n.open[id] != nil {
		return
	}
	out.SaveState(id)
	if n.how == "attaches nonsense" {
		out.Attach(id, []byte("nonsense"))
	}
	for c := range n.info.Outputs {
		if n.how == "markers backwards" {
			c = n.info.Outputs - 1 - c
		}
		out.SendMarker(c, id)
		if n.how == "two markers" {
			out.SendMarker(c, id)
		}
	}
	for _, h := range n.held {
		if h.Input >= 0 {
			n.kept[id] = append(n.kept[id], h)
		}
	}
	n.order = append(n.order, id)
	n.open[id] = make([]bool, n.info.Inputs)
	for i := range n.open[id] {
		n.open[id][i] = true
	}
}

func (n *unusual) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() == sim.Marker {
		n.record(m.Snapshot(), out)
		if open := n.open[m.Snapshot()]; open != nil {
			open[in] = false
		}
		n.end(m.Snapshot(), out)
		return
	}
	for _, id := range n.order {
		if in >= 0 && n.open[id][in] {
			n.kept[id] = append(n.kept[id], sim.Logged{Input: in, Message: m})
		}
	}
	if n.how == "holds inputs" && len(n.order) > 0 {
		n.held = append(n.held, sim.Logged{Input: in, Message: m})
		return
	}
	out.Send(out.Process(in, m)...)
}

func (n *unusual) end(id sim.SnapshotID, out *sim.Out) {
	if n.open[id] == nil || slices.Contains(n.open[id], true) {
		return
	}
	for _, k := range n.kept[id] {
		if n.how == "a log" {
			out.SaveLog(id, k.Input, k.Message)
		} else {
			out.SaveChannel(id, k.Input, k.Message)
		}
	}
	out.Done(id)
	if n.how == "done twice" {
		out.Done(id)
	}
	n.finished[id] = true
	delete(n.open, id)
	n.order = slices.DeleteFunc(n.order, func(o sim.SnapshotID) bool { return o == id })
	if len(n.order) == 0 {
		n.Recover(nil, n.held, out)
		n.held = nil
	}
}

func (n *unusual) Recover(_ []byte, log []sim.Logged, out *sim.Out) {
	for _, l := range log {
		out.Send(out.Process(l.Input, l.Message)...)
	}
}
func (n *unusual) Save(buf []byte) []byte { return buf }
func (n *unusual) Load([]byte) error      { return nil }

// byChannel is an algorithm that replays its backup log channel by channel.
type byChannel struct{ sim.Node }

func (n byChannel) Recover(attached []byte, log []sim.Logged, out *sim.Out) {
	slices.SortStableFunc(log, func(a, b sim.Logged) int { return int(b.Input) - int(a.Input) })
	n.Node.Recover(attached, log, out)
}

// TestUnusualAlgorithmsLive: nobody is accused for what is right.
func TestUnusualAlgorithmsLive(t *testing.T) {
	for _, how := range []string{"attaches nonsense", "markers backwards", "two markers", "a log", "done twice", "holds inputs", "replays by channel"} {
		c := scenarios.Default()
		algorithm := scenarios.Algorithm{Name: "unusual", New: newUnusual(how), Invisible: how != "holds inputs"}
		if how == "replays by channel" {
			algorithm = scenarios.Algorithm{Name: "unusual", New: func(info sim.NodeInfo) sim.Node { return byChannel{abs.New(info)} }, BackEdges: true, Aligned: true}
		}
		c.Algorithms = append(c.Algorithms, algorithm)
		requeued := int64(0)
		for seed := uint64(1); seed <= 150; seed++ {
			plan, err := generate.Scenario(seed).Resolve(c, scenarios.Overrides{Algorithm: "unusual"})
			if err != nil {
				t.Fatal(err)
			}
			o := plan.NewRunner().Outcome(seed)
			if o.Verdict != scenarios.Holds {
				t.Errorf("%s, seed %d: %s %v", how, seed, o.Verdict, o.Broken)
			}
			requeued += o.Exercised.Requeues + o.Exercised.Replays
		}
		if requeued == 0 {
			t.Errorf("%s: no restore put a message back", how)
		}
	}
}

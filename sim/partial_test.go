package sim_test

import (
	"testing"

	"simrun/sim"
)

// goesOn is a task that goes on when others are restarted. It expects once more what it
// has processed since the start, and drops so many more or less than that.
type goesOn struct {
	actor
	processed, again, more int
	told                   *[]sim.Rejoin
}

func (n *goesOn) Told(sim.Control, *sim.Out)                   {}
func (n *goesOn) Written(sim.SnapshotID, sim.Handle, *sim.Out) {}
func (n *goesOn) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	if in == 0 && n.again > 0 {
		n.again--
		out.Drop(in, m)
		return
	}
	if in == 0 {
		n.processed++
	}
	n.actor.Receive(in, m, out)
}

func (n *goesOn) Rejoin(r sim.Rejoin, _ *sim.Out) {
	*n.told = append(*n.told, r)
	if len(r.Restarted) > 0 {
		n.again = n.processed + n.more
	}
}

// restorer is a coordinator that restores a part of the initial state when a task has
// crashed, and does nothing else.
type restorer struct{}

func (restorer) Start(sim.Standing, *sim.Decisions)                   {}
func (restorer) Alarm(uint32, *sim.Decisions)                         {}
func (restorer) Receive(int32, sim.Control, *sim.Decisions)           {}
func (restorer) Published(sim.SnapshotID, bool, *sim.Decisions)       {}
func (restorer) Failed(_ int32, out *sim.Decisions)                   { out.RestorePart(0, 0) }
func (restorer) Restored(uint8, sim.SnapshotID, bool, *sim.Decisions) {}
func (restorer) Stop(*sim.Decisions)                                  {}
func (restorer) Save(buf []byte) []byte                               { return buf }
func (restorer) Load([]byte) error                                    { return nil }

// partly is 0->1->2 and 3->2, with records at 0 and 3. 0 crashes at 45, and is restored at
// 55.
func partly(more int, told *[]sim.Rejoin) *sim.Config {
	timed := func(in sim.Input, m sim.Message, fx *sim.Effects) {
		if m.Key == 1 && in == 1 {
			fx.SetTimer(7, 40)
		}
	}
	cfg := scene(graph(4, 0, 1, 1, 2, 3, 2), pass, pass, timed, pass)
	cfg.NewSource = feed(releases{10, 20, 30, 40, 200}, nil, nil, releases{25, 52, 60})
	cfg.NewNode = func(sim.NodeInfo) sim.Node { return &goesOn{more: more, told: told} }
	cfg.Snapshots.Initiators = nil
	cfg.Management = sim.ManagementPlan{New: func() sim.Coordinator { return restorer{} }, Delay: sim.Dist{Low: 10}}
	cfg.Faults = []sim.Fault{{Nodes: []int32{0}, At: 45}}
	return cfg
}

// What has failed is restored with what is upstream, and nothing else notices: what is in
// flight there comes, a timer goes off, and a source goes on. What comes once more has the
// numbers that it had.
func TestPartOfTheGraphIsRestored(t *testing.T) {
	var told []sim.Rejoin
	cfg := partly(0, &told)
	log := watch(cfg, sim.EventProcess, sim.EventDrop, sim.EventExternal, sim.EventCrash, sim.EventRestore, sim.EventTimer)
	verbs[sim.EventDrop] = "drops"
	h := play(t, cfg)
	log.wants(t,
		"10 n0 external 1", "20 n0 external 2", "20 c0 process 1", "25 n3 external 1",
		"30 n0 external 3", "30 c0 process 2", "30 c1 process 1", "35 c2 process 1", "40 n0 external 4", "40 c0 process 3", "40 c1 process 2",
		"45 n0 crash", "50 c0 process 4", "50 c1 process 3", "52 n3 external 2",
		"55 restore 0", "55 n0 external 1", "55 n0 external 2", "55 n0 external 3", "55 n0 external 4",
		"60 n3 external 3", "60 c1 process 4", "62 c2 process 2",
		"65 n1 drops 0", "65 n1 drops 0", "65 n1 drops 0", "65 n1 drops 0", "70 c2 process 3", "75 n2 timer 7",
		"200 n0 external 5", "210 c0 process 5", "220 c1 process 5")
	r := h.Restores[0]
	same(t, "what was restarted", r.Partial, []int32{0})
	same(t, "what was dropped", r.Dropped, 4)
	same(t, "what was taken back", []int64{r.LostExternal, r.LostProcessed}, []int64{4, 0})
	same(t, "what those that go on were told", told, []sim.Rejoin{
		{Attempt: 1, Restarted: []sim.Input{0}}, {Attempt: 1}, {Attempt: 1}})
	same(t, "breaches", len(h.Breaches), 0)
	same(t, "states", texts(r.States)[1:], []string{"", "", ""})
}

// What is dropped and was never processed is lost, what is processed again doubled.
func TestWrongDropsAreBreaches(t *testing.T) {
	for more, want := range map[int]sim.Breach{
		1:  {Number: 5, Next: 0, Dropped: true},
		-1: {Number: 4, Next: 5},
	} {
		h := play(t, partly(more, new([]sim.Rejoin)))
		if len(h.Breaches) == 0 {
			t.Fatalf("%+d: no breach", more)
		}
		b := h.Breaches[0]
		if b.Channel != 0 || b.Number != want.Number || b.Next != want.Next || b.Dropped != want.Dropped {
			t.Errorf("%+d: %+v", more, b)
		}
	}
}

// The whole graph is restored where a part of it cannot be, or everything is upstream.
func TestWholeGraphInPlaceOfAPart(t *testing.T) {
	for name, tune := range map[string]func(*sim.Config){
		"nothing is read again":      func(cfg *sim.Config) { cfg.Replay = sim.NoReplay },
		"orphans are sent again":     func(cfg *sim.Config) { cfg.Duplicates = true },
		"channels lose":              func(cfg *sim.Config) { cfg.Unreliable = make([]sim.Unreliable, 3); cfg.Unreliable[1].Reorder = true },
		"a node cannot go on":        func(cfg *sim.Config) { cannotGoOn(cfg, 2) },
		"all is upstream of what is": func(cfg *sim.Config) { cfg.Faults[0].Nodes = []int32{0, 2} },
	} {
		cfg := partly(0, new([]sim.Rejoin))
		tune(cfg)
		if h := play(t, cfg); len(h.Restores) != 1 || h.Restores[0].Partial != nil {
			t.Errorf("%s: %+v", name, h.Restores)
		}
	}
	cfg := partly(0, new([]sim.Rejoin))
	cfg.Faults = append(cfg.Faults, sim.Fault{Nodes: []int32{1}, At: 50})
	h := play(t, cfg)
	same(t, "what was restarted after a second crash", h.Restores[0].Partial, []int32{0, 1})
}

// stays is a task that cannot go on.
type stays struct{ *goesOn }

func (stays) Rejoin() {}

func cannotGoOn(cfg *sim.Config, v int32) {
	node := cfg.NewNode
	cfg.NewNode = func(info sim.NodeInfo) sim.Node {
		if info.ID == v {
			return stays{node(info).(*goesOn)}
		}
		return node(info)
	}
}

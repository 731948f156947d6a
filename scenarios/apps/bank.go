package apps

import (
	"fmt"

	"simrun/scenarios/units"
	"simrun/sim"
)

// Bank is the parameters of bank: every node is an account, and what it sends is
// money. Each account is given orders to transfer at seeded times, pays what it
// can over an output that the order picks, and keeps what it receives. It runs on
// any graph: an account without outputs only receives, one without inputs only
// pays. Payments are orders that are written down, in place of the seeded ones.
type Bank struct {
	Balance   int64          `yaml:"balance" doc:"of each account at the beginning"`
	Amount    int64          `yaml:"amount" doc:"the most that one order asks for"`
	Transfers int64          `yaml:"transfers" doc:"orders to each account"`
	Every     units.Duration `yaml:"every" doc:"mean time between two orders"`
	Payments  []Payment      `yaml:"payments,omitempty" doc:"all orders, in place of seeded ones: {at: 2ms, from: a, to: b, amount: 10}"`
}

// NewBank is bank with the default parameters.
func NewBank() *Bank {
	return &Bank{Balance: 100, Amount: 20, Transfers: 20, Every: 5_000_000}
}

// Build implements Builder.
func (p *Bank) Build(env *Env) (*Workload, error) {
	err := firstError(
		within("balance", p.Balance, 0, mostMoney),
		within("amount", p.Amount, 1, mostMoney),
		within("transfers", p.Transfers, 1, mostRecords),
		fits(p.Every, p.Transfers),
	)
	if err != nil {
		return nil, err
	}
	bank := *p
	firstOutput, _ := outputChannels(env.Graph)
	outputs := func(node int32) uint64 { return uint64(firstOutput[node+1] - firstOutput[node]) }
	written, err := paymentsOf(p.Payments, env.Graph)
	if err != nil {
		return nil, err
	}
	return &Workload{
		NewApp: func(seed uint64, node int32) sim.App {
			a := &account{outputs: outputs(node), balance: bank.Balance, plain: written != nil}
			a.random = sim.Word(sim.Draw(seed, sim.ForApp, node, 0, 0))
			a.weight = a.random.Next()
			return a
		},
		NewSource: func(seed uint64, node int32) sim.Source {
			switch {
			case outputs(node) == 0:
				return nil
			case written != nil:
				return written[node]
			}
			return &orders{&bank, sim.NewStream(seed, sim.ForSource, 0), node}
		},
	}, nil
}

// orders is the outside world of one account. Order k has its number in Key, the
// amount in Value, and in Aux the random bits that pick an output.
type orders struct {
	bank   *Bank
	stream sim.Stream
	node   int32
}

// Record implements sim.Source. Order k is released somewhere in the k-th stretch
// of time of length every, so the times do not fall and no two accounts beat in
// step.
func (o *orders) Record(k uint64) (m sim.Message, at int64, ok bool) {
	if k >= uint64(o.bank.Transfers) {
		return sim.Message{}, 0, false
	}
	draw := sim.Word(o.stream.Draw(o.node, k))
	every := uint64(o.bank.Every)
	at = int64(k*every + sim.Scale(draw.Next(), every))
	amount := 1 + sim.Scale(draw.Next(), uint64(o.bank.Amount))
	return sim.Message{Key: k + 1, Value: int64(amount), Aux: draw.Next()}, at, true
}

// account is the app on one node. A transfer carries the order's number in Key,
// the money in Value and a random share of the account's weight in Aux.
type account struct {
	outputs uint64
	plain   bool // the orders are written down
	balance int64
	weight  uint64
	random  sim.Word
}

// Step implements sim.App. An empty account refuses the order.
func (a *account) Step(in sim.Input, m sim.Message, fx *sim.Effects) {
	if in != sim.External {
		a.balance += m.Value
		a.weight += m.Aux
		return
	}
	amount := min(m.Value, a.balance)
	if amount == 0 {
		return
	}
	share := a.random.Next()
	a.balance -= amount
	a.weight -= share
	fx.Send(int32(sim.Scale(m.Aux, a.outputs)), m.Key, amount, share)
}

// Save implements sim.App.
func (a *account) Save(buf []byte) []byte {
	buf = appendWord(buf, uint64(a.balance))
	buf = appendWord(buf, a.weight)
	return appendWord(buf, uint64(a.random))
}

// Load implements sim.App.
func (a *account) Load(state []byte) error {
	r := stateReader{rest: state}
	a.balance, a.weight, a.random = int64(r.word()), r.word(), sim.Word(r.word())
	return r.end()
}

// Holding implements sim.Conserving: money, and the weight that goes with it.
func (a *account) Holding() (amount int64, weight uint64) { return a.balance, a.weight }

// Carried implements sim.Conserving for a transfer on a channel.
func (a *account) Carried(m sim.Message) (amount int64, weight uint64) { return m.Value, m.Aux }

// AccountState is what bank shows of an account. Weight and Random are
// hexadecimal, because nobody adds them up by hand; where payments are written down
// somebody follows them by hand, and is shown the money alone.
type AccountState struct {
	Balance int64  `json:"balance"`
	Weight  string `json:"weight,omitempty"`
	Random  string `json:"random,omitempty"`
}

// Describe implements sim.Describer.
func (a *account) Describe() any {
	if a.plain {
		return AccountState{Balance: a.balance}
	}
	return AccountState{a.balance, fmt.Sprintf("%016x", a.weight), fmt.Sprintf("%016x", uint64(a.random))}
}

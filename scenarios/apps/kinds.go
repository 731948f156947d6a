package apps

import (
	"fmt"

	"simrun/sim"
	"simrun/topology"
)

// Kind is one app that a scenario can name.
type Kind struct {
	Name string
	Doc  string         // one line
	New  func() Builder // the parameters, with their defaults
}

// Builder is an app's parameters: a pointer to a struct whose fields have yaml
// tags and, for those who look the app up, doc tags that say what they mean.
type Builder interface {
	// Build checks the parameters against the graph. Its errors are
	// ParameterErrors. It changes neither the Builder nor the graph.
	Build(env *Env) (*Workload, error)
}

// Embedder is a Builder whose parameters may name files.
type Embedder interface {
	// Embed is the same parameters with what the files hold in place of their names.
	Embed(read func(path string) ([]byte, error)) (Builder, error)
}

// Env is what Build may look at.
type Env struct {
	Graph    *topology.Graph
	ReadFile func(path string) ([]byte, error) // of files that a parameter names
}

// Workload is an app on a graph, ready to run with any seed. Nothing changes it,
// so that runs on several goroutines share one.
type Workload struct {
	NewApp    func(seed uint64, node int32) sim.App
	NewSource func(seed uint64, node int32) sim.Source // nil for a node without External input
	Restless  bool                                     // it does not come to rest when its input ends
}

// Into lets a run be one of this workload, with the run's own seed.
func (w *Workload) Into(cfg *sim.Config) {
	seed := cfg.Seed
	cfg.NewApp = func(node int32) sim.App { return w.NewApp(seed, node) }
	cfg.NewSource = nil
	if w.NewSource != nil {
		cfg.NewSource = func(node int32) sim.Source { return w.NewSource(seed, node) }
	}
	cfg.Restless = w.Restless
}

// ParameterError says what is wrong with one parameter of an app.
type ParameterError struct {
	Parameter string // its yaml key; "kind" when the app does not fit the graph
	Problem   string
	Right     string // what would be right, as an order: "write 1 or more"
	Err       error  // the cause, if there is one
}

// Error names the parameter, what is wrong with it, and what would be right.
func (e *ParameterError) Error() string {
	return fmt.Sprintf("%s: %s; %s", e.Parameter, e.Problem, e.Right)
}

// Unwrap gives the cause.
func (e *ParameterError) Unwrap() error { return e.Err }

// Kinds are the apps of this package, always in this order.
func Kinds() []Kind {
	return []Kind{
		{"bank", "accounts on any graph that send each other money at seeded times", func() Builder { return NewBank() }},
		{"wordcount", "sources read a text, words are shuffled by key, counted and collected", func() Builder { return NewWordCount() }},
		{"loop", "records go round a feedback edge a number of times before they leave", func() Builder { return NewLoop() }},
		{"join", "inputs are matched with one another, and the result depends on their order", func() Builder { return NewJoin() }},
		{"sums", "numbers 1, 2, 3, ... are routed to an even and an odd task that sum them", func() Builder { return NewSums() }},
		{"dataflow", "runs any plan: seeded keyed records, counted per key, shipped as each edge says", func() Builder { return NewDataflow() }},
		{"zip", "records of all inputs are put together, one of each in turn, so a node chooses what it reads", func() Builder { return NewZip() }},
		{"windows", "keyed records are counted in windows, which timers close", func() Builder { return NewWindows() }},
		{"activity", "work that spreads over any graph by messages, and dies out: nodes are active or passive", func() Builder { return NewActivity() }},
		{"tokens", "every node hands tokens to its neighbours, over any output at any moment, as the order of the run decides", func() Builder { return NewTokens() }},
	}
}

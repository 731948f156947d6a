package topology

import (
	"encoding/json"
	"html"
	"strconv"
	"strings"
	"unicode"
)

// maxParallelism is Flink's own bound on an operator's parallelism.
const maxParallelism = 1 << 15

const wantPlan = `a job plan as the Flink REST interface gives it for /jobs/:id/plan: {"plan": {"nodes": [...]}}`

// ParseFlinkPlan reads a job plan as the REST interface of Apache Flink gives it
// for /jobs/:id/plan (with or without the object around the plan), and expands
// it: every subtask is a node, named after its operator's description. FORWARD
// connects subtask i to subtask i and needs equal parallelism, RESCALE connects
// blocks, every other ship strategy connects all to all.
func ParseFlinkPlan(file string, data []byte) (*Graph, error) {
	s, err := open(file, data, wantPlan)
	if err != nil {
		return nil, err
	}
	var doc struct {
		Plan *flinkPlan `json:"plan"`
		flinkPlan
	}
	if err := json.Unmarshal(s.data, &doc); err != nil {
		return nil, s.jsonError(err, wantPlan)
	}
	r := flinkReader{source: s, flinkPlan: &doc.flinkPlan}
	if doc.Plan != nil {
		r.flinkPlan, r.root = doc.Plan, []any{"plan"}
	}
	p, err := r.plan()
	if err != nil {
		return nil, err
	}
	if p.name == "" {
		p.name = baseName(file)
	}
	return p.expand(), nil
}

type flinkPlan struct {
	Name  string      `json:"name"`
	Nodes []flinkNode `json:"nodes"`
}

type flinkNode struct {
	ID          json.RawMessage `json:"id"`
	Parallelism int             `json:"parallelism"`
	Description string          `json:"description"`
	Inputs      []flinkInput    `json:"inputs"`

	// Not in this format: they tell the output of getExecutionPlan apart.
	Pact         json.RawMessage `json:"pact"`
	Predecessors json.RawMessage `json:"predecessors"`
}

type flinkInput struct {
	ID           string `json:"id"`
	ShipStrategy string `json:"ship_strategy"`
}

type flinkReader struct {
	*source
	*flinkPlan
	root []any // path of the plan in the document
}

// plan checks the plan and brings it into our form.
func (r *flinkReader) plan() (*plan, *Error) {
	if len(r.Nodes) == 0 {
		return nil, r.errorf("a plan without nodes; the file should hold %s", wantPlan)
	}
	p := &plan{name: r.Name}
	byID := make(map[string]int, len(r.Nodes))
	names := make(map[string]bool, len(r.Nodes))
	for i := range r.Nodes {
		n := &r.Nodes[i]
		id, err := r.id(i)
		if err != nil {
			return nil, err
		}
		if other, ok := byID[id]; ok {
			return nil, r.errorIn([]any{"nodes", i, "id"}, "operator id %q belongs to %q already; every operator needs an id of its own", short(id), short(p.operators[other].name))
		}
		byID[id] = i
		if n.Parallelism < 1 || n.Parallelism > maxParallelism {
			return nil, r.errorIn([]any{"nodes", i, "parallelism"}, "operator %q has parallelism %d; it must be between 1 and %d", short(id), n.Parallelism, maxParallelism)
		}
		p.operators = append(p.operators, operator{operatorName(n.Description, id, names), n.Parallelism})
	}
	for i := range r.Nodes {
		for j := range r.Nodes[i].Inputs {
			e, err := r.edge(p, byID, i, j)
			if err != nil {
				return nil, err
			}
			p.edges = append(p.edges, e)
		}
	}
	if nodes, channels := p.size(); tooLarge(nodes, channels) {
		return nil, r.errorf("the plan expands to %d subtasks and %d channels; a graph may have %d of both together", nodes, channels, MaxSize)
	}
	return p, nil
}

// id is the id of operator i.
func (r *flinkReader) id(i int) (string, *Error) {
	n := &r.Nodes[i]
	if n.Pact != nil || n.Predecessors != nil {
		return "", r.errorIn([]any{"nodes", i}, "this is the output of getExecutionPlan; the file should hold %s", wantPlan)
	}
	var id string
	if json.Unmarshal(n.ID, &id) != nil || id == "" {
		return "", r.errorIn([]any{"nodes", i, "id"}, "operator %d has no id; it must be a string that its readers name in their inputs", i)
	}
	return id, nil
}

// edge is input j of operator i.
func (r *flinkReader) edge(p *plan, byID map[string]int, i, j int) (planEdge, *Error) {
	in := r.Nodes[i].Inputs[j]
	path := []any{"nodes", i, "inputs", j}
	to := p.operators[i]
	k, ok := byID[in.ID]
	if !ok {
		return planEdge{}, r.errorIn(append(path, "id"), "operator %s has an input from the unknown id %q; an input names the id of an operator in the plan", short(to.name), short(in.ID))
	}
	e := planEdge{k, i, strategyOf(in.ShipStrategy)}
	if from := p.operators[k]; e.strategy == Forward && from.parallelism != to.parallelism {
		return planEdge{}, r.errorIn(append(path, "ship_strategy"), "FORWARD from %s with parallelism %d to %s with parallelism %d; FORWARD needs equal parallelism, RESCALE and REBALANCE do not",
			short(from.name), from.parallelism, short(to.name), to.parallelism)
	}
	return e, nil
}

// strategyOf puts Flink's ship strategies into our words. Flink has more than
// these, and users add their own: all of those connect all to all.
func strategyOf(ship string) Strategy {
	switch strings.ToUpper(ship) {
	case "FORWARD":
		return Forward
	case "RESCALE":
		return Rescale
	case "HASH":
		return Hash
	case "BROADCAST":
		return Broadcast
	}
	return RoundRobin
}

// maxOperatorName is where a long description is cut.
const maxOperatorName = 48

// operatorName makes a short unique name of the first line of a description,
// which is HTML.
func operatorName(description, id string, taken map[string]bool) string {
	line, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(description), "<br/>"), "<br/>")
	name := readable(html.UnescapeString(line))
	if name == "" {
		name = strings.TrimSuffix("operator-"+readable(id), "-")
	}
	unique := name
	for n := 2; taken[unique]; n++ {
		unique = name + "-" + strconv.Itoa(n)
	}
	taken[unique] = true
	return unique
}

// readable is a text in lower case, with hyphens for what is neither letter nor
// digit, cut between two words if it is long.
func readable(text string) string {
	name := ""
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		if name != "" && len(name)+1+len(word) > maxOperatorName {
			break
		}
		name = strings.TrimPrefix(name+"-"+word, "-")
	}
	if runes := []rune(name); len(runes) > maxOperatorName { // one very long word
		name = string(runes[:maxOperatorName])
	}
	return name
}

// errorIn is an error at the value with this path in the plan, or at the
// innermost value around it that exists.
func (r *flinkReader) errorIn(path []any, format string, args ...any) *Error {
	return r.errorAt(locate(r.data, append(r.root[:len(r.root):len(r.root)], path...)), format, args...)
}

package topology

import (
	"slices"
	"strconv"
)

// maxOperators keeps plans to a size that can be drawn before it is known
// whether their subtasks and channels are too many.
const maxOperators = 1000

func dataflowShape() shape {
	return shape{
		Generator: Generator{"dataflow", "operators in a pipeline (source, map, count, sink), expanded to subtasks", []Parameter{
			{"parallelism", "subtasks of each operator", 2, 1, maxParallelism},
			{"layers", "number of operators", 3, 2, maxOperators},
			degreeParameter("number of operators that an operator reads from, where there are so many before it", 1),
			{"loops", "feedback edges", 0, 0, maxOperators},
			{"shuffles", "edges of the pipeline that ship records by their key, the one into the count among them", 1, 1, maxOperators},
		}, true},
		size:      func(s *Spec) (int64, int64) { return pipeline(s).size() },
		build:     func(s *Spec) *Graph { return pipeline(s).expand() },
		maxDegree: func(s *Spec) (int, string) { return s.Layers - 1, "the number of operators before the last" },
		check: func(s *Spec) *Error {
			if s.Shuffles >= s.Layers {
				return errorf("shuffles is %d, but a pipeline of %d operators has %d edges; write fewer, or more layers", s.Shuffles, s.Layers, s.Layers-1)
			}
			if s.Loops > 0 && s.Layers < 3 {
				return errorf("loops is %d, but a loop needs an operator between source and sink; layers must be at least 3", s.Loops)
			}
			return nil
		},
	}
}

// pipeline draws a plan: a chain of operators in which records reach the counting operator,
// and others in front of it at even distances, by their key, further inputs from earlier operators, and feedback edges.
func pipeline(s *Spec) *plan {
	p := &plan{}
	for i := range s.Layers {
		p.operators = append(p.operators, operator{pipelineName(i, s.Layers), s.Parallelism})
	}
	d := newDraws(s.Seed, s.Layers)
	shuffled := shuffledInputs(s)
	for i := 1; i < s.Layers; i++ {
		strategy := Forward
		if shuffled[i] {
			strategy = Hash
		}
		p.edges = append(p.edges, planEdge{i - 1, i, strategy})
		further := d.choose(min(s.Degree, i)-1, i-1)
		slices.Sort(further)
		for _, from := range further {
			p.edges = append(p.edges, planEdge{from, i, Hash})
		}
	}
	for loop := range s.Loops {
		// The first loop goes once round everything between source and sink.
		from, to, strategy := s.Layers-2, 1, Forward
		if loop > 0 {
			from = 1 + d.below(s.Layers-2)
			to = 1 + d.below(from)
			if d.below(2) == 1 {
				strategy = Hash
			}
		}
		p.edges = append(p.edges, planEdge{from, to, strategy})
	}
	return p
}

// shuffledInputs says which operators of the pipeline are sent records by their key: the
// counting one, those in front of it at even distances, and, if all are, the sink.
func shuffledInputs(s *Spec) []bool {
	count := max(s.Layers-2, 1) // with two operators the sink counts
	shuffled := make([]bool, s.Layers)
	inFront := min(s.Shuffles, count)
	for k := range inFront {
		shuffled[(count*(k+1)+inFront/2)/inFront] = true
	}
	shuffled[s.Layers-1] = shuffled[s.Layers-1] || s.Shuffles > count
	return shuffled
}

// pipelineName is the name of operator i of so many.
func pipelineName(i, operators int) string {
	switch {
	case i == 0:
		return "source"
	case i == operators-1:
		return "sink"
	case i == operators-2:
		return "count"
	case operators == 4:
		return "map"
	}
	return "map" + strconv.Itoa(i)
}

package series

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"simrun/scenarios/units"
)

// mostValues is how many values a parameter may be given: each is a comparison of its own.
const mostValues = 100

// Values reads a list of values with commas between them. Each is a value as a scenario
// file has it, in brackets if it has commas itself, or a range: a..b takes the numbers 1, 2
// and 5 times a power of ten between two durations or whole numbers, and both ends, or, if
// the ends are near each other, even steps; a..b/step takes steps of this size.
func Values(text string) ([]string, error) {
	var values []string
	for _, part := range split(text) {
		part = strings.TrimSpace(part)
		if part == "" {
			return nil, fmt.Errorf("an empty value in %q; write values such as 10ms,20ms or 10ms..1s", units.Short(text))
		}
		expanded, err := expand(part)
		if err != nil {
			return nil, err
		}
		for _, v := range expanded {
			if slices.Contains(values, v) {
				return nil, fmt.Errorf("the value %s is given twice; name each once", units.Short(v))
			}
			values = append(values, v)
		}
	}
	if len(values) > mostValues {
		return nil, fmt.Errorf("%d values, each of which is a comparison of its own; write at most %d", len(values), mostValues)
	}
	return values, nil
}

// split cuts a text at the commas that are in no brackets and no quotation marks.
func split(text string) (parts []string) {
	depth, from, quote := 0, 0, rune(0)
	for i, r := range text {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '"' || r == '\'':
			quote = r
		case r == '[' || r == '{':
			depth++
		case r == ']' || r == '}':
			depth--
		case r == ',' && depth <= 0:
			parts, from = append(parts, text[from:i]), i+1
		}
	}
	return append(parts, text[from:])
}

// quantity is a number of nanoseconds, or of anything.
type quantity struct {
	n    int64
	time bool
}

func parseQuantity(text string) (quantity, bool) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n >= 0 {
		return quantity{n, false}, true
	}
	d, err := units.ParseDuration(text)
	return quantity{int64(d), true}, err == nil
}

// text is the quantity as a scenario file has it.
func (q quantity) text() string {
	if q.time {
		return units.Duration(q.n).String()
	}
	return strconv.FormatInt(q.n, 10)
}

// expand is the values of a range, or a value that is none.
func expand(part string) ([]string, error) {
	low, rest, isRange := strings.Cut(part, "..")
	if !isRange || part[0] < '0' || part[0] > '9' { // such as ../graphs/abilene.dot
		return []string{part}, nil
	}
	high, stepText, stepped := strings.Cut(rest, "/")
	const right = "write two durations or two whole numbers, such as 10ms..1s, 1..8 or 10ms..100ms/10ms"
	from, ok1 := parseQuantity(low)
	to, ok2 := parseQuantity(high)
	step := quantity{1, to.time}
	if stepped {
		var ok bool
		if step, ok = parseQuantity(stepText); !ok {
			return nil, fmt.Errorf("%s is no range; %s", units.Short(part), right)
		}
	}
	switch {
	case !ok1 || !ok2 || from.time != to.time && from.n != 0 || step.time != to.time:
		return nil, fmt.Errorf("%s is no range; %s", units.Short(part), right)
	case from.n >= to.n:
		return nil, fmt.Errorf("the range %s is empty; write the smaller one first", units.Short(part))
	case stepped && step.n == 0:
		return nil, fmt.Errorf("the range %s has a step of 0; write a larger one", units.Short(part))
	case stepped && (to.n-from.n)/step.n >= mostValues:
		return nil, fmt.Errorf("the range %s has more than %d values; write a larger step", units.Short(part), mostValues)
	}
	var texts []string
	for _, n := range numbers(from.n, to.n, step.n, stepped, to.time) {
		texts = append(texts, quantity{n, to.time}.text())
	}
	return texts, nil
}

// The number of values that a range without a step should have.
const fewest, most = 5, 12

// numbers is the numbers of a range.
func numbers(from, to, step int64, stepped, time bool) (list []int64) {
	switch {
	case stepped:
	case !time && to-from < most:
		step = 1
	case from > 0 && to/from >= fewest:
		return geometric(from, to)
	default:
		step = evenStep(from, to)
	}
	for n := from; n <= to; n += step {
		list = append(list, n)
		if n > math.MaxInt64-step {
			break
		}
	}
	if last := list[len(list)-1]; !stepped && last != to {
		list = append(list, to)
	}
	return list
}

// evenStep is the largest step of 1, 2 or 5 times a power of ten with which a range has at
// least the fewest values.
func evenStep(from, to int64) int64 {
	step := int64(1)
	for _, next := range nice(to) {
		if (to-from)/next >= fewest-1 {
			step = max(step, next)
		}
	}
	return step
}

// geometric is the ends of a range and the numbers 1, 2 and 5 times a power of ten between
// them; of many decades only the powers of ten.
func geometric(from, to int64) []int64 {
	list := []int64{from}
	within := nice(to)
	if count := len(within) - len(nice(from)); count > most {
		within = slices.DeleteFunc(within, func(n int64) bool { return !powerOfTen(n) })
	}
	for _, n := range within {
		if n > from && n < to {
			list = append(list, n)
		}
	}
	return append(list, to)
}

// nice is the numbers 1, 2 and 5 times a power of ten up to a limit.
func nice(limit int64) (list []int64) {
	for power := int64(1); ; power *= 10 {
		for _, m := range []int64{1, 2, 5} {
			if power > limit/m {
				return list
			}
			list = append(list, m*power)
		}
		if power > math.MaxInt64/10 {
			return list
		}
	}
}

func powerOfTen(n int64) bool {
	for n%10 == 0 {
		n /= 10
	}
	return n == 1
}

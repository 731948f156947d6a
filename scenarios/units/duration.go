package units

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// Duration is a span of virtual time in nanoseconds. Its text is one or more
// decimal numbers, each with its unit, from the largest unit to the smallest:
// 20ms, 1.5s, 1m30s.
type Duration int64

// unit is one unit and its length in nanoseconds.
type unit struct {
	name string
	ns   uint64
}

// durationUnits run from the largest to the smallest. "us" is how String writes
// microseconds, because everybody can type it; "µs" is read too, with either of
// the two characters that look like this (the micro sign and the Greek letter).
var durationUnits = [...]unit{
	{"h", 3_600_000_000_000},
	{"m", 60_000_000_000},
	{"s", 1_000_000_000},
	{"ms", 1_000_000},
	{"us", 1_000},
	{"ns", 1},
}

// longestExactFraction is how many digits after the point can still give whole
// nanoseconds: an hour is 2^13 * 3^2 * 5^11 of them.
const longestExactFraction = 13

// ErrNegative is what is wrong with a duration such as -1ms.
var ErrNegative = errors.New("a duration cannot be negative; write 20ms or 1.5s")

// ParseDuration reads a duration.
func ParseDuration(text string) (Duration, error) {
	if text == "" {
		return 0, badDuration(text, "it is empty")
	}
	if text[0] == '-' && !strings.HasPrefix(text[1:], "-") {
		if _, err := ParseDuration(text[1:]); err == nil {
			return 0, ErrNegative
		}
	}
	total, smallest := uint64(0), -1
	for rest := text; rest != ""; {
		number, name, tail := nextPart(rest)
		if number == "" {
			return 0, badDuration(text, fmt.Sprintf("%q is no number", Short(rest)))
		}
		if name == "" {
			return 0, badDuration(text, fmt.Sprintf("%s has no unit", Short(number)))
		}
		index := unitIndex(name)
		if index < 0 {
			return 0, badDuration(text, fmt.Sprintf("there is no unit %q, only h, m, s, ms, us and ns", Short(name)))
		}
		if index <= smallest {
			return 0, badDuration(text, "its units must run from the largest to the smallest, each once")
		}
		ns, problem := scaled(number, durationUnits[index])
		if problem == "" && ns > math.MaxInt64-total {
			problem = tooLong
		}
		if problem != "" {
			return 0, badDuration(text, problem)
		}
		total, smallest, rest = total+ns, index, tail
	}
	return Duration(total), nil
}

const tooLong = "it is longer than 2562047h, the longest that 64 bits of nanoseconds hold"

func badDuration(text, problem string) error {
	return fmt.Errorf("%q is not a duration: %s; write 20ms or 1.5s", Short(text), problem)
}

// nextPart splits off the first number and the unit that follows it.
func nextPart(text string) (number, name, rest string) {
	end := strings.IndexFunc(text, func(r rune) bool { return !isNumeric(r) })
	if end < 0 {
		return text, "", ""
	}
	number, text = text[:end], text[end:]
	end = strings.IndexFunc(text, isNumeric)
	if end < 0 {
		end = len(text)
	}
	return number, text[:end], text[end:]
}

func isNumeric(r rune) bool { return r >= '0' && r <= '9' || r == '.' }

func unitIndex(name string) int {
	if name == "µs" || name == "μs" {
		name = "us"
	}
	for i, u := range durationUnits {
		if u.name == name {
			return i
		}
	}
	return -1
}

// scaled is a decimal number of units in nanoseconds, or what is wrong with it.
func scaled(number string, u unit) (ns uint64, problem string) {
	whole, fraction, pointed := strings.Cut(number, ".")
	if whole == "" || pointed && fraction == "" || strings.Contains(fraction, ".") {
		return 0, Short(number) + " is no decimal number"
	}
	n, err := strconv.ParseUint(whole, 10, 64)
	if err != nil {
		return 0, tooLong
	}
	high, ns := bits.Mul64(n, u.ns)
	if high != 0 || ns > math.MaxInt64 {
		return 0, tooLong
	}
	fraction = strings.TrimRight(fraction, "0")
	if fraction == "" {
		return ns, ""
	}
	part, remainder := uint64(0), uint64(1)
	if len(fraction) <= longestExactFraction {
		f, divisor := uint64(0), uint64(1)
		for _, digit := range []byte(fraction) {
			f, divisor = f*10+uint64(digit-'0'), divisor*10
		}
		// f < divisor, so the quotient is below one unit and fits.
		high, low := bits.Mul64(f, u.ns)
		part, remainder = bits.Div64(high, low, divisor)
	}
	if remainder != 0 {
		return 0, Short(number+u.name) + " is no whole number of nanoseconds"
	}
	return ns + part, "" // both are at most 2^63-1, so nothing wraps
}

// UnmarshalText implements encoding.TextUnmarshaler. A bare number is an error,
// because nobody can see whether it meant milliseconds or nanoseconds.
func (d *Duration) UnmarshalText(text []byte) error {
	parsed, err := ParseDuration(string(text))
	if err == nil {
		*d = parsed
	}
	return err
}

// MarshalText implements encoding.TextMarshaler; what it writes UnmarshalText
// reads back to the same value.
func (d Duration) MarshalText() ([]byte, error) {
	if d < 0 {
		return nil, ErrNegative
	}
	return []byte(d.String()), nil
}

// String is the canonical text: hours and minutes as whole numbers, the rest as
// one decimal number of the largest unit that makes it at least 1.
func (d Duration) String() string {
	if d == 0 {
		return "0ns"
	}
	var buf []byte
	ns := uint64(d)
	if d < 0 {
		buf, ns = append(buf, '-'), -ns
	}
	for _, u := range durationUnits {
		if ns < u.ns {
			continue
		}
		buf = strconv.AppendUint(buf, ns/u.ns, 10)
		ns %= u.ns
		if u.ns < 60_000_000_000 { // below a minute one decimal number says it all
			buf = appendFraction(buf, ns, u.ns)
			ns = 0
		}
		buf = append(buf, u.name...)
	}
	return string(buf)
}

// appendFraction writes ns as a fraction of a unit that is a power of ten.
func appendFraction(buf []byte, ns, unit uint64) []byte {
	if ns == 0 {
		return buf
	}
	buf = append(buf, '.')
	for ns != 0 {
		unit /= 10
		buf = append(buf, byte('0'+ns/unit))
		ns %= unit
	}
	return buf
}

// Brief is the span for people: one number of the largest unit up to seconds that makes
// it at least 1, with at most three digits after the point; what is below them is cut
// off.
func (d Duration) Brief() string {
	var buf []byte
	ns := uint64(d)
	if d < 0 {
		buf, ns = append(buf, '-'), -ns
	}
	for _, u := range durationUnits[2:] {
		if ns < u.ns {
			continue
		}
		buf = strconv.AppendUint(buf, ns/u.ns, 10)
		fraction := ns % u.ns
		fraction -= fraction % max(1, u.ns/1000)
		return string(append(appendFraction(buf, fraction, u.ns), u.name...))
	}
	return "0ns"
}

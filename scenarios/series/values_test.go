package series

import (
	"strings"
	"testing"
)

func TestValues(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"10ms,20ms,50ms", "10ms 20ms 50ms"},
		{"10ms..1s", "10ms 20ms 50ms 100ms 200ms 500ms 1s"},
		{"15ms..300ms", "15ms 20ms 50ms 100ms 200ms 300ms"},
		{"1us..100s", "1us 10us 100us 1ms 10ms 100ms 1s 10s 1m40s"},
		{"10ms..30ms", "10ms 15ms 20ms 25ms 30ms"},
		{"0ns..100ms", "0ns 20ms 40ms 60ms 80ms 100ms"},
		{"0..100ms", "0ns 20ms 40ms 60ms 80ms 100ms"},
		{"10ms..45ms/10ms", "10ms 20ms 30ms 40ms"},
		{"10ms..40ms/10ms", "10ms 20ms 30ms 40ms"},
		{"1..8", "1 2 3 4 5 6 7 8"},
		{"1..64", "1 2 5 10 20 50 64"},
		{"3..4", "3 4"},
		{"100..120", "100 105 110 115 120"},
		{"2..11/3", "2 5 8 11"},
		{"9223372036854775806..9223372036854775807", "9223372036854775806 9223372036854775807"},
		{"none,10ms..50ms,1s", "none 10ms 20ms 50ms 1s"},
		{"{uniform: [1ms, 5ms]}, {constant: 3ms}", "{uniform: [1ms, 5ms]} {constant: 3ms}"},
		{`"a,b",c`, `"a,b" c`},
		{"../graphs/abilene.dot", "../graphs/abilene.dot"},
		{"from-offset,none", "from-offset none"},
	} {
		got, err := Values(test.text)
		if text := strings.Join(got, " "); text != test.want || (err != nil) != (test.want == "") {
			t.Errorf("%s is %s, %v; want %s", test.text, text, err, test.want)
		}
	}
}

func TestWrongValues(t *testing.T) {
	for _, test := range []struct{ text, says string }{
		{"", `an empty value in ""; write values such as 10ms,20ms or 10ms..1s`},
		{"1,,2", "an empty value"},
		{"1ms..", "1ms.. is no range; write two durations or two whole numbers, such as 10ms..1s, 1..8 or 10ms..100ms/10ms"},
		{"1..5ms", "is no range"},
		{"1..8/1ms", "is no range"},
		{"1..8/", "is no range"},
		{"5ms..1ms", "the range 5ms..1ms is empty; write the smaller one first"},
		{"5ms..5ms", "is empty"},
		{"1..8/0", "a step of 0"},
		{"1ms..1s/1ms", "more than 100 values; write a larger step"},
		{"1,2,1", "the value 1 is given twice"},
		{"10ms..1s,20ms", "the value 20ms is given twice"},
		{"1..60/1,61..120/1", "120 values, each of which is a comparison of its own; write at most 100"},
	} {
		if got, err := Values(test.text); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%q is %v, %v; want %s", test.text, got, err, test.says)
		}
	}
}

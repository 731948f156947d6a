package units

import (
	"encoding"
	"flag"
	"math"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var (
	_ encoding.TextUnmarshaler = (*Duration)(nil)
	_ encoding.TextMarshaler   = Duration(0)
)

// TestMain fixes rapid's seed and the number of cases, unless flags give them, so
// that every run of the tests checks the same.
func TestMain(m *testing.M) {
	flag.Parse()
	given := map[string]bool{}
	flag.Visit(func(f *flag.Flag) { given[f.Name] = true })
	for _, set := range [][2]string{{"rapid.seed", "1"}, {"rapid.checks", "1000"}} {
		if given[set[0]] {
			continue
		}
		if err := flag.Set(set[0], set[1]); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

func TestDurationText(t *testing.T) {
	tests := []struct {
		text      string
		ns        int64
		canonical string // "" when it is the text itself
	}{
		{"0ns", 0, ""},
		{"0h", 0, "0ns"},
		{"0.000s", 0, "0ns"},
		{"1ns", 1, ""},
		{"999ns", 999, ""},
		{"1us", 1_000, ""},
		{"1µs", 1_000, "1us"},
		{"1\u03bcs", 1_000, "1us"},
		{"0.1us", 100, "100ns"},
		{"1.5us", 1_500, ""},
		{"20ms", 20_000_000, ""},
		{"1.5s", 1_500_000_000, ""},
		{"1500ms", 1_500_000_000, "1.5s"},
		{"0.000000001s", 1, "1ns"},
		{"1.000000001s", 1_000_000_001, ""},
		{"007ms", 7_000_000, "7ms"},
		{"1.50000000000000000000000s", 1_500_000_000, "1.5s"},
		{"59.999999999s", 59_999_999_999, ""},
		{"60s", 60_000_000_000, "1m"},
		{"1m30s", 90_000_000_000, ""},
		{"1.5m", 90_000_000_000, "1m30s"},
		{"1h1ns", 3_600_000_000_001, ""},
		{"1h2m3s4ms5us6ns", 3_723_004_005_006, "1h2m3.004005006s"},
		{"1.5h30m", 7_200_000_000_000, "2h"},
		{"0.0001220703125h", 439_453_125, "439.453125ms"}, // 13 digits, an hour / 8192
		{"0.00000000000025h", 0, "not exact"},             // 14 digits never are
		{"2562047h47m16.854775807s", math.MaxInt64, ""},   // the last one that fits
		{"9223372036854775807ns", math.MaxInt64, "2562047h47m16.854775807s"},
	}
	for _, test := range tests {
		got, err := ParseDuration(test.text)
		if test.canonical == "not exact" {
			if err == nil || !strings.Contains(err.Error(), "no whole number of nanoseconds") {
				t.Errorf("%s: got %v, %v; want an error", test.text, got, err)
			}
			continue
		}
		if err != nil || int64(got) != test.ns {
			t.Errorf("%s: got %d, %v; want %d", test.text, int64(got), err, test.ns)
			continue
		}
		want := test.canonical
		if want == "" {
			want = test.text
		}
		if got.String() != want {
			t.Errorf("%s: String is %s, want %s", test.text, got, want)
		}
	}
}

func TestDurationErrors(t *testing.T) {
	tests := []struct{ text, says string }{
		{"", "empty"},
		{"5", "5 has no unit"},
		{"1m30", "30 has no unit"},
		{"ms", "is no number"},
		{"-5ms", "negative"},
		{"+5ms", "is no number"},
		{" 5ms", "is no number"},
		{"5 ms", `there is no unit " ms"`},
		{"5ms ", `there is no unit "ms "`},
		{"5min", `there is no unit "min"`},
		{"5S", `there is no unit "S"`},
		{"1d", `there is no unit "d"`},
		{"1e3s", `there is no unit "e"`},
		{"0x10s", `there is no unit "x"`},
		{".5s", "no decimal number"},
		{"5.s", "no decimal number"},
		{"1.2.3s", "no decimal number"},
		{".s", "no decimal number"},
		{"1.5ns", "no whole number of nanoseconds"},
		{"0.0000000001s", "no whole number of nanoseconds"},
		{"30s1m", "from the largest to the smallest"},
		{"1s1s", "from the largest to the smallest"},
		{"1us1µs", "from the largest to the smallest"},
		{"9223372036854775808ns", "longer than"},
		{"2562047h47m16.854775808s", "longer than"},
		{"2562048h", "longer than"},
		{"99999999999999999999999ns", "longer than"},
		{"18446744073709551615h", "longer than"},
		{"\xff\xfe\x00", "is no number"},
		{"1\xff", "there is no unit"},
	}
	for _, test := range tests {
		d := Duration(42)
		err := d.UnmarshalText([]byte(test.text))
		if err == nil {
			t.Errorf("%q: got %d, want an error", test.text, int64(d))
			continue
		}
		if !strings.Contains(err.Error(), test.says) || !strings.Contains(err.Error(), "write 20ms or 1.5s") {
			t.Errorf("%q: the error is %q; want it to say %q and what would be right", test.text, err, test.says)
		}
		if d != 42 {
			t.Errorf("%q: a failed parse changed the value to %d", test.text, int64(d))
		}
	}
}

// TestDurationRoundTrip: what is written is read back to the same value, and
// nothing else is canonical.
func TestDurationRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := Duration(rapid.OneOf(
			rapid.Int64Range(0, math.MaxInt64),
			rapid.Map(rapid.Int64Range(0, 10_000_000), func(n int64) int64 { return n * 1_000_000 }),
		).Draw(t, "d"))
		text, err := d.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		back, err := ParseDuration(string(text))
		if err != nil || back != d {
			t.Fatalf("%d: written as %s, read as %d, %v", int64(d), text, int64(back), err)
		}
	})
}

// TestDurationNeverPanics: any text is a duration or an error.
func TestDurationNeverPanics(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`([0-9.]{1,20}(h|m|s|ms|us|µs|ns)?){1,3}`)).Draw(t, "text")
		if d, err := ParseDuration(text); err == nil && d < 0 {
			t.Fatalf("%q is read as %d", text, int64(d))
		}
	})
}

func TestNegativeDuration(t *testing.T) {
	if text, err := Duration(-1).MarshalText(); err == nil {
		t.Errorf("a negative duration is written as %s", text)
	}
	if got := Duration(math.MinInt64).String(); got != "-2562047h47m16.854775808s" {
		t.Errorf("the most negative duration prints as %s", got)
	}
}

func TestBrief(t *testing.T) {
	for ns, want := range map[Duration]string{0: "0ns", 999: "999ns", 1000: "1us", 1500: "1.5us", 999_999: "999.999us",
		20_050_000: "20.05ms", 1_000_000_001: "1s", 3_600_000_000_000: "3600s", -1: "-1ns", -2_345_678: "-2.345ms",
		math.MinInt64: "-9223372036.854s"} {
		if got := ns.Brief(); got != want {
			t.Errorf("%d: %s, want %s", ns, got, want)
		}
	}
}

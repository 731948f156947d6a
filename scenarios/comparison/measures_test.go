package comparison

import (
	"math"
	"testing"
)

func TestText(t *testing.T) {
	for _, x := range []struct {
		key          string
		value        int64
		order        string
		text, signed string
	}{
		{"markers", 12, "timed", "12", "+12"},
		{"markers", -12, "timed", "-12", "-12"},
		{"state_bytes", 0, "timed", "0", "0"},
		{"blocked_ns", 2_500_000, "timed", "2.5ms", "+2.5ms"},
		{"blocked_ns", -2_500_000, "timed", "-2.5ms", "-2.5ms"},
		{"blocked_ns", 2_500_000, "chosen", "2500000", "+2500000"},
		{"throughput_per_ks", 1_333_333, "timed", "1333.333/s", "+1333.333/s"},
		{"throughput_per_ks", 80_000, "timed", "80/s", "+80/s"},
		{"throughput_per_ks", -5, "timed", "-0.005/s", "-0.005/s"},
		{"throughput_lost_ppm", 200_000, "timed", "20%", "+20%"},
		{"throughput_lost_ppm", -1, "timed", "-0.0001%", "-0.0001%"},
		{"throughput_lost_ppm", 0, "timed", "0%", "0%"},
		{"throughput_lost_ppm", math.MinInt64, "timed", "-922337203685477.5808%", "-922337203685477.5808%"},
	} {
		m := MeasureOf(x.key)
		if got := m.Text(&x.value, x.order); got != x.text {
			t.Errorf("%s of %d is %s, want %s", x.key, x.value, got, x.text)
		}
		if got := m.Signed(x.value, x.order); got != x.signed {
			t.Errorf("%s of %d is %s, want %s", x.key, x.value, got, x.signed)
		}
	}
	if got := MeasureOf("markers").Text(nil, "timed"); got != "-" {
		t.Errorf("nothing is %s", got)
	}
}

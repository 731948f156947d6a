package sim_test

import (
	"os"
	"strconv"
	"strings"
)

// residentMB reads a figure of this process from Linux; 0 elsewhere.
func residentMB(field string) float64 {
	data, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, field); ok {
			kb, _ := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			return kb / 1024
		}
	}
	return 0
}

package report

import (
	"encoding/json"
	"strconv"
	"strings"
)

// exactMax is the largest number up to which JavaScript has every integer.
const exactMax = 1 << 53

func decimal(n uint64) string { return strconv.FormatUint(n, 10) }

// unrounded is a JSON value in which integers that JavaScript would round are strings of
// their digits.
func unrounded(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for key := range v {
			v[key] = unrounded(v[key])
		}
	case []any:
		for i := range v {
			v[i] = unrounded(v[i])
		}
	case json.Number:
		n, err := strconv.ParseInt(v.String(), 10, 64)
		if err == nil && n <= exactMax && n >= -exactMax || strings.ContainsAny(v.String(), ".eE") {
			return v
		}
		return v.String()
	}
	return value
}

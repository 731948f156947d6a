package report

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// exactMax is the largest number up to which every integer is one in JavaScript.
const exactMax = 1 << 53

func decimal(n uint64) string { return strconv.FormatUint(n, 10) }

// exactly is a JSON text in which integers that JavaScript would round are strings.
func exactly(text []byte) json.RawMessage {
	if !long(text) {
		return text
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var value any
	if d.Decode(&value) != nil {
		return text
	}
	out, err := json.Marshal(unrounded(value))
	if err != nil { // it was JSON
		panic("report: a state that was JSON is not: " + err.Error())
	}
	return out
}

// long says whether a text has so many digits in a row that a number may be rounded.
func long(text []byte) bool {
	digits := 0
	for _, b := range text {
		if b < '0' || b > '9' {
			digits = 0
		} else if digits++; digits == 16 {
			return true
		}
	}
	return false
}

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
		if n, err := strconv.ParseInt(v.String(), 10, 64); err == nil && n <= exactMax && n >= -exactMax {
			return v
		}
		if _, err := strconv.ParseFloat(v.String(), 64); err == nil && bytes.ContainsAny([]byte(v), ".eE") {
			return v
		}
		return v.String()
	}
	return value
}

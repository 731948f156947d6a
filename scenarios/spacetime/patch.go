package spacetime

import (
	"bytes"
	"encoding/json"
	"reflect"
)

// parse is a JSON text as a value; numbers keep all their digits. A text that is none is
// not known.
func parse(text []byte) (v any) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// difference is the JSON merge patch (RFC 7396) that makes b of a.
func difference(a, b any) []byte {
	text, err := json.Marshal(change(a, b))
	if err != nil { // it was parsed from JSON
		panic("spacetime: a state that was JSON is not: " + err.Error())
	}
	return text
}

// change is difference as a value. A merge patch says with null that a member goes, so
// one that is null is a text for people.
func change(a, b any) any {
	from, ok := a.(map[string]any)
	to, both := b.(map[string]any)
	if !ok || !both {
		return b
	}
	patch := map[string]any{}
	for key := range from {
		if _, stays := to[key]; !stays {
			patch[key] = nil
		}
	}
	for key, value := range to {
		old, was := from[key]
		switch {
		case !was:
			patch[key] = unnull(value)
		case !reflect.DeepEqual(old, value):
			patch[key] = unnull(change(old, value))
		}
	}
	return patch
}

func unnull(v any) any {
	if v == nil {
		return "null"
	}
	return v
}

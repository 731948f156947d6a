package report

import (
	"bytes"
	"encoding/json"
	"reflect"
)

// A change makes one state of another. It is shorter than a merge patch where a state has
// arrays, of which mostly one element changes:
//
//	[value]                      the value is another one
//	{"key": change, "gone": 0}   members change, come, or go
//	[length, i, change, ...]     elements change or come, in the order of their places
//	{}                           nothing changes
//
// States.apply in modelstate.js does what a change says.

// gone is the change of a member that goes.
const gone = 0

// changeOf is the change that makes b of a, as JSON.
func changeOf(a, b any) json.RawMessage {
	c, changed := change(a, b)
	if !changed {
		return json.RawMessage("{}")
	}
	return marshal(c)
}

// change is what makes b of a, and whether they differ.
func change(a, b any) (c any, changed bool) {
	switch to := b.(type) {
	case map[string]any:
		if from, ok := a.(map[string]any); ok {
			return changedMembers(from, to)
		}
	case []any:
		if from, ok := a.([]any); ok && len(from) <= len(to) {
			return changedElements(from, to)
		}
	}
	return []any{b}, !reflect.DeepEqual(a, b)
}

func changedMembers(a, b map[string]any) (any, bool) {
	members := map[string]any{}
	for key := range a {
		if _, stays := b[key]; !stays {
			members[key] = gone
		}
	}
	for key, value := range b {
		old, was := a[key]
		if !was {
			members[key] = []any{value}
		} else if c, changed := change(old, value); changed {
			members[key] = c
		}
	}
	return members, len(members) > 0
}

// changedElements is how an array becomes one that is no shorter. Where most of it changes,
// as when one is put in at the front, it is another one.
func changedElements(a, b []any) (any, bool) {
	elements := []any{len(b)}
	for i, value := range b {
		if i >= len(a) {
			elements = append(elements, i, []any{value})
		} else if c, changed := change(a[i], value); changed {
			elements = append(elements, i, c)
		}
	}
	if len(elements) > 1+len(b) {
		return []any{b}, true
	}
	return elements, len(elements) > 1
}

// merged is a value with a merge patch (RFC 7396). The value stays as it is.
func merged(value, patch any) any {
	members, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	out := map[string]any{}
	if from, ok := value.(map[string]any); ok {
		for key, old := range from {
			out[key] = old
		}
	}
	for key, own := range members {
		if own == nil {
			delete(out, key)
		} else {
			out[key] = merged(out[key], own)
		}
	}
	return out
}

// parse is a JSON text as a value whose numbers keep their digits.
func parse(text []byte) (value any) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if d.Decode(&value) != nil {
		return nil // it is not known
	}
	return unrounded(value)
}

func marshal(value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil { // it was parsed from JSON
		panic("report: what was JSON is not: " + err.Error())
	}
	return text
}

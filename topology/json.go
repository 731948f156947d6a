package topology

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// jsonError gives a failure of encoding/json its place.
func (s *source) jsonError(err error, want string) *Error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	var whole json.RawMessage
	switch {
	case json.NewDecoder(bytes.NewReader(s.data)).Decode(&whole) == io.ErrUnexpectedEOF:
		return s.errorAt(len(s.data), "the file ends inside its JSON; is it truncated? It should hold %s", want)
	case errors.As(err, &syntax):
		return s.errorAt(max(int(syntax.Offset)-1, 0), "this is not JSON: %v; the file should hold %s", err, want)
	case errors.As(err, &kind):
		return s.errorAt(max(int(kind.Offset)-1, 0), "a JSON %s where %s belongs; the file should hold %s", kind.Value, jsonKind(kind.Type), want)
	}
	return s.errorf("%v; the file should hold %s", err, want)
}

// jsonKind is what JSON calls the values that a Go type is decoded from.
func jsonKind(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Int:
		return "a whole number"
	case reflect.Slice:
		return "an array"
	}
	return "an object"
}

// locate is the offset of the value with this path, of field names and array
// indexes, in a valid document. Reading the document once more is cheaper than
// carrying positions along.
func locate(data []byte, path []any) int {
	dec := json.NewDecoder(bytes.NewReader(data))
	place := valueStart(data, dec.InputOffset())
	for _, step := range path {
		if _, err := dec.Token(); err != nil { // the opening { or [
			return place
		}
		found := false
		for i := 0; !found && dec.More(); i++ {
			key := any(i)
			if _, inObject := step.(string); inObject {
				name, err := dec.Token()
				if err != nil {
					return place
				}
				key = fmt.Sprint(name)
			}
			if found = key == step; found {
				place = valueStart(data, dec.InputOffset())
			} else if skipValue(dec) != nil {
				return place
			}
		}
		if !found {
			return place
		}
	}
	return place
}

// valueStart skips what stands between two values.
func valueStart(data []byte, offset int64) int {
	i := int(offset)
	for i < len(data) && strings.IndexByte(" \t\r\n,:", data[i]) >= 0 {
		i++
	}
	return i
}

func skipValue(dec *json.Decoder) error {
	var ignored json.RawMessage
	return dec.Decode(&ignored)
}

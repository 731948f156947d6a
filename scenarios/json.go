package scenarios

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/goccy/go-yaml"
)

// MarshalJSON is what WriteYAML prints, as JSON, which is YAML too. It is made from
// the values and not from the YAML text, in which a node named .inf looks like a
// number that JSON does not have.
func (p *Plan) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	if err := writeJSON(&b, reflect.ValueOf(p.printed())); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// writeJSON writes a value by its yaml tags and its yaml.InterfaceMarshaler.
func writeJSON(b *bytes.Buffer, v reflect.Value) error {
	if kind := v.Kind(); (kind == reflect.Pointer || kind == reflect.Interface) && v.IsNil() {
		b.WriteString("null")
		return nil
	}
	switch own := v.Interface().(type) {
	case yaml.InterfaceMarshaler:
		inner, err := own.MarshalYAML()
		if err != nil {
			return err
		}
		return writeJSON(b, reflect.ValueOf(inner))
	case encoding.TextMarshaler:
		text, err := own.MarshalText()
		if err != nil {
			return err
		}
		return writeScalar(b, string(text))
	case yaml.MapSlice:
		return writeObject(b, own)
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return writeJSON(b, v.Elem())
	case reflect.Struct:
		return writeObject(b, members(v))
	case reflect.Slice, reflect.Array:
		b.WriteByte('[')
		for i := range v.Len() {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := writeJSON(b, v.Index(i)); err != nil {
				return err
			}
		}
		b.WriteByte(']')
		return nil
	}
	return writeScalar(b, v.Interface())
}

// members is the fields of a struct that a file would have.
func members(v reflect.Value) (m yaml.MapSlice) {
	for i := range v.NumField() {
		field := v.Type().Field(i)
		key := yamlKey(field)
		if key == "" || strings.Contains(field.Tag.Get("yaml"), ",omitempty") && empty(v.Field(i)) {
			continue
		}
		m = append(m, yaml.MapItem{Key: key, Value: v.Field(i).Interface()})
	}
	return m
}

// empty is what omitempty leaves out.
func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	case reflect.Struct:
		for i := range v.NumField() {
			if !empty(v.Field(i)) {
				return false
			}
		}
		return true
	}
	return v.IsZero()
}

func writeObject(b *bytes.Buffer, members yaml.MapSlice) error {
	b.WriteByte('{')
	for i, m := range members {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := writeScalar(b, fmt.Sprint(m.Key)); err != nil {
			return err
		}
		b.WriteByte(':')
		if err := writeJSON(b, reflect.ValueOf(m.Value)); err != nil {
			return err
		}
	}
	b.WriteByte('}')
	return nil
}

func writeScalar(b *bytes.Buffer, value any) error {
	encoder := json.NewEncoder(b)
	encoder.SetEscapeHTML(false) // channels are named a->b
	if err := encoder.Encode(value); err != nil {
		return err
	}
	b.Truncate(b.Len() - 1) // the line break that Encode adds
	return nil
}

package scenarios

import (
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"simrun/scenarios/units"
)

// decoder fills Go values from a document, strictly: a key that the struct does
// not have, a value of another type, or a number that does not fit is an error at
// its place that says what would be right. (The YAML library's own strict mode
// knows the place too, but not what would be right.)
type decoder struct {
	doc       *document
	catalogue Catalogue
	left      int // values that may still be decoded: aliases multiply
}

// maxValues is far more than a file of MaxFileSize holds without aliases.
const maxValues = 4 << 20

// fromNode is a type that decodes itself.
type fromNode interface {
	decode(d *decoder, n ast.Node) error
}

// decode fills v, which is settable. An empty value leaves it as it is, so that
// it keeps its default. what names the value in messages.
func (d *decoder) decode(n ast.Node, v reflect.Value, what string) error {
	if d.left--; d.left < 0 {
		return d.fail(n, "the aliases of this file stand for too many values", "write fewer")
	}
	plain, err := d.resolve(n)
	if err != nil || plain.Type() == ast.NullType {
		return err
	}
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		v = v.Elem()
	}
	if own, ok := v.Addr().Interface().(fromNode); ok {
		return own.decode(d, plain)
	}
	if own, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok {
		return d.text(plain, own, what)
	}
	switch v.Kind() {
	case reflect.Struct:
		return d.fields(plain, v, what)
	case reflect.Slice:
		return d.list(plain, v, what)
	case reflect.Map:
		return d.table(plain, v, what)
	case reflect.String:
		text, err := d.word(plain, what)
		if err == nil {
			v.SetString(text)
		}
		return err
	case reflect.Bool:
		b, ok := plain.(*ast.BoolNode)
		if !ok {
			return d.wrongType(plain, what, "true or false")
		}
		v.SetBool(b.Value)
		return nil
	}
	return d.number(plain, v, what)
}

// resolve is what a node says, with anchors and aliases followed. Whoever looks
// at a node that decode has not been given needs it first.
func (d *decoder) resolve(n ast.Node) (ast.Node, error) {
	if plain := d.doc.plain(n); plain != nil {
		return plain, nil
	}
	return nil, d.fail(n, "an alias that stands for nothing", "an anchor with its name must be somewhere in the file, and not around the alias itself")
}

// entries is a mapping's keys and values. What is no mapping is an error that says
// what was wanted.
func (d *decoder) entries(n ast.Node, what, want string) ([]entry, error) {
	plain, err := d.resolve(n)
	if err != nil {
		return nil, err
	}
	list, err := d.doc.mapping(plain)
	if errors.Is(err, errNoMapping) {
		return nil, d.wrongType(plain, what, want)
	}
	return list, err
}

// fail is an error at a node.
func (d *decoder) fail(n ast.Node, message, right string) error {
	return d.doc.at(start(n), message, right)
}

// wrongType says what a value is and what it should have been.
func (d *decoder) wrongType(n ast.Node, what, want string) error {
	return d.fail(n, fmt.Sprintf("%s is %s", what, describe(n)), "write "+want)
}

// describe names what a node is.
func describe(n ast.Node) string {
	switch n := n.(type) {
	case *ast.SequenceNode:
		return "a list"
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a mapping"
	case *ast.LiteralNode:
		return "a text"
	case *ast.NullNode:
		return "empty"
	case *ast.StringNode:
		if quoted(n.Token) {
			return "the text " + quote(n.Value)
		}
		return units.Short(n.Value)
	default:
		return units.Short(n.GetToken().Value)
	}
}

func quoted(t *token.Token) bool {
	return t.Type == token.SingleQuoteType || t.Type == token.DoubleQuoteType
}

// word is a scalar as text, whatever YAML takes it for: a node may be named 7.
func (d *decoder) word(n ast.Node, what string) (string, error) {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, nil
	case *ast.LiteralNode:
		return n.Value.Value, nil
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value, nil
	}
	return "", d.wrongType(n, what, "one word")
}

func (d *decoder) text(n ast.Node, v encoding.TextUnmarshaler, what string) error {
	text, err := d.word(n, what)
	if err != nil {
		return err
	}
	if err := v.UnmarshalText([]byte(text)); errors.Is(err, units.ErrNegative) {
		return d.fail(n, what+" is "+units.Short(text), err.Error())
	} else if err != nil {
		return d.fail(n, what+": "+err.Error(), "")
	}
	return nil
}

// number decodes an integer; there are no floating-point numbers in a scenario.
func (d *decoder) number(n ast.Node, v reflect.Value, what string) error {
	bits := v.Type().Bits()
	text, numeric := integer(n)
	switch v.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		i, err := strconv.ParseInt(text, 0, bits)
		if !numeric || errors.Is(err, strconv.ErrSyntax) {
			return d.wrongType(n, what, "a whole number")
		}
		if err != nil {
			return d.wrongType(n, what, fmt.Sprintf("a number from %d to %d", int64(-1)<<(bits-1), int64(^(uint64(1<<64-1)<<(bits-1)))))
		}
		v.SetInt(i)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		want := fmt.Sprintf("a whole number from 0 to %d", ^uint64(0)>>(64-bits))
		u, err := strconv.ParseUint(text, 0, bits)
		if !numeric || err != nil {
			return d.wrongType(n, what, want)
		}
		v.SetUint(u)
	default:
		panic("scenarios: no value of a scenario has the type " + v.Type().String())
	}
	return nil
}

// integer is the digits of a number that is written without quotes. YAML takes
// one beyond 64 bits for a string; ParseInt says what is wrong with it.
func integer(n ast.Node) (text string, ok bool) {
	switch n := n.(type) {
	case *ast.IntegerNode:
		text = n.Token.Value
	case *ast.StringNode:
		if quoted(n.Token) {
			return "", false
		}
		text = n.Value
	default:
		return "", false
	}
	text = strings.ReplaceAll(text, "_", "")
	// A leading zero is no octal number, neither here nor in YAML 1.2.
	if rest := strings.TrimLeft(text, "0"); len(rest) < len(text) {
		if rest == "" {
			text = "0"
		} else if rest[0] >= '1' && rest[0] <= '9' {
			text = rest
		}
	}
	return text, true
}

// fields decodes a mapping into a struct by its yaml tags.
func (d *decoder) fields(n ast.Node, v reflect.Value, what string) error {
	list, err := d.entries(n, what, "a mapping with some of "+strings.Join(keys(v.Type()), ", "))
	if err != nil {
		return err
	}
	for _, e := range list {
		field, ok := fieldNamed(v, e.key)
		if !ok {
			return d.unknownKey(e, what, keys(v.Type()))
		}
		if err := d.decode(e.value, field, e.key); err != nil {
			return err
		}
	}
	return nil
}

// unknownKey says what a mapping could have had instead.
func (d *decoder) unknownKey(e entry, what string, known []string) error {
	return d.doc.at(e.at, fmt.Sprintf("%s has no key %s", what, quote(e.key)), choose(e.key, known))
}

// keys is the yaml keys of a struct.
func keys(t reflect.Type) []string {
	var names []string
	for i := range t.NumField() {
		if name := yamlKey(t.Field(i)); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// yamlKey is the key of a field, or "" if the file cannot set it.
func yamlKey(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
	if !f.IsExported() || name == "-" {
		return ""
	}
	if name == "" {
		return strings.ToLower(f.Name)
	}
	return name
}

func fieldNamed(v reflect.Value, key string) (reflect.Value, bool) {
	for i := range v.NumField() {
		if yamlKey(v.Type().Field(i)) == key {
			return v.Field(i), true
		}
	}
	return reflect.Value{}, false
}

// list decodes a sequence.
func (d *decoder) list(n ast.Node, v reflect.Value, what string) error {
	s, ok := n.(*ast.SequenceNode)
	if !ok {
		if isMapping(n) {
			return d.wrongType(n, what, "a list, in brackets")
		}
		return d.wrongType(n, what, "a list, such as ["+describe(n)+"]")
	}
	values := reflect.MakeSlice(v.Type(), len(s.Values), len(s.Values))
	for i, item := range s.Values {
		if err := d.item(item, values.Index(i), what); err != nil {
			return err
		}
	}
	v.Set(values)
	return nil
}

// item decodes a value of a list, which cannot be left out as that of a key can.
func (d *decoder) item(n ast.Node, v reflect.Value, what string) error {
	if p, err := d.resolve(n); err == nil && p.Type() == ast.NullType {
		return d.fail(n, "an empty entry in "+what, "give it a value or leave it out")
	}
	return d.decode(n, v, "an entry of "+what)
}

// table decodes a mapping with free keys.
func (d *decoder) table(n ast.Node, v reflect.Value, what string) error {
	list, err := d.entries(n, what, "a mapping")
	if err != nil {
		return err
	}
	v.Set(reflect.MakeMapWithSize(v.Type(), len(list)))
	for _, e := range list {
		value := reflect.New(v.Type().Elem()).Elem()
		if err := d.decode(e.value, value, units.Short(e.key)); err != nil {
			return err
		}
		v.SetMapIndex(reflect.ValueOf(e.key).Convert(v.Type().Key()), value)
	}
	return nil
}

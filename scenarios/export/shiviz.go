package export

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"simrun/scenarios/label"
	"simrun/scenarios/spacetime"
)

// ShiVizEvents is how many events a file for ShiViz has at the most: the page takes some
// seconds to draw as many, and its time grows faster than their number.
const ShiVizEvents = 2000

// The two lines with which a file begins: how ShiViz reads an event, and where an execution
// begins. It puts ^ and $ around both, which does no harm where they are already.
const (
	shivizEvent     = `(?<host>\S*) (?<clock>{.*})\n(?<event>.*)`
	shivizExecution = `^=== (?<trace>.*) ===$`
)

// ShiViz writes runs as executions of one file, so that ShiViz can compare them. Their
// events are to be at most ShiVizEvents together. The clocks are those of the events that
// are written and of no others: ShiViz computes them again, and refuses a file with any
// that differ.
func ShiViz(w io.Writer, runs []*spacetime.Diagram) (left []string, err error) {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s\n%s\n", shivizEvent, shivizExecution)
	names := newNames()
	for _, d := range runs {
		if len(d.Events) == 0 {
			left = append(left, d.Result.Algorithm+": nothing happens in the run; ShiViz refuses an execution without events")
			continue
		}
		title := label.Short(d.Result.Algorithm, nameLength)
		if !d.Whole() {
			title += fmt.Sprintf(", the first %d of %d events", len(d.Events), d.Total)
		}
		left = append(left, cut(d, fmt.Sprintf("ShiViz draws up to %d in some seconds", ShiVizEvents))...)
		fmt.Fprintf(b, "=== %s ===\n", names.own(title))
		shivizLog(b, d)
	}
	return left, b.Flush()
}

// shivizLog writes the events of a run: two lines each.
func shivizLog(b *bufio.Writer, d *spacetime.Diagram) {
	hosts := hosts(d)
	clocks := newClocks(d)
	keys := make([]string, len(clocks.lanes))
	byName := make([]int, len(keys))
	for k, v := range clocks.lanes {
		keys[k], byName[k] = string(asJSON(hosts[v])), k
	}
	slices.SortFunc(byName, func(x, y int) int { return cmp.Compare(keys[x], keys[y]) })
	for i := range d.Events {
		e := &d.Events[i]
		clock := clocks.tick(int32(i))
		b.WriteString(hosts[e.Node])
		between := " {"
		for _, k := range byName {
			if clock[k] > 0 {
				fmt.Fprintf(b, "%s%s:%d", between, keys[k], clock[k])
				between = ", "
			}
		}
		fmt.Fprintf(b, "}\n%s\n", label.Plain(say(d, e)))
	}
}

// hosts is what the lanes of a run are called: without blanks, each its own.
func hosts(d *spacetime.Diagram) []string {
	names := newNames()
	list := make([]string, d.Lanes())
	for v := range list {
		list[v] = names.own(strings.ReplaceAll(lane(d, int32(v)), " ", "_"))
	}
	return list
}

// names gives out names, each once.
type names map[string]bool

// newNames begins with those that every object of JavaScript has: ShiViz, which looks its
// names up in objects, would find something there.
func newNames() names {
	n := names{"": true}
	for _, name := range []string{"constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf",
		"__proto__", "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__"} {
		n[name] = true
	}
	return n
}

// own is the name, or, if it was given out, one that begins with it.
func (n names) own(name string) string {
	unique := name
	for again := 2; n[unique]; again++ {
		unique = fmt.Sprintf("%s~%d", name, again)
	}
	n[unique] = true
	return unique
}

package lessons

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// claim is a sentence of a page that is being asserted.
type claim struct {
	t      *testing.T
	lesson *Lesson
	text   string
	left   []string // the numbers in it that nobody has accounted for
}

func newClaim(t *testing.T, l *Lesson, text string) *claim {
	return &claim{t: t, lesson: l, text: text, left: numbersIn(quotedCode.ReplaceAllString(text, ""))}
}

// is asserts something about the runs.
func (c *claim) is(is bool, what string, about ...any) {
	c.t.Helper()
	if !is {
		c.t.Errorf("it is not so: "+what+"\n%s", append(about, c.text)...)
	}
}

// says asserts that the numbers are in the sentence. They come from the runs.
func (c *claim) says(numbers ...number) {
	c.t.Helper()
	for _, n := range numbers {
		words := n.words()
		if !slices.ContainsFunc(words, func(w string) bool { return slices.Contains(c.left, w) }) && !slices.ContainsFunc(numbersIn(c.text), func(w string) bool { return slices.Contains(words, w) }) {
			c.t.Errorf("it does not say %s: %s", words[0], c.text)
		}
		c.left = slices.DeleteFunc(c.left, func(w string) bool { return slices.Contains(words, w) })
	}
}

// end is called when all is asserted.
func (c *claim) end() {
	c.t.Helper()
	if len(c.left) > 0 {
		c.t.Errorf("nothing accounts for %v in: %s", c.left, c.text)
	}
}

// number is a number that some run has: a time, or an amount or a count.
type number struct {
	n    int64 // ns if it is a time
	time bool
}

func count(n int) number { return number{n: int64(n)} }

func plus(numbers ...number) (sum number) {
	for _, n := range numbers {
		sum.n += n.n
		sum.time = n.time
	}
	return sum
}

func minus(a, b number) number { return number{a.n - b.n, a.time} }

var numberWords = []string{2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", 10: "ten", 11: "eleven", 12: "twelve"}

// words is how a page may say a number.
func (n number) words() []string {
	if n.time {
		return []string{fmt.Sprintf("%g ms", float64(n.n)/1e6)}
	}
	words := []string{fmt.Sprint(n.n)}
	if n.n >= 2 && n.n < int64(len(numberWords)) {
		words = append(words, numberWords[n.n])
	}
	if n.n == 2 {
		words = append(words, "twice")
	}
	return words
}

var anyNumber = regexp.MustCompile(`(?i)\b(\d+(\.\d+)?( ms)?|` + strings.Join(numberWords[2:], "|") + `|twice)\b`)

// numbersIn is the numbers in a text, times with their unit. A time whose unit stands at a
// later one ("at 4 and 5 ms") is taken for an amount; so pages give each its own.
func numbersIn(text string) (numbers []string) {
	for _, n := range anyNumber.FindAllString(text, -1) {
		numbers = append(numbers, strings.ToLower(n))
	}
	return numbers
}

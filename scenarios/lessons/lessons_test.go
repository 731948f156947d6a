package lessons

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	files "simrun/testdata/lessons"

	"simrun/scenarios"
)

// claims is, for every lesson, an assertion for each claim of its page.
var claims = map[int]map[string]func(*claim){
	1: markerClaims, 2: fifoClaims, 3: inTransitClaims, 4: neverClaims, 5: alignmentClaims,
	6: loopClaims, 7: noLogClaims, 8: crashClaims, 9: bothClaims,
}

// TestClaims: every claim of every page is asserted by looking at the runs, down to each
// number in it, and there is no assertion without its claim.
func TestClaims(t *testing.T) {
	for _, l := range All() {
		made := map[string]bool{}
		for _, c := range l.Claims() {
			if c.Kind != "claim" {
				continue
			}
			t.Run(fmt.Sprintf("%d/%s", l.Number, c.Name), func(t *testing.T) {
				assert := claims[l.Number][c.Name]
				switch {
				case made[c.Name]:
					t.Fatal("there is another claim with this name")
				case assert == nil:
					t.Fatalf("nothing asserts: %s", c.Text)
				}
				made[c.Name] = true
				checked := newClaim(t, l, c.Text)
				assert(checked)
				checked.end()
			})
		}
		for name := range claims[l.Number] {
			if !made[name] {
				t.Errorf("lesson %d: there is an assertion %s, and no claim", l.Number, name)
			}
		}
	}
}

// TestEverySentenceIsAClaim: what is no claim has no number in it and no node of the lesson,
// or is a question, or says where to read on.
func TestEverySentenceIsAClaim(t *testing.T) {
	for _, l := range All() {
		nodes := nodesOf(t, l)
		for _, c := range l.Claims() {
			if fault := unclaimed(c, nodes); fault != "" {
				t.Errorf("lesson %d: %s: %s", l.Number, fault, c.Text)
			}
		}
	}
}

// unclaimed is what is wrong with a sentence and its anchor, or nothing.
func unclaimed(c Claim, nodes []string) string {
	words := quotedCode.ReplaceAllString(c.Text, "")
	switch c.Kind {
	case "claim":
		if severalSentences.MatchString(c.Text) {
			return "a claim of several sentences"
		}
	case "task":
		if c.Section != "Try next" || !strings.HasSuffix(c.Text, "?") {
			return "a task that is no question to try next"
		}
	case "paper":
		if !regexp.MustCompile(`Carbone|Chandy|Lai`).MatchString(c.Text) {
			return "a reference to nobody"
		}
	case "term":
		if n := numbersIn(words); len(n) > 0 {
			return fmt.Sprintf("%v in what is no claim", n)
		}
		for _, node := range nodes {
			if regexp.MustCompile(`\b` + node + `\b`).MatchString(words) {
				return node + " in what is no claim"
			}
		}
	}
	return ""
}

var (
	quotedCode       = regexp.MustCompile("`[^`]*`")
	severalSentences = regexp.MustCompile(`[.?!] [A-Z]`)
)

// TestUnclaimed: a statement that hides behind another anchor is found out.
func TestUnclaimed(t *testing.T) {
	for _, c := range []Claim{
		{Kind: "claim", Name: "x", Text: "P records. Q records."},
		{Kind: "term", Text: "P records."},
		{Kind: "term", Text: "It takes 5 ms."},
		{Kind: "term", Text: "There are three of them."},
		{Kind: "task", Section: "Try next", Text: "It is lost."},
		{Kind: "task", Section: "The run", Text: "What is lost?"},
		{Kind: "paper", Text: "It is lost."},
	} {
		if unclaimed(c, []string{"P", "Q"}) == "" {
			t.Errorf("%+v passes", c)
		}
	}
}

// TestNumbers: a claim fails if a number in it is not one of the run's.
func TestNumbers(t *testing.T) {
	for text, good := range map[string]bool{
		"At 4 ms it records 90.":              true,
		"At 4 ms it records ninety, or 90.":   true,
		"At 5 ms it records 90.":              false,
		"At 4 ms it records 91.":              false,
		"At 4 ms it records 90, twice, or 2.": false,
		"At 90 ms it records 4.":              false,
		"At 4 ms it records 90 of three.":     false,
	} {
		c := newClaim(new(testing.T), All()[0], text)
		c.says(number{4_000_000, true}, number{90, false})
		c.end()
		if c.t.Failed() == good {
			t.Errorf("%s: failed is %t", text, c.t.Failed())
		}
	}
}

// TestPages: the forms of a page, and what is none.
func TestPages(t *testing.T) {
	const head = "# A\n\n> B?\n\n"
	for text, want := range map[string]string{
		"# A\n\nB?\n\n":                    "does not begin",
		"# A\n\n> B.\n\n":                  "does not begin",
		head + "C.":                        "no anchor behind: C.",
		head + "C.<!-- claim -->":          "a claim has a name",
		head + "C.<!-- term: a -->":        "a claim has a name",
		head + "- C.<!-- term -->\n- D.":   "no anchor behind: D.",
		head + "```simrun\nls\n```\n":      "not one command",
		head + "C.<!-- term --> D.\n":      "no anchor behind: D.",
		head + "## E\n\nC.<!-- term -->\n": "",
	} {
		err := new(Lesson).parse(text)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestFiles: lessons are numbered from 1, and every file belongs to one. Every scenario is in
// some command of its page, and is a scenario that turns out as it expects.
func TestFiles(t *testing.T) {
	var all []string
	for i, l := range All() {
		if l.Number != i+1 || l.Page == "" || len(l.Files) == 0 {
			t.Errorf("the lesson in place %d: %+v", i+1, l)
		}
		all = append(append(all, l.Page), l.Files...)
		commands := strings.Join(l.Commands(), "\n")
		for _, name := range l.Files {
			if !strings.Contains(commands, name) {
				t.Errorf("no command of lesson %d has %s", l.Number, name)
			}
			text, _ := Read(name)
			s, err := scenarios.Parse(scenarios.Default(), name, text)
			if err != nil {
				t.Fatal(err)
			}
			p, err := s.Resolve(scenarios.Default(), scenarios.Overrides{})
			if err != nil {
				t.Fatal(err)
			}
			if res := p.NewRunner().Run(p.Seed); res.ExitCode() != 0 {
				t.Errorf("%s: %v", name, res.Unmet)
			}
		}
	}
	slices.Sort(all)
	names, err := fs.Glob(files.Files, "*")
	if err != nil {
		t.Fatal(err)
	}
	for i := range names {
		names[i] = path.Join(Folder, names[i])
	}
	if !slices.Equal(all, names) {
		t.Errorf("files %v\nof lessons %v", names, all)
	}
	if _, ok := Read("01-marker.md"); ok {
		t.Error("a file of another folder is read")
	}
}

// TestShow: the output of a command stands below it, and what is not asked for is left out.
func TestShow(t *testing.T) {
	l := &Lesson{Number: 7, Page: "p.md", Files: []string{"a.yaml"}}
	err := l.parse("# A\n\n> B?\n\n## C\n\nAt 5 ms\n`simrun x`.<!-- term --> " + strings.Repeat("So it is.<!-- term --> ", 9) + "\n\n" +
		"- One,\n  or other.<!-- term -->\n- Two.<!-- term -->\n\n```\nplain\n```\n\n```simrun the b; d; z\nsimrun run a.yaml\n```\n\n```simrun\nsimrun list\n```\n")
	if err != nil {
		t.Fatal(err)
	}
	shown := l.Show("mysim", func(args []string) (string, int) {
		if args[0] == "list" {
			return "x\n\ny\n", 0
		}
		return "a\n\n  the   b\n  1\n\nc\n\nc\n\nd\n\ne\n", 1
	})
	const want = `Lesson 7: A

B?

C
-

At 5 ms ` + "`mysim x`" + `. So it is. So it is. So it is. So it is. So it is. So it is. So it is.
So it is. So it is.

- One, or other.
- Two.

    plain

    $ mysim run a.yaml
    ...
      the   b
      1

    ...
    d

    ...

    no part begins with z

    $ mysim list
    x

    y

The files of this lesson, in the sources; mysim lesson 7 --write DIR writes them into a folder:
  p.md
  a.yaml
`
	if shown.Text != want {
		t.Errorf("%s", shown.Text)
	}
	if len(shown.Runs) != 2 || shown.Runs[0] != (Run{"mysim run a.yaml", 1, "a\n\n  the   b\n  1\n\nc\n\nc\n\nd\n\ne\n"}) {
		t.Errorf("%+v", shown.Runs)
	}
}

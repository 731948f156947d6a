package lessons

import (
	"fmt"
	"regexp"
	"strings"
)

// block is a part of a page.
type block struct {
	kind    kind
	text    string   // of a title, heading or code block; of a command, the command
	claims  []Claim  // of a paragraph or an item
	only    []string // of a command: how the parts begin that are shown; nil: all
	heading string   // below which it stands
}

type kind uint8

const (
	heading kind = iota
	paragraph
	item
	code
	command
)

// Claim is a sentence of a page with its anchor.
type Claim struct {
	Kind    string // claim, term, task or paper
	Name    string // of a claim
	Text    string
	Section string // the heading below which it stands
}

// Claims is the sentences of the page.
func (l *Lesson) Claims() (all []Claim) {
	for _, b := range l.blocks {
		all = append(all, b.claims...)
	}
	return all
}

// Commands is the commands of the page, in their order.
func (l *Lesson) Commands() (all []string) {
	for _, b := range l.blocks {
		if b.kind == command {
			all = append(all, b.text)
		}
	}
	return all
}

// parse takes a page apart. Its errors say where the page has none of the forms that pages
// have.
func (l *Lesson) parse(text string) error {
	title, rest, _ := strings.Cut(text, "\n\n")
	question, rest, _ := strings.Cut(rest, "\n\n")
	var isTitle, isQuestion bool
	l.Title, isTitle = strings.CutPrefix(title, "# ")
	l.Question, isQuestion = strings.CutPrefix(question, "> ")
	l.Question = strings.ReplaceAll(l.Question, "\n> ", " ")
	if !isTitle || !isQuestion || !strings.HasSuffix(l.Question, "?") {
		return fmt.Errorf("it does not begin with a title and a question")
	}
	section := ""
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimLeft(rest, "\n") {
		end := "\n\n"
		if strings.HasPrefix(rest, "```") {
			end = "\n```\n"
		}
		var part string
		part, rest, _ = strings.Cut(rest+"\n\n", end)
		blocks, err := parsePart(part)
		if err != nil {
			return err
		}
		for i := range blocks {
			if blocks[i].kind == heading {
				section = blocks[i].text
			}
			blocks[i].heading = section
			for k := range blocks[i].claims {
				blocks[i].claims[k].Section = section
			}
		}
		l.blocks = append(l.blocks, blocks...)
		rest = strings.TrimRight(rest, "\n") + "\n"
		if strings.TrimSpace(rest) == "" {
			break
		}
	}
	return nil
}

// parsePart is what a part of a page, in which there is no empty line, consists of: one block,
// or the items of a list.
func parsePart(part string) ([]block, error) {
	first, rest, _ := strings.Cut(part, "\n")
	switch {
	case strings.HasPrefix(part, "## "):
		return []block{{kind: heading, text: strings.TrimPrefix(part, "## ")}}, nil
	case strings.HasPrefix(part, "```simrun"):
		b := block{kind: command, text: rest}
		for _, begins := range strings.Split(strings.TrimPrefix(first, "```simrun"), ";") {
			if begins = strings.TrimSpace(begins); begins != "" {
				b.only = append(b.only, begins)
			}
		}
		if strings.Contains(rest, "\n") || !strings.HasPrefix(rest, "simrun ") {
			return nil, fmt.Errorf("not one command: %q", rest)
		}
		return []block{b}, nil
	case strings.HasPrefix(part, "```"):
		return []block{{kind: code, text: rest}}, nil
	case strings.HasPrefix(part, "- "):
		var items []block
		for _, text := range strings.Split(strings.TrimPrefix(part, "- "), "\n- ") {
			claims, err := sentences(text)
			if err != nil {
				return nil, err
			}
			items = append(items, block{kind: item, claims: claims})
		}
		return items, nil
	}
	claims, err := sentences(part)
	return []block{{kind: paragraph, claims: claims}}, err
}

var anchor = regexp.MustCompile(`<!-- (claim|term|task|paper)(?:: ([a-z0-9-]+))? -->`)

// sentences takes a text apart at its anchors.
func sentences(text string) (claims []Claim, err error) {
	text = strings.Join(strings.Fields(text), " ")
	for {
		at := anchor.FindStringSubmatchIndex(text)
		if at == nil {
			break
		}
		c := Claim{Kind: text[at[2]:at[3]], Text: strings.TrimSpace(text[:at[0]])}
		if at[4] >= 0 {
			c.Name = text[at[4]:at[5]]
		}
		if (c.Kind == "claim") != (c.Name != "") {
			return nil, fmt.Errorf("%s: a claim has a name, and nothing else has", text[at[0]:at[1]])
		}
		claims = append(claims, c)
		text = strings.TrimSpace(text[at[1]:])
	}
	if text != "" {
		return nil, fmt.Errorf("no anchor behind: %s", text)
	}
	return claims, nil
}

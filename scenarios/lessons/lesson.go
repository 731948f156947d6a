package lessons

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	files "simrun/testdata/lessons"
)

// Folder is where the files of the lessons are, from the root of the module.
const Folder = "testdata/lessons"

// Lesson is one lesson.
type Lesson struct {
	Number   int      `json:"number"`
	Title    string   `json:"title"`
	Question string   `json:"question"`
	Page     string   `json:"page"`  // the path of its page
	Files    []string `json:"files"` // and of its scenarios

	blocks []block
}

// All is the lessons, in their order.
func All() []*Lesson {
	names, err := fs.Glob(files.Files, "*")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	var all []*Lesson
	for _, name := range names {
		number, _, _ := strings.Cut(name, "-")
		n, err := strconv.Atoi(number)
		if err != nil {
			panic(fmt.Sprintf("lessons: %s begins with no number", name))
		}
		if i := slices.IndexFunc(all, func(l *Lesson) bool { return l.Number == n }); i < 0 {
			all = append(all, &Lesson{Number: n})
		}
		l := all[len(all)-1]
		if path.Ext(name) == ".md" {
			l.Page = path.Join(Folder, name)
		} else {
			l.Files = append(l.Files, path.Join(Folder, name))
		}
	}
	for _, l := range all {
		text, _ := Read(l.Page)
		if err := l.parse(string(text)); err != nil {
			panic(fmt.Sprintf("lessons: %s: %v", l.Page, err))
		}
	}
	return all
}

// Read is the text of a page or scenario by its path, as Lesson has it; false: there is none.
func Read(name string) ([]byte, bool) {
	folder, base := path.Split(name)
	if path.Clean(folder) != Folder {
		return nil, false
	}
	data, err := files.Files.ReadFile(base)
	return data, err == nil
}

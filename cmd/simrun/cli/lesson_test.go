package cli

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"simrun/scenarios"
	"simrun/scenarios/lessons"
)

// TestLessonsAreShown: every command of every lesson does what it is there for, and says the
// same on the file in the sources.
func TestLessonsAreShown(t *testing.T) {
	t.Chdir("../../..") // where the paths in the pages begin
	c := &commands{catalogue: scenarios.Default(), stdout: io.Discard, stderr: io.Discard}
	for _, l := range lessons.All() {
		shown := l.Show("simrun", c.embedded)
		for _, run := range shown.Runs {
			if run.ExitCode > 1 {
				t.Errorf("lesson %d: %s: exit code %d\n%s", l.Number, run.Command, run.ExitCode, run.Output)
			}
			var printed strings.Builder
			if code := Main(c.catalogue, strings.Fields(run.Command)[1:], &printed, &printed); code != run.ExitCode || printed.String() != run.Output {
				t.Errorf("lesson %d: %s: on the file exit code %d\n%s", l.Number, run.Command, code, printed.String())
			}
		}
		if strings.Contains(shown.Text, lessons.NoPart) {
			t.Errorf("lesson %d is out of date:\n%s", l.Number, shown.Text)
		}
	}
}

// TestLessonsNameWhatThereIs: files and algorithms in the text of a page exist, and what it
// proposes to set can be.
func TestLessonsNameWhatThereIs(t *testing.T) {
	catalogue := scenarios.Default()
	quoted := regexp.MustCompile("`([^`]+)`")
	files, algorithms, settings := 0, 0, 0
	for _, l := range lessons.All() {
		for _, sentence := range l.Claims() {
			for _, code := range quoted.FindAllStringSubmatch(sentence.Text, -1) {
				words := strings.Fields(code[1])
				for i, word := range words {
					if strings.HasSuffix(word, ".yaml") {
						files++
						if _, err := os.Stat(filepath.Join("../../..", word)); err != nil {
							t.Errorf("lesson %d: %v", l.Number, err)
						}
					}
					if word == "--set" {
						settings++
						c := &commands{catalogue: catalogue, stdout: io.Discard, stderr: io.Discard}
						if output, code := c.embedded([]string{"run", l.Files[0], word, strings.Trim(words[i+1], "'")}); code > 1 {
							t.Errorf("lesson %d: %s", l.Number, output)
						}
					}
					if word == "--algorithm" {
						algorithms++
						if catalogue.Algorithm(words[i+1]) == nil {
							t.Errorf("lesson %d: there is no algorithm %s", l.Number, words[i+1])
						}
					}
				}
			}
		}
	}
	if files < 5 || algorithms < 3 || settings < 5 {
		t.Errorf("only %d files, %d algorithms and %d settings are named", files, algorithms, settings)
	}
}

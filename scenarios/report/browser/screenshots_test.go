package browser_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

var screenshots = flag.String("screenshots", "", "write pictures of reports into this folder, for people to look at")

// TestScreenshots writes pictures of reports as they are first seen, or with something
// selected, in the two sizes and the two themes that people project.
func TestScreenshots(t *testing.T) {
	if *screenshots == "" {
		t.Skip("for people: -screenshots DIR")
	}
	if err := os.MkdirAll(*screenshots, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, do string
		args     []string
	}{
		{"in-transit", ``, []string{scenario("in-transit")}},
		{"wordcount-crash", ``, []string{scenario("wordcount-crash")}},
		{"wordcount-relation", `V.setMode("order"); V.setWindow(400, 520); V.select(420); V.select(420, 505); V.setCursor(505)`, []string{scenario("wordcount-crash")}},
		{"loop-crash", ``, []string{scenario("loop-crash")}},
		{"transactional", ``, []string{scenario("transactional-wordcount")}},
		{"violated", ``, []string{scenario("wordcount-crash"), "--algorithm", "no-blocking"}},
		{"not-fifo", `S.controls.commands.list.find(c => c.keys.includes("v")).run()`, []string{scenario("not-fifo-chandy-lamport")}},
		{"dragged", `S.app.toggleCut(0); for (let k = 0; k < 4; k++) S.cut[0].step(3)`, []string{scenario("ring-both")}},
		{"side-by-side", ``, []string{scenario("ring-both"), "--algorithms", "chandy-lamport,abs"}},
	} {
		r := read(t, c.args...)
		if c.do != "" {
			r.run("%s", c.do)
		}
		for _, dark := range []bool{false, true} {
			r.look(looks{dark: dark, still: true})
			for _, size := range [][2]int64{{1280, 800}, {1920, 1080}} {
				r.size(size[0], size[1])
				r.settle()
				name := fmt.Sprintf("%s-%d-%s.png", c.name, size[0], map[bool]string{false: "light", true: "dark"}[dark])
				if err := os.WriteFile(filepath.Join(*screenshots, name), r.png(), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

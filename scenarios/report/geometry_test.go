package report

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestGeometry: what geometry.js finds by binary search and by blocks of events, a look at
// every event finds, too: the events in sight, the arrows through a window, the event
// under a pointer.
func TestGeometry(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node on this machine, so that geometry.js cannot be run")
	}
	args := []string{"testdata/geometry.js", "web"}
	for _, name := range []string{"loop-crash", "in-transit", "duplicated-messages", "partial-recovery", "pending-timer", "open-choices"} {
		p := load(t, "../../testdata/scenarios/"+name+".yaml", "")
		page := Page{Runs: []Run{Of(p, p.Seed, Options{Events: 3000})}}
		data, _, err := page.data(&keep{steps: []int{0}})
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "data")
		if err := os.WriteFile(file, []byte(base64.StdEncoding.EncodeToString(data)), 0o666); err != nil {
			t.Fatal(err)
		}
		args = append(args, file)
	}
	out, err := exec.Command(node, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var seen map[string]int
	if err := json.Unmarshal(out, &seen); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, rare := range []string{"spanning", "crossing", "hits", "weighty", "hidden", "clamped", "stayed"} {
		if seen[rare] == 0 {
			t.Errorf("nothing was %s: %v", rare, seen)
		}
	}
}

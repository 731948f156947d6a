package audit_test

import (
	"os"
	"strings"
	"testing"

	"simrun/scenarios/audit"
)

// TestDocumented: docs/audit.md has every kind of misdeed.
func TestDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/audit.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{audit.Panic + " at FILE:LINE", audit.Misuse, audit.Endless, audit.Stuck, audit.Nondeterministic, audit.Forgetful, audit.Sharing, audit.Impure} {
		if !strings.Contains(string(text), "\n| `"+kind+"` |") {
			t.Errorf("docs/audit.md says nothing of %s", kind)
		}
	}
}

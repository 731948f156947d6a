//go:build unix

package cli

import (
	"os"
	"os/signal"
	"slices"
	"syscall"
)

// leaving is the signals that ask the process to end. One that is ignored, as nohup
// has it, stays so.
func leaving() []os.Signal {
	return slices.DeleteFunc([]os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}, signal.Ignored)
}

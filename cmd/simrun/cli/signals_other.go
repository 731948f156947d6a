//go:build !unix

package cli

import (
	"os"
	"syscall"
)

// leaving is the signals that ask the process to end.
func leaving() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM} }

//go:build !unix

package cli

import (
	"os"
	"syscall"
)

// leaving are the signals that ask a process to end.
var leaving = []os.Signal{os.Interrupt, syscall.SIGTERM}

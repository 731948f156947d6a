package cli

import "io"

// output is stdout. It remembers the first failure, which those who print help do
// not look at, and writes nothing more after it.
type output struct {
	w      io.Writer
	failed error
}

// Write implements io.Writer.
func (o *output) Write(data []byte) (int, error) {
	if o.failed != nil {
		return 0, o.failed
	}
	n, err := o.w.Write(data)
	o.failed = err
	return n, err
}

package reproducer

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"strings"

	"github.com/goccy/go-yaml"

	"simrun/scenarios"
)

// Version is that of the format. It changes when a reader would have to.
const Version = 1

// head is what stands in front of the scenario, and tail what stands behind it.
type head struct {
	Reproducer        int64      `yaml:"reproducer"`
	Tool              string     `yaml:"tool"`
	Verdict           string     `yaml:"verdict"`
	Audit             bool       `yaml:"audit,omitempty"` // see scenarios.Plan.Audited
	Violation         *violation `yaml:"violation,omitempty"`
	Digest            string     `yaml:"digest"`
	ApplicationDigest string     `yaml:"application_digest"`
}

// violation is a scenarios.ViolationResult as the file has it.
type violation struct {
	Invariant string  `yaml:"invariant"`
	Snapshot  *uint32 `yaml:"snapshot,omitempty"`
	Recovery  *int    `yaml:"recovery,omitempty"`
	Node      *string `yaml:"node,omitempty"`
	Channel   *int32  `yaml:"channel,omitempty"`
	Misdeed   string  `yaml:"misdeed,omitempty"`
	Detail    string  `yaml:"detail"`
}

// tailSize is how much stands behind the steps, at most.
const tailSize = 100

// Write writes the file, if it is not larger than any that is read.
func (r *Reproducer) Write(w io.Writer) error { return r.write(w, MaxFileSize) }

func (r *Reproducer) write(w io.Writer, most int) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# A run of simrun that can be carried out again: simrun replay FILE\n")
	h := head{Reproducer: Version, Tool: r.Tool, Verdict: r.Verdict, Audit: r.Plan.Audit().Again > 0, Digest: r.Digest, ApplicationDigest: r.ApplicationDigest}
	if v := r.Violation; v != nil {
		h.Violation = &violation{v.Invariant, v.Snapshot, v.Recovery, v.Node, v.Channel, v.Misdeed, v.Detail}
	}
	text, err := yaml.MarshalWithOptions(h, yaml.IndentSequence(true))
	if err != nil {
		return err
	}
	b.Write(text)
	b.WriteString("scenario:\n")
	var scenario bytes.Buffer
	if err := r.Plan.WriteYAML(&scenario); err != nil {
		return err
	}
	for line := range strings.Lines(scenario.String()) {
		b.WriteString("  " + line)
	}
	b.WriteString("# a step, and the first digits of the digest of all that came before it\nsteps: |\n")
	for i, s := range r.Course.Steps {
		fmt.Fprintf(&b, "  %s : %04x # %s\n", scenarios.FormatStep(s), r.Course.Digests[i]>>48, r.Plan.DescribeStep(s))
		if b.Len() > most-tailSize {
			return fmt.Errorf("the run has %d steps, and with the first %d of them the reproducer is larger than %d bytes, the most that is read; a shorter run needs less", len(r.Course.Steps), i+1, most)
		}
	}
	fmt.Fprintf(&b, "checksum: %s\n", checksum(b.Bytes()))
	_, err = w.Write(b.Bytes())
	return err
}

// checksum is of everything in front of it.
func checksum(data []byte) string {
	sum := sha256.Sum256(data)
	return fmt.Sprintf("%x", sum[:8])
}

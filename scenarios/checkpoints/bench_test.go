package checkpoints

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// BenchmarkWrite writes the checkpoint of a job with 10,000 tasks and 100 MB of state,
// and as many bytes into one plain file, synced, in turn; "of-plain" is how fast the
// first is, measured by the second.
func BenchmarkWrite(b *testing.B) {
	s, o := large(10_000, 10_486)
	base := b.TempDir()
	var ours, plain time.Duration
	var size int64
	var data []byte
	checkpoint := func() {
		dir := filepath.Join(base, "chks")
		store, err := Open(dir, o)
		if err != nil {
			b.Fatal(err)
		}
		began := time.Now()
		if err := store.Write(s); err != nil {
			b.Fatal(err)
		}
		ours += time.Since(began)
		data = data[:0]
		for _, name := range []string{"segment-0", "segment-1", metadataName} {
			part, err := os.ReadFile(filepath.Join(dir, "chk-1", name))
			if err != nil {
				b.Fatal(err)
			}
			data = append(data, part...)
		}
		size = int64(len(data))
		os.RemoveAll(dir)
	}
	oneFile := func() {
		file := filepath.Join(base, "plain")
		began := time.Now()
		f, err := os.Create(file)
		if err != nil {
			b.Fatal(err)
		}
		_, err = f.Write(data)
		if err := finish(f, err); err != nil {
			b.Fatal(err)
		}
		plain += time.Since(began)
		os.Remove(file)
	}
	checkpoint()
	ours = 0
	for i := 0; b.Loop(); i++ {
		if i%2 == 0 {
			checkpoint()
			oneFile()
		} else {
			oneFile()
			checkpoint()
		}
	}
	b.SetBytes(size)
	b.ReportMetric(float64(plain)/float64(ours), "of-plain")
	b.ReportMetric(ours.Seconds()*1e3/float64(b.N), "ms/checkpoint")
	b.ReportMetric(plain.Seconds()*1e3/float64(b.N), "ms/plain")
}

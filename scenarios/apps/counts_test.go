package apps

import (
	"bytes"
	"testing"
)

func TestCountsAreCanonical(t *testing.T) {
	never, cleared := counts{size: 5}, counts{size: 5}
	cleared.add(3)
	cleared.load(&stateReader{rest: never.save(nil)})
	if cleared.slots[3] != 0 {
		t.Error("loading nothing leaves a count behind")
	}
	if !bytes.Equal(never.save(nil), cleared.save(nil)) {
		t.Error("slots that are all 0 are saved differently from no slots")
	}
	one, other := counts{size: 5}, counts{size: 5}
	for _, key := range []uint64{4, 0, 4} {
		one.add(key)
	}
	for _, key := range []uint64{0, 4, 4} {
		other.add(key)
	}
	if got := one.save(nil); !bytes.Equal(got, other.save(nil)) || !bytes.Equal(got, []byte{2, 0, 1, 3, 2}) {
		t.Errorf("the counts are saved as %v and %v", got, other.save(nil))
	}
	for _, bad := range [][]byte{{1, 5, 1}, {2, 4, 1, 0, 1}, {1, 0, 0}, {1}, {1, 255}, {200}} {
		r := stateReader{rest: bad}
		c := counts{size: 5}
		c.load(&r)
		if r.end() == nil {
			t.Errorf("%v is loaded as counts of 5 keys", bad)
		}
	}
}

package sim

// appointment is an event of timed order that is not worth a place in the wheel:
// there are few of them.
type appointment struct {
	at     int64
	class  StepKind
	entity int32
	seq    uint64 // arming order, the last tie-break
	index  uint32 // timer id, snapshot id, fault, a parcel's key
}

// Classes of appointments that are no step of their own.
const (
	stopInput = StepStop
	trigger   = StepTrigger
	freeNode  = StepTrigger + 1 // a busy node takes what waits at it; before timers
)

// rank is the order of classes at one instant.
func (c StepKind) rank() uint8 {
	switch c {
	case stopInput:
		return 0
	case StepFault:
		return 1
	case StepRestore:
		return 2
	case StepWrite, StepPublish:
		return 3
	case StepStart, StepNotice, StepAlarm, StepControl:
		return 4
	case freeNode:
		return 5
	case StepTimer:
		return 6
	case StepExternal:
		return 7
	case trigger:
		return 8
	case StepInitiate:
		return 9
	case StepDrained:
		return 10
	}
	return 11
}

func (a *appointment) before(b *appointment) bool {
	if a.at != b.at {
		return a.at < b.at
	}
	if a.class != b.class {
		return a.class.rank() < b.class.rank()
	}
	if a.entity != b.entity {
		return a.entity < b.entity
	}
	return a.seq < b.seq
}

// diary is a binary heap of appointments.
type diary struct {
	heap []appointment
	seq  uint64
}

func (d *diary) add(a appointment) {
	d.seq++
	a.seq = d.seq
	d.heap = append(d.heap, a)
	siftUp(d.heap, len(d.heap)-1, (*appointment).before)
}

func (d *diary) take() appointment {
	top := d.heap[0]
	last := len(d.heap) - 1
	d.heap[0] = d.heap[last]
	d.heap = d.heap[:last]
	siftDown(d.heap, (*appointment).before)
	return top
}

// keep drops the appointments for which f is false.
func (d *diary) keep(f func(*appointment) bool) {
	kept := d.heap[:0]
	for i := range d.heap {
		if f(&d.heap[i]) {
			kept = append(kept, d.heap[i])
			siftUp(kept, len(kept)-1, (*appointment).before)
		}
	}
	d.heap = kept
}

// siftUp moves entry i of a binary heap up to its place.
func siftUp[T any](heap []T, i int, before func(a, b *T) bool) {
	for i > 0 {
		parent := (i - 1) / 2
		if !before(&heap[i], &heap[parent]) {
			return
		}
		heap[i], heap[parent] = heap[parent], heap[i]
		i = parent
	}
}

// siftDown moves the root of a binary heap down to its place.
func siftDown[T any](heap []T, before func(a, b *T) bool) {
	for i := 0; ; {
		child := 2*i + 1
		if child >= len(heap) {
			return
		}
		if child+1 < len(heap) && before(&heap[child+1], &heap[child]) {
			child++
		}
		if !before(&heap[child], &heap[i]) {
			return
		}
		heap[i], heap[child] = heap[child], heap[i]
		i = child
	}
}

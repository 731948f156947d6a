package chandylamport

import "testing"

// Section 3.2, marker-sending rule: once p has recorded its state, every channel
// that leaves p gets one marker, ahead of any further message.
func TestMarkerSendingRule(t *testing.T) {
	p := newProcess(t, 1, 3)
	p.message(0, 10)
	p.wants(takes(0, 10))

	p.initiate(1)
	p.wants(saves(1), marks(1, 0, 1, 2))

	p.message(0, 20)
	p.wants(logs(1, 0, 20), takes(0, 20))
}

// Section 3.2, marker-receiving rule, first branch: q has not recorded its
// state, so it does, and records the state of c as the empty sequence.
func TestMarkerReceivingRuleFirstMarker(t *testing.T) {
	q := newProcess(t, 2, 1)
	q.marker(0, 1)
	q.wants(saves(1), marks(1, 0))

	q.message(0, 10) // behind the marker: not in the state of its channel
	q.wants(takes(0, 10))
}

// Section 3.2, marker-receiving rule, second branch: the state of c is what came
// along c after q recorded its state and before the marker.
func TestMarkerReceivingRuleLaterMarker(t *testing.T) {
	q := newProcess(t, 2, 1)
	q.message(1, 5) // before the recording: in q's state, not in the channel's
	q.marker(0, 1)
	q.wants(takes(1, 5), saves(1), marks(1, 0))

	q.message(1, 10)
	q.message(1, 20)
	q.wants(logs(1, 1, 10), takes(1, 10), logs(1, 1, 20), takes(1, 20))

	q.marker(1, 1)
	q.wants(ends(1))
	q.message(1, 30)
	q.wants(takes(1, 30))
}

// Section 3.2: the state that is recorded is that of the instant of recording.
func TestStateIsThatOfTheRecording(t *testing.T) {
	p := newProcess(t, 1, 1)
	p.message(0, 10)
	p.initiate(1)
	p.message(0, 20)
	ops := p.out.Ops()
	recorded := sum{}
	if err := recorded.Load(p.out.Saved(ops[2])); err != nil {
		t.Fatal(err)
	}
	if recorded.total != 10 {
		t.Errorf("recorded a total of %d, want 10", recorded.total)
	}
}

// Section 3.3: a process is done when it has recorded its state and the states
// of all its incoming channels, and that is once for each snapshot.
func TestTermination(t *testing.T) {
	p := newProcess(t, 3, 1)
	p.initiate(1)
	p.marker(2, 1)
	p.marker(0, 1)
	p.wants(saves(1), marks(1, 0))
	p.marker(1, 1)
	p.wants(ends(1))
}

// Section 3.3: a process without incoming channels has nothing to wait for.
func TestTerminationWithoutInputs(t *testing.T) {
	p := newProcess(t, 0, 2)
	p.initiate(1)
	p.wants(saves(1), marks(1, 0, 1), ends(1))
}

// Section 3.3: a process with one incoming channel that did not initiate is done
// with the first marker, whether or not it has outgoing channels.
func TestTerminationWithOneInput(t *testing.T) {
	p := newProcess(t, 1, 0)
	p.marker(0, 1)
	p.wants(saves(1), ends(1))
}

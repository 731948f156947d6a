package scenarios

import "testing"

// closedForALater is a run in which a node of Chandy-Lamport's records checkpoint 9 before
// checkpoint 8; 9 is declined, 8 completes, and the notice of the last checkpoint is lost.
const closedForALater = `version: 1
algorithm: chandy-lamport
order: timed
seed: 3343
graph:
  nodes: [n0, n1, n2, n3]
  channels: [[n0, n2], [n2, n3], [n1, n0], [n1, n3], [n3, n2], [n0, n1], [n2, n1], [n3, n1], [n3, n0], [n2, n0], [n1, n2], [n0, n3]]
app:
  kind: dataflow
  records: 10000
  every: 2.530027ms
  keys: 3
  skew: 2
  hops: 2
network:
  delay:
    constant: 1.333958ms
  channels:
    "0":
      delay: {constant: 7.954204ms}
    "6":
      delay: {uniform: [3.328403ms, 13.884614ms]}
    "10":
      delay: {uniform: [5.158006ms, 15.244305ms]}
service: {constant: 0ns}
store: {write: {constant: 0ns}, read: {constant: 355.228us}, fail: {rate: 7.5734%}, bandwidth: 979465}
snapshots:
  every: 0ns
  initiators: [n0, n1, n2, n3]
coordinator:
  interval: 7.762528ms
  min_pause: 0ns
  timeout: 126.501354ms
  max_concurrent: 2
  tolerable: 1000
  retained: 1
  restart: {strategy: fixed-delay, delay: 418.113us}
  control: {delay: {uniform: [2.329414ms, 15.084045ms]}, reorder: true, lose: {rate: 2%}}
sinks: transactional
faults:
  - crash: [n1]
    when: {phase: aligning, snapshot: 1, occurrence: 1}
    down: 1.940836ms
  - crash: [n3]
    when: {phase: aligning, snapshot: 1, occurrence: 1}
    down: 1.974011ms
  - crash: [n1]
    when: {phase: notified, occurrence: 1}
    down: 332.353us
replay: from-offset
stop: {at: 126.501354ms}
steps: 100000
`

// TestClosedForALaterCheckpoint: what was closed for checkpoint 9 is inside checkpoint 8
// too. When 9 is given up it leaves with 8: nothing waits for the last notice.
func TestClosedForALaterCheckpoint(t *testing.T) {
	res := mustResolve(t, closedForALater).NewRunner().Run(3343)
	if res.Verdict != Holds || res.Ledger == nil || res.Ledger.OutputsOnce != 51 || res.Ledger.OutputsWaiting+res.Ledger.OutputsLost != 0 {
		t.Errorf("%s, %+v, %v", res.Verdict, res.Ledger, res.Violations)
	}
	if res.Snapshots[8].Verdict != "aborted" || *res.Snapshots[8].Started >= *res.Snapshots[7].Started {
		t.Errorf("checkpoint 9 is %s and does not overtake checkpoint 8", res.Snapshots[8].Verdict)
	}
}

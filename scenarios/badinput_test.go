package scenarios

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// badInput is what users get wrong: the text, where the error must point, and what
// it must say.
var badInput = []struct {
	text         string
	line, column int
	says         string
}{
	// The file as a whole.
	{"", 0, 0, "the file is empty"},
	{"  \n\n", 0, 0, "the file is empty"},
	{"# nothing\n", 0, 0, "the file is empty"},
	{"seed: 1\nalgorithm: a\x00b\n", 2, 13, "not text: byte 0x00"},
	{"algorithm: h\xe9\n", 1, 13, "UTF-8"},
	{"\xff\xfes\x00", 1, 1, "not text"},
	{strings.Repeat("#", MaxFileSize+1), 0, 0, "larger than 1048576 bytes"},
	{"graph: {nodes: [a, b", 1, 16, "']' not found"},
	{"algorithm: 'abs", 1, 12, "not YAML"},
	{strings.Repeat("[", 100000), 1, 33, "nest more than 32 deep"},
	{strings.Repeat("- ", 100000), 1, 65, "nest more than 32 deep"},
	{strings.Repeat("-\n", 100000), 1, 1, "an empty entry"},
	{"- 1", 1, 1, "a scenario is a list; write a mapping"},
	{"hello", 1, 1, "a scenario is hello; write a mapping"},
	{"seed: 1\n---\nseed: 2", 3, 1, "second YAML document"},
	{"seed: 1\nseed: 2", 2, 1, "already defined"},
	{"? seed\n: 1", 1, 1, "question mark"},
	{"seed: *x", 1, 7, "an alias that stands for nothing"},
	{"seed: !!int 3", 1, 7, "a YAML tag"},
	{"%YAML 1.2\n---\nseed: x", 3, 7, "seed is x"},
	{"%YAML 1.2\n---\nseed: 1\n---\nseed: 2", 5, 1, "second YAML document"},
	{"version: 1\rseed: x\r", 2, 7, "seed is x"},
	{"version: 1\r\nseed: x\r\n", 2, 7, "seed is x"},
	{manyKeys(maxKeys+1, "k%d: 1\n"), maxKeys + 1, 1, "more than 1000 keys"},
	{"graph:\n  nodes: [a]\n  x:\n" + manyKeys(maxKeys+1, "    k%d: {a: 1}\n"), maxKeys + 4, 5, "more than 1000 keys"},
	{"graph: {" + manyKeys(maxKeys+1, "k%d: [{a: 1}],\n") + "}", maxKeys + 1, 1, "more than 1000 keys"},
	{strings.Repeat("k", 2000) + ": 1", 1, 1, "a key of 2000 bytes"},
	{"<<: 3", 1, 5, `<< merges 3; name one mapping`},
	{"<<: [{seed: 3}, {seed: 4}]", 1, 5, "<< merges a list"},
	{"<<: *x", 1, 5, "an alias that stands for nothing"},
	{"graph: &g {<<: *g, nodes: [a]}", 1, 12, "a mapping that merges itself"},

	// Sinks.
	{"sinks: exact", 1, 8, `sinks is "exact"; there are plain, transactional`},
	{"sinks: transactional", 1, 8, "without a coordinator"},
	{"algorithm: loop-hold-outputs\ncoordinator: {}\nsinks: transactional", 2, 14, "cannot give a snapshot up"},

	// Tasks that finish.
	{"algorithm: chandy-lamport\ncoordinator: {finish: true}", 2, 23, "which waits for the inputs of those that have; leave it out, or use abs or tracking"},
	{"algorithm: sinks-alone\ncoordinator: {finish: true}", 2, 23, "a coordinator that does not know of them"},
	{"algorithm: abs\ncoordinator:\n  finish: true\nnetwork: {channels: {n0->n1: {lose: 1%}}}", 3, 11, "and the channel n0->n1#0 fails: that its input has ended could be lost"},
	{"algorithm: abs\ncoordinator: {finish: 3}", 2, 23, "finish is 3"},
	{"graph: {generate: line, nodes: 3}\napp: {kind: dataflow}\nstop: {sources: {n1: 3}}", 3, 22, "no records come from outside to n1, with the app dataflow; name a node that takes some"},
	{"graph: {generate: line, nodes: 3}\nstop: {sources: {x: 3}}", 2, 21, `x`},
	{"graph: {generate: line, nodes: 3}\nstop: {sources: {n0: -1}}", 2, 22, "the input of n0 ends after -1 records; write 0 or more"},

	// Keys and types.
	{"seed: 1\nalgoritm: abs", 2, 1, `no key "algoritm"; did you mean algorithm?`},
	{"stop: {records: 5, att: 3ms}", 1, 20, `no key "att"; did you mean at?`},
	{"version: 2", 1, 10, "reads version 1"},
	{"version: one", 1, 10, "version is one; write a whole number"},
	{"seed: abc", 1, 7, "seed is abc; write a whole number from 0 to 18446744073709551615"},
	{"seed: -1", 1, 7, "seed is -1"},
	{"seed: 18446744073709551616", 1, 7, "from 0 to 18446744073709551615"},
	{`seed: "7"`, 1, 7, `seed is the text "7"`},
	{"seed: [1]", 1, 7, "seed is a list"},
	{"seed: 1.5", 1, 7, "seed is 1.5"},
	{"steps: 99999999999999999999", 1, 8, "9223372036854775807"},
	{"expect: {incomplete: 1}", 1, 22, "write true or false"},
	{"algorithm: chandy", 1, 12, "did you mean chandy-lamport?"},
	{"order: random", 1, 8, "there are timed, chosen"},
	{"replay: nope", 1, 9, "did you mean none?"},

	// The graph.
	{"graph: ring", 1, 8, "graph is ring; write a mapping"},
	{"graph: {generate: rnig}", 1, 19, "did you mean ring?"},
	{"graph: {generate: ring, nodes: 0}", 1, 32, "nodes is 0; it must be between"},
	{"graph: {generate: ring, nodes: many}", 1, 32, "nodes is many"},
	{"graph: {generate: ring, degree: 3}", 1, 25, `no key "degree"`},
	{"graph: {generate: random, nodes: 3, degree: 99}", 1, 19, "degree is 99; it can be at most 2"},
	{"graph: {generate: ring, file: x.dot}", 1, 25, "not both"},
	{"graph: {nodes: [a, b, a]}", 1, 23, `node "a" is declared twice`},
	{"graph: {nodes: []}", 1, 8, "no node"},
	{"graph: {edges: [{from: A, to: B, ship: hash}]}", 1, 8, "no node"},
	{"graph: {nodes: [a, b], channels: [[a, b]], edges: [{from: A, to: B, ship: HASH, channels: [0]}]}", 1, 75, "ship is \"HASH\"; did you mean hash? there are forward, rescale, hash, broadcast, round-robin"},
	{"graph: {nodes: [a, b], channels: [[a, b]], edges: [{from: A, to: B, channels: [0]}]}", 1, 52, "does not say how it ships records; there are forward"},
	{"graph: {nodes: [a, b], channels: [[a, b]], edges: [{ship: hash, channels: [0, 1]}]}", 1, 75, "unknown channel 1; there are 1, from 0 on"},
	{"graph: {nodes: [a, b], channels: [[a, b]], edges: [{ship: hash, channels: [-1]}]}", 1, 75, "unknown channel -1"},
	{"graph: {nodes: [a, b], channels: [[a, b]], edges: [{ship: hash, channels: [0]}, {ship: rescale, channels: [0]}]}", 1, 107, "channel 0 belongs to two edges"},
	{"graph: {nodes: [a, b], channels: [[a, b]], edges: [{ship: hash, by: key}]}", 1, 65, "has no key \"by\"; there are from, to, ship, channels"},
	{`graph: {nodes: [a, ""]}`, 1, 20, "without a name"},
	{"graph:\n  nodes: [a, b]\n  channels:\n    - [a, b]\n    - [a, c]", 5, 7, `unknown node "c"; the nodes are a, b`},
	{"graph: {nodes: [a, b], channels: [[a]]}", 1, 35, "a channel with 1 end;"},
	{"graph: {nodes: [a, b], channels: [[a, ~]]}", 1, 39, "an end of a channel is empty"},
	{"graph: {generate: ring, nodes: 268435456}", 1, 32, "it must be between 1 and 20000000"},
	{"graph: {generate: ring, nodes: 15000000}", 1, 19, "15000000 nodes and 15000000 channels; a graph may have 20000000 of both"},
	{"graph: {nodes: [a, b], channels: [{from: a, two: b}]}", 1, 35, "{from: a, to: b}"},
	{"graph: {file: nope.dot}", 1, 15, "there is no such file"},
	{"graph: {file: ../graphs/abilene.dot, format: dott}", 1, 46, "did you mean dot?"},

	// The app.
	{"app: bank", 1, 6, "such as {kind: bank}"},
	{"app: {kind: bnak}", 1, 13, "did you mean bank?"},
	{"app: {balance: 3}", 1, 7, "app has no kind"},
	{"app: {kind: bank, balanec: 3}", 1, 19, "did you mean balance?"},
	{"app: {kind: bank, balance: -3}", 1, 28, "out of range; write a number from 0"},
	{"app: {kind: bank, every: 3}", 1, 26, "3 has no unit; write 20ms"},
	{"app: {kind: wordcount}", 1, 13, "needs a graph without cycles"},
	{"graph: {generate: line}\napp: {kind: wordcount, text: nope.txt}", 2, 30, "there is no such file"},

	// Durations.
	{"network: {delay: 5}", 1, 18, "a distribution is 5; write a duration, such as 5ms, or a mapping with one key"},
	{"network: {delay: {poisson: 5ms}}", 1, 19, `no key "poisson"; there are constant, uniform, exponential, bimodal`},
	{"network: {delay: {constant: -5ms}}", 1, 29, "constant is -5ms; a duration cannot be negative"},
	{"network: {delay: {constant: 0ns}}", 1, 18, "at least 1ns"},
	{"network: {delay: {constant: 5 sec}}", 1, 29, `there is no unit " sec"`},
	{"network: {delay: {constant: 2000h}}", 1, 18, "longer than 1000h"},
	{"network: {delay: {uniform: [5ms]}}", 1, 28, "a range is two durations"},
	{"network: {delay: {uniform: [5ms, 1ms]}}", 1, 28, "write the smaller one first"},
	{"network: {delay: {exponential: {min: 1ms}}}", 1, 18, "without a mean"},
	{"network: {delay: {bimodal: {fast: [1ms, 2ms], slow: [1ms, 2ms], percent: 101}}}", 1, 18, "from 0 to 100"},
	{"network: {delay: {constant: }}", 1, 19, "constant is empty; write {constant: 5ms}"},
	{"network: {delay: {}}", 1, 18, "a distribution is a mapping with 0 keys"},
	{"network: {delay: {uniform: [~, 5ms]}}", 1, 29, "an empty entry in a range"},
	{"network: {delay: {exponential: {mean: 900h}}}", 1, 18, "from 1ns on with the mean 900h can draw"},
	{"network: {delay: {bimodal: {fast: [1ms, 2ms], slow: [1ms, 2ms]}}}", 1, 28, "bimodal has no percent; write {bimodal: {fast:"},
	{"network: {delay: {bimodal: {fast: [1ms, 2ms], slow: ~}}}", 1, 28, "bimodal has no slow and no percent"},
	{"network: {channels: {99: {delay: {constant: 1ms}}}}", 1, 26, "there is no channel 99; the graph has 5 channels"},
	{"network: {channels: {n0->n7: {delay: {constant: 1ms}}}}", 1, 30, "names no two nodes"},
	{"network: {channels: {n0->n2: {delay: {constant: 1ms}}}}", 1, 30, "not connected in this direction"},
	{"network: {channels: {n0->n1#1: {reorder: true}}}", 1, 32, "there is no channel n0->n1#1; channel 1 is n1->n2#1"},
	{"network: {channels: {n0->n1#5: {reorder: true}}}", 1, 32, "there is no channel n0->n1#5; the graph has 5 channels"},
	{"network: {channels: {0: {lose: {messages: [1, 0]}}}}", 1, 43, "there is no message 0; messages are counted from 1"},
	{"network: {channels: {0: {duplicate: {markers: [0]}}}}", 1, 47, "there is no snapshot 0; snapshots are counted from 1"},
	{"network: {channels: {0: {lose: {messages: 2}}}}", 1, 43, "messages is 2; write a list, such as [2]"},
	{"network: {channels: {n0: {delay: {constant: 1ms}}}}", 1, 26, "names no channel"},
	{"network: {channels: {n0->n1: {}}}", 1, 22, "is given nothing"},
	{"network: {channels: {n0->n1: {delay: {constant: 1ms}}, 0: {delay: {constant: 2ms}}}}", 1, 59, "two sets of settings"},
	{"snapshots: {at: [{initiators: [n0]}]}", 1, 18, "a snapshot without its instant"},
	{"snapshots: {at: [{at: 3ms, initiators: [n9]}]}", 1, 41, "n9"},
	{"network: {channels: {n0->n1: {lose: 10}}}", 1, 37, "write a percentage"},
	{"network: {channels: {n0->n1: {lose: 1.%}}}", 1, 37, "write a percentage"},
	{"network: {channels: {n0->n1: {lose: 1.23456%}}}", 1, 37, "at most four digits"},
	{"network: {channels: {n0->n1: {lose: 1.-2%}}}", 1, 37, "write a percentage"},
	{"network: {channels: {n0->n1: {duplicate: 100.5%}}}", 1, 42, "is more than all of them"},
	{"network: {channels: {n0->n1: {duplicate: {rat: 1%}}}}", 1, 43, "rate"},
	{"network: {channels: {n0->n1: {reorder: maybe}}}", 1, 40, "true or false"},
	{"service: {constant: 5}", 1, 21, "5 has no unit"},

	// Snapshots.
	{"snapshots: {every: 10}", 1, 20, "write a duration, such as 10ms"},
	{"snapshots: {every: -10ms}", 1, 20, "an instant is -10ms; a duration cannot be negative"},
	{"snapshots: {at: [5ms, 10]}", 1, 23, "without a unit"},
	{"order: chosen\nsnapshots: {every: 10ms}", 2, 20, "time is the number of steps"},
	{"order: chosen\nstop: {at: 10ms}", 2, 12, "time is the number of steps"},
	{"snapshots: {initiators: [n9]}", 1, 26, `no node is named "n9"; did you mean n0?`},
	{"snapshots: {initiators: [n1, n1]}", 1, 30, "named twice"},
	{"graph: {generate: line}\nsnapshots: {initiators: [n2]}", 2, 25, "no marker would reach n0, n1"},
	{"algorithm: abs\ngraph: {generate: line}\nsnapshots: {initiators: [n4]}", 3, 25, "no marker would reach n0, n1, n2, n3"},
	{"back_edges: [7]", 1, 14, "there is no channel 7"},
	{"algorithm: abs\ngraph: {nodes: [a, b, c], channels: [[a, b], [b, c], [c, b]]}\nback_edges: [a->b]", 3, 13, "there is still a cycle: b, c"},
	{"algorithm: abs\ngraph: {nodes: [a, b, c], channels: [[a, b], [b, c], [c, b]]}\nback_edges: [a->b, c->b]", 3, 13, "no regular input"},

	// Faults.
	{"faults: [null]", 1, 10, "an empty entry"},
	{"faults: [{crash: [n9], at: 5ms}]", 1, 19, `no node is named "n9"`},
	{"faults: [{crash: [], at: 5ms}]", 1, 10, "crashes no node"},
	{"faults: [{crash: n1}]", 1, 10, "a fault needs one of at, step, when, times, and has none"},
	{"faults: [{crash: n1, at: 5ms, step: 3}]", 1, 10, "a fault needs one of at, step, when, times, and has 2"},
	{"faults: [{crash: n1, at: 5}]", 1, 26, "5 has no unit"},
	{"faults: [{crash: n1, step: 0}]", 1, 28, "write 1 or more"},
	{"faults: [{crash: n1, at: 200ms}]", 1, 26, "a crash at 200ms, but the run stops at 200ms"},
	{"stop: {at: 1s}\nfaults: [{crash: n1, at: 999ms}, {crash: n1, at: 2s}]", 2, 50, "a crash at 2s, but the run stops at 1s"},
	{"faults: [{crash: n1, step: 60}]\nsteps: 60", 1, 28, "given up after steps: 60"},
	{"order: chosen\nfaults: [{crash: n1, step: 2001}]", 2, 28, "the run stops at step 2000"},
	{"snapshots: {at: [5ms, 201ms]}", 1, 23, "a snapshot at 201ms, but the run stops at 200ms"},
	{"order: chosen\nfaults: [{crash: n1, at: 5ms}]", 2, 26, "order: chosen knows no time"},
	{"faults: [{crash: n1, when: {phase: alining}}]", 1, 36, "did you mean aligning?"},
	{"faults: [{crash: n1, when: {phase: aligning, occurrence: 0}}]", 1, 58, "write 1 or more"},
	{"faults: [{crash: n1, at: 5ms, after-outputs: -1}]", 1, 46, "write 0 or more"},
	{"faults: [{crash: n1, at: 5ms, down: -1ms}]", 1, 37, "down is -1ms; a duration cannot be negative"},

	// The coordinator.
	{"coordinator: {timeout: -5ms}", 1, 24, "timeout is -5ms; a duration cannot be negative"},
	{"coordinator: {interval: 5}", 1, 25, "5 has no unit"},
	{"coordinator: {interval: 2000h}", 1, 25, "longer than 1000h"},
	{"coordinator: {retained: 0}", 1, 25, "retained is 0; write a number from 1"},
	{"coordinator: {max_concurrent: 0}", 1, 31, "max_concurrent is 0; write a number from 1"},
	{"coordinator: {tolerable: -1}", 1, 26, "tolerable is -1; write a number from 0"},
	{"coordinator: {retaind: 1}", 1, 15, "did you mean retained?"},
	{"coordinator: {restart: {strategy: fixed}}", 1, 35, `strategy is "fixed"; `},
	{"coordinator: {restart: {factor: 2}}", 1, 33, "the restart strategy fixed-delay has no factor"},
	{"coordinator: {restart: {strategy: none, delay: 2ms}}", 1, 48, "the restart strategy none has no delay"},
	{"coordinator: {restart: {strategy: exponential, factor: 0}}", 1, 56, "factor is 0"},
	{"coordinator: {restart: {strategy: exponential, delay: 2ms, most: 1ms}}", 1, 66, "most is 1ms; write 2ms or more"},
	{"coordinator: {restart: {strategy: failure-rate, limit: 0}}", 1, 56, "limit is 0"},
	{"coordinator: {restart: {strategy: failure-rate, per: 0ns}}", 1, 54, "per is 0ns; write 1ns or more"},
	{"coordinator: {control: {delay: {constant: 0ns}}}", 1, 32, "at least 1ns"},
	{"coordinator: {recovery: some}\nalgorithm: abs", 1, 25, `recovery is "some"; there are whole, partial`},
	{"coordinator: {recovery: partail}\nalgorithm: abs", 1, 25, `did you mean partial?`},
	{"recovery: partial", 1, 1, `no key "recovery"`},
	{"algorithm: chandy-lamport\ncoordinator: {recovery: partial}", 2, 25, "partial recovery with chandy-lamport, which does not align barriers"},
	{"algorithm: tracking\ncoordinator: {recovery: partial}", 2, 25, "partial recovery with tracking, which promises at-least-once"},
	{"algorithm: abs\ngraph: {nodes: [a, b], channels: [[a, b]]}\nnetwork: {channels: {a->b: {lose: 1%}}}\ncoordinator: {recovery: partial}", 4, 25, "partial recovery on unreliable channels"},
	{"algorithm: abs\ngraph: {nodes: [a, b], channels: [[a, b]]}\ncoordinator: {recovery: partial, finish: true}", 3, 25, "partial recovery with tasks that finish"},
	{"algorithm: abs\nreplay: none\ncoordinator: {recovery: partial}", 3, 25, "partial recovery and replay: none"},
	{"coordinator: {control: {lose: {markers: [1]}}}", 1, 41, "no markers travel on control channels"},
	{"coordinator: {control: {lose: {messages: [0]}}}", 1, 42, "there is no message 0"},
	{"coordinator: {}\nsnapshots: {at: [5ms]}", 2, 17, "the coordinator decides when a checkpoint begins"},
	{"coordinator: {savepoints: [5]}", 1, 28, "a savepoint is 5, without a unit; write a duration, such as 5ms"},
	{"order: chosen\ncoordinator: {savepoints: [5ms]}", 2, 28, "in order: chosen time is the number of steps"},
	{"coordinator: {savepoints: [5ms, 2s]}", 1, 33, "a savepoint at 2s, but the run stops at 200ms and no savepoint begins later"},
	{"coordinator: {savepoints: 5ms}", 1, 27, "savepoints"},
	{"algorithm: stop-the-world\ngraph: {nodes: [a, b], channels: [[a, b]]}\ncoordinator: {savepoints: [5ms]}", 3, 27, "of a savepoint they are not told"},
	{"coordinator: {}\nalgorithm: loop-hold-inputs", 1, 14, "cannot give a snapshot up"},
	{"store: {fail: 1%}", 1, 15, "store: fail without a coordinator"},
	{"store: {read: {constant: 1ms}}", 1, 15, "store: read without a coordinator"},
	{"coordinator: {}\nstore: {fail: {snapshots: [0]}}", 2, 27, "there is no snapshot 0"},
	{"store: {torn: 1%}", 1, 15, "store: torn without a coordinator"},
	{"store: {lost: 1%}", 1, 15, "store: lost without a coordinator"},
	{"store: {bandwidth: 5}", 1, 20, "store: bandwidth without a coordinator"},
	{"store: {chunk: 5}", 1, 16, "store: chunk without a coordinator"},
	{"coordinator: {}\nstore: {bandwidth: 0}", 2, 20, "bandwidth is 0 bytes"},
	{"coordinator: {}\nstore: {chunk: -1}", 2, 16, "chunk is -1 bytes"},
	{"coordinator: {}\nstore: {torn: {snapshots: [0]}}", 2, 27, "there is no snapshot 0"},
	{"coordinator: {}\nstore: {fail: 3}", 2, 15, "write a percentage"},
	{"faults: [{crash: [coordinator], at: 5ms}]", 1, 19, "a crash of the coordinator, and there is none"},
	{"graph: {nodes: [coordinator], channels: []}\ncoordinator: {}\nfaults: [{crash: [coordinator], at: 5ms}]", 3, 19, "give the node another name"},
	{"coordinator: {}\nfaults: [{crash: [coordinator], when: {phase: recorded}}]", 2, 47, "the coordinator does not come to the phase recorded"},
	{"expect: {exercised: {timeouts: 1}}", 1, 32, "timeouts without a coordinator"},

	// The end, and what is expected.
	{"stop: {at: 0ms}", 1, 12, "has no input"},
	{"stop: {records: 0}", 1, 17, "write 1 or more"},
	{"steps: 0", 1, 8, "write 1 or more"},
	{"checks: {off: [fifos]}", 1, 16, "did you mean fifo?"},
	{"expect: {verdict: hold}", 1, 19, "did you mean holds?"},
	{"expect: {violation: fofo}", 1, 21, "did you mean fifo?"},
	{"expect: {verdict: holds, violation: fifo}", 1, 37, "leave one of the two out"},
	{"expect: {guarantee: at-least-onc}\nfaults: [{crash: n1, step: 9}]", 1, 21, "did you mean at-least-once?"},
	{"expect: {guarantee: exactly-once}", 1, 21, "the scenario has no fault"},
	{"expect: {guarantee: exactly-once}\nfaults: [{crash: n1, step: 9}]\nnetwork: {channels: {0: {reorder: true}}}", 1, 21, "no account of the records"},
	{"algorithm: stop-the-world\ngraph: {nodes: [a, b], channels: [[a, b]]}", 1, 12, "write coordinator: {interval: 20ms}"},
	{"algorithm: stop-the-world\ncoordinator: {}", 1, 12, "works only on graphs without cycles"},
	{"algorithm: stop-the-world\ngraph: {nodes: [a, b], channels: [[a, b]]}\ncoordinator: {control: {lose: 1%}}", 3, 31, "never goes on"},
	{"algorithm: no-snapshots\nexpect: {snapshots: 1}", 2, 21, "the scenario triggers 0"},
	{"order: timed\nsearch: {strategy: pct}", 1, 8, "a strategy chooses the order of steps, but in order: timed the instants decide it; write order: chosen"},
	{"order: chosen\nsearch: {strategy: pcd}", 2, 20, `no strategy is named "pcd"; did you mean pct?`},
	{"order: chosen\nsearch: pct", 2, 9, "search is pct; write a mapping with some of strategy, depth"},
	{"order: chosen\nsearch: {strategy: pos, depth: 2}", 2, 32, "the strategy pos has no depth"},
	{"order: chosen\nsearch: {strategy: pct, depth: 0}", 2, 32, "write a number from 1 to 1000"},
	{"order: chosen\nsearch: {strategy: delay, depth: 1001}", 2, 34, "write a number from 0 to 1000"},
	{"faults: [{crash: any}]", 1, 10, "in order: timed nobody chooses when; write order: chosen"},
	{"order: chosen\nfaults: [{crash: any, times: 0}]", 2, 30, "times is 0; write 1 or more"},
	{"order: chosen\nfaults: [{crash: n1, times: 1, step: 3}]", 2, 10, "a fault needs one of at, step, when, times, and has 2"},
	{"order: chosen\nfaults: [{crash: any, step: 3}]", 2, 18, `no node is named "any"`},
	{"order: chosen\nfaults: [{crash: n1, times: 1, after-outputs: 2}]", 2, 47, "the crash comes between two steps"},
	{"order: chosen\nfaults: [{crash: any, down: 2ms}]", 2, 29, "there is no time in order: chosen"},
	{"snapshots: {any: 2}", 1, 18, "in order: timed nobody chooses when"},
	{"order: chosen\nsnapshots: {any: -1}", 2, 18, "any is -1; write a number from 1 to 1000"},
	{"order: chosen\ncoordinator: {}\nsnapshots: {any: 1}", 3, 18, "the coordinator triggers them"},
	{"network: {channels: {0: {lose: {any: 1}}}}", 1, 38, "in order: timed nobody chooses when"},
	{"order: chosen\nnetwork: {channels: {0: {duplicate: {any: 1}}}}", 2, 43, "any is for what is lost"},
	{"order: chosen\ncoordinator: {control: {lose: {any: 1}}}", 2, 37, "any is for the channels of the graph"},
	{"order: chosen\nexpect: {recoveries: 3}\nfaults: [{crash: any, times: 2}]", 2, 22, "recoveries is 3, but the scenario has 2 faults;"},
	{"order: chosen\nexpect: {snapshots: 3}\nsnapshots: {any: 2}", 2, 21, "snapshots is 3, but the scenario triggers 2;"},
	{"expect: {snapshots: -1}", 1, 21, "write 0 or more"},
	{"expect: {recoveries: 1000}", 1, 22, "from 0 to 250"},
	{"expect: {recoveries: 2}\nfaults: [{crash: n1, step: 9}]", 1, 22, "recoveries is 2, but the scenario has 1 fault;"},
	{"expect: {snapshots: 3}\nsnapshots: {at: [5ms]}", 1, 21, "snapshots is 3, but the scenario triggers 1;"},
	{"expect: {violation: fifo}\nchecks: {off: [fifo]}", 1, 21, "fifo is switched off"},
	{"expect: {violation: abs-staged}", 1, 21, "abs-staged is not checked under chandy-lamport, which does not align barriers"},
	{"app: {kind: loop}\nexpect: {violation: conservation}", 2, 21, "conservation is not checked of the app loop"},
	{"expect: {exercised: 3}", 1, 21, "exercised is 3; write a mapping with some of channel_states, alignments,"},
	{"expect: {exercised: {alignment: 3}}", 1, 22, `exercised has no key "alignment"; did you mean alignments?`},
	{"expect: {exercised: {alignments: many}}", 1, 34, "alignments is many; write a whole number"},
	{"expect: {exercised: {alignments: -1}}", 1, 34, "alignments is -1; write 0 or more"},
	{"expect: {exercised: {overlaps: 2}}\nsnapshots: {at: [5ms]}", 1, 32, "overlaps is 2, but the scenario triggers 1 snapshot;"},
	{"expect: {exercised: {replays: 2}}\nfaults: [{crash: n1, step: 9}]", 1, 31, "replays is 2, but the scenario has 1 fault;"},
	{"expect: {verdict: holds, incomplete: true}", 1, 19, "a run with an incomplete snapshot does not hold"},
}

func manyKeys(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func TestBadInput(t *testing.T) {
	for _, test := range badInput {
		_, err := resolveText(test.text)
		var e *Error
		name := quote(test.text)
		if !errors.As(err, &e) {
			t.Errorf("%s: %v is no *Error", name, err)
			continue
		}
		if e.Line != test.line || e.Column != test.column || !strings.Contains(e.Error(), test.says) {
			t.Errorf("%s:\n%s%s: want %d:%d and %q", name, e.Excerpt(), e, test.line, test.column, test.says)
		}
		if e.File == "" || (e.Excerpt() == "") != (e.Line == 0) {
			t.Errorf("%s: file %q, excerpt %q", name, e.File, e.Excerpt())
		}
	}
}

// TestExcerptOfLongLine: the part of the line around the column is shown, and the
// caret stands below it.
func TestExcerptOfLongLine(t *testing.T) {
	text := "graph: {nodes: [" + strings.Repeat("é, ", 400) + "]}"
	_, err := resolveText(text)
	var e *Error
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	lines := strings.Split(e.Excerpt(), "\n")
	if e.Column != 20 || len([]rune(lines[0])) > excerptWidth+7 || []rune(lines[0])[len(lines[1])-1] != 'é' {
		t.Errorf("column %d:\n%s", e.Column, e.Excerpt())
	}
}

// TestBadGraphFile: an error in a file that the scenario names points into that
// file.
func TestBadGraphFile(t *testing.T) {
	dir := t.TempDir()
	for _, test := range []struct{ name, text, at string }{
		{"g.edges", "a b\na b c\n", "g.edges:2:"},
		{"g.dot", "digraph {\n a -> }\n", "g.dot:2:"},
		{"g.json", "{\"plan\": {\"nodes\": [", "g.json"},
		{"e.dot", "", "e.dot: the file is empty"},
		{"g.xml", "<a/>", `ends in ".xml"`},
	} {
		if err := os.WriteFile(filepath.Join(dir, test.name), []byte(test.text), 0o666); err != nil {
			t.Fatal(err)
		}
		s, err := Parse(Default(), filepath.Join(dir, "s.yaml"), []byte("graph: {file: "+test.name+"}"))
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Resolve(Default(), Overrides{})
		if err == nil || !strings.Contains(err.Error(), test.at) || !strings.Contains(err.Error(), "s.yaml:1:15") {
			t.Errorf("%s: %v does not say %q", test.name, err, test.at)
		}
	}
}

// TestDamagedFiles damages the scenario files in many ways: each is a scenario
// still or an *Error, and nothing panics.
func TestDamagedFiles(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(scenarioFolder, "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	refused, taken := 0, 0
	for round := range 3000 {
		text, err := os.ReadFile(files[round%len(files)])
		if err != nil {
			t.Fatal(err)
		}
		text = damage(random, text[strings.Index(string(text), "version"):])
		_, err = resolveText(string(text))
		var e *Error
		switch {
		case err == nil:
			taken++
		case errors.As(err, &e) && e.Message != "":
			refused++
		default:
			t.Fatalf("%v is no *Error; the scenario is\n%s", err, text)
		}
	}
	if refused < 500 || taken < 100 {
		t.Errorf("%d refused, %d taken: the damage is too small or too large", refused, taken)
	}
}

// damage cuts, doubles, swaps or overwrites a part of a text.
func damage(random *rand.Rand, text []byte) []byte {
	out := append([]byte(nil), text...)
	from := random.IntN(len(out))
	to := min(len(out), from+1+random.IntN(8))
	switch random.IntN(4) {
	case 0:
		return append(out[:from], out[to:]...)
	case 1:
		return append(out[:to:to], out[from:]...)
	case 2:
		return out[:from]
	default:
		const marks = "{}[]:,-&*!|>'\"#%@?~ \n\t0az\x00\xff"
		for i := from; i < to; i++ {
			out[i] = marks[random.IntN(len(marks))]
		}
		return out
	}
}

// TestAliasesDoNotMultiply: a small file cannot stand for a huge scenario.
func TestAliasesDoNotMultiply(t *testing.T) {
	var b strings.Builder
	b.WriteString("app: {kind: wordcount, lines: &l [" + strings.Repeat("a, ", 3000) + "]}\nfaults:\n")
	for range 3000 {
		fmt.Fprintf(&b, "  - {crash: *l, step: 1}\n")
	}
	if _, err := resolveText(b.String()); err == nil || !strings.Contains(err.Error(), "too many values") {
		t.Errorf("got %v", err)
	}
}

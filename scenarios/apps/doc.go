// Package apps holds the computations that simrun takes snapshots of: bank,
// wordcount, loop, join, sums, dataflow, zip, windows, activity and tokens, a file for each.
//
// It knows nothing of snapshots, recovery or verdicts, reads no scenario file,
// and measures nothing; it only says what each node of a graph computes and what
// the outside world hands to it.
//
// # How an app is written
//
// An app comes in three parts. Its parameters are an exported struct with yaml
// tags whose pointer is a Builder; a function fills in the defaults. Build
// checks them against the graph, computes once whatever the nodes need to know
// of it (where their outputs lead, say), and returns a Workload. The Workload
// makes, for a seed and a node, the sim.App and the sim.Source. It is shared by
// runs that go on at the same time, so nothing may change it after Build.
//
//	// Echo sends everything that it is given on over its first output.
//	type Echo struct {
//		Records int64          `yaml:"records"`
//		Every   units.Duration `yaml:"every"`
//	}
//
//	func (p *Echo) Build(env *apps.Env) (*apps.Workload, error) {
//		if p.Records < 1 {
//			return nil, &apps.ParameterError{Parameter: "records", Problem: "it is below 1", Right: "write 1 or more"}
//		}
//		return &apps.Workload{
//			NewApp:    func(seed uint64, node int32) sim.App { return &echo{} },
//			NewSource: func(seed uint64, node int32) sim.Source { return echoSource{*p} },
//		}, nil
//	}
//
// An App keeps to four rules beside those of sim.App. Step allocates nothing
// once it is warm. Save writes its fields in a fixed order and never ranges over
// a map. Randomness comes from a sim.Word in the state or from the External
// record. And the computation comes to rest when the External records end, or
// else says so in Workload.Restless.
//
// # Records
//
// The records of every app but bank carry in Aux who they are: the source's node
// and the record's number there, as RecordID packs them. What an app makes of a
// record keeps its id, so that an output can be traced back to the input that
// caused it; what is made of several has the id of the first. In bank, Aux is the
// weight that a transfer carries.
package apps
